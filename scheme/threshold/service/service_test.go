package service

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/scheme/threshold/frost"
	"github.com/zkatbench/zkatbench/scheme/threshold/secp"
)

func newService(t *testing.T, scheme string) *Service {
	t.Helper()
	s, err := New(Config{Scheme: scheme, MaxMalicious: 1, Seed: 1, Pool: 3, Refill: 2})
	require.NoError(t, err)
	return s
}

// TestEveryPresignatureSignsOnce signs from several goroutines: all signatures
// verify, and no two of them have the same nonce point.
func TestEveryPresignatureSignsOnce(t *testing.T) {
	const workers, each = 4, 6
	for _, scheme := range Schemes {
		s := newService(t, scheme)
		var mu sync.Mutex
		messages, nonces := map[string]bool{}, map[string]bool{}
		var wg sync.WaitGroup
		for range workers {
			wg.Go(func() {
				for range each {
					message, signature, err := s.Sign(t.Context())
					if err == nil {
						err = s.Verify(message, signature)
					}
					mu.Lock()
					if err != nil {
						t.Errorf("%s: %v", scheme, err)
					} else {
						messages[string(message)], nonces[string(signature[:32])] = true, true
					}
					mu.Unlock()
				}
			})
		}
		wg.Wait()
		require.Len(t, messages, workers*each, scheme)
		require.Len(t, nonces, workers*each, scheme)
		st := s.TakeStats()
		require.EqualValues(t, workers*each, st.Signatures)
		require.Zero(t, s.TakeStats().Signatures)
	}
}

func TestAPresignatureIsRefusedTheSecondTime(t *testing.T) {
	for scheme, want := range map[string]error{"robust": secp.ErrReused, "ot": secp.ErrReused, "frost": frost.ErrReused} {
		s := newService(t, scheme)
		m := <-s.pool
		_, err := m.prepared.sign([]byte("a"))
		require.NoError(t, err)
		_, err = m.prepared.sign([]byte("b"))
		require.ErrorIs(t, err, want, scheme)
	}
}

func TestSignaturesAreThoseOfTheirMessage(t *testing.T) {
	for _, scheme := range Schemes {
		s := newService(t, scheme)
		message, signature, err := s.Sign(t.Context())
		require.NoError(t, err)
		require.NoError(t, s.Verify(message, signature))
		require.ErrorIs(t, s.Verify(append(message, 0), signature), errSignature)
		require.ErrorIs(t, s.Verify(message, signature[1:]), errSignature)
		signature[3] ^= 1
		require.ErrorIs(t, s.Verify(message, signature), errSignature)
	}
}

// slow is a protocol that takes 10 ms for a presignature and no time for a
// signature.
type slow struct{ err error }

func (p slow) presign(uint64) (prepared, error)    { time.Sleep(10 * time.Millisecond); return p, p.err }
func (p slow) verify([]byte, []byte) error         { return nil }
func (p slow) sign(message []byte) ([]byte, error) { return message, nil }

// settle waits until the pool is full and no refill runs.
func settle(t *testing.T, s *Service) {
	t.Helper()
	time.Sleep(40 * time.Millisecond)
	synctest.Wait()
	require.Len(t, s.pool, s.Pool)
	require.Zero(t, s.running)
}

// TestExhaustionIsVisible signs faster than the pool is refilled, in the virtual
// time of synctest.
func TestExhaustionIsVisible(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &Service{Config: Config{Pool: 4, Refill: 1}, protocol: slow{}, pool: make(chan made, 4), stats: Stats{Lowest: 4}}
		for range 4 {
			s.pool <- s.presign()
		}
		start := time.Now()
		for range 10 {
			_, _, err := s.Sign(t.Context())
			require.NoError(t, err)
		}
		// Four presignatures are there, six are waited for, one after the other.
		require.Equal(t, 60*time.Millisecond, time.Since(start))
		st := s.TakeStats()
		require.Equal(t, Stats{Signatures: 10, Presignatures: 6, Empty: 6, Waited: 60 * time.Millisecond, Lowest: 0}, st)
		var b strings.Builder
		require.NoError(t, st.Write(&b, s.Config, time.Since(start)))
		require.Equal(t, "service: 10 signatures, 166.7 a second; 6 presignatures made in the background, 100.0 a second\n"+
			"pool of 4, refilled by 1: empty for 6 signatures (60.0 %), which waited 10ms on average; lowest level 0\n", b.String())

		// The pool is full again after 40 ms, and then the parties are idle.
		settle(t, s)
		for range 2 {
			_, _, err := s.Sign(t.Context())
			require.NoError(t, err)
		}
		require.Zero(t, s.TakeStats().Empty)
		settle(t, s)
	})
}

func TestAFailedRefillIsAnError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		broken := errors.New("no randomness")
		s := &Service{Config: Config{Pool: 1, Refill: 1}, protocol: slow{broken}, pool: make(chan made, 1)}
		_, _, err := s.Sign(t.Context())
		require.ErrorIs(t, err, broken)
	})
}

func TestSignEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &Service{Config: Config{Pool: 1, Refill: 1}, protocol: slow{}, pool: make(chan made, 1)}
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		_, _, err := s.Sign(ctx)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		time.Sleep(20 * time.Millisecond)
		synctest.Wait()
		require.Zero(t, s.running, "an order that was taken back leaves nothing behind")
		require.Empty(t, s.pool)
	})
}

func TestConfig(t *testing.T) {
	good := Config{Scheme: "frost", MaxMalicious: 1, Pool: 1, Refill: 1}
	_, err := New(good)
	require.NoError(t, err)
	for _, change := range []func(*Config){
		func(c *Config) { c.Scheme = "rsa" }, func(c *Config) { c.MaxMalicious = 0 }, func(c *Config) { c.MaxMalicious = 65 },
		func(c *Config) { c.Pool = 0 }, func(c *Config) { c.Pool = MaxPool + 1 }, func(c *Config) { c.Refill = 0 }, func(c *Config) { c.Refill = MaxRefill + 1 },
	} {
		c := good
		change(&c)
		_, err := New(c)
		require.ErrorIs(t, err, ErrConfig)
	}
	_, _, err = new(Service).Sign(t.Context())
	require.Error(t, err)
	require.Error(t, new(Service).Verify(nil, nil))
}
