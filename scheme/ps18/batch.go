package ps18

import (
	"errors"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strings"

	"github.com/zkatbench/zkatbench/scheme/ps18/curve"
)

// Signed is a list of messages with a signature.
type Signed struct {
	Messages  []*big.Int
	Signature *Signature
}

// A BatchError lists the signatures of a batch that do not verify, counted from
// 0. It wraps ErrRejected.
type BatchError struct {
	Invalid []int
	errs    []error
}

func (e *BatchError) Error() string {
	names := make([]string, len(e.Invalid))
	for i, n := range e.Invalid {
		names[i] = fmt.Sprint(n)
	}
	return fmt.Sprintf("ps18: signatures %s of the batch are invalid: %v", strings.Join(names, ", "),
		e.errs[0])
}

func (e *BatchError) Unwrap() []error { return e.errs }

// weightBits is the length of the random weights: an invalid batch is accepted
// with a probability of 2⁻¹²⁸.
const weightBits = 128

// VerifyBatch verifies signatures under one key together. It returns nil if all
// are valid. The weights are drawn from random, which must not be known before
// the batch is fixed (crypto/rand.Reader). For ρᵢ ≠ 0 it tests
//
//	e(Σρᵢσ₁ᵢ, X̃) · Π_{j≤r} e(Σρᵢmᵢⱼσ₁ᵢ, Ỹⱼ) · e(Σρᵢm'ᵢσ₁ᵢ, Ỹ_{r+1}) · e(-Σρᵢσ₂ᵢ, g̃) = 1
//
// with r + 3 Miller loops and one final exponentiation, however many signatures
// there are, and r + 3 sums in G1. If the batch is refused, every signature is
// verified alone and the error is a *BatchError.
func (pk *PublicKey) VerifyBatch(batch []Signed, random io.Reader) error {
	if len(batch) == 0 {
		return nil
	}
	weights, err := drawWeights(len(batch), random)
	if err != nil {
		return err
	}
	if pk.complete(batch) && pk.batchHolds(batch, weights) {
		return nil
	}
	invalid := &BatchError{}
	for i := range batch {
		if err := pk.Verify(batch[i].Messages, batch[i].Signature, Product); err != nil {
			invalid.Invalid, invalid.errs = append(invalid.Invalid, i), append(invalid.errs, err)
		}
	}
	if len(invalid.Invalid) == 0 {
		return errors.New("ps18: the batch is refused and each of its signatures is accepted")
	}
	return invalid
}

// complete reports whether all messages fit the key and no σ₁ is 0.
func (pk *PublicKey) complete(batch []Signed) bool {
	return !slices.ContainsFunc(batch, func(s Signed) bool {
		return fits(pk.curve, s.Messages, pk.messages()) != nil || usable(pk.curve, s.Signature) != nil
	})
}

// drawWeights returns n numbers of weightBits bits that are not 0.
func drawWeights(n int, random io.Reader) ([]*big.Int, error) {
	weights := make([]*big.Int, n)
	b := make([]byte, weightBits/8)
	for i := range weights {
		for weights[i] == nil || weights[i].Sign() == 0 {
			if _, err := io.ReadFull(random, b); err != nil {
				return nil, fmt.Errorf("ps18: randomness: %w", err)
			}
			weights[i] = new(big.Int).SetBytes(b)
		}
	}
	return weights, nil
}

// batchHolds evaluates the equation of VerifyBatch.
func (pk *PublicKey) batchHolds(batch []Signed, weights []*big.Int) bool {
	c := pk.curve.Phase(phaseCombine)
	sigma1, sigma2 := make([]curve.G1, len(batch)), make([]curve.G1, len(batch))
	rows := make([][]*big.Int, 1+len(pk.y)) // ρᵢ, ρᵢmᵢⱼ, ρᵢm'ᵢ
	rows[0] = weights
	for j := range pk.y {
		rows[1+j] = make([]*big.Int, len(batch))
	}
	for i, s := range batch {
		sigma1[i], sigma2[i] = s.Signature.Sigma1, s.Signature.Sigma2
		for j, m := range s.Messages {
			rows[1+j][i] = c.MulScalars(weights[i], m)
		}
		rows[len(pk.y)][i] = c.MulScalars(weights[i], s.Signature.Prime)
	}
	ps := append(c.SumsG1(sigma1, rows...), c.NegG1(c.SumsG1(sigma2, weights)[0]))
	qs := slices.Concat([]curve.G2{pk.x}, pk.y, []curve.G2{pk.generator})
	return pk.curve.Phase(phasePairings).PairingIsOne(ps, qs)
}
