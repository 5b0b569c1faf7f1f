package credential

import (
	"bytes"
	"crypto/rand"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/count"
	"github.com/zkatbench/zkatbench/token/core/identity/idemix/presentation"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/curves"
	"github.com/zkatbench/zkatbench/token/crypto/group/opcount"
)

// prover knows the equations and has a pseudonym but not a credential.
type prover struct {
	key *Key
	t   *testing.T
}

func (c prover) scalar() group.Scalar {
	var s [1]group.Scalar
	require.NoError(c.t, group.Sample(c.key.group, rand.Reader, s[:]))
	return s[0]
}

func (c prover) base(i int) group.Point { return c.key.bases.Point(i) }

// item makes an item of which all sums are right: A′ is any point, and Ā and B
// follow from the equations.
func (c prover) item(message []byte) Item {
	g := c.key.group
	mul := g.MulPoint
	e, r2, r3, s, sk := c.scalar(), c.scalar(), c.scalar(), c.scalar(), c.scalar()
	rho := [3]group.Scalar{c.scalar(), c.scalar(), c.scalar()}
	var attributes [presentation.Attributes]group.Scalar
	p := presentation.Presentation{APrime: mul(g.Generator(), c.scalar()), Nonce: c.scalar()}
	// r₃·B = g₁ + s·h + sk·k + Σ attributeᵢ·aᵢ, Ā = B + e·A′ + r₂·h.
	sum := []group.Point{g.Generator(), mul(c.base(blinding), s), mul(c.base(secretKey), sk)}
	for i := range attributes {
		attributes[i] = c.scalar()
		sum = append(sum, mul(c.base(attribute+i), attributes[i]))
	}
	p.B = mul(g.Sum(sum), g.Inv(r3))
	p.ABar = g.Sum([]group.Point{p.B, mul(p.APrime, e), mul(c.base(blinding), r2)})
	p.Nym = g.AddPoints(mul(c.base(secretKey), sk), mul(c.base(blinding), rho[0]))
	p.EID = g.AddPoints(mul(c.base(attribute+2), attributes[2]), mul(c.base(blinding), rho[1]))
	p.RH = g.AddPoints(mul(c.base(attribute+3), attributes[3]), mul(c.base(blinding), rho[2]))

	// Commitments are the sums of random responses for the challenge 0.
	random := presentation.Responses{
		E: c.scalar(), R2: c.scalar(), R3: c.scalar(), S: c.scalar(), SecretKey: c.scalar(),
		Nym: c.scalar(), EID: c.scalar(), RH: c.scalar(),
	}
	for i := range random.Attributes {
		random.Attributes[i] = c.scalar()
	}
	difference := g.SubPoints(p.ABar, p.B)
	commit := sums{key: c.key}
	p.Responses = random
	commit.presentation(&p, difference, group.Scalar{})
	copy(p.Commitments[:], commit.compute())
	p.Challenge = c.key.challengeOf(&p, p.Commitments)
	x := c.key.presentationC(&p) // ĉ
	answer := func(random, secret group.Scalar) group.Scalar { return g.Add(random, g.Mul(x, secret)) }
	p.Responses = presentation.Responses{
		E: answer(random.E, e), R2: answer(random.R2, r2),
		// g₁ = r₃·B - s·h - …: the responses of s, sk and attributes are negative.
		R3: answer(random.R3, g.Neg(r3)), S: answer(random.S, s), SecretKey: answer(random.SecretKey, sk),
		Nym: answer(random.Nym, rho[0]), EID: answer(random.EID, rho[1]), RH: answer(random.RH, rho[2]),
	}
	for i := range attributes {
		p.Responses.Attributes[i] = answer(random.Attributes[i], attributes[i])
	}
	return Item{Identity: &presentation.Identity{Presentation: p, Proof: []byte("a presentation")}, Signature: c.sign(p.Nym, sk, rho[0], message), Message: message}
}

