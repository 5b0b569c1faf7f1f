package otecdsa // claim and equality are private: no message shows a challenge

import (
	"bytes"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/scheme/threshold/engine"
	"github.com/zkatbench/zkatbench/scheme/threshold/secp"
)

// TestProofsOfTheirStatement verifies proofs of the statement and of another one. A challenge
// has every item of the statement: see TestEachItemOfAChallenge.
func TestProofsOfTheirStatement(t *testing.T) {
	random, err := engine.Random(1, engine.Place{Case: "proofs", ID: 1})
	require.NoError(t, err)
	x, f := secp.Int(1234), secp.Base(secp.Int(77))
	point := secp.Base(x)
	own, other := claim{[]byte("session"), 1, "E", 0}, claim{[]byte("session"), 1, "E", 1}
	proof, err := own.prove(random, x, point)
	require.NoError(t, err)
	require.NoError(t, own.verify(proof, point))
	require.ErrorIs(t, own.verify(proof, point.Plus(point)), ErrProof)
	require.ErrorIs(t, other.verify(proof, point), ErrProof)

	both := equality{own.sid, 1, 0, point, f, f.Times(x)}
	proof, err = both.prove(random, x)
	require.NoError(t, err)
	require.NoError(t, both.verify(proof))
	both.triple = 1
	require.ErrorIs(t, both.verify(proof), ErrProof)
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

// TestEachItemOfAChallenge changes one item of a challenge at a time.
func TestEachItemOfAChallenge(t *testing.T) {
	point := func(v uint32) *secp.Point { return secp.Base(secp.Int(v)) }
	seen := map[string]bool{}
	add := func(c *secp.Scalar) { seen[string(secp.Encode(c))] = true }

	own := claim{[]byte("session"), 1, "E", 0}
	add(own.challenge(point(2), point(3)))
	add(own.challenge(point(4), point(3)))
	add(own.challenge(point(2), point(4)))
	add(own.challenge(point(3), point(2)))
	for _, other := range []claim{
		{[]byte("sessioo"), 1, "E", 0}, {[]byte("session"), 2, "E", 0},
		{[]byte("session"), 1 + 1<<16, "E", 0},
		{[]byte("session"), 1, "F", 0}, {[]byte("session"), 1, "E", 1}, {[]byte("session"), 1, "E", 1 << 16},
	} {
		add(other.challenge(point(2), point(3)))
	}
	require.Len(t, seen, 10)

	items := []uint32{2, 3, 4, 5, 6}
	both := func(sid string, prover uint32, triple int, v []uint32) {
		add(equality{[]byte(sid), prover, triple, point(v[0]), point(v[1]),
			point(v[2])}.challenge(point(v[3]), point(v[4])))
	}
	both("session", 1, 0, items)
	both("sessioo", 1, 0, items)
	both("session", 2, 0, items)
	both("session", 1+1<<16, 0, items)
	both("session", 1, 1, items)
	for i := range items {
		changed := slices.Clone(items)
		changed[i] = 7
		both("session", 1, 0, changed)
	}
	require.Len(t, seen, 20)
}

// TestNumbersOfProofsAreBelowTheOrder: challenges and responses of the order and more
// are malformed, not reduced.
func TestNumbersOfProofsAreBelowTheOrder(t *testing.T) {
	order := new(secp.Scalar).NegateVal(secp.Int(1)).Bytes() // the order less 1
	order[31]++
	point := secp.Base(secp.Int(3))
	own, both := claim{[]byte("session"), 1, "E", 0}, equality{[]byte("session"), 1, 0, point, point, point}
	for _, number := range [][]byte{order[:], bytes.Repeat([]byte{0xff}, secp.ScalarLen)} {
		for at := range 2 {
			proof := make([]byte, proofLen)
			proof[secp.ScalarLen-1], proof[proofLen-1] = 1, 1
			require.ErrorIs(t, own.verify(proof, point), ErrProof)
			require.ErrorIs(t, both.verify(proof), ErrProof)
			copy(proof[secp.ScalarLen*at:], number)
			require.ErrorIs(t, own.verify(proof, point), secp.ErrScalar)
			require.ErrorIs(t, both.verify(proof), secp.ErrScalar)
		}
	}
}

// TestCommitmentsAreNotTheIdentity: a response for which a commitment is the identity,
// which cannot be encoded, is refused.
func TestCommitmentsAreNotTheIdentity(t *testing.T) {
	x, f := secp.Int(3), secp.Base(secp.Int(77))
	own := claim{[]byte("session"), 1, "E", 0}
	proofOf := func(c, s *secp.Scalar) []byte { return append(secp.Encode(c), secp.Encode(s)...) }
	require.ErrorIs(t, own.verify(proofOf(secp.Int(5), secp.Int(15)), secp.Base(x)), ErrProof)
	require.ErrorIs(t, own.verify(make([]byte, proofLen), secp.Base(x)), ErrProof)
	for name, q := range map[string]equality{
		"both":   {own.sid, 1, 0, secp.Base(x), f, f.Times(x)},
		"first":  {own.sid, 1, 0, secp.Base(x), f, f},
		"second": {own.sid, 1, 0, secp.Base(secp.Int(4)), f, f.Times(x)},
	} {
		t.Run(name, func(t *testing.T) {
			require.ErrorIs(t, q.verify(proofOf(secp.Int(5), secp.Int(15))), ErrProof)
		})
	}
}

// TestProofsNeedRandomness: a source that ends is an error.
func TestProofsNeedRandomness(t *testing.T) {
	g := secp.Base(secp.Int(1))
	_, err := equality{nil, 1, 0, g, g, g}.prove(bytes.NewReader(make([]byte, 63)), secp.Int(1))
	require.ErrorIs(t, err, secp.ErrRandom)
}

// TestOneOfTwoSends: of each pair, one party is the sender of a product.
func TestOneOfTwoSends(t *testing.T) {
	for triple := range 5 {
		for id := uint32(1); id < 6; id++ {
			for peer := id + 1; peer < 6; peer++ {
				require.NotEqual(t, sends(triple, id, peer), sends(triple, peer, id),
					"triple %d of %d and %d", triple, id, peer)
			}
		}
	}
}

// TestVerifyTripleMultiplies doubles each point of the first party, and adds 1 to c and
// G to C.
func TestVerifyTripleMultiplies(t *testing.T) {
	random, err := engine.Random(1, engine.Place{Case: "triples"})
	require.NoError(t, err)
	triples, err := DealTriple(random, 3, 2)
	require.NoError(t, err)
	require.NoError(t, VerifyTriple(triples))
	for i, p := range []**secp.Point{&triples[0].A, &triples[0].B, &triples[0].C} {
		own := *p
		*p = own.Plus(own)
		require.ErrorIs(t, VerifyTriple(triples), ErrTriple, "point %d of the first party", i)
		*p = own
	}
	for _, share := range triples {
		share.c = secp.Add(share.c, secp.Int(1))
		share.C = share.C.Plus(secp.Base(secp.Int(1)))
	}
	require.ErrorIs(t, VerifyTriple(triples), ErrTriple)
}
