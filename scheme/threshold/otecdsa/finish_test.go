package otecdsa

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/scheme/threshold/codec"
	"github.com/zkatbench/zkatbench/scheme/threshold/engine"
	"github.com/zkatbench/zkatbench/scheme/threshold/secp"
)

// lastRound is the last round of many parties, without the rounds before.
type lastRound struct {
	config  Config
	random  *rand.ChaCha8
	triples [][batch]*making // by position of the party
}

func newLastRound(t *testing.T, parties int) *lastRound {
	r := &lastRound{config: Config{IDs: secp.IDs(parties), Codec: codec.Compact}, random: rand.NewChaCha8([32]byte{5}), triples: make([][batch]*making, parties)}
	for i := range batch {
		sumL, c0 := make([]*secp.Point, parties-1), new(secp.Point)
		for k := range sumL {
			sumL[k] = new(secp.Point)
		}
		openings := map[uint32][3][]*secp.Point{}
		for k, id := range r.config.IDs {
			m := &making{sid: make([]byte, 32), a: secp.Int(2), b: secp.Int(3), openings: openings, sent: map[uint32][3]*secp.Scalar{}, sums: map[uint32]*secp.Point{}}
			var err error
			m.l, err = secp.NewPolynomial(r.random, parties-1, true)
			require.NoError(t, err)
			m.product, err = secp.Uniform(r.random)
			require.NoError(t, err)
			coefficients := m.l.Commit()[1:]
			openings[id] = [3][]*secp.Point{2: coefficients}
			for k, p := range coefficients {
				sumL[k] = sumL[k].Plus(p)
			}
			c0 = c0.Plus(secp.Base(m.product))
			r.triples[k][i] = m
		}
		for k := range r.triples {
			m := r.triples[k][i]
			m.sumL, m.c0 = sumL, c0
			m.sumE = append([]*secp.Point{secp.Base(m.a)}, slices.Repeat([]*secp.Point{new(secp.Point)}, parties-1)...)
			m.sumF = append([]*secp.Point{secp.Base(m.b)}, slices.Repeat([]*secp.Point{new(secp.Point)}, parties-1)...)
		}
	}
	return r
}

// finish returns the triples of a party; add changes the shares that a liar sends it.
func (r *lastRound) finish(t *testing.T, self, liar uint32, add *secp.Scalar) (made [batch]*Triple, err error) {
	var in []engine.Message
	for k, id := range r.config.IDs {
		if id == self {
			continue
		}
		var sums, last [][]byte
		for i, m := range r.triples[k] {
			point, share := secp.Base(m.product), m.shareFor(self)
			proof, err := claim{m.sid, id, "C", i}.prove(r.random, m.product, point)
			require.NoError(t, err)
			if id == liar {
				share = secp.Add(share, add)
			}
			sums, last = append(sums, point.Encode(), proof), append(last, secp.Encode(share))
		}
		in = append(in, engine.Message{From: id, Step: stepSums, Body: r.config.Codec.Pack(shapeProofs, sums...)},
			engine.Message{From: id, Step: stepLast, Body: r.config.Codec.Pack(shapeLast, last...)})
	}
	own := r.triples[slices.Index(r.config.IDs, self)]
	m := &maker{Config: r.config, self: self, triples: own, keep: func(ts [batch]*Triple) { made = ts }}
	p := &engine.Machine{Self: self, Rounds: []engine.Round{{Expect: engine.From(r.config.IDs, self, stepSums, stepLast), Work: m.finish}}}
	_, _, err = p.Step(1, in)
	return made, err
}

// TestLastRoundOfManyParties: each of twelve parties counts, and a wrong share of any is
// named.
func TestLastRoundOfManyParties(t *testing.T) {
	const parties = 12
	r := newLastRound(t, parties)
	for _, self := range []uint32{1, parties} {
		made, err := r.finish(t, self, 0, nil)
		require.NoError(t, err)
		for i, triple := range made {
			share := new(secp.Scalar)
			for k := range r.triples {
				share = secp.Add(share, r.triples[k][i].shareFor(self))
			}
			require.True(t, triple.c.Equals(share))
			require.True(t, triple.C.Equal(r.triples[0][i].c0))
			for id := range r.config.IDs {
				_, _, public := triple.publicShares(uint32(id + 1))
				want := new(secp.Scalar)
				for k := range r.triples {
					want = secp.Add(want, r.triples[k][i].shareFor(uint32(id+1)))
				}
				require.True(t, public.Equal(secp.Base(want)))
			}
		}
		for _, liar := range secp.Others(r.config.IDs, self) {
			_, err := r.finish(t, self, liar, secp.Int(1))
			fault := new(engine.Fault)
			require.ErrorAs(t, err, &fault)
			require.ErrorIs(t, err, ErrShares)
			require.Equal(t, engine.Fault{Round: 1, From: liar, Step: stepLast, Err: ErrShares}, *fault)
		}
	}
}
