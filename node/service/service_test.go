package service_test

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/http2"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/reflection/grpc_reflection_v1"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protowire"

	_ "github.com/zkatbench/zkatbench/node/internal/accept"
	"github.com/zkatbench/zkatbench/node/payments"
	"github.com/zkatbench/zkatbench/node/service"
	"github.com/zkatbench/zkatbench/node/store"
	pb "github.com/zkatbench/zkatbench/node/validationpb"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/ledger"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
)

var newPool = sync.OnceValues(func() (*payments.Pool, error) {
	return payments.New(payments.Config{Bits: 16})
})

// start starts a service with the inputs of payments in its ledger.
func start(t *testing.T, c service.Config, list ...payments.Payment) *service.Service {
	t.Helper()
	return startOn(t, store.Options{}, plain, c, list...)
}

// plain are the usual options of the validator of a ledger.
func plain(l validator.Ledger) validator.Options { return validator.Options{Ledger: l} }

// startOn is start with a store in a new folder, and options of its validator.
func startOn(t *testing.T, o store.Options, options func(validator.Ledger) validator.Options,
	c service.Config, list ...payments.Payment) *service.Service {
	t.Helper()
	pool, err := newPool()
	require.NoError(t, err)
	o.Digest, o.Reserve = pool.Network.Params.Digest(), 1
	s, err := store.Open(t.TempDir(), o)
	require.NoError(t, err)
	for _, p := range list {
		require.NoError(t, s.Put(p.Inputs...))
	}
	c.Store, c.Validator = s, pool.Network.Validator(options(s))
	running := service.New(c)
	t.Cleanup(func() {
		running.Stop()
		require.NoError(t, s.Close())
	})
	return running
}

func take(t *testing.T, n int) []payments.Payment {
	t.Helper()
	pool, err := newPool()
	require.NoError(t, err)
	list, err := pool.Take(n)
	require.NoError(t, err)
	return list
}

// serve starts a gRPC server and returns its address.
func serve(t *testing.T, running *service.Service) string {
	t.Helper()
	server, health := service.NewServer(running, service.ServerOptions{})
	health.SetServingStatus("", healthpb.HealthCheckResponse_SERVING)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	go server.Serve(l)
	t.Cleanup(server.Stop)
	return l.Addr().String()
}

func dial(t *testing.T, address string, options ...grpc.DialOption) *grpc.ClientConn {
	t.Helper()
	conn, err := grpc.NewClient(address,
		append(options, grpc.WithTransportCredentials(insecure.NewCredentials()))...)
	require.NoError(t, err)
	t.Cleanup(func() { conn.Close() })
	return conn
}

// clientOf returns a client of a server of the service.
func clientOf(t *testing.T, running *service.Service) pb.ValidationClient {
	t.Helper()
	return pb.NewValidationClient(dial(t, serve(t, running)))
}

// submission is a payment as a message.
func submission(p payments.Payment) *pb.Submission {
	return &pb.Submission{Anchor: p.Anchor, Request: p.Raw}
}

// startBlocked starts a service that validates nothing before goOn.
func startBlocked(t *testing.T, c service.Config, list ...payments.Payment) (running *service.Service,
	goOn func()) {
	t.Helper()
	blocked := make(chan struct{})
	running = startOn(t, store.Options{}, func(l validator.Ledger) validator.Options {
		return validator.Options{Ledger: l, Now: func() time.Time {
			<-blocked
			return time.Now()
		}}
	}, c, list...)
	goOn = sync.OnceFunc(func() { close(blocked) })
	t.Cleanup(goOn)
	return running, goOn
}

// submitAll submits each of list at once, and wrong, unless it is len(list), under the anchor of
// another request. check gets the answer to each.
func submitAll(t *testing.T, callers *sync.WaitGroup, s *service.Service, list []payments.Payment, wrong int,
	check func(i int, v service.Verdict, err error)) {
	for i, p := range list {
		callers.Go(func() {
			anchor := p.Anchor
			if i == wrong {
				anchor = "other"
			}
			v, err := s.Submit(t.Context(), anchor, p.Raw)
			check(i, v, err)
		})
	}
}

