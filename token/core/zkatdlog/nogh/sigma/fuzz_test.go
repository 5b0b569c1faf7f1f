package sigma_test

import (
	"testing"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/sigma"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

func FuzzDecodeTypeAndSum(f *testing.F) {
	for _, v := range vectors.NegativeProofs(f, "typeandsum") {
		f.Add([]byte(v.Proof), len(v.Statement.Inputs), v.Curve == "BN254")
	}
	bn254, bls := vectors.Curve(f, "BN254"), vectors.Curve(f, "BLS12_381_BBS_GURVY")
	f.Fuzz(func(t *testing.T, b []byte, inputs int, isBN254 bool) {
		g := bls
		if isBN254 {
			g = bn254
		}
		p, err := sigma.DecodeTypeAndSum(wire.OneByOne(g), b, inputs&63)
		vectors.OneEncoding(t, b, p.Append(nil, g), err)
	})
}

func FuzzDecodeSameType(f *testing.F) {
	for _, v := range vectors.NegativeProofs(f, "sametype") {
		f.Add([]byte(v.Proof), v.Curve == "BN254")
	}
	bn254, bls := vectors.Curve(f, "BN254"), vectors.Curve(f, "BLS12_381_BBS_GURVY")
	f.Fuzz(func(t *testing.T, b []byte, isBN254 bool) {
		g := bls
		if isBN254 {
			g = bn254
		}
		p, err := sigma.DecodeSameType(wire.OneByOne(g), b)
		vectors.OneEncoding(t, b, p.Append(nil, g), err)
	})
}
