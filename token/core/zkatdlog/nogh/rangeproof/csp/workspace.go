package csp

import (
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// workspace is the scratch memory of one prover or verifier. It is pooled, so
// that proving and verifying allocate nothing in steady state.
type workspace struct {
	tr      *transcript
	weights *rangeproof.Weights

	scalars  []group.Scalar    // memory of all vectors below
	nonces   []group.Scalar    // κv, κr, a₀, s, r
	w, f     []group.Scalar    // witness and form, halved in each round
	cf       []group.Scalar    // coefficient of each run of original generators
	scratch  []group.Scalar    // of one step
	terms    [2][]group.Scalar // scalars of Lc and Rc
	t        []group.Scalar    // coefficient of each Eᵢ in E*
	few      []group.Scalar    // scalars of short sums
	lagrange lagrange

	rows []group.Row
	sums []group.Point

	replays  []replay
	points   []group.Point // of the one sum of a verification
	scalarOf []group.Scalar
	fixed    []group.Scalar // over the whole table
}

func newWorkspace(s *shared) *workspace {
	ws := &workspace{
		tr:      newTranscript(s.config.Group),
		weights: rangeproof.NewWeights(s.config.Group, 1<<10),
		rows:    make([]group.Row, 3),
		sums:    make([]group.Point, 3),
	}
	ws.carve(s)
	return ws
}

// carve cuts all vectors of scalars out of one piece of memory, so that wiping
// cannot forget one.
func (ws *workspace) carve(s *shared) {
	n, l := s.n, &ws.lagrange
	sizes := []struct {
		v *[]group.Scalar
		n int
	}{
		{&ws.nonces, 4 + s.width}, {&ws.w, s.padded}, {&ws.f, s.padded}, {&ws.cf, s.padded},
		{&ws.scratch, s.padded}, {&ws.terms[0], s.padded / 2}, {&ws.terms[1], s.padded / 2},
		{&ws.t, s.padded}, {&ws.few, 2}, {&ws.fixed, s.width + 1},
		{&l.mu, n + 1}, {&l.nu, n + 1}, {&l.diff, 2*n + 1}, {&l.below, 2*n + 1},
		{&l.above, n + 1}, {&l.upper, n + 1},
	}
	total := 0
	for _, s := range sizes {
		total += s.n
	}
	ws.scalars = make([]group.Scalar, total)
	rest := ws.scalars
	for _, s := range sizes {
		*s.v, rest = rest[:s.n:s.n], rest[s.n:]
	}
}

// take returns a workspace; give it back with put.
func (s *shared) take() *workspace { return s.spaces.Get().(*workspace) }

// put wipes ws and keeps it for the next caller.
func (s *shared) put(ws *workspace) {
	clear(ws.scalars)
	s.spaces.Put(ws)
}
