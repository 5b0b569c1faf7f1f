package service_test

import (
	"bytes"
	"errors"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/zkatbench/zkatbench/node/payments"
	"github.com/zkatbench/zkatbench/node/service"
	"github.com/zkatbench/zkatbench/node/store"
	pb "github.com/zkatbench/zkatbench/node/validationpb"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
)

// TestTheFirstAnswer: the same bytes sent again have the first verdict, in one block, in
// blocks at the same time, and later. Other bytes under the same anchor are refused.
func TestTheFirstAnswer(t *testing.T) {
	list := take(t, 2)
	for _, c := range []service.Config{{Batch: 4, Linger: time.Hour, Blocks: 1}, {Batch: 1, Blocks: 4}} {
		running := start(t, c, list...)
		verdicts := make([]service.Verdict, 4)
		var callers sync.WaitGroup
		for i := range verdicts {
			callers.Go(func() {
				v, err := running.Submit(t.Context(), list[0].Anchor, list[0].Raw)
				if err != nil {
					t.Error(err)
				}
				verdicts[i] = v
			})
		}
		callers.Wait()
		first := verdicts[0]
		require.NoError(t, first.Err)
		require.Positive(t, first.Block)
		for range 4 {
			callers.Go(func() {
				v, err := running.Submit(t.Context(), list[0].Anchor, list[0].Raw)
				if err != nil {
					t.Error(err)
				}
				if v != first {
					t.Errorf("later: %v, first: %v", v, first)
				}
			})
		}
		callers.Wait()
		require.Equal(t, []service.Verdict{first, first, first, first}, verdicts)
		for range c.Batch {
			callers.Go(func() {
				v, err := running.Submit(t.Context(), list[0].Anchor, list[1].Raw)
				if err != nil || !errors.Is(v.Err, validator.ErrKnownAnchor) {
					t.Errorf("other bytes: %v, %v", v, err)
				}
			})
		}
		callers.Wait()
	}
}

// TestTheFirstAnswerBehindAWrongRequest: a block begins with a wrong request. The right ones behind it,
// sent again, have their first verdicts: the digests that are stored are their own.
func TestTheFirstAnswerBehindAWrongRequest(t *testing.T) {
	list := take(t, 3)
	running := start(t, service.Config{Batch: len(list), Linger: time.Hour, Blocks: 1}, list...)
	send := func() (verdicts [3]service.Verdict) {
		var callers sync.WaitGroup
		submit := func(i int, anchor string) {
			callers.Go(func() {
				var err error
				verdicts[i], err = running.Submit(t.Context(), anchor, list[i].Raw)
				if err != nil {
					t.Error(err)
				}
			})
		}
		submit(0, "other")
		for !waits("(*Service).collect", "select") { // the block has its first request
			runtime.Gosched()
		}
		submit(1, list[1].Anchor)
		submit(2, list[2].Anchor)
		callers.Wait()
		return verdicts
	}
	first := send()
	require.Error(t, first[0].Err)
	require.Positive(t, first[1].Block)
	require.Equal(t, first[1:], []service.Verdict{{Block: first[1].Block}, {Block: first[1].Block}})
	again := send()
	require.Equal(t, first[1:], again[1:])
}

// late is a ledger that does not know requests when it is asked for their anchors. They are
// applied right after.
type late struct{ validator.Ledger }

func (late) Knows(string) (bool, error) { return false, nil }

// TestTheFirstAnswerOfARace: the same bytes are applied while they are validated again, between
// the look for the anchor and the look for the inputs.
func TestTheFirstAnswerOfARace(t *testing.T) {
	list := take(t, 2)
	running := startOn(t, store.Options{}, func(l validator.Ledger) validator.Options {
		return validator.Options{Ledger: late{l}}
	}, service.Config{}, list...)
	first, err := running.Submit(t.Context(), list[0].Anchor, list[0].Raw)
	require.NoError(t, err)
	require.NoError(t, first.Err)
	again, err := running.Submit(t.Context(), list[0].Anchor, list[0].Raw)
	require.NoError(t, err)
	require.Equal(t, first, again)
	other, err := running.Submit(t.Context(), "other", list[0].Raw)
	require.NoError(t, err)
	require.Error(t, other.Err)
}

