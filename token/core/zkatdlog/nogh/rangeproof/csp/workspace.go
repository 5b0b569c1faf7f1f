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
	lagrange lagrange

	// Scalars of sums.
	unchosen      []group.Scalar // of Pc, without the part that the bits choose
	maskBy        []group.Scalar // of Sc
	scaledOpening []group.Scalar // η·v, η·γ
	variableBy    []group.Scalar // of the variable point of W

	variable []group.Point // variable point of W, for a prover: Sc
	summands []group.Point // of W, for a prover

	// Of a verification, nothing secret.
	replays []replay
	rows    []group.Terms // of the Ws
	ws      []group.Point
	sum     rangeproof.Equation
}

func newWorkspace(s *shared) *workspace {
	ws := &workspace{
		tr:      newTranscript(s.Group),
		weights: rangeproof.NewWeights(s.Group, 1<<10),

		variable: make([]group.Point, 1), summands: make([]group.Point, 3),
	}
	ws.carve(s)
	return ws
}

// carve cuts all vectors of scalars out of one piece of memory, so that wiping
// cannot forget one.
func (ws *workspace) carve(s *shared) {
	n, l := s.N, &ws.lagrange
	sized := rangeproof.Sized
	ws.scalars = rangeproof.Carve(
		sized(&ws.nonces, 4+s.width), sized(&ws.w, s.padded), sized(&ws.f, s.padded), sized(&ws.cf, s.padded),
		sized(&ws.scratch, s.padded), sized(&ws.terms[0], s.padded/2), sized(&ws.terms[1], s.padded/2),
		sized(&ws.t, s.padded), sized(&ws.unchosen, n+3), sized(&ws.maskBy, s.width), sized(&ws.scaledOpening, 2),
		sized(&ws.variableBy, 1), sized(&ws.sum.Fixed, s.width+1),
		sized(&l.mu, n+1), sized(&l.nu, n+1), sized(&l.diff, 2*n+1), sized(&l.below, 2*n+1),
		sized(&l.above, n+1), sized(&l.upper, n+1),
	)
}

// Wipe clears everything that may be secret.
func (ws *workspace) Wipe() { clear(ws.scalars) }
