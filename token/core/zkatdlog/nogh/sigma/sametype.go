package sigma

import (
	"slices"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/nonce"
	"github.com/zkatbench/zkatbench/token/crypto/pedersen"
	"github.com/zkatbench/zkatbench/token/crypto/round"
	"github.com/zkatbench/zkatbench/token/crypto/transcript"
)

// SameTypeWitness opens CT = Type·g₀ + Blinding·h.
type SameTypeWitness struct {
	Type, Blinding group.Scalar
}

// SameType proves knowledge of an opening of the type commitment of an issue
// (Okamoto, CRYPTO '92; specification, section 6). That the outputs have this
// type follows from their range proofs, which are about Outⱼ - CT.
//
//	public     g₀, h; CT
//	secret     t, b with CT = t·g₀ + b·h
//	commit     A = k_t·g₀ + k_b·h
//	challenge  c = H(CT, A)
//	respond    z_t = c·t + k_t,  z_b = c·b + k_b
//	accept     H(CT, z_t·g₀ + z_b·h - c·CT) = c
type SameType struct {
	ZT, ZB, C group.Scalar
	CT        group.Point
	// AnyType also accepts the identity as CT. It is a rule of the verifier and not a
	// part of the proof.
	AnyType bool
}

// sameTypeChallenge computes c from the messages that it depends on.
func sameTypeChallenge(g group.Group, ct, a group.Point) group.Scalar {
	tr := transcript.NewV1(g, 2*(4+g.PointLen()))
	tr.Point(ct)
	tr.Point(a)
	return tr.Challenge()
}

// ProveSameType returns a proof with CT = t·g₀ + b·h, with nonces drawn in the
// order k_t, k_b; or the error of src.
func ProveSameType(k *pedersen.Key, w SameTypeWitness, src nonce.Source) (SameType, error) {
	g := k.Group()
	if g == nil {
		return SameType{}, ErrWitness
	}
	secrets := []group.Scalar{w.Type, w.Blinding, {}, {}}
	defer clear(secrets)
	nonces := secrets[2:]
	if err := src.Scalars(nonces); err != nil {
		return SameType{}, err
	}
	points := make([]group.Point, 2)
	g.FixedMSM(points, k.Table(), []group.Row{
		{Index: typeBases, Scalars: secrets[:2]},
		{Index: typeBases, Scalars: nonces},
	})
	ct, a := points[0], points[1]
	c := sameTypeChallenge(g, ct, a)
	return SameType{
		ZT: g.Add(g.Mul(c, w.Type), nonces[0]),
		ZB: g.Add(g.Mul(c, w.Blinding), nonces[1]),
		C:  c, CT: ct,
	}, nil
}

// VerifySameType is a task that returns an error for each proof: nil if it is right,
// ErrRejected if not.
func VerifySameType(r round.Round, k *pedersen.Key, ps []SameType) []error {
	g, n, errs := r.Group, len(ps), make([]error, len(ps))
	if g == nil || k.Group() == nil {
		return slices.Repeat([]error{ErrRejected}, n)
	}
	m := round.NewMemory()
	defer m.Wipe()
	rows, terms, as := m.Rows(n), m.Terms(n), m.Points(n)
	for i, p := range ps {
		ct, z := m.Points(1), m.Scalars(3)
		ct[0], z[0] = p.CT, p.ZT
		z[1], z[2] = p.ZB, p.C
		rows[i] = group.Row{Index: typeBases, Scalars: z[:2]}
		terms[i] = group.Terms{Points: ct, Scalars: z[2:]}
	}
	copy(as, r.Fixed(k.Table(), rows...))
	g.SubPointVec(as, as, r.Sums(terms...))
	for i, p := range ps {
		if !p.AnyType && group.IsIdentity(p.CT) || sameTypeChallenge(g, p.CT, as[i]) != p.C {
			errs[i] = ErrRejected
		}
	}
	return errs
}
