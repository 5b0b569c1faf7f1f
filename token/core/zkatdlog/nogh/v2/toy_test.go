package v2 // Params of a group of numbers are made of private tables

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/grouptest"
	"github.com/zkatbench/zkatbench/token/crypto/round"
)

// toyParams are parameters over the integers modulo q, where points are
// numbers. The generators are arbitrary: a liar tracks coordinates, and the
// commitments need not be binding.
func toyParams(t testing.TB, q uint64, bits int) *Params {
	t.Helper()
	g := grouptest.Toy(q)
	points := make([]group.Point, generators)
	for i := range points {
		points[i] = g.HashToPoint([]byte{byte(i)})
	}
	p := &Params{group: g, bits: bits, tables: &tables{}}
	p.digest = digest(g, bits, points)
	p.generators = g.NewTable(points, 0)
	p.common = p.generators
	p.digits = g.NewDigitTable(nibbleMultiples(g, points[atSlots:atErrors]))
	return p
}

// toyChallenges are fixed challenges that are not exceptional.
func toyChallenges(t testing.TB, g group.Group) challenges {
	t.Helper()
	for seed := byte(0); ; seed++ {
		s := make([]group.Scalar, 7)
		require.NoError(t, group.Sample(g, newRandom(seed), s))
		var c challenges
		for i, to := range c.list() {
			*to = s[i]
		}
		if !c.exceptional(g) {
			return c
		}
	}
}

// claimOf returns the claim of a liar's responses without encoding them.
func (lr *liar) claimOf(t *testing.T) (c *claim, l0, zt group.Scalar) {
	t.Helper()
	c = &claim{ch: lr.ch, st: lr.st}
	c.points = lr.commitments()
	c.responses = named{layout: lr.l, parts: responseParts}
	c.responses.all, l0, zt = lr.respond()
	return c, l0, zt
}

// holdExactly checks both equations separately, with numbers as points, so
// weights cannot hide an error. An omitted type equation is 0 = 0.
func (lr *liar) holdExactly(c *claim) bool {
	equation := func(fixed, variable []group.Scalar) bool {
		left := group.FixedSum(lr.g, lr.p.generators, 0, fixed...)
		none := group.Row{}
		right := lr.g.CurveSum(lr.p.generators, none, c.variable, variable)
		return right == group.OnCurve(left)
	}
	return equation(c.fixed, c.mainVariable) && equation(c.typeFixed[:], c.typeVariable)
}

// accepts is the verdict of holdExactly without the removed rules.
func (lr *liar) accepts(t *testing.T, rules removed) bool {
	t.Helper()
	c, l0, zt := lr.claimOf(t)
	return lr.holdExactly(lr.claimWithout(c, rules, l0, zt))
}

// accepted counts the x accepted by the verifier, among every step-th one.
func (lr *liar) accepted(t *testing.T, q, step uint64, rules removed) (count int) {
	for x := uint64(1); x < q; x += step {
		lr.ch.x = lr.g.Uint64(x)
		if lr.accepts(t, rules) {
			count++
		}
	}
	return count
}

// start makes all commitments for the challenges; x follows later.
func (lr *liar) start(ch challenges) {
	lr.ch = ch
	lr.commitTokens()
	lr.first()
	lr.second()
	lr.third()
}

// TestEveryChallenge counts, for each dishonest prover, the x for which it is
// accepted: at most 3K - 3, the degree of the field equation. Without the rule
// it is accepted for every x.
func TestEveryChallenge(t *testing.T) {
	q := uint64(nightly.Pick(211, 499, 10007))
	for i, c := range cheats {
		p := toyParams(t, q, c.shape.bits)
		ch := toyChallenges(t, p.group)
		t.Run(c.name, func(t *testing.T) {
			lr := c.newLiar(t, p, byte(i))
			lr.start(ch)
			require.LessOrEqual(t, lr.accepted(t, q, 1, removed{}), 3*lr.l.top-3)
			lr = c.newLiar(t, p, byte(i))
			rules := c.rules(lr)
			lr.adjust = rules.weights
			lr.start(ch)
			const step = 50
			require.Equal(t, int(q-2)/step+1, lr.accepted(t, q, step, rules))
		})
	}
}

// TestTheBestLiarPassesForFewChallenges counts the x that are accepted.
func TestTheBestLiarPassesForFewChallenges(t *testing.T) {
	q := uint64(nightly.Pick(toyPrime, toyPrime, 10007))
	lr, chosen := bestLiar(t, q)
	count := lr.accepted(t, q, 1, removed{})
	require.GreaterOrEqual(t, count, len(chosen))
	require.LessOrEqual(t, count, 3*lr.l.top-3)
}

