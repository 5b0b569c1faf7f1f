package zn

import (
	"math/big"

	"github.com/zkatbench/zkatbench/count"
)

// Bilinear is three groups of one order with the pairing e(a, b) = a·b, which
// is as insecure as its groups.
type Bilinear struct{ G1, G2, GT *Group }

// NewInsecureBilinear returns groups whose events are told apart by the names
// "", "G2" and "GT" and counted in one bucket.
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

// Pair returns e(p, q) of p in G1 and q in G2 as an expression.
func (b Bilinear) Pair(p, q *Element) *Element {
	return &Element{core: b.GT.core, expr: pairing{p, q}}
}
