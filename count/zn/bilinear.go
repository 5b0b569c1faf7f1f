package zn

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/zkatbench/zkatbench/count"
)

// Bilinear is three groups of one order with the pairing e(a, b) = a·b. It is
// as insecure as its groups.
type Bilinear struct{ G1, G2, GT *Group }

// NewInsecureBilinear returns groups with event names "", "G2" and "GT" that
// count in one bucket.
func NewInsecureBilinear(order *big.Int, alg Algorithms, bucket count.Bucket) (b Bilinear, err error) {
	for _, g := range []struct {
		to   **Group
		name string
	}{{&b.G1, ""}, {&b.G2, "G2"}, {&b.GT, "GT"}} {
		if *g.to, err = NewInsecure(g.name, order, alg, bucket); err != nil {
			return Bilinear{}, err
		}
	}
	return b, nil
}

// Phase returns the same groups for a phase inside the phase of b.
func (b Bilinear) Phase(name string) Bilinear {
	return Bilinear{b.G1.Phase(name), b.G2.Phase(name), b.GT.Phase(name)}
}

// Pair returns e(p, q) for p in G1 and q in G2 as an expression: evaluating it
// counts one event pairing[1] and one final-exp.
func (b Bilinear) Pair(p, q *Element) *Element {
	return b.Product([]*Element{p}, []*Element{q})
}

// Product returns Π e(pᵢ, qᵢ) for pᵢ in G1 and qᵢ in G2 as an expression:
// evaluating it counts one event pairing[n] and one final-exp. The lists must
// have equal length.
func (b Bilinear) Product(ps, qs []*Element) *Element {
	if len(ps) != len(qs) {
		panic(fmt.Sprintf("zn: a product of pairings of %d and %d elements", len(ps), len(qs)))
	}
	return &Element{core: b.GT.core, expr: pairings{slices.Clone(ps), slices.Clone(qs)}}
}
