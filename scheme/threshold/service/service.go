// Package service is a signing service: it signs with presignatures from a pool,
// and refills the pool at the same time.
//
//	service.go   Service: the pool, its refill, Sign, Stats
//	protocol.go  presigning and signing of each scheme, with all parties
//
// All parties run in this process, one after the other, so that a signature costs
// the work of all of them. Messages need no time. A presignature leaves the pool
// once and signs once.
package service

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/zkatbench/zkatbench/scheme/threshold/codec"
)

// Config describes a service.
type Config struct {
	Scheme       string // one of Schemes
	MaxMalicious int
	Codec        codec.Codec
	Seed         uint64
	// Pool is the number of presignatures that the pool holds when it is full, Refill
	// the greatest number of presignatures that are made at the same time.
	Pool, Refill int
}

// The limits of a Config.
const (
	MaxMalicious = 64
	MaxPool      = 1 << 16
	MaxRefill    = 1024
)

// ErrConfig says that a service cannot have these values.
var ErrConfig = errors.New("no such service")

func (c Config) check() error {
	switch {
	case protocols[c.Scheme] == nil:
		return fmt.Errorf("%w: scheme %q is not one of %v", ErrConfig, c.Scheme, Schemes)
	case c.MaxMalicious < 1 || c.MaxMalicious > MaxMalicious:
		return fmt.Errorf("%w: %d malicious parties are not a number from 1 to %d", ErrConfig, c.MaxMalicious, MaxMalicious)
	case c.Pool < 1 || c.Pool > MaxPool:
		return fmt.Errorf("%w: a pool of %d is not one of 1 to %d", ErrConfig, c.Pool, MaxPool)
	case c.Refill < 1 || c.Refill > MaxRefill:
		return fmt.Errorf("%w: refilling by %d is not by 1 to %d", ErrConfig, c.Refill, MaxRefill)
	}
	return nil
}

// Service signs messages. Its methods can be called concurrently. It makes
// presignatures in the background until the pool is full, and needs no end.
type Service struct {
	Config
	protocol protocol
	pool     chan made
	next     atomic.Uint64 // number of the next presignature
	message  atomic.Uint64 // number of the next message

	mu      sync.Mutex
	missing int // presignatures to make
	surplus int // presignatures in the making with a cancelled order
	running int // goroutines that make presignatures
	stats   Stats
}

// made is a presignature of all parties, or the error of making it.
type made struct {
	prepared prepared
	err      error
}

// Stats are the figures of a service since the last call of TakeStats.
type Stats struct {
	Signatures    uint64
	Presignatures uint64 // made in the background
	// Empty is the number of signatures that found the pool empty and waited, Waited
	// their time in all.
	Empty  uint64
	Waited time.Duration
	// Lowest is the lowest level of the pool after a presignature was taken, since the
	// last call of TakeStats.
	Lowest int
}

// New deals keys and fills the pool.
func New(c Config) (*Service, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	p, err := protocols[c.Scheme](c)
	if err != nil {
		return nil, fmt.Errorf("service: %w", err)
	}
	s := &Service{Config: c, protocol: p, pool: make(chan made, c.Pool), stats: Stats{Lowest: c.Pool}}
	for range c.Pool {
		m := s.presign()
		if m.err != nil {
			return nil, fmt.Errorf("service: %w", m.err)
		}
		s.pool <- m
	}
	return s, nil
}

func (s *Service) presign() made {
	p, err := s.protocol.presign(s.next.Add(1))
	return made{p, err}
}

var errNew = errors.New("service was not made by New")

// prefix begins each message; its number follows.
const prefix = "zkatbench threshold service "

// MessageLen is the length of messages.
const MessageLen = len(prefix) + 8

// Sign signs the next message and returns it with its signature. It waits for a
// presignature if the pool is empty, until ctx ends. Signatures are verified by the
// protocol before they are returned.
func (s *Service) Sign(ctx context.Context) (message, signature []byte, err error) {
	if s.protocol == nil {
		return nil, nil, errNew
	}
	m, err := s.take(ctx)
	if err == nil {
		err = m.err
	}
	if err != nil {
		return nil, nil, err
	}
	message = binary.BigEndian.AppendUint64([]byte(prefix), s.message.Add(1))
	signature, err = m.prepared.sign(message)
	if err != nil {
		return nil, nil, err
	}
	s.mu.Lock()
	s.stats.Signatures++
	s.mu.Unlock()
	return message, signature, nil
}

// take takes a presignature out of the pool and orders another one.
func (s *Service) take(ctx context.Context) (m made, err error) {
	select {
	case m = <-s.pool:
		s.refill(func(st *Stats) { st.Lowest = min(st.Lowest, len(s.pool)) })
		return m, nil
	default:
	}
	s.refill(func(st *Stats) { st.Empty, st.Lowest = st.Empty+1, 0 })
	start := time.Now()
	select {
	case m = <-s.pool:
	case <-ctx.Done():
		s.cancel()
		return m, ctx.Err()
	}
	s.mu.Lock()
	s.stats.Waited += time.Since(start)
	s.mu.Unlock()
	return m, nil
}

// refill orders one presignature, and starts a goroutine if fewer run than allowed.
// Each order replaces a presignature that was taken, or is for a caller that waits,
// so the pool has room for it.
func (s *Service) refill(note func(*Stats)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	note(&s.stats)
	s.missing++
	if s.running < s.Refill {
		s.running++
		go s.work()
	}
}

// cancel takes back the order of a caller that stopped waiting.
func (s *Service) cancel() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.missing > 0 {
		s.missing--
	} else {
		s.surplus++
	}
}

// work makes ordered presignatures until all are made.
func (s *Service) work() {
	for {
		s.mu.Lock()
		if s.missing == 0 {
			s.running--
			s.mu.Unlock()
			return
		}
		s.missing--
		s.mu.Unlock()
		m := s.presign()
		s.mu.Lock()
		s.stats.Presignatures++
		dropped := s.surplus > 0
		if dropped {
			s.surplus--
		}
		s.mu.Unlock()
		if !dropped {
			s.pool <- m
		}
	}
}

// Verify verifies a signature outside of the protocol.
func (s *Service) Verify(message, signature []byte) error {
	if s.protocol == nil {
		return errNew
	}
	return s.protocol.verify(message, signature)
}

// TakeStats returns the statistics since the call before, and begins new ones.
func (s *Service) TakeStats() Stats {
	s.mu.Lock()
	defer s.mu.Unlock()
	st := s.stats
	s.stats = Stats{Lowest: len(s.pool)}
	return st
}

// Write writes the statistics as two lines; elapsed is their time.
func (st Stats) Write(w io.Writer, c Config, elapsed time.Duration) error {
	seconds := max(elapsed.Seconds(), 1e-9)
	share := 100 * float64(st.Empty) / float64(max(1, st.Signatures))
	mean := st.Waited / time.Duration(max(1, st.Empty))
	_, err := fmt.Fprintf(w, "service: %d signatures, %.1f a second; %d presignatures made in the background, %.1f a second\n"+
		"pool of %d, refilled by %d: empty for %d signatures (%.1f %%), which waited %v on average; lowest level %d\n",
		st.Signatures, float64(st.Signatures)/seconds, st.Presignatures, float64(st.Presignatures)/seconds,
		c.Pool, c.Refill, st.Empty, share, mean.Round(time.Microsecond), st.Lowest)
	return err
}