// TestOneWrongRequestAtEveryPlace: a block has one wrong request, at each
// place in turn. All others are accepted.
func TestOneWrongRequestAtEveryPlace(t *testing.T) {
	const requests = 5
	list := take(t, requests)
	for wrong := range requests {
		running := start(t, service.Config{Batch: requests, Linger: time.Minute, Blocks: 1}, list...)
		verdicts := make([]service.Verdict, requests)
		var callers sync.WaitGroup
		submitAll(t, &callers, running, list, wrong, func(i int, v service.Verdict, err error) {
			if err != nil {
				t.Error(err)
			}
			verdicts[i] = v
		})
		callers.Wait()
		for i, v := range verdicts {
			if i == wrong {
				require.ErrorAs(t, v.Err, new(*validator.RefusedError))
			} else {
				require.NoError(t, v.Err)
				require.Equal(t, verdicts[(wrong+1)%requests].Block, v.Block, "requests of one block")
				require.Positive(t, v.Block)
			}
		}
	}
}

// TestDoubleSpends: of the requests that spend one token, one is accepted: in many blocks of one
// request, which are validated at the same time, and in one block, where the ledger refuses the others.
func TestDoubleSpends(t *testing.T) {
	pool, err := newPool()
	require.NoError(t, err)
	var rivals []payments.Payment
	for _, anchor := range []string{"a", "b", "c", "d", "e", "f"} {
		p, err := pool.Make(anchor, 1<<40)
		require.NoError(t, err)
		rivals = append(rivals, p)
	}
	twice := append(rivals, rivals...)
	for round := range 10 {
		c := service.Config{Batch: 1, Blocks: len(rivals)}
		if round == 0 {
			c = service.Config{Batch: len(twice), Linger: time.Hour, Blocks: 1}
		}
		client := clientOf(t, start(t, c, rivals[0]))
		var mu sync.Mutex
		accepted := map[string]int{}
		var callers sync.WaitGroup
		for _, p := range twice {
			callers.Go(func() {
				v, err := client.Submit(t.Context(), submission(p))
				mu.Lock()
				defer mu.Unlock()
				switch {
				case err != nil:
					t.Error(err)
				case v.GetAccepted():
					accepted[p.Anchor]++
				case round == 0 && (v.GetRule() != "ledger" ||
					!strings.Contains(v.GetReason(), ledger.ErrSpent.Error())):
					t.Error(v)
				}
			})
		}
		callers.Wait()
		require.Len(t, accepted, 1)
		for _, answers := range accepted {
			require.Equal(t, 2, answers, "the same bytes have the same answer")
		}
	}
}

// TestAFullQueueRefuses: while the only block is validated, one more waits for it and
// the queue holds three requests. All others of ten are refused at once, and all that
// were taken are answered.
func TestAFullQueueRefuses(t *testing.T) {
	list := take(t, 1)
	running, goOn := startBlocked(t, service.Config{Batch: 1, Blocks: 1, Queue: 3}, list...)
	const requests = 10
	busy, answers := make(chan error, requests), make(chan error, requests)
	for range requests {
		go func() {
			_, err := running.Submit(t.Context(), "other", list[0].Raw)
			if err != nil {
				busy <- err
			}
			answers <- err
		}()
	}
	for range requests - 5 {
		require.ErrorIs(t, <-busy, service.ErrBusy)
	}
	goOn()
	answered := 0
	for range requests {
		if err := <-answers; err == nil {
			answered++
		} else {
			require.ErrorIs(t, err, service.ErrBusy)
		}
	}
	require.GreaterOrEqual(t, answered, 3)
	require.LessOrEqual(t, answered, 5)
	running.Stop()
	_, err := running.Submit(t.Context(), "other", list[0].Raw)
	require.ErrorIs(t, err, service.ErrStopped)
	running.Stop() // again
}

