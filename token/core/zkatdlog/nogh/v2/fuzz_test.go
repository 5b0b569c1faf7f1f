package v2 // newInstance of fixture_test.go, which the inside tests share, is here

import (
	"errors"
	"testing"

	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// FuzzDecode decodes any bytes as a proof. The result must be a descriptive
// error or encode to the same bytes, and the verifier may accept only the
// recorded ones.
func FuzzDecode(f *testing.F) {
	g := vectors.Curve(f, "BN254")
	in := newInstance(f, g, shape{bits: 32, inputs: 1, outputs: 1}, 41)
	proof := in.prove(f)
	seeds := [][]byte{proof, proof[:len(proof)-1], nil, {version}}
	for _, v := range load(f, "negative", "BN254") {
		seeds = append(seeds, v.Proof)
	}
	vectors.FuzzDecoder(f, seeds, func(b []byte) ([]byte, error) {
		decoded, err := in.p.Decode(in.st, b)
		if err != nil {
			return nil, err
		}
		if err := in.p.Verify(in.st, b); err == nil != (string(b) == string(proof)) || err != nil &&
			!errors.Is(err, ErrRejected) {
			panic(err)
		}
		return decoded.Encode(g), nil
	})
}
