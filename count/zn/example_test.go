package zn_test

import (
	"fmt"
	"math/big"

	"github.com/zkatbench/zkatbench/count"
	"github.com/zkatbench/zkatbench/count/zn"
)

// A group of any order counts what an algorithm does: 13 = 1101₂ takes squarings (doublings) and
// products (additions).
func ExampleNewInsecure() {
	var rec count.Recorder
	g, err := zn.NewInsecure("G", big.NewInt(1009), zn.Same(zn.Sliding, 1), rec.Bucket(""))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(g.Equal(g.Value(big.NewInt(5)).PowInt(13), g.Value(big.NewInt(65))))
	total := rec.Snapshot()[""].Total()
	fmt.Println(total.Adds, total.Doubles)
	// Output:
	// true
	// 3 4
}

// A pairing counts as one product, here of one pair; the neutral element is 1.
func ExampleNewInsecureBilinear() {
	var rec count.Recorder
	b, err := zn.NewInsecureBilinear(big.NewInt(1009), zn.Same(zn.Sliding, 1), rec.Bucket(""))
	if err != nil {
		fmt.Println(err)
		return
	}
	p, q := b.G1.Value(big.NewInt(2)), b.G2.Value(big.NewInt(3))
	product := b.Product([]*zn.Element{p}, []*zn.Element{q})
	fmt.Println(b.GT.Equal(product, b.GT.Value(big.NewInt(6))), b.GT.Equal(product, b.GT.Neutral()))
	// Output: true false
}