// TestStatus: a client that lost its verdict asks for it.
func TestStatus(t *testing.T) {
	list := take(t, 2)
	running := start(t, service.Config{}, list...)
	client := clientOf(t, running)
	status := func(anchor string) *pb.StatusReport {
		r, err := client.Status(t.Context(), &pb.StatusRequest{Anchor: anchor})
		require.NoError(t, err)
		return r
	}
	require.Equal(t, pb.StatusReport_UNKNOWN, status(list[0].Anchor).GetOutcome())
	require.Nil(t, status(list[0].Anchor).GetVerdict())
	require.Equal(t, pb.StatusReport_REFUSED, status("tr").GetOutcome())

	refused, err := client.Submit(t.Context(), &pb.Submission{Anchor: list[0].Anchor, Request: list[1].Raw})
	require.NoError(t, err)
	require.False(t, refused.GetAccepted())
	require.NotEmpty(t, refused.GetRule())
	r := status(list[0].Anchor)
	require.Equal(t, pb.StatusReport_REFUSED, r.GetOutcome())
	require.Equal(t, refused.GetRule(), r.GetVerdict().GetRule())
	require.Equal(t, refused.GetReason(), r.GetVerdict().GetReason())

	accepted, err := client.Submit(t.Context(), submission(list[0]))
	require.NoError(t, err)
	require.True(t, accepted.GetAccepted())
	r = status(list[0].Anchor)
	require.Equal(t, pb.StatusReport_ACCEPTED, r.GetOutcome())
	require.Equal(t, accepted.GetBlock(), r.GetVerdict().GetBlock())
	require.Equal(t, pb.StatusReport_UNKNOWN, status(list[1].Anchor).GetOutcome())
}

// TestReservedAnchors: the service refuses them before the queue.
func TestReservedAnchors(t *testing.T) {
	running := start(t, service.Config{})
	for _, anchor := range []string{"", "tr", "osn", "tam", "iam", "a\x00b", "\U0010FFFF", "\xff",
		string(make([]byte, request.MaxAnchor+1))} {
		v, err := running.Submit(t.Context(), anchor, nil)
		require.NoError(t, err)
		refused := new(validator.RefusedError)
		require.ErrorAs(t, v.Err, &refused, "%q", anchor)
		require.Equal(t, "anchor", refused.Rule)
	}
}

// blindDisk is a file system that may not tell the free bytes of its disk.
type blindDisk struct {
	vfs.FS
	blind *atomic.Bool
}

var errBlind = errors.New("no usage of the disk")

func (d blindDisk) GetDiskUsage(path string) (vfs.DiskUsage, error) {
	if d.blind.Load() {
		return vfs.DiskUsage{}, errBlind
	}
	return d.FS.GetDiskUsage(path)
}

// TestAFailingStore: the store cannot apply a block. The valid requests in it have no verdict and
// are not applied. They are accepted later. The block has a refused request at each place, or
// only valid requests.
func TestAFailingStore(t *testing.T) {
	list := take(t, 2)
	for refused := range 3 { // 2: all are valid
		disk := blindDisk{vfs.Default, new(atomic.Bool)}
		running := startOn(t, store.Options{FS: disk}, plain,
			service.Config{Batch: 2, Linger: time.Hour, Blocks: 1}, list...)
		submit := func(refused int, check func(wrong bool, v service.Verdict, err error)) {
			var callers sync.WaitGroup
			submitAll(t, &callers, running, list, refused, func(i int, v service.Verdict, err error) {
				check(i == refused, v, err)
			})
			callers.Wait()
		}
		disk.blind.Store(true)
		submit(refused, func(wrong bool, v service.Verdict, err error) {
			if wrong && (err != nil || v.Err == nil) || !wrong && !errors.Is(err, errBlind) {
				t.Errorf("wrong: %t: %v, %v", wrong, v, err)
			}
		})
		disk.blind.Store(false)
		for i, p := range list {
			_, known, err := running.Status(p.Anchor)
			require.NoError(t, err)
			require.False(t, known, i)
		}
		submit(2, func(_ bool, v service.Verdict, err error) {
			if err != nil || v.Err != nil {
				t.Errorf("later: %v, %v", v, err)
			}
		})
	}
}

// waits reports whether a goroutine waits in a call, in a state as stacks name it.
func waits(call, state string) bool {
	stacks := make([]byte, 1<<20)
	for _, g := range strings.Split(string(stacks[:runtime.Stack(stacks, true)]), "\n\n") {
		if first, calls, _ := strings.Cut(g, "\n"); strings.Contains(first, state) &&
			strings.Contains(calls, call) {
			return true
		}
	}
	return false
}

