package v2_test

import (
	"crypto/rand"
	"fmt"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v2"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/bn254"
	"github.com/zkatbench/zkatbench/token/crypto/pedersen"
)

// A transfer of 100 to two owners: the proof shows that nothing was created.
func ExampleParams_Prove() {
	g := bn254.New()
	p, err := v2.New(g, 32, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	key, typ := pedersen.NewKey(g, p.TokenGenerators()), g.Reduce([]byte("EUR"))
	opened := func(value uint64) (group.Point, v2.Opening) {
		var r [1]group.Scalar
		if err := group.Sample(g, rand.Reader, r[:]); err != nil {
			fmt.Println(err)
		}
		return key.Commit(typ, g.Uint64(value), r[0]), v2.Opening{Value: value, Blinding: r[0]}
	}
	in, spent := opened(100)
	out1, first := opened(60)
	out2, second := opened(40)
	st := &v2.Statement{Kind: v2.Transfer, Inputs: []group.CurvePoint{group.OnCurve(in)},
		Outputs: []group.Point{out1, out2}, Context: []byte("anchor, owners and token identifiers")}
	w := &v2.Witness{Type: typ, Inputs: []v2.Opening{spent}, Outputs: []v2.Opening{first, second}}
	proof, err := p.Prove(st, w, rand.Reader)
	fmt.Println(err, p.Verify(st, proof))
	st.Context = []byte("another place")
	fmt.Println(p.Verify(st, proof) != nil)
	// Output:
	// <nil> <nil>
	// true
}