func (c prover) sign(nym group.Point, sk, rho group.Scalar, message []byte) *presentation.Signature {
	g := c.key.group
	a, b := c.scalar(), c.scalar()
	s := &presentation.Signature{Nonce: c.scalar()}
	s.Commitment = g.AppendPoint(nil, g.AddPoints(g.MulPoint(c.base(secretKey), a), g.MulPoint(c.base(blinding), b)))
	s.Challenge = c.key.signatureChallenge(nym, s.Commitment, s, message)
	x := s.Challenge
	if c.key.bbs {
		x = g.Neg(x)
	}
	s.SecretKey, s.Blinding = g.Add(a, g.Mul(x, sk)), g.Add(b, g.Mul(x, rho))
	return s
}

func keys(t *testing.T) []*Key {
	t.Helper()
	var ks []*Key
	for _, curve := range []int{1, 7} {
		g, err := curves.ByID(curve)
		require.NoError(t, err)
		p, err := params.Setup(params.Config{Group: g, Bits: 16, TableBytes: 1})
		require.NoError(t, err)
		key := p.IdemixKeys()[0]
		k, err := NewKey(key.Curve, key.PublicKey)
		require.NoError(t, err)
		ks = append(ks, k)
	}
	return ks
}

// TestWithoutCredential: the pairings reject a prover without a credential, alone
// and with others, also if all sums are right.
func TestWithoutCredential(t *testing.T) {
	for _, k := range keys(t) {
		c := prover{k, t}
		items := []Item{c.item([]byte("a")), c.item([]byte("b"))}
		require.Equal(t, []error{nil, nil}, k.Sums(items))
		require.False(t, k.Pairings(items))
		require.False(t, k.Pairings(items[1:]))

		// The two equations of a pair with opposite points differ by their weights.
		g := k.group
		with := func(prime, bar group.Point) Item {
			id := *items[0].Identity
			id.APrime, id.ABar = prime, bar
			return Item{Identity: &id}
		}
		own := items[0].Identity
		opposite := with(g.SubPoints(group.Point{}, own.APrime), g.SubPoints(group.Point{}, own.ABar))
		require.False(t, k.Pairings([]Item{items[0], opposite}))
		require.False(t, k.Pairings([]Item{with(group.Point{}, group.Point{})}), "the identity")

		items[0].Known, items[1].Known = true, true
		require.True(t, k.Pairings(items), "verified before")
		items[1].Known = false
		require.False(t, k.Pairings(items))
	}
}

