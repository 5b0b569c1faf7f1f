package main

import (
	"math/big"
	"slices"
	"sort"
	"strings"
)

// Numbers and polynomials, all exact.

func pow2(n int) *big.Int { return new(big.Int).Lsh(big.NewInt(1), uint(n)) }

func num(n int64) *big.Int { return big.NewInt(n) }

func plus(a, b *big.Int) *big.Int { return new(big.Int).Add(a, b) }

func minus(a, b *big.Int) *big.Int { return new(big.Int).Sub(a, b) }

func times(a, b *big.Int) *big.Int { return new(big.Int).Mul(a, b) }

func smaller(a, b *big.Int) *big.Int {
	if a.Cmp(b) < 0 {
		return a
	}
	return b
}

func larger(a, b *big.Int) *big.Int {
	if a.Cmp(b) > 0 {
		return a
	}
	return b
}

// span is all integers from lo to hi.
type span struct{ lo, hi *big.Int }

func upTo(hi *big.Int) span { return span{new(big.Int), hi} }

func exactly(v *big.Int) span { return span{v, v} }

// within reports whether all integers in s are in t.
func (s span) within(t span) bool { return s.lo.Cmp(t.lo) >= 0 && s.hi.Cmp(t.hi) <= 0 }

func (s span) and(t span) span { return span{larger(s.lo, t.lo), smaller(s.hi, t.hi)} }

func (s span) plus(t span) span { return span{plus(s.lo, t.lo), plus(s.hi, t.hi)} }

func (s span) minus(t span) span { return span{minus(s.lo, t.hi), minus(s.hi, t.lo)} }

func (s span) times(t span) span {
	c := []*big.Int{times(s.lo, t.lo), times(s.lo, t.hi), times(s.hi, t.lo), times(s.hi, t.hi)}
	out := span{c[0], c[0]}
	for _, v := range c[1:] {
		out = span{smaller(out.lo, v), larger(out.hi, v)}
	}
	return out
}

// shifted returns ⌊v/2^n⌋ for all v.
func (s span) shifted(n int) span {
	return span{new(big.Int).Rsh(s.lo, uint(n)), new(big.Int).Rsh(s.hi, uint(n))}
}

// dyadic is m·2^e, with an odd m or 0.
type dyadic struct {
	m *big.Int
	e int
}

func dy(m *big.Int, e int) dyadic {
	if m.Sign() == 0 {
		return dyadic{m, 0}
	}
	if n := m.TrailingZeroBits(); n > 0 {
		return dyadic{new(big.Int).Rsh(m, n), e + int(n)}
	}
	return dyadic{m, e}
}

func (a dyadic) plus(b dyadic) dyadic {
	if a.e > b.e {
		a, b = b, a
	}
	if b.m.Sign() == 0 {
		return a
	}
	m := new(big.Int).Lsh(b.m, uint(b.e-a.e))
	return dy(m.Add(m, a.m), a.e)
}

func (a dyadic) times(b dyadic) dyadic { return dy(times(a.m, b.m), a.e+b.e) }

// mono is a product of at most two variables, the smaller first; 0 means that one is absent.
type mono [2]int32

func compareMono(a, b mono) int { return slices.Compare(a[:], b[:]) }

// poly is a sum of terms, sorted, without zeros: a value in lanes as a function of variables,
// over the rational numbers with powers of 2 below the line.
type poly []term

type term struct {
	mono mono
	c    dyadic
}

func constant(v *big.Int) poly {
	if v.Sign() == 0 {
		return nil
	}
	return poly{{mono{}, dy(v, 0)}}
}

func variable(v int32) poly { return poly{{mono{0, v}, dy(num(1), 0)}} }

// plus returns p + c·q.
func (p poly) plus(q poly, c dyadic) poly {
	out := make(poly, 0, len(p)+len(q))
	for len(p) > 0 || len(q) > 0 {
		order := 0
		switch {
		case len(q) == 0:
			order = -1
		case len(p) == 0:
			order = 1
		default:
			order = compareMono(p[0].mono, q[0].mono)
		}
		switch {
		case order < 0:
			out, p = append(out, p[0]), p[1:]
		case order > 0:
			out, q = append(out, term{q[0].mono, q[0].c.times(c)}), q[1:]
		default:
			if v := p[0].c.plus(q[0].c.times(c)); v.m.Sign() != 0 {
				out = append(out, term{p[0].mono, v})
			}
			p, q = p[1:], q[1:]
		}
	}
	return out
}

func (p poly) scaled(c dyadic) poly { return poly(nil).plus(p, c) }

// isLinear reports whether p is free of products.
func (p poly) isLinear() bool {
	for _, t := range p {
		if t.mono[0] != 0 {
			return false
		}
	}
	return true
}

// times returns p·q for two polynomials of degree one at most.
func (p poly) times(q poly) poly {
	var all poly
	for _, a := range p {
		for _, b := range q {
			if a.mono[0] != 0 || b.mono[0] != 0 {
				refuse("a factor that is itself a product, and not stored as a number")
			}
			all = append(all,
				term{mono{min(a.mono[1], b.mono[1]), max(a.mono[1], b.mono[1])}, a.c.times(b.c)})
		}
	}
	sort.SliceStable(all, func(i, j int) bool { return compareMono(all[i].mono, all[j].mono) < 0 })
	var out poly
	for _, t := range all {
		if n := len(out); n > 0 && out[n-1].mono == t.mono {
			out[n-1].c = out[n-1].c.plus(t.c)
			if out[n-1].c.m.Sign() == 0 {
				out = out[:n-1]
			}
			continue
		}
		out = append(out, t)
	}
	return out
}

// residue is a polynomial modulo p in the inputs of a kernel. A product is a list of their
// names, sorted, each after a blank.
type residue map[string]*big.Int

// ring is the integers modulo p.
type ring struct{ p *big.Int }

func (r ring) constant(v *big.Int) residue { return r.clean(residue{"": new(big.Int).Mod(v, r.p)}) }

func (r ring) clean(a residue) residue {
	for k, v := range a {
		if v.Sign() == 0 {
			delete(a, k)
		}
	}
	return a
}

// plus returns a + c·b.
func (r ring) plus(a, b residue, c *big.Int) residue {
	out := residue{}
	for k, v := range a {
		out[k] = v
	}
	for k, v := range b {
		v = times(v, c)
		if w := out[k]; w != nil {
			v.Add(v, w)
		}
		out[k] = v.Mod(v, r.p)
	}
	return r.clean(out)
}

func (r ring) times(a, b residue) residue {
	out := residue{}
	for k, v := range a {
		for l, w := range b {
			names := append(strings.Fields(k), strings.Fields(l)...)
			slices.Sort(names)
			key, c := strings.Join(names, " "), times(v, w)
			if have := out[key]; have != nil {
				c.Add(c, have)
			}
			out[key] = c.Mod(c, r.p)
		}
	}
	return r.clean(out)
}

// dyadic returns m·2^e modulo p.
func (r ring) dyadic(d dyadic) *big.Int {
	v := new(big.Int).Exp(num(2), num(int64(max(d.e, -d.e))), r.p)
	if d.e < 0 {
		v.ModInverse(v, r.p)
	}
	return v.Mul(v, d.m).Mod(v, r.p)
}
