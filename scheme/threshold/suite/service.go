package suite

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
	"github.com/zkatbench/zkatbench/text"
)

// schemes are the names of services with the cases that they run. Triples of ot
// come from a dealer.
var schemes = map[string]string{"robust": robustSign, "ot": otSign, "frost": frostPresignedSign}

// ServiceConfig describes a service.
type ServiceConfig struct {
	Scheme       string // a value of Scheme
	MaxMalicious int
	Codec        codec.Codec
	Seed         uint64
	// Pool is the number of presignatures that the pool holds when it is full, Refill
	// the greatest number of presignatures that are made at the same time.
	Pool, Refill int
}

// SigningService signs with presignatures from a pool, and refills the pool in the
// background. All parties run in this process, one after the other, so that a
// signature costs the work of all of them; messages need no time. Its methods can be
// called concurrently. It needs no end.
type SigningService struct {
	presign func(number uint64) (signer, error)
	check   func(message, signature []byte) error
	pool    chan presignature
	making  chan struct{} // has one element for each presignature in the making
	next    atomic.Uint64 // number of the next presignature
	message atomic.Uint64 // number of the next message

	mu    sync.Mutex
	stats ServiceStats
}

// signer signs one message with one presignature of all parties.
type signer func(message []byte) (signature []byte, err error)

// presignature is a signer, or the error of making it.
type presignature struct {
	sign signer
	err  error
}

// ServiceStats are the figures of a service since the last call of takeStats.
type ServiceStats struct {
	Signatures    uint64
	Presignatures uint64 // made in the background
	// Empty is the number of signatures that found the pool empty and waited, Waited
	// their time in all.
	Empty  uint64
	Waited time.Duration
	// Lowest is the lowest level of the pool after a presignature was taken.
	Lowest int
}

// NewService deals keys and fills the pool.
func NewService(c ServiceConfig) (*SigningService, error) {
	s := Scenario{Case: schemes[c.Scheme], MaxMalicious: c.MaxMalicious, Codec: c.Codec, Seed: c.Seed}
	first, err := New(s)
	if err != nil {
		return nil, err
	}
	v := newPool(c.Pool, c.Refill)
	v.check = first.check
	v.presign = func(number uint64) (signer, error) {
		s := s
		s.Seed ^= number << 32
		r, err := newRun(s, first.keys)
		return r.signOnce, err
	}
	return v, v.fill()
}

func newPool(size, refill int) *SigningService {
	return &SigningService{pool: make(chan presignature, size), making: make(chan struct{}, refill), stats: ServiceStats{Lowest: size}}
}

// fill fills an empty pool.
func (v *SigningService) fill() error {
	for range cap(v.pool) {
		p := v.make()
		if p.err != nil {
			return fmt.Errorf("service: %w", p.err)
		}
		v.pool <- p
	}
	return nil
}

func (v *SigningService) make() presignature {
	sign, err := v.presign(v.next.Add(1))
	return presignature{sign, err}
}

// signOnce signs a message with the presignatures of the run, which end with it.
func (r *Run) signOnce(message []byte) ([]byte, error) {
	r.message = message
	parties, err := runAll(r.IDs(), r.Party)
	r.party = nil
	if err != nil {
		return nil, err
	}
	return parties[r.coordinator()-1].Output(), nil
}

// prefix begins each message; its number follows.
const prefix = "zkatbench threshold service "

// messageLen is the length of messages.
const messageLen = len(prefix) + 8

// Sign signs the next message and returns it with its signature, which the
// protocol has verified. If the pool is empty it waits for a presignature, until ctx
// ends.
func (v *SigningService) Sign(ctx context.Context) (message, signature []byte, err error) {
	if v.presign == nil {
		return nil, nil, errUnprepared
	}
	p, err := v.take(ctx)
	if err = errors.Join(err, p.err); err != nil {
		return nil, nil, err
	}
	message = binary.BigEndian.AppendUint64([]byte(prefix), v.message.Add(1))
	if signature, err = p.sign(message); err != nil {
		return nil, nil, err
	}
	v.note(func(st *ServiceStats) { st.Signatures++ })
	return message, signature, nil
}

// take takes a presignature out of the pool and orders another one.
func (v *SigningService) take(ctx context.Context) (p presignature, err error) {
	go v.refill()
	select {
	case p = <-v.pool:
		v.note(func(st *ServiceStats) { st.Lowest = min(st.Lowest, len(v.pool)) })
		return p, nil
	default:
	}
	v.note(func(st *ServiceStats) { st.Empty, st.Lowest = st.Empty+1, 0 })
	start := time.Now()
	select {
	case p = <-v.pool:
		v.note(func(st *ServiceStats) { st.Waited += time.Since(start) })
	case <-ctx.Done():
		err = ctx.Err()
	}
	return p, err
}

// refill makes one presignature, when fewer than allowed are in the making. The pool
// has room for it, unless a caller stopped waiting.
func (v *SigningService) refill() {
	v.making <- struct{}{}
	p := v.make()
	v.note(func(st *ServiceStats) { st.Presignatures++ })
	select {
	case v.pool <- p:
	default:
	}
	<-v.making
}

func (v *SigningService) note(change func(*ServiceStats)) {
	v.mu.Lock()
	defer v.mu.Unlock()
	change(&v.stats)
}

// Verify verifies a signature outside of the protocol.
func (v *SigningService) Verify(message, signature []byte) error {
	if v.check == nil {
		return errUnprepared
	}
	return v.check(message, signature)
}

// takeStats returns the statistics since the call before, and begins new ones.
func (v *SigningService) takeStats() (st ServiceStats) {
	v.note(func(own *ServiceStats) { st, *own = *own, ServiceStats{Lowest: len(v.pool)} })
	return st
}

// WriteStats writes and ends the statistics of a time as two lines.
func (v *SigningService) WriteStats(w io.Writer, elapsed time.Duration) error {
	st, seconds := v.takeStats(), max(elapsed.Seconds(), 1e-9)
	_, err := fmt.Fprintf(w, "service: %d signatures, %.1f a second; %d presignatures made in the background, %.1f a second\n"+
		"pool of %d, refilled by %d: empty for %d signatures (%s), which waited %s on average; lowest level %d\n",
		st.Signatures, float64(st.Signatures)/seconds, st.Presignatures, float64(st.Presignatures)/seconds, cap(v.pool), cap(v.making),
		st.Empty, text.Percent(float64(st.Empty)/float64(max(1, st.Signatures))), text.Duration(float64(st.Waited)/float64(max(1, st.Empty))), st.Lowest)
	return err
}