// TestEveryEquationCounts: a change of any response, point or commitment is
// rejected.
func TestEveryEquationCounts(t *testing.T) {
	for _, k := range keys(t) {
		c := prover{k, t}
		good := c.item([]byte("a"))
		require.Equal(t, []error{nil}, k.Sums([]Item{good}))
		one := k.group.Uint64(1)
		g := k.group
		p := func(change func(p *presentation.Presentation)) error {
			id := *good.Identity
			change(&id.Presentation)
			return k.Sums([]Item{{Identity: &id, Signature: good.Signature, Message: good.Message}})[0]
		}
		for name, of := range map[string]func(p *presentation.Presentation) *group.Scalar{
			"e":     func(p *presentation.Presentation) *group.Scalar { return &p.E },
			"r2":    func(p *presentation.Presentation) *group.Scalar { return &p.R2 },
			"r3":    func(p *presentation.Presentation) *group.Scalar { return &p.R3 },
			"s":     func(p *presentation.Presentation) *group.Scalar { return &p.S },
			"sk":    func(p *presentation.Presentation) *group.Scalar { return &p.SecretKey },
			"a0":    func(p *presentation.Presentation) *group.Scalar { return &p.Attributes[0] },
			"a1":    func(p *presentation.Presentation) *group.Scalar { return &p.Attributes[1] },
			"a2":    func(p *presentation.Presentation) *group.Scalar { return &p.Attributes[2] },
			"a3":    func(p *presentation.Presentation) *group.Scalar { return &p.Attributes[3] },
			"nym":   func(p *presentation.Presentation) *group.Scalar { return &p.Responses.Nym },
			"eid":   func(p *presentation.Presentation) *group.Scalar { return &p.Responses.EID },
			"rh":    func(p *presentation.Presentation) *group.Scalar { return &p.Responses.RH },
			"nonce": func(p *presentation.Presentation) *group.Scalar { return &p.Nonce },
		} {
			require.ErrorIs(t, p(func(p *presentation.Presentation) { s := of(p); *s = g.Add(*s, one) }), ErrPresentation, name)
		}
		for name, of := range map[string]func(p *presentation.Presentation) *group.Point{
			"A'":   func(p *presentation.Presentation) *group.Point { return &p.APrime },
			"Abar": func(p *presentation.Presentation) *group.Point { return &p.ABar },
			"B":    func(p *presentation.Presentation) *group.Point { return &p.B },
			"E":    func(p *presentation.Presentation) *group.Point { return &p.EID },
			"R":    func(p *presentation.Presentation) *group.Point { return &p.RH },
		} {
			require.ErrorIs(t, p(func(p *presentation.Presentation) { q := of(p); *q = g.AddPoints(*q, g.Generator()) }), ErrPresentation, name)
		}
		require.ErrorIs(t, p(func(p *presentation.Presentation) { p.Nym = g.AddPoints(p.Nym, g.Generator()) }), ErrSignature)
		if k.bbs {
			for i := range 5 {
				require.ErrorIs(t, p(func(p *presentation.Presentation) {
					p.Commitments[i] = bytes.Clone(p.Commitments[i])
					p.Commitments[i][0] ^= 1
				}), ErrPresentation, i)
			}
		} else {
			require.ErrorIs(t, p(func(p *presentation.Presentation) { p.Challenge = g.Add(p.Challenge, one) }), ErrPresentation)
		}
	}
}

// TestCost: 14 fixed and 6 variable terms for a presentation, 2 and 1 for a
// signature, and two sums of the batch.
func TestCost(t *testing.T) {
	for _, k := range keys(t) {
		var items []Item
		for range 3 {
			items = append(items, prover{k, t}.item([]byte("a")))
		}
		var rec count.Recorder
		counted := *k
		var err error
		counted.group, err = opcount.Wrap(k.group, rec.Bucket(""), nil)
		require.NoError(t, err)
		points := make([]group.Point, k.bases.Len())
		for i := range points {
			points[i] = k.bases.Point(i)
		}
		counted.bases = counted.group.NewTable(points, 1)
		rec.Reset()
		require.Equal(t, []error{nil, nil, nil}, counted.Sums(items))
		total := rec.Snapshot().Total()
		require.Equal(t, uint64(3*(14+2)), total.Terms(count.FixedMSM), "fixed")
		require.Equal(t, uint64(3*(6+1)), total.Terms(count.MSM), "variable")
	}
}

// TestWeights: the first weight is 1, the others have 128 bits and depend on the
// key and on all presentations.
func TestWeights(t *testing.T) {
	for _, k := range keys(t) {
		proofs := [][]byte{{0}, {1}, {2}, {3}}
		first := k.weights(proofs)
		require.Equal(t, k.group.Uint64(1), first[0])
		require.Equal(t, first, k.weights(proofs))
		for i := range proofs {
			changed := slices.Clone(proofs)
			changed[i] = []byte{4}
			for j, w := range k.weights(changed)[1:] {
				require.NotEqual(t, first[j+1], w)
			}
		}
		other := *k
		other.digest[0] ^= 1
		require.NotEqual(t, first[1:], other.weights(proofs)[1:])
		for _, w := range first[1:] {
			require.Equal(t, make([]byte, 16), k.group.AppendScalar(nil, w)[:16])
		}
	}
}
