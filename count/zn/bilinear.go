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
func NewInsecureBilinear(order *big.Int, alg Algorithms, bucket count.Bucket) (Bilinear, error) {
	g1, err := NewInsecure("", order, alg, bucket)
	if err != nil {
		return Bilinear{}, err
	}
	named := func(name string) *Group {
		return &Group{&core{name, g1.core.order, alg}, bucket}
	}
	return Bilinear{g1, named("G2"), named("GT")}, nil
}

// Phase returns the same groups for a phase inside the phase of b.
func (b Bilinear) Phase(name string) Bilinear {
	return Bilinear{b.G1.Phase(name), b.G2.Phase(name), b.GT.Phase(name)}
}

// Product returns Π e(pᵢ, qᵢ) for pᵢ in G1 and qᵢ in G2 as an expression:
// evaluating it counts one event pairing[n] and one final-exp. The lists must
// have equal length.
func (b Bilinear) Product(ps, qs []*Element) *Element {
	if len(ps) != len(qs) {
		panic(fmt.Sprintf("zn: a product of pairings of %d and %d elements", len(ps), len(qs)))
	}
	sum := new(big.Int)
	for i, p := range ps {
		sum.Add(sum, new(big.Int).Mul(p.value, qs[i].value))
	}
	return b.GT.core.element(sum, pairings{slices.Clone(ps), slices.Clone(qs)})
}