// TestNoAnswerBeforeTheDisk: a sync of the log does not return. No request of its block is
// answered, and Status of an accepted one and Stop wait too. The block has a refused request at each
// place, or only valid requests.
func TestNoAnswerBeforeTheDisk(t *testing.T) {
	list := take(t, 2)
	for refused := range 3 { // 2: all are valid
		var slow atomic.Bool
		done := make(chan struct{})
		goOn := sync.OnceFunc(func() { close(done) })
		disk := errorfs.Wrap(vfs.Default, errorfs.InjectorFunc(func(op errorfs.Op) error {
			synced := op.Kind == errorfs.OpFileSync || op.Kind == errorfs.OpFileSyncData ||
				op.Kind == errorfs.OpFileSyncTo
			if synced && strings.HasSuffix(op.Path, ".log") && slow.Load() {
				<-done
			}
			return nil
		}))
		running := startOn(t, store.Options{FS: disk}, plain,
			service.Config{Batch: 2, Linger: time.Hour, Blocks: 1}, list...)
		t.Cleanup(goOn)
		slow.Store(true)
		var answers atomic.Int64
		var callers sync.WaitGroup
		submitAll(t, &callers, running, list, refused, func(i int, v service.Verdict, err error) {
			if answers.Add(1); err != nil || (v.Err != nil) != (i == refused) {
				t.Errorf("%v, %v", v, err)
			}
		})
		for answers.Load() == 0 && !waits("(*Service).settle", "sync.WaitGroup.Wait") {
			runtime.Gosched()
		}
		require.Zero(t, answers.Load(), "request %d is refused", refused)
		callers.Go(func() {
			v, known, err := running.Status(list[(refused+1)%2].Anchor)
			if answers.Add(1); err != nil || v.Err != nil || !known {
				t.Errorf("%v, %t, %v", v, known, err)
			}
		})
		callers.Go(func() {
			running.Stop()
			answers.Add(1)
		})
		for answers.Load() == 0 && !(waits("(*Store).Receipt", "sync.Cond.Wait") &&
			waits("(*Service).Stop", "chan receive")) {
			runtime.Gosched()
		}
		require.Zero(t, answers.Load(), "Status or Stop; request %d is refused", refused)
		goOn()
		callers.Wait()
	}
}

// TestStop: a request in a block that is not full is answered before Stop returns. While the service
// stops, new requests are unavailable, alone and on a stream, and the stream has its earlier answers.
// A second Stop waits too.
func TestStop(t *testing.T) {
	list := take(t, 3)
	running := start(t, service.Config{Batch: 2, Linger: time.Hour}, list...)
	verdict := make(chan service.Verdict, 1)
	go func() {
		v, err := running.Submit(t.Context(), list[0].Anchor, list[0].Raw)
		if err != nil {
			t.Error(err)
		}
		verdict <- v
	}()
	for !waits("(*Service).collect", "select") {
		runtime.Gosched()
	}
	running.Stop()
	require.False(t, waits("(*Service).Submit", "select"), "an answer is missing")
	require.NoError(t, (<-verdict).Err)

	running, goOn := startBlocked(t, service.Config{Batch: 1, Blocks: 1}, list...)
	client := clientOf(t, running)
	stream, err := client.Stream(t.Context())
	require.NoError(t, err)
	send := func(p payments.Payment) {
		require.NoError(t, stream.Send(submission(p)))
	}
	send(list[1])
	for !waits("(*Service).process", "chan receive") {
		runtime.Gosched()
	}
	var stops sync.WaitGroup
	stops.Go(running.Stop)
	stops.Go(running.Stop)
	for !waits("(*Service).Stop", "sync.WaitGroup.Wait") {
		runtime.Gosched()
	}
	_, err = client.Submit(t.Context(), submission(list[2]))
	require.Equal(t, codes.Unavailable, status.Code(err))
	require.ErrorContains(t, err, service.ErrStopped.Error())
	send(list[2])
	for waits("(*submissions).receive", "") {
		runtime.Gosched()
	}
	goOn()
	v, err := stream.Recv()
	require.NoError(t, err)
	require.Equal(t, list[1].Anchor, v.GetAnchor())
	require.True(t, v.GetAccepted(), v.GetReason())
	_, err = stream.Recv()
	require.Equal(t, codes.Unavailable, status.Code(err))
	stops.Wait()
	_, known, err := running.Status(list[2].Anchor)
	require.NoError(t, err)
	require.False(t, known)
}

// TestABusyService says so, alone and on a stream.
func TestABusyService(t *testing.T) {
	list := take(t, 1)
	running, goOn := startBlocked(t, service.Config{Batch: 1, Blocks: 1, Queue: 1}, list...)
	client := clientOf(t, running)
	stream, err := client.Stream(t.Context())
	require.NoError(t, err)
	const taken = 3 // validated, in the next block, and in the queue
	for range taken + 1 {
		require.NoError(t, stream.Send(&pb.Submission{Anchor: "other", Request: list[0].Raw}))
	}
	v, err := stream.Recv()
	require.NoError(t, err)
	require.True(t, v.GetBusy())
	require.False(t, v.GetAccepted())
	refusals := make(chan error, taken+1)
	for range taken + 1 {
		go func() {
			_, err := client.Submit(t.Context(), &pb.Submission{Anchor: "other", Request: list[0].Raw})
			refusals <- err
		}()
	}
	require.Equal(t, codes.ResourceExhausted, status.Code(<-refusals))
	goOn()
	for range taken {
		_, err = stream.Recv()
		require.NoError(t, err)
	}
}

