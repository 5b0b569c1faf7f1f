package ecdsap256_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/asn1"
	"fmt"
	"math/big"

	"github.com/zkatbench/zkatbench/token/crypto/ecdsap256"
)

// Signatures of several keys are verified together; each has its own verdict.
func ExampleVerifier_Verify() {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		fmt.Println(err)
		return
	}
	digest := sha256.Sum256([]byte("pay 10"))
	der, err := ecdsa.SignASN1(rand.Reader, key, digest[:])
	if err != nil {
		fmt.Println(err)
		return
	}
	var sig struct{ R, S *big.Int }
	if _, err := asn1.Unmarshal(der, &sig); err != nil {
		fmt.Println(err)
		return
	}
	r, s := sig.R.FillBytes(make([]byte, 32)), sig.S.FillBytes(make([]byte, 32))
	changed := sha256.Sum256([]byte("pay 1000"))
	fmt.Println(ecdsap256.New(10).Verify([]ecdsap256.Signature{
		{Key: &key.PublicKey, Digest: digest[:], R: r, S: s},
		{Key: &key.PublicKey, Digest: changed[:], R: r, S: s},
	}))
	// Output: [true false]
}
