package curve

import (
	"fmt"
	"math/big"

	"github.com/consensys/gnark-crypto/ecc"
	bls12381 "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bn254"
)

// natives are the curves with an implementation on gnark-crypto, by name.
var natives = map[string]Curve{
	"BN254":               newBN254Native("BN254"),
	"BLS12_381_GURVY":     newBLS12381Native("BLS12_381_GURVY"),
	"BLS12_381_BBS_GURVY": newBLS12381Native("BLS12_381_BBS_GURVY"),
}

// Line coefficients of a fixed point, by curve.
type (
	bn254Lines    = [2][len(bn254.LoopCounter)]bn254.LineEvaluationAff
	bls12381Lines = [2][len(bls12381.LoopCounter) - 1]bls12381.LineEvaluationAff
)

// oneTask lets MultiExp use one processor at a time, though not one thread.
var oneTask = ecc.MultiExpConfig{NbTasks: 1}

// codec encodes the points of a group in compressed form.
type codec[A any] struct {
	length int
	encode func(*A) []byte
	// decode checks that the point is on the curve. The subgroup and the form
	// of the encoding are checked elsewhere.
	decode     func([]byte) (A, error)
	inSubgroup func(*A) bool
}

// decoded reads a point of a group.
func (c codec[A]) decoded(b []byte) (a A, err error) {
	if len(b) != c.length {
		return a, fmt.Errorf("%w: %d bytes and not %d", ErrEncoding, len(b), c.length)
	}
	a, err = c.decode(b)
	if err != nil {
		return a, fmt.Errorf("%w: %w", ErrEncoding, err)
	}
	if string(c.encode(&a)) != string(b) {
		return a, fmt.Errorf("%w: it is not canonical", ErrEncoding)
	}
	if !c.inSubgroup(&a) {
		return a, ErrSubgroup
	}
	return a, nil
}

func mulMod(a, b, q *big.Int) *big.Int {
	p := new(big.Int).Mul(a, b)
	return p.Mod(p, q)
}

// must returns the value of a loop, which fails only for lists of different
// lengths.
func must[T any](value T, err error) T {
	if err != nil {
		panic("curve: " + err.Error())
	}
	return value
}
