package main

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"

	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/node/payments"
	"github.com/zkatbench/zkatbench/node/store"
	pb "github.com/zkatbench/zkatbench/node/validationpb"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
)

// rivals are two payments that spend the same tokens.
type rivals [2]payments.Payment

// TestKilledUnderLoad kills the server again and again while clients submit pairs of
// payments that spend the same tokens. Afterwards every acknowledged payment is on the
// ledger, at most one of each pair is, and a payment is there as a whole or not at all.
func TestKilledUnderLoad(t *testing.T) {
	kills := nightly.Pick(2, 8, 50)
	pool := smallPool(t)
	const pairsOfRound = 64
	pairs := make([]rivals, kills*pairsOfRound)
	var inputs []payments.Payment
	for i := range pairs {
		for side := range pairs[i] {
			p, err := pool.Make(fmt.Sprintf("pair-%d-%d", i, side), uint64(i))
			require.NoError(t, err)
			pairs[i][side] = p
		}
		inputs = append(inputs, pairs[i][0])
	}
	dir, seed := newLedger(t, pool, inputs), uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	acknowledged := map[string]bool{}
	var acknowledging sync.Mutex
	for round := range kills {
		server := startRemote(t, dir, "-batch=8")
		client := server.connect(t, 1)[0]
		after := random.IntN(2 * pairsOfRound) // acknowledgements before the kill
		enough := make(chan struct{})
		var clients sync.WaitGroup
		count := 0
		own := pairs[round*pairsOfRound : (round+1)*pairsOfRound]
		for i := range 2 * len(own) {
			clients.Go(func() {
				p := own[i/2][i%2]
				v, err := client.Submit(t.Context(), &pb.Submission{Anchor: p.Anchor, Request: p.Raw})
				acknowledging.Lock()
				defer acknowledging.Unlock()
				if err == nil {
					acknowledged[p.Anchor] = v.GetAccepted()
				}
				if count++; count == after+1 {
					close(enough)
				}
			})
		}
		<-enough
		server.kill()
		clients.Wait()
	}
	require.NotEmpty(t, acknowledged)
	checkLedger(t, dir, pool, pairs, acknowledged)
}

func checkLedger(t *testing.T, dir string, pool *payments.Pool, pairs []rivals,
	acknowledged map[string]bool) {
	t.Helper()
	s, err := store.Open(filepath.Join(dir, "store"), store.Options{Digest: pool.Network.Params.Digest()})
	require.NoError(t, err)
	defer s.Close()
	has := func(id token.ID, raw []byte) bool {
		found, err := s.Has(id, raw)
		require.NoError(t, err)
		return found
	}
	open := pool.Network.Validator(validator.Options{})
	for _, pair := range pairs {
		applied := 0
		for _, p := range pair {
			known, err := s.Knows(p.Anchor)
			require.NoError(t, err)
			if accepted, answered := acknowledged[p.Anchor]; answered {
				require.Equal(t, accepted, known, "%s was acknowledged", p.Anchor)
			}
			if known {
				applied++
			}
			effects, err := open.Validate(p.Anchor, p.Raw)
			require.NoError(t, err)
			for _, out := range effects.Created {
				require.Equal(t, known, has(out.ID, out.Token), "half of %s", p.Anchor)
			}
		}
		require.LessOrEqual(t, applied, 1, "a token is spent twice")
		for _, in := range pair[0].Inputs {
			require.Equal(t, applied == 0, has(in.ID, in.Token))
		}
	}
}

// TestACleanStopAnswersEverythingAccepted: after SIGTERM every request has an answer:
// a verdict, or Unavailable for requests that came too late. The ledger agrees.
func TestACleanStopAnswersEverythingAccepted(t *testing.T) {
	pool, list := take(t, 96)
	dir := newLedger(t, pool, list)
	server := startRemote(t, dir, "-batch=8", "-linger=50ms")
	client := server.connect(t, 1)[0]
	conn, err := grpc.NewClient(server.address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	require.NoError(t, err)
	defer conn.Close()
	health, err := healthpb.NewHealthClient(conn).Watch(t.Context(), &healthpb.HealthCheckRequest{})
	require.NoError(t, err)
	serves := func(want healthpb.HealthCheckResponse_ServingStatus) {
		got, err := health.Recv()
		require.NoError(t, err)
		require.Equal(t, want, got.GetStatus())
	}
	serves(healthpb.HealthCheckResponse_SERVING)
	acknowledged := map[string]bool{}
	var acknowledging sync.Mutex
	var clients sync.WaitGroup
	first := make(chan struct{})
	for _, p := range list {
		clients.Go(func() {
			v, err := client.Submit(t.Context(), &pb.Submission{Anchor: p.Anchor, Request: p.Raw})
			acknowledging.Lock()
			defer acknowledging.Unlock()
			if len(acknowledged) == 0 {
				close(first)
			}
			acknowledged[p.Anchor] = err == nil && v.GetAccepted()
		})
	}
	<-first
	require.NoError(t, server.process.Process.Signal(syscall.SIGTERM))
	serves(healthpb.HealthCheckResponse_NOT_SERVING)
	require.NoError(t, conn.Close())
	clients.Wait()
	require.NoError(t, server.process.Wait(), server.errors)
	require.Len(t, acknowledged, len(list))
	s, err := store.Open(filepath.Join(dir, "store"), store.Options{Digest: pool.Network.Params.Digest()})
	require.NoError(t, err)
	defer s.Close()
	for anchor, accepted := range acknowledged {
		known, err := s.Knows(anchor)
		require.NoError(t, err)
		require.Equal(t, accepted, known, anchor)
	}
}
