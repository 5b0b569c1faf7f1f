package csp

import (
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/round"
)

// basis holds the interpolation data that depends only on n. Polynomials of
// degree n are given by their values at 0 … n. Polynomials of degree 2n that
// vanish at 1 … n are given by their values at e₀ = 0 and eₖ = n+k
// (specification, section 8.2).
type basis struct {
	n          int
	minus      []group.Scalar // 0, -1 … -2n
	mu         []group.Scalar // Π 1/(i-j), j ≠ i in 0 … n
	nu         []group.Scalar // Π 1/(eₖ-j), j ≠ eₖ in 0 … 2n
	lead       []group.Scalar // Π (n+k-j), j in 0 … n; k = 1 … n
	descending []group.Scalar // 1/2n, 1/(2n-1), …, 1
}

func newBasis(g group.Field, n int) basis {
	b := basis{n: n, minus: make([]group.Scalar, 2*n+1)}
	nodes := make([]group.Scalar, 2*n+1)
	for i := range nodes {
		nodes[i] = g.Uint64(uint64(i))
		b.minus[i] = g.Neg(nodes[i])
	}
	for i := range n + 1 {
		node := i
		if i > 0 {
			node = n + i
			b.lead = append(b.lead, differences(g, node, n))
			b.descending = append(b.descending, nodes[2*n+1-i])
		}
		b.mu = append(b.mu, differences(g, i, n))
		b.nu = append(b.nu, differences(g, node, 2*n))
	}
	for i := n; i > 0; i-- {
		b.descending = append(b.descending, nodes[i])
	}
	for _, v := range [][]group.Scalar{b.mu, b.nu, b.descending} {
		g.InvVec(v, v)
	}
	return b
}

// differences returns Π (i-j) for j ≠ i in 0 … n.
func differences(g group.Field, i, n int) group.Scalar {
	p, at := g.Uint64(1), g.Uint64(uint64(i))
	for j := range n + 1 {
		if j != i {
			p = g.Mul(p, g.Sub(at, g.Uint64(uint64(j))))
		}
	}
	return p
}

// lagrange holds coefficients and the products needed for them.
type lagrange struct {
	mu, nu       []group.Scalar // μᵢ(c), νₖ(c)
	diff         []group.Scalar // c - j, j = 0 … 2n
	below        []group.Scalar // Π (c-i), i < j
	above, upper []group.Scalar // Π (c-i), i > j in 0 … n; i > n+k in 0 … 2n
}

// newLagrange returns room for the coefficients.
func (b *basis) newLagrange(m *round.Memory) lagrange {
	n := b.n
	return lagrange{
		mu: m.Scalars(n + 1), nu: m.Scalars(n + 1), diff: m.Scalars(2*n + 1),
		below: m.Scalars(2*n + 1), above: m.Scalars(n + 1), upper: m.Scalars(n + 1),
	}
}

// evaluate fills l.mu and l.nu with
//
//	μᵢ(c) = Π (c-j)/(i-j),   j ≠ i in 0 … n
//	νₖ(c) = Π (c-j)/(eₖ-j),  j ≠ eₖ in 0 … 2n
//
// for any c, including the nodes, since it does not divide by c - j.
func (b *basis) evaluate(g group.Field, l *lagrange, c group.Scalar) {
	for j := range l.diff {
		l.diff[j] = c
	}
	g.AddVec(l.diff, l.diff, b.minus)
	n := b.n
	productsAround(g, l.below[:n+1], l.above, l.diff[:n+1], g.Uint64(1))
	productsAround(g, l.below[n:], l.upper, l.diff[n:], l.below[n])

	g.MulVec(l.mu, l.below[:b.n+1], l.above)
	g.MulVec(l.mu, l.mu, b.mu)
	g.MulVec(l.nu, l.below[b.n:], l.upper)
	l.nu[0] = g.Mul(l.above[0], l.upper[0])
	g.MulVec(l.nu, l.nu, b.nu)
}

// productsAround sets beforeⱼ to first times the product of all vᵢ with i < j, and
// afterⱼ to the product of the terms with i > j. The two products do not wait for
// each other.
func productsAround(g group.Field, before, after, v []group.Scalar, first group.Scalar) {
	b, a, last := first, g.Uint64(1), len(v)-1
	for j := range v {
		before[j], after[last-j] = b, a
		b, a = g.Mul(b, v[j]), g.Mul(a, v[last-j])
	}
}

// extend sets dst₍ₖ₋₁₎ = a(n+k), k = 1 … n, for the polynomial a of degree n
// with a(i) = aᵢ. It is
//
//	Π (n+k-j) · Σ aᵢ · mu[i] / (n+k-i)
//
// where all nodes are integers: an inner product with a window of the inverses.
func (b *basis) extend(g group.Field, dst, a, scratch []group.Scalar) {
	g.MulVec(scratch, a, b.mu)
	for k := 1; k <= b.n; k++ {
		dst[k-1] = g.Inner(scratch, b.descending[b.n-k:2*b.n-k+1])
	}
	g.MulVec(dst, dst, b.lead)
}