// TestADiskThatCannotBeRead: the service does not know, and refuses nothing.
func TestADiskThatCannotBeRead(t *testing.T) {
	list := take(t, 1)
	var broken atomic.Bool
	disk := errorfs.Wrap(vfs.Default, errorfs.InjectorFunc(func(op errorfs.Op) error {
		if op.Kind == errorfs.OpFileReadAt && broken.Load() {
			return syscall.EIO
		}
		return nil
	}))
	var kept *store.Store
	running := startOn(t, store.Options{FS: disk}, func(l validator.Ledger) validator.Options {
		kept = l.(*store.Store)
		return plain(l)
	}, service.Config{}, list...)
	large := bytes.Repeat([]byte{1}, 20<<20) // ends the table
	require.NoError(t, kept.Put(validator.Created{ID: token.ID{TxID: "large"}, Token: large}))
	broken.Store(true)
	earlier := list[0].Inputs[0].ID.TxID
	_, known, err := running.Status(earlier)
	for known && err == nil { // the table is written in the background
		runtime.Gosched()
		_, known, err = running.Status(earlier)
	}
	require.ErrorIs(t, err, syscall.EIO)
	require.False(t, known)
	_, err = kept.Knows(earlier)
	require.ErrorIs(t, err, syscall.EIO)
	_, err = kept.Has(list[0].Inputs[0].ID, list[0].Inputs[0].Token)
	require.ErrorIs(t, err, syscall.EIO)
	_, err = running.Submit(t.Context(), list[0].Anchor, list[0].Raw)
	require.ErrorIs(t, err, syscall.EIO)
	_, err = kept.Apply([]store.Request{{Accepted: &validator.Accepted{Anchor: earlier}}})
	require.ErrorIs(t, err, syscall.EIO)
	broken.Store(false)
	v, err := running.Submit(t.Context(), list[0].Anchor, list[0].Raw)
	require.NoError(t, err)
	require.NoError(t, v.Err)
}

// blockedWriter is a client that does not read.
type blockedWriter struct {
	*httptest.ResponseRecorder
	reached, goOn chan struct{}
}

func (w blockedWriter) Write(p []byte) (int, error) {
	w.reached <- struct{}{}
	<-w.goOn
	return len(p), nil
}

// TestASlowReaderOfMetrics: payments and other readers do not wait for it.
func TestASlowReaderOfMetrics(t *testing.T) {
	list := take(t, 1)
	running := start(t, service.Config{}, list...)
	slow := blockedWriter{httptest.NewRecorder(), make(chan struct{}, 1<<10), make(chan struct{})}
	get := httptest.NewRequest(http.MethodGet, "/metrics", nil)
	var reading sync.WaitGroup
	reading.Go(func() { running.Metrics().ServeHTTP(slow, get) })
	<-slow.reached
	v, err := running.Submit(t.Context(), list[0].Anchor, list[0].Raw)
	require.NoError(t, err)
	require.NoError(t, v.Err)
	other := httptest.NewRecorder()
	running.Metrics().ServeHTTP(other, get)
	require.Contains(t, other.Body.String(), `zkat_requests_total{outcome="accepted"} 1`)
	close(slow.goOn)
	reading.Wait()
}

// TestASlowReaderOfAStream: it is not read while its answers are not, and others do not wait for it.
func TestASlowReaderOfAStream(t *testing.T) {
	running := start(t, service.Config{})
	address := serve(t, running)
	conn := dial(t, address, grpc.WithInitialWindowSize(1<<16)) // and it does not grow
	stream, err := pb.NewValidationClient(conn).Stream(t.Context())
	require.NoError(t, err)
	var sent atomic.Int64
	go func() {
		wrong := &pb.Submission{Anchor: strings.Repeat("a", request.MaxAnchor), Request: make([]byte, 1<<10)}
		for stream.Send(wrong) == nil {
			sent.Add(1)
		}
	}()
	client := pb.NewValidationClient(dial(t, address))
	for before := int64(-1); before < max(512, sent.Load()); { // until the stream is not read
		before = sent.Load()
		for range 20 {
			_, err := client.Submit(t.Context(), &pb.Submission{Anchor: "other"})
			require.NoError(t, err)
		}
	}
}
