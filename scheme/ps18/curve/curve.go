// Package curve is the algebra of pairing signatures: two groups with a pairing
// into a third, over several implementations.
//
// The interface Curve has implementations over gnark-crypto, whose text for
// BLS12-381 is generated from the text for BN254, and over every curve of
// IBM/mathlib. A decorator counts the calls to another Curve.
//
// Groups are written additively. Scalars are integers from 0 to q-1, where q is
// the order of the groups. This package is not constant time.
package curve

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	math "github.com/IBM/mathlib"

	"github.com/zkatbench/zkatbench/count"
)

// G1, G2 and GT are elements of the groups of one Curve, which alone knows the types
// of their values. The zero values are invalid.
type (
	G1 struct{ Point any }
	G2 struct{ Point any }
	GT struct{ Value any }
)

// IsValid reports whether p was made by a Curve.
func (p G1) IsValid() bool { return p.Point != nil }

// Curve is two groups of prime order q with a pairing. Elements are values: no
// method changes an argument, though a library below may rewrite the memory of
// one.
type Curve interface {
	// Name is the name of the curve in flags.
	Name() string
	// Order returns q, which must not be changed.
	Order() *big.Int
	// MulScalars returns a·b mod q.
	MulScalars(a, b *big.Int) *big.Int

	GenG1() G1
	MulG1(p G1, k *big.Int) G1
	NegG1(p G1) G1
	IsZeroG1(p G1) bool
	// SumsG1 returns Σ ks[j][i]·ps[i] for each j.
	SumsG1(ps []G1, ks ...[]*big.Int) []G1

	GenG2() G2
	MulG2(q G2, k *big.Int) G2
	AddG2(p, q G2) G2
	IsZeroG2(q G2) bool
	EqualG2(p, q G2) bool
	// MSMG2 returns Σ ks[i]·qs[i].
	MSMG2(qs []G2, ks []*big.Int) G2
	// PrepareG2 returns the same point, with everything that makes it cheaper
	// in PairingIsOne.
	PrepareG2(q G2) G2

	Pair(p G1, q G2) GT
	EqualGT(a, b GT) bool
	// PairingIsOne reports whether Π e(ps[i], qs[i]) = 1. The lists are
	// equally long and not empty.
	PairingIsOne(ps []G1, qs []G2) bool

	// LenG1 and LenG2 are the lengths of encodings in bytes.
	LenG1() int
	LenG2() int
	AppendG1(b []byte, p G1) []byte
	AppendG2(b []byte, q G2) []byte
	// DecodeG1 and DecodeG2 accept one encoding of each element of the group,
	// the neutral element included. Errors wrap ErrEncoding or ErrSubgroup.
	DecodeG1(b []byte) (G1, error)
	DecodeG2(b []byte) (G2, error)

	// Phase returns the same Curve for a phase of a computation, where calls
	// are counted apart.
	Phase(name string) Curve
}

// Errors of decoding.
var (
	// ErrEncoding says that bytes are not the canonical encoding of a point of the
	// curve.
	ErrEncoding = errors.New("is not the encoding of a point of the curve")
	// ErrSubgroup says that a point of the curve is outside the group of order q.
	ErrSubgroup = errors.New("is not in the group of prime order")
)

// Names are the curves that flags may name.
var Names = []string{
	"BN254", "BLS12_381_BBS_GURVY", "BLS12_381", "BLS12_381_GURVY", "BLS12_381_BBS",
	"BLS12_377_GURVY", "FP256BN_AMCL", "FP256BN_AMCL_MIRACL",
}

// Backends are the implementations that Find can be asked for.
var Backends = []string{"native", "mathlib"}

// HasNative reports whether the native backend of a curve is not mathlib.
func HasNative(name string) bool { return natives[name] != nil }

// Find returns the curve called name, one of Names, on backend, one of Backends.
// "native" is gnark-crypto where
// mathlib has a curve by gnark-crypto too (BN254, BLS12_381_GURVY,
// BLS12_381_BBS_GURVY), and mathlib for the others.
func Find(name, backend string) (Curve, error) { return find(name, backend, count.Bucket{}, false) }

// FindCounted is Find with every call counted in bucket.
func FindCounted(name, backend string, bucket count.Bucket) (Curve, error) {
	return find(name, backend, bucket, true)
}

func find(name, backend string, bucket count.Bucket, counted bool) (Curve, error) {
	if !slices.Contains(Names, name) {
		return nil, fmt.Errorf("curve %q is not one of %s", name, strings.Join(Names, ", "))
	}
	if !slices.Contains(Backends, backend) {
		return nil, fmt.Errorf("backend %q is not one of %s", backend, strings.Join(Backends, ", "))
	}
	if fast := natives[name]; fast != nil && backend == "native" {
		if counted {
			return countedGroup(fast, bucket), nil
		}
		return fast, nil
	}
	on := math.Curves[mathlibs[name]]
	if counted {
		return countedMathlib(name, on, bucket), nil
	}
	return overMathlib(name, on), nil
}
