package suite

import (
	"encoding/binary"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/runner/flags"
	"github.com/zkatbench/zkatbench/scheme/threshold/codec"
)

// The axes of the signing service.
var (
	scheme = &bench.Axis[string]{
		Name: "scheme", Flag: "scheme", Default: "robust,ot,frost", Brief: "robust",
		Values: flags.Names("robust", "ot", "frost"),
	}
	pool = &bench.Axis[int]{
		Name: "pool", Flag: "pool", Default: "32", Values: flags.Numbers(1, 1<<16), Show: bench.IfChosen,
	}
	refill = &bench.Axis[int]{
		Name: "refill", Flag: "refill", Default: "1", Values: flags.Numbers(1, 1024), Show: bench.IfChosen,
	}
)

// signing signs with a presignature from a pool, which is refilled in the
// background: under load, it has the throughput of a signing service. All
// environments of a case share one service, so that there is one pool.
var signing = bench.Op{
	Name:       "ThresholdService",
	Without:    bench.Axes(Case, Mode, Party, Coordinator),
	Concurrent: func(bench.Case) bool { return true },
	Setup: func(c bench.Case, seed uint64) (bench.Instance, error) {
		v, err := services.get(c, seed)
		if err != nil {
			return bench.Instance{}, err
		}
		return bench.Instance{
			Work: func() ([]byte, error) {
				message, signature, err := v.sign()
				return append(message, signature...), err
			},
			Check: func(out []byte) error {
				if len(out) < messageLen {
					return errSignature
				}
				return v.check(out[:messageLen], out[messageLen:])
			},
		}, nil
	},
}

// schemes are the names of services with the cases that they run. Triples of ot
// come from a dealer.
var schemes = map[string]string{"robust": robustSign, "ot": otSign, "frost": frostPresignedSign}

// serviceConfig describes a service.
type serviceConfig struct {
	scheme       string // a value of scheme
	maxMalicious int
	codec        codec.Codec
	// pool is the number of presignatures that the pool holds when it is full, refill
	// the greatest number of presignatures that are made at the same time.
	pool, refill int
}

// services are the services by their configuration.
var services = sharedServices{made: map[serviceConfig]*signingService{}}

type sharedServices struct {
	mu   sync.Mutex
	made map[serviceConfig]*signingService
}

// get returns the service of a case, and makes it at the first time.
func (s *sharedServices) get(c bench.Case, seed uint64) (*signingService, error) {
	encoding, err := codec.ByName(codecName.Of(c))
	if err != nil {
		return nil, err
	}
	config := serviceConfig{scheme: scheme.Of(c), maxMalicious: MaxMalicious.Of(c), codec: encoding,
		pool: pool.Of(c), refill: refill.Of(c)}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.made[config] == nil {
		s.made[config], err = newService(config, seed)
		if err != nil {
			return nil, err
		}
	}
	return s.made[config], nil
}

// signingService signs with presignatures from a pool, and refills the pool in the
// background. All parties run in this process, one after the other, so that a
// signature costs the work of all of them; messages need no time. Its methods can be
// called concurrently. It needs no end.
type signingService struct {
	presign func(number uint64) (signer, error)
	check   func(message, signature []byte) error
	pool    chan presignature
	making  chan struct{} // has one element for each presignature in the making
	next    atomic.Uint64 // number of the next presignature
	message atomic.Uint64 // number of the next message
}

// signer signs one message with one presignature of all parties.
type signer func(message []byte) (signature []byte, err error)

// presignature is a signer, or the error of making it.
type presignature struct {
	sign signer
	err  error
}

// newService deals keys and fills the pool.
func newService(c serviceConfig, seed uint64) (*signingService, error) {
	s := Scenario{Case: schemes[c.scheme], MaxMalicious: c.maxMalicious, Codec: c.codec, Seed: seed}
	first, err := New(s)
	if err != nil {
		return nil, err
	}
	v := &signingService{check: first.check, pool: make(chan presignature, c.pool),
		making: make(chan struct{}, c.refill)}
	v.presign = func(number uint64) (signer, error) {
		s := s
		s.Seed ^= number << 32
		r, err := newRun(s, first.keys)
		return r.signOnce, err
	}
	for range c.pool {
		p := v.make()
		if p.err != nil {
			return nil, fmt.Errorf("service: %w", p.err)
		}
		v.pool <- p
	}
	return v, nil
}

func (v *signingService) make() presignature {
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

// sign signs the next message and returns it with its signature, which the protocol
// has verified. If the pool is empty it waits for a presignature.
func (v *signingService) sign() (message, signature []byte, err error) {
	go v.refill()
	p := <-v.pool
	if p.err != nil {
		return nil, nil, p.err
	}
	message = binary.BigEndian.AppendUint64([]byte(prefix), v.message.Add(1))
	signature, err = p.sign(message)
	return message, signature, err
}

// refill replaces a presignature that a signature takes. It waits until fewer than allowed
// are in the making.
func (v *signingService) refill() {
	v.making <- struct{}{}
	v.pool <- v.make()
	<-v.making
}
