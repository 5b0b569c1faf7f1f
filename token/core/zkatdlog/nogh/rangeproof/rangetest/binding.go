package rangetest

import (
	"errors"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/bindtest"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/grouptest"
	"github.com/zkatbench/zkatbench/token/crypto/round"
)

// Binding is a verifier of range proofs with two equations.
type Binding struct {
	bindtest.Verifier[rangeproof.Item]
	Prover Prover // the honest one
}

const (
	weightLen = 16 // of a weight in bytes
	different = 5  // claims; the others are equal to these
)

// NewBinding returns the verifier for proofs of a bit length, with all values of a proof and
// without terms.
func NewBinding(t testing.TB, maker Maker, bits int) *Binding {
	t.Helper()
	b := &Binding{Prover: NewProver(t, maker, "BN254", bits)}
	g := b.Prover.Group
	spy := &grouptest.Spy{Group: g, WeightLen: weightLen}
	watched := b.Prover
	watched.System, watched.view = maker(t, spy, bits), spy
	var statements []group.Point
	var proofs [][]byte
	b.Order, b.Equations = g.Order(), 2
	b.Claims = func(n int) (claims []*rangeproof.Item) {
		for len(proofs) < different {
			it := b.Prover.Prove(t, uint64(len(proofs))%(1<<bits))
			statements, proofs = append(statements, it.V), append(proofs, it.Proof.Append(nil))
		}
		for i := range n {
			p, err := b.Prover.Decode(proofs[i%different])
			require.NoError(t, err)
			claims = append(claims, &rangeproof.Item{V: statements[i%different], Proof: p})
		}
		return claims
	}
	b.Verify = func(claims []*rangeproof.Item, held []bindtest.Draw) (refused []int, draws []bindtest.Draw) {
		items := make([]rangeproof.Item, len(claims))
		for i, c := range claims {
			items[i] = *c
		}
		draws = spy.Watch(held, func() {
			require.NoError(t, round.Run(spy, func(r round.Round) error {
				for i, err := range watched.System.Verify(r.SearchEach(), items) {
					if errors.Is(err, rangeproof.ErrRejected) {
						refused = append(refused, i)
					}
				}
				return nil
			}))
		})
		return refused, draws
	}
	b.setValues()
	return b
}

// setValues lists all values of an item.
func (b *Binding) setValues() {
	g, example := b.Prover.Group, b.Claims(1)[0]
	add := func(name string, change func(it *rangeproof.Item)) {
		b.Values = append(b.Values, bindtest.Value[rangeproof.Item]{Name: name, Change: change})
	}
	add("V", func(it *rangeproof.Item) { it.V = g.AddPoints(it.V, g.Generator()) })
	for i, f := range bindtest.Fields[group.Point](example.Proof) {
		add(f.Name, func(it *rangeproof.Item) {
			p := bindtest.Fields[group.Point](it.Proof)[i].At
			*p = g.AddPoints(*p, g.Generator())
		})
	}
	for i, f := range bindtest.Fields[group.Scalar](example.Proof) {
		add(f.Name, func(it *rangeproof.Item) {
			s := bindtest.Fields[group.Scalar](it.Proof)[i].At
			*s = g.Add(*s, g.Uint64(1))
		})
	}
}

// Scalar adds a term for a scalar of the proof, named like its field, which multiplies a base.
func (b *Binding) Scalar(name, base string, equation int, factor group.Scalar) {
	g := b.Prover.Group
	b.term(name, base, equation, func(*rangeproof.Item) group.Scalar {
		return factor
	}, func(it *rangeproof.Item, by group.Scalar) {
		s := field[group.Scalar](it, name)
		*s = g.Add(*s, by)
	})
}

// Point adds the terms of a point of an item, named like its field: multiples of g₁ and of h.
func (b *Binding) Point(name string, equation int, factor func(it *rangeproof.Item) group.Scalar) {
	g := b.Prover.Group
	for base, p := range map[string]group.Point{"g₁": b.Prover.g1, "h": b.Prover.h} {
		b.term(name, base, equation, factor, func(it *rangeproof.Item, by group.Scalar) {
			q := field[group.Point](it, name)
			*q = g.AddPoints(*q, group.MulPoint(g, p, by))
		})
	}
}

// field returns the field of an item with a name.
func field[T any](it *rangeproof.Item, name string) *T {
	for _, f := range append(bindtest.Fields[T](it.Proof), bindtest.Fields[T](it)...) {
		if f.Name == name {
			return f.At
		}
	}
	panic("rangetest: no field " + name)
}

func (b *Binding) term(name, base string, equation int, factor func(it *rangeproof.Item) group.Scalar,
	add func(it *rangeproof.Item, by group.Scalar)) {
	g := b.Prover.Group
	b.Terms = append(b.Terms, bindtest.Term[rangeproof.Item]{
		Name: name, Base: base, Equation: equation,
		Factor: func(it *rangeproof.Item) *big.Int { return grouptest.Number(g, factor(it)) },
		Add:    func(it *rangeproof.Item, by *big.Int) { add(it, grouptest.Scalar(g, by)) },
	})
}