// bestLiar solves for the errors and s_v such that 4k + 3 chosen x are accepted, the number
// of unknowns, with an output out of range.
func bestLiar(t *testing.T, q uint64) (lr *liar, chosen []group.Scalar) {
	t.Helper()
	p := toyParams(t, q, 32)
	g := p.group
	c := cheats[1] // a digit 16
	lr = c.newLiar(t, p, 1)
	lr.start(toyChallenges(t, g))
	l := lr.l
	unknowns := l.errors() + 1
	for s := range l.errors() {
		lr.s[atErrors+s] = group.Scalar{}
	}
	lr.s[atG1] = group.Scalar{}
	base := lr.field()
	system := make([][]group.Scalar, unknowns)
	for r := range system {
		x := g.Uint64(uint64(100 + 7*r))
		chosen = append(chosen, x)
		powers := make([]group.Scalar, 3*l.top+1)
		g.Powers(powers, x)
		system[r] = make([]group.Scalar, unknowns+1)
		for s := range l.errors() {
			system[r][s] = powers[l.top-3+l.exponent(s)]
		}
		system[r][unknowns-1] = g.Neg(g.Mul(lr.wt.y, powers[3*l.top-3]))
		system[r][unknowns] = g.Neg(g.Inner(powers, base))
	}
	solution, rank := solve(g, system)
	require.Equal(t, unknowns, rank)
	copy(lr.s[atErrors:], solution[:l.errors()])
	lr.s[atG1] = solution[unknowns-1]
	return lr, chosen
}

// solve transforms the system into reduced form. It returns its rank and, if
// there is one, its solution.
func solve(g group.Field, rows [][]group.Scalar) (solution []group.Scalar, rank int) {
	columns := len(rows[0]) - 1
	for column := 0; column < columns && rank < len(rows); column++ {
		pivot := rank
		for pivot < len(rows) && rows[pivot][column] == (group.Scalar{}) {
			pivot++
		}
		if pivot == len(rows) {
			continue
		}
		rows[rank], rows[pivot] = rows[pivot], rows[rank]
		g.ScaleVec(rows[rank], rows[rank], g.Inv(rows[rank][column]))
		for r := range rows {
			if r != rank && rows[r][column] != (group.Scalar{}) {
				g.FoldVec(rows[r], rows[r], rows[rank], g.Uint64(1), g.Neg(rows[r][column]))
			}
		}
		rank++
	}
	for r := range rank {
		solution = append(solution, rows[r][columns])
	}
	return solution, rank
}

// masked returns the parts of a proof that depend on nonces: M, D, R as
// numbers, l, z and q, and w. The mask s of the slots is constant.
func masked(t *testing.T, pr *prover, ch challenges) (shown, w []group.Scalar) {
	t.Helper()
	g, l := pr.params.group, pr.layout
	pr.ch = ch
	var responses []group.Scalar
	require.NoError(t, round.Run(g, func(r round.Round) error {
		pr.setDigits()
		pr.commitDigits(r)
		pr.setReciprocals()
		pr.commitReciprocals(r)
		pr.wt.set(g, l, pr.st.Kind, &pr.ch)
		pr.setErrors()
		pr.commitMasks(r)
		responses = pr.respond()
		return nil
	}))
	for _, point := range pr.points[:l.at("S", 0)] {
		shown = append(shown, g.Reduce(g.AppendPoint(nil, point)))
	}
	return append(shown, responses[slots:]...), responses[:slots]
}

// TestMasksHideEverything checks perfect zero knowledge: for fixed challenges
// and witness, the map from the 6k+23 nonces to M, D, R, w, l, z, q is
// one-to-one. w is x^K·s plus terms independent of s; for fixed s, the map of
// the other nonces is affine and has full rank. Without one of the nonces it
// does not have full rank.
func TestMasksHideEverything(t *testing.T) {
	blocks := []int{1, 2, 3, 5, 16}
	if testing.Short() {
		blocks = blocks[:3]
	}
	p := toyParams(t, 1<<30-35, 64)
	g := p.group
	ch := toyChallenges(t, g)
	for _, k := range blocks {
		t.Run(fmt.Sprintf("k=%d", k), func(t *testing.T) {
			in := newInstanceOf(t, p, shape{bits: 64, inputs: 2, outputs: k}, byte(k))
			pr := new(prover)
			pr.begin(p, in.st, in.w)
			base := make([]group.Scalar, len(pr.nonces.all))
			require.NoError(t, group.Sample(g, newRandom(3), base))
			show := func(change int) ([]group.Scalar, []group.Scalar) {
				copy(pr.nonces.all, base)
				if change >= 0 {
					pr.nonces.all[change] = g.Add(base[change], g.Uint64(1))
				}
				return masked(t, pr, ch)
			}
			zero, w := show(-1)
			first := 2 + 2*k // of the mask
			var matrix [][]group.Scalar
			for i := range base {
				shown, moved := show(i)
				isMask := i >= first && i < first+slots
				for s := range w {
					difference := g.Sub(moved[s], w[s])
					if isMask && s == i-first {
						require.Equal(t, pr.x[pr.layout.top], difference)
					} else {
						require.Zero(t, difference)
					}
				}
				if isMask {
					continue
				}
				row := make([]group.Scalar, len(zero)+1)
				for c := range zero {
					row[c] = g.Sub(shown[c], zero[c])
				}
				matrix = append(matrix, row)
			}
			require.Len(t, matrix, 6*k+7)
			require.Len(t, zero, 6*k+7)
			_, rank := solve(g, matrix)
			require.Equal(t, 6*k+7, rank)
			_, rank = solve(g, matrix[1:])
			require.Less(t, rank, 6*k+7, "a nonce that is not drawn")
		})
	}
}
