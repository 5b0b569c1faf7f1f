package v1_test

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/ledger"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
)

var sequences = flag.Int("sequences", 0, "random sequences of requests that TestSequences runs "+
	"against a ledger in the clear; 0 means the number of the size of the tests")

// branch returns a copy of the model with a separate ledger and maps.
func (m *model) branch() *model {
	b := *m
	b.ledger = &ledger.Memory{}
	for _, a := range m.old {
		require.NoError(m.t, b.ledger.Apply(a.accepted))
	}
	b.validator = m.Validator(validator.Options{Ledger: b.ledger})
	b.issued, b.burnt = map[string]uint64{}, map[string]uint64{}
	b.coins, b.totals = maps.Clone(m.coins), maps.Clone(m.totals)
	b.order, b.old = append([]token.ID(nil), m.order...), append([]applied(nil), m.old...)
	return &b
}

// pool contains requests of several histories with a common beginning that then
// spend the same tokens in different ways, with all their tokens in clear form.
type pool struct {
	network  *fixture.Network
	requests []applied
	coins    map[token.ID]coin
}

func newPool(t *testing.T) pool {
	root := newModel(t, params.Protocols{V1: true})
	p := pool{network: root.Network, coins: map[token.ID]coin{}}
	for i := range 12 {
		root.step(fmt.Sprint("root ", i))
	}
	p.requests = append(p.requests, root.old...)
	for i := range 5 {
		b := root.branch()
		for k := range 8 {
			b.step(fmt.Sprintf("branch %d.%d", i, k))
		}
		b.check()
		p.requests = append(p.requests, b.old[len(root.old):]...)
		root.seed = b.seed
	}
	for id, held := range root.book.Held {
		v, err := held.Opening.Uint64(root.Params.Group())
		require.NoError(t, err)
		p.coins[id] = coin{held.Opening.Type, v}
	}
	return p
}

// state is a ledger and its content in clear form.
type state struct {
	pool
	ledger         ledger.Memory
	validator      *validator.Validator
	unspent        map[token.ID][]byte
	used           map[string]bool
	issued, burned map[string]uint64
}

func (p pool) empty() *state {
	s := &state{
		pool: p, unspent: map[token.ID][]byte{}, used: map[string]bool{},
		issued: map[string]uint64{}, burned: map[string]uint64{},
	}
	s.validator = p.network.Validator(validator.Options{Ledger: &s.ledger})
	return s
}

// applies returns the expected verdict of the ledger on a request.
func (s *state) applies(a applied) bool {
	for _, in := range a.accepted.Spent {
		if s.unspent[in.ID] == nil {
			return false
		}
	}
	return !s.used[a.anchor]
}

// try validates a request and applies it if it should apply.
func (s *state) try(t *testing.T, a applied) {
	accepted, err := s.validator.Validate(a.anchor, a.raw)
	if !s.applies(a) {
		if !errors.Is(err, validator.ErrKnownAnchor) && !errors.Is(err, validator.ErrNotOnLedger) {
			t.Fatalf("%s does not apply: %v", a.anchor, err)
		}
		if err := s.ledger.Apply(a.accepted); !errors.Is(err, ledger.ErrKnown) &&
			!errors.Is(err, ledger.ErrSpent) {
			t.Fatalf("%s was validated elsewhere and does not apply: %v", a.anchor, err)
		}
		return
	}
	require.NoError(t, err, a.anchor)
	require.NoError(t, s.ledger.Apply(accepted), a.anchor)
	for _, in := range accepted.Spent {
		delete(s.unspent, in.ID)
	}
	for _, out := range accepted.Created {
		if out.Token != nil {
			s.unspent[out.ID] = out.Token
		}
	}
	s.used[a.anchor] = true
	add(s.issued, a.issued)
	add(s.burned, a.burned)
}

func add(sums, more map[string]uint64) {
	for typ, v := range more {
		sums[typ] += v
	}
}

// check compares the tokens on the ledger, by type, with the issued and burned
// amounts.
func (s *state) check(t *testing.T) {
	require.Equal(t, len(s.unspent), s.ledger.Len())
	have := maps.Clone(s.burned)
	for id, raw := range s.unspent {
		has, err := s.ledger.Has(id, raw)
		require.NoError(t, err)
		require.True(t, has)
		have[s.coins[id].typ] += s.coins[id].value
	}
	for typ, v := range s.issued {
		t.Run(typ, func(t *testing.T) {
			require.Equal(t, v, have[typ], typ)
		})
	}
}

// run tries a number of requests: in half of the steps one that applies, if
// there is one, and otherwise any request.
func (p pool) run(t *testing.T, random *rand.Rand) (applied int) {
	s := p.empty()
	for range 2 + random.IntN(7) {
		a := p.requests[random.IntN(len(p.requests))]
		if random.IntN(2) == 0 {
			for range p.requests {
				if s.applies(a) {
					break
				}
				a = p.requests[random.IntN(len(p.requests))]
			}
		}
		s.try(t, a)
	}
	s.check(t)
	return len(s.used)
}

// TestSequences runs random sequences of requests, most of which conflict, and
// compares the ledger with its model in clear form. Proofs and signatures are
// made once; every verdict is computed again.
func TestSequences(t *testing.T) {
	n := cmp.Or(*sequences, nightly.Pick(80, 1000, 10_000))
	p := newPool(t)
	workers := min(runtime.GOMAXPROCS(0), 16) // leaves enough work for each
	for w := range workers {
		t.Run(fmt.Sprint("worker=", w), func(t *testing.T) {
			t.Parallel()
			total := 0
			for i := w; i < n; i += workers {
				total += p.run(t, rand.New(rand.NewPCG(uint64(i), 3)))
			}
			require.Positive(t, total)
			t.Logf("%d requests of a pool of %d were applied", total, len(p.requests))
		})
	}
}
