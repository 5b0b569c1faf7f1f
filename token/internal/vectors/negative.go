package vectors

import (
	"strings"
	"testing"
)

// NegativeProof is a mutated proof with the reference's verdict.
type NegativeProof struct {
	ID, Kind, Curve, Mutation, Category string
	Bits                                int `json:"bit_length"`
	Statement                           struct {
		Commitment      Hex
		Inputs, Outputs []Hex
	}
	Proof   Hex
	Verdict string `json:"peer_verdict"`
}

// Honest reports whether an honest prover can make the proof. The strict
// decoders accept exactly these proofs (docs/security.md). The mutated ones
// have other encodings (scalars above the order, compressed points, trailing
// bytes, extra entries) or an identity as type commitment.
func (p NegativeProof) Honest() bool { return strings.HasSuffix(p.ID, "-base") }

// NegativeProofs returns the mutated proofs of one kind.
func NegativeProofs(t testing.TB, kind string) (proofs []NegativeProof) {
	t.Helper()
	for _, file := range Sets[struct{ Proofs []NegativeProof }](t, "negative_proofs.json") {
		for _, p := range file.Proofs {
			if p.Kind == kind {
				proofs = append(proofs, p)
			}
		}
	}
	if len(proofs) == 0 {
		t.Fatalf("no mutated proofs of kind %q", kind)
	}
	return proofs
}
