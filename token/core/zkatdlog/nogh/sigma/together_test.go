package sigma_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/sigma"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/nonce"
	"github.com/zkatbench/zkatbench/token/crypto/pedersen"
	"github.com/zkatbench/zkatbench/token/crypto/round"
)

// item is a statement with its proof.
type item struct {
	st sigma.TypeAndSumStatement
	p  sigma.TypeAndSum
}

// verdictsOnSums verifies all items together.
func verdictsOnSums(k *pedersen.Key, items ...item) (errs []error) {
	m := round.NewMemory()
	defer m.Wipe()
	claims := make([]sigma.Claim, len(items))
	for i, it := range items {
		claims[i] = sigma.NewClaim(m, it.st, it.p)
	}
	_ = round.Run(k.Group(), func(r round.Round) error {
		sigma.Derive(r, claims)
		errs = sigma.VerifyTypeAndSum(r, k, claims)
		return nil
	})
	return errs
}

// verifySums returns the index of the first rejected item, or their number.
func verifySums(k *pedersen.Key, items ...item) int {
	for i, err := range verdictsOnSums(k, items...) {
		if errors.Is(err, sigma.ErrRejected) {
			return i
		}
	}
	return len(items)
}

func verifySum(k *pedersen.Key, st sigma.TypeAndSumStatement, p sigma.TypeAndSum) error {
	if verifySums(k, item{st, p}) == 0 {
		return sigma.ErrRejected
	}
	return nil
}

func verifySame(k *pedersen.Key, p sigma.SameType) error {
	return round.Run(k.Group(), func(r round.Round) error {
		return sigma.VerifySameType(r, k, []sigma.SameType{p})[0]
	})
}

// TestProofsOfManyShapesTogether verifies proofs of different shapes together,
// all right, with one wrong or malformed, and with one malformed and one wrong.
func TestProofsOfManyShapesTogether(t *testing.T) {
	shapes := [][2]int{{9, 1}, {1, 9}, {17, 10}}
	for inputs := 1; inputs <= 4; inputs++ {
		for outputs := 1; outputs <= 4; outputs++ {
			shapes = append(shapes, [2]int{inputs, outputs})
		}
	}
	eachKey(t, func(t *testing.T, k *pedersen.Key) {
		g := k.Group()
		var items []item
		for _, shape := range shapes {
			e := newExample(t, k, shape[0], shape[1])
			items = append(items, item{e.st, e.prove(t)})
		}
		require.Equal(t, len(items), verifySums(k, items...))
		for wrong := 0; wrong < len(items); wrong += nightly.Pick(6, 2, 1) {
			tried := slices.Clone(items)
			tried[wrong].p.ZS = g.Add(tried[wrong].p.ZS, g.Uint64(1))
			require.Equal(t, wrong, verifySums(k, tried...))
			tried[wrong].p.ZV = nil
			require.Equal(t, wrong, verifySums(k, tried...))
			other := (wrong + 3) % len(items)
			tried[other].p.ZS = g.Add(tried[other].p.ZS, g.Uint64(1))
			for i, err := range verdictsOnSums(k, tried...) {
				require.Equal(t, i == wrong || i == other, errors.Is(err, sigma.ErrRejected),
					"%d of %d and %d", i, wrong, other)
			}
		}
	})
}

// TestAnyType: a right proof with the identity as commitment to the type is accepted only with
// AnyType. A wrong proof is never accepted.
func TestAnyType(t *testing.T) {
	eachKey(t, func(t *testing.T, k *pedersen.Key) {
		g := k.Group()
		p, err := sigma.ProveSameType(k, sigma.SameTypeWitness{Type: g.Uint64(0), Blinding: g.Uint64(0)},
			&nonce.Fixed{g.Uint64(5), g.Uint64(6)})
		require.NoError(t, err)
		require.True(t, group.IsIdentity(p.CT))
		require.ErrorIs(t, verifySame(k, p), sigma.ErrRejected)
		p.AnyType = true
		require.NoError(t, verifySame(k, p))
		p.ZB = g.Uint64(7)
		require.ErrorIs(t, verifySame(k, p), sigma.ErrRejected)
	})
}
