package credential // group and pairs are private: the test replaces both

import (
	"math/big"
	"testing"

	"github.com/zkatbench/zkatbench/internal/bindtest"
	"github.com/zkatbench/zkatbench/token/core/identity/idemix/presentation"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/grouptest"
)

// TestWeightsBind: the weights of pairings bind both points, and each presentation has its
// weight. The other equations of presentations and signatures are not weighted: each sum
// is compared or hashed alone.
func TestWeightsBind(t *testing.T) {
	for _, k := range keys(t) {
		g, own := k.group, *k.Key
		spy := &grouptest.Spy{Group: g, WeightLen: 16}
		own.group = spy
		// With the secret of the issuer, a pairing equation is one between points.
		secret := g.Uint64(12345)
		own.pairs = func(p, q group.Point) bool {
			return group.IsIdentity(g.AddPoints(group.MulPoint(g, p, secret), q))
		}
		v := bindtest.Verifier[Item]{Order: g.Order(), Equations: 1, Ones: 1}
		v.Claims = func(n int) (items []*Item) {
			for i := range n {
				prime := group.MulPoint(g, g.Generator(), g.Uint64(uint64(i+1)))
				id := &presentation.Identity{Proof: []byte{byte(i), byte(i >> 8)}}
				id.APrime, id.ABar = prime, group.MulPoint(g, prime, secret)
				items = append(items, &Item{Identity: id})
			}
			return items
		}
		v.Verify = func(items []*Item, held []bindtest.Draw) (refused []int, draws []bindtest.Draw) {
			list := make([]Item, len(items))
			for i, it := range items {
				list[i] = *it
			}
			draws = spy.Watch(held, func() {
				if own.Pairings(list) {
					return
				}
				for i := range list {
					if !own.Pairings(list[i : i+1]) {
						refused = append(refused, i)
					}
				}
			})
			return refused, draws
		}
		for name, at := range map[string]func(*presentation.Identity) *group.Point{
			"A'": func(id *presentation.Identity) *group.Point { return &id.APrime },
			"Ā":  func(id *presentation.Identity) *group.Point { return &id.ABar },
		} {
			factor := g.Neg(g.Uint64(1))
			if name == "A'" {
				factor = secret
			}
			add := func(it *Item, by *big.Int) {
				p := at(it.Identity)
				*p = g.AddPoints(*p, group.MulPoint(g, g.Generator(), grouptest.Scalar(g, by)))
				it.Identity.Proof = g.AppendPoint(it.Identity.Proof, *p) // its bytes contain p
			}
			v.Values = append(v.Values,
				bindtest.Value[Item]{Name: name, Change: func(it *Item) { add(it, big.NewInt(1)) }})
			v.Terms = append(v.Terms, bindtest.Term[Item]{
				Name: name, Base: "the generator", Add: add,
				Factor: func(*Item) *big.Int { return grouptest.Number(g, factor) },
			})
		}
		v.Test(t)
	}
}
