package bulletproof

import (
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/transcript"
)

// workspace is the scratch memory of one prover or verifier. It is pooled, so
// that proving and verifying allocate nothing in steady state.
type workspace struct {
	tr      *transcript.V1
	weights *rangeproof.Weights
	lp, der []byte
	prefix  []byte // of a point in LP
	z       []byte

	scalars []group.Scalar // memory of all vectors below
	nonces  []group.Scalar // ρ, η, then sLᵢ, sRᵢ alternately, then τ₁, τ₂
	d       []group.Scalar // η, sL₀ … , sR₀ …: the scalars of D in the order of dIndex
	yPow    []group.Scalar // yⁱ
	yInv    []group.Scalar // y⁻ⁱ
	l, r    []group.Scalar // lp and rp+zp, then l(x) and r(x), then a and b of the argument
	sp      []group.Scalar // yⁱ·sRᵢ
	cG, cH  []group.Scalar // coefficients of the folded generators over G and H
	gs, hs  []group.Scalar // terms of L and R over G and H
	scaled  []group.Scalar // zp, x·sL and x·sp before they are added
	crossed []group.Scalar // a or b with its halves exchanged
	byPlace []group.Scalar // x and x⁻¹ by the place of a generator
	left    []group.Scalar // scalars of L, by split
	right   []group.Scalar // scalars of R

	// Scalars of short sums.
	opening   []group.Scalar // value and blinding factor
	tOpenings []group.Scalar // t₁, τ₁, t₂, τ₂
	staticBy  []group.Scalar // -δ, -z, z
	foldedBy  []group.Scalar // x, z²

	primed    []group.Point // H′
	primeRows []group.Row   // the row of each H′ᵢ
	folded    []group.Point // variable points of K
	summands  []group.Point // of K: three over the table, and C
	dIndex    []int32

	replays  []replay
	inverses []group.Scalar // of the challenges of all rounds
	sum      rangeproof.Equation
}

func newWorkspace(s *shared) *workspace {
	n, g := s.N, s.Group
	ws := &workspace{
		tr:      transcript.NewV1(g, (2*n+8)*(4+g.PointLen())+64),
		weights: rangeproof.NewWeights(g, 1<<10),
		prefix:  lengthPrefix(g),

		primed: make([]group.Point, n), primeRows: make([]group.Row, n),
		folded: make([]group.Point, 2), summands: make([]group.Point, 4),
	}
	ws.carve(n)
	for i := range ws.primeRows {
		ws.primeRows[i] = group.Row{First: atLeft + n + i, Scalars: ws.yInv[i : i+1]}
	}
	ws.dIndex = append(ws.dIndex, atP)
	for i := range 2 * n {
		ws.dIndex = append(ws.dIndex, int32(atLeft+i))
	}
	return ws
}

// carve makes the vectors of scalars.
func (ws *workspace) carve(n int) {
	sized := rangeproof.Sized
	ws.scalars = rangeproof.Carve(
		sized(&ws.nonces, 2*n+4), sized(&ws.d, 2*n+1), sized(&ws.yPow, n), sized(&ws.yInv, n), sized(&ws.l, n), sized(&ws.r, n),
		sized(&ws.sp, n), sized(&ws.cG, n), sized(&ws.cH, n), sized(&ws.gs, n), sized(&ws.hs, n), sized(&ws.scaled, n), sized(&ws.crossed, n), sized(&ws.byPlace, n),
		sized(&ws.left, n+1), sized(&ws.right, n+1), sized(&ws.opening, 2), sized(&ws.tOpenings, 4),
		sized(&ws.staticBy, 3), sized(&ws.foldedBy, 2), sized(&ws.sum.Fixed, atLeft+2*n),
	)
}

// Wipe clears everything that may be secret.
func (ws *workspace) Wipe() { clear(ws.scalars) }
