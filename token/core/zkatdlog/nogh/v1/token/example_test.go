package token_test

import (
	"fmt"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/crypto/group/bn254"
)

// A ledger stores a commitment; the owner knows its opening.
func ExampleOpening_Open() {
	g := bn254.New()
	p, err := params.Setup(params.Config{Group: g, Bits: 32})
	if err != nil {
		fmt.Println(err)
		return
	}
	o := token.Opening{Type: "EUR", Value: g.Uint64(100), Blinding: g.Reduce([]byte("use crypto/rand"))}
	t := token.Token{Owner: []byte("alice"), Data: token.Commit(p.Pedersen(), o.Type, 100, o.Blinding)}
	fmt.Println(o.Open(p.Pedersen(), t))
	o.Value = g.Uint64(1000)
	fmt.Println(o.Open(p.Pedersen(), t))
	// Output:
	// <nil>
	// opening does not reproduce the commitment
}

// A clear token has its value in its bytes; networks of other bit lengths have other formats.
func ExampleDecodeClear() {
	b, err := token.Clear{Owner: []byte("alice"), Type: "EUR", Quantity: token.FormatQuantity(100)}.Encode()
	if err != nil {
		fmt.Println(err)
		return
	}
	c, err := token.DecodeClear(b)
	if err != nil {
		fmt.Println(err)
		return
	}
	value, err := token.ParseQuantity(c.Quantity, 32)
	fmt.Println(string(c.Owner), c.Type, value, err, token.ClearFormat(32) == token.ClearFormat(64))
	// Output: alice EUR 100 <nil> false
}
