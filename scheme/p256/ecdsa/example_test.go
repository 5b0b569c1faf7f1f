package ecdsa_test

import (
	std "crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"slices"

	"github.com/zkatbench/zkatbench/scheme/p256/curve"
	"github.com/zkatbench/zkatbench/scheme/p256/ecdsa"
	"github.com/zkatbench/zkatbench/scheme/p256/field/g9x29"
)

// Go's library verifies a signature that is computed over a field of nine limbs.
func ExampleSign() {
	g := ecdsa.Over[g9x29.Element](curve.Limits{MaxAdds: g9x29.MaxAdds, MaxSum: g9x29.MaxSum})
	nonces := ecdsa.From(rand.Reader)
	key, err := ecdsa.GenerateKey(g, nonces)
	if err != nil {
		fmt.Println(err)
		return
	}
	s, _, err := ecdsa.Sign(g, key, []byte("message"), nonces)
	if err != nil {
		fmt.Println(err)
		return
	}
	digest := sha256.Sum256([]byte("message"))
	x, y := key.X.FillBytes(make([]byte, 32)), key.Y.FillBytes(make([]byte, 32))
	public, err := std.ParseUncompressedPublicKey(elliptic.P256(), slices.Concat([]byte{4}, x, y))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(std.Verify(public, digest[:], s.R, s.S))
	// Output: true
}