// TestDeadline: a request is not validated if its caller went away while it waited. Over
// gRPC a deadline has its own status.
func TestDeadline(t *testing.T) {
	list := take(t, 1)
	running := start(t, service.Config{Batch: 2, Linger: time.Hour}, list...)
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := running.Submit(gone, list[0].Anchor, list[0].Raw)
	require.ErrorIs(t, err, context.Canceled)
	v, err := running.Submit(t.Context(), "other", list[0].Raw) // fills the block
	require.NoError(t, err)
	require.Error(t, v.Err)
	w := httptest.NewRecorder()
	running.Metrics().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	require.Contains(t, w.Body.String(), `zkat_requests_total{outcome="refused"} 1`)
	require.Contains(t, w.Body.String(), `zkat_requests_total{outcome="accepted"} 0`)
	require.Contains(t, w.Body.String(), "zkat_block_requests_sum 1")

	client := clientOf(t, running)
	soon, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	_, err = client.Submit(soon, submission(list[0]))
	require.Equal(t, codes.DeadlineExceeded, status.Code(err))
}

// TestStream: each request of a stream has its verdict.
func TestStream(t *testing.T) {
	list := take(t, 2)
	stream, err := clientOf(t, start(t, service.Config{}, list...)).Stream(t.Context())
	require.NoError(t, err)
	for _, p := range list {
		require.NoError(t, stream.Send(submission(p)))
	}
	require.NoError(t, stream.Send(&pb.Submission{Anchor: "nothing"}))
	require.NoError(t, stream.CloseSend())
	got := map[string]bool{}
	for {
		v, err := stream.Recv()
		if err == io.EOF {
			break
		}
		require.NoError(t, err)
		got[v.GetAnchor()] = v.GetAccepted()
	}
	require.Equal(t, map[string]bool{list[0].Anchor: true, list[1].Anchor: true, "nothing": false}, got)
}

// TestMalformedMessages: unknown fields, messages that are too long, and bytes that are
// no frame are refused, and the server goes on.
func TestMalformedMessages(t *testing.T) {
	list := take(t, 1)
	running := start(t, service.Config{}, list...)
	address := serve(t, running)
	conn := dial(t, address)
	client := pb.NewValidationClient(conn)
	unknown := &pb.Submission{Anchor: "a"}
	unknown.ProtoReflect().SetUnknown(protowire.AppendVarint(protowire.AppendTag(nil, 99,
		protowire.VarintType), 1))
	_, err := client.Submit(t.Context(), unknown)
	require.Equal(t, codes.InvalidArgument, status.Code(err))
	stream, err := client.Stream(t.Context())
	require.NoError(t, err)
	require.NoError(t, stream.Send(unknown))
	_, err = stream.Recv()
	require.Equal(t, codes.InvalidArgument, status.Code(err))
	for extra, want := range map[int]codes.Code{0: codes.OK, 1 << 11: codes.ResourceExhausted} {
		_, err = client.Submit(t.Context(),
			&pb.Submission{Anchor: "a",
				Request: make([]byte, request.DefaultResources.MaxRequestBytes+extra)})
		require.Equal(t, want, status.Code(err), extra)
	}
	limits, err := net.Dial("tcp", address)
	require.NoError(t, err)
	defer limits.Close()
	frame, err := http2.NewFramer(limits, limits).ReadFrame()
	require.NoError(t, err)
	for setting, want := range map[http2.SettingID]uint32{http2.SettingMaxConcurrentStreams: 256,
		http2.SettingMaxHeaderListSize: 16 << 10} {
		got, _ := frame.(*http2.SettingsFrame).Value(setting)
		require.Equal(t, want, got, setting)
	}
	for _, frame := range [][]byte{
		[]byte("GET / HTTP/1.1\r\n\r\n"),
		append([]byte("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), bytes.Repeat([]byte{0xff}, 100)...),
		bytes.Repeat([]byte{0}, 1000),
	} {
		raw, err := net.Dial("tcp", address)
		require.NoError(t, err)
		_, _ = raw.Write(frame)
		raw.Close()
	}
	v, err := client.Submit(t.Context(), submission(list[0]))
	require.NoError(t, err)
	require.True(t, v.GetAccepted(), v.GetReason())

	services, err := grpc_reflection_v1.NewServerReflectionClient(conn).ServerReflectionInfo(t.Context())
	require.NoError(t, err)
	require.NoError(t, services.Send(&grpc_reflection_v1.ServerReflectionRequest{
		MessageRequest: &grpc_reflection_v1.ServerReflectionRequest_ListServices{},
	}))
	answer, err := services.Recv()
	require.NoError(t, err)
	require.Contains(t, answer.String(), "zkatbench.validation.v1.Validation")
}
