package otecdsa

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/scheme/threshold/engine"
	"github.com/zkatbench/zkatbench/scheme/threshold/secp"
)

// TestProofsAreBoundToTheirStatement verifies a proof for every other session, prover,
// label and triple.
func TestProofsAreBoundToTheirStatement(t *testing.T) {
	random, err := engine.Random(1, engine.Place{Case: "proofs", ID: 1})
	require.NoError(t, err)
	x := secp.Int(1234)
	point := secp.Base(x)
	own := claim{[]byte("session"), 1, "E", 0}
	proof, err := own.prove(random, x, point)
	require.NoError(t, err)
	require.NoError(t, own.verify(proof, point))
	require.ErrorIs(t, own.verify(proof, point.Plus(point)), ErrProof)
	for _, other := range []claim{{[]byte("Session"), 1, "E", 0}, {own.sid, 2, "E", 0}, {own.sid, 1, "F", 0}, {own.sid, 1, "E", 1}} {
		require.ErrorIs(t, other.verify(proof, point), ErrProof)
	}

	f := secp.Base(secp.Int(77))
	both := equality{[]byte("session"), 1, 0, point, f, f.Times(x)}
	proof, err = both.prove(random, x)
	require.NoError(t, err)
	require.NoError(t, both.verify(proof))
	for _, change := range []func(*equality){
		func(q *equality) { q.sid = []byte("Session") }, func(q *equality) { q.prover = 2 }, func(q *equality) { q.triple = 1 },
	} {
		other := both
		change(&other)
		require.ErrorIs(t, other.verify(proof), ErrProof)
	}
}

// TestAChosenProductHasNoProof tries to prove that C = (s·F - K₁)/c is x·F, for a point K₁
// that was chosen before the challenge c. It needs a challenge that C does not change.
func TestAChosenProductHasNoProof(t *testing.T) {
	x, k := secp.Int(1234), secp.Int(99)
	f, k1 := secp.Base(secp.Int(77)), secp.Base(secp.Int(5))
	q := equality{[]byte("session"), 1, 0, secp.Base(x), f, f}
	c := q.challenge(secp.Base(k), k1)
	response := secp.Add(k, secp.Mul(c, x))
	q.c = f.Times(response).Minus(k1).Times(secp.Inv(c))
	require.False(t, q.c.Equal(f.Times(x)))
	require.ErrorIs(t, q.verify(append(secp.Encode(c), secp.Encode(response)...)), ErrProof)
}

// TestVerifyTripleMultiplies adds 1 to c and G to C.
func TestVerifyTripleMultiplies(t *testing.T) {
	random, err := engine.Random(1, engine.Place{Case: "triples"})
	require.NoError(t, err)
	triples, err := DealTriple(random, 3, 2)
	require.NoError(t, err)
	require.NoError(t, VerifyTriple(triples))
	for _, share := range triples {
		share.c = secp.Add(share.c, secp.Int(1))
		share.C = share.C.Plus(secp.Base(secp.Int(1)))
	}
	require.ErrorIs(t, VerifyTriple(triples), ErrTriple)
}
