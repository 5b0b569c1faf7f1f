package proof

import (
	"cmp"
	"crypto/rand"
	"fmt"
	"io"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/nonce"
)

// Outputs are the outputs of an action with their openings. The lengths are
// equal.
type Outputs struct {
	Points    []group.Point
	Values    []uint64
	Blindings []group.Scalar
}

// NewHedge is nonce.NewHedge for an action under p. The nonces depend on the
// parameters too: those of other bit lengths and systems have the same
// commitment key, so a broken random source would else give the proofs of one
// token under both the same nonces. A nil random is crypto/rand.
func NewHedge(p *params.Params, random io.Reader, context []byte, secrets ...group.Scalar) (*nonce.Hedge, error) {
	if random == nil {
		random = rand.Reader
	}
	digest := p.Digest()
	var room [512]byte // for the points of four inputs, without an allocation
	bound := append(append(room[:0], digest[:]...), context...)
	return nonce.NewHedge(p.Group(), random, bound, secrets...)
}

// Ranges proves that each Out - CT commits to its value, where CT has the type
// blinding b, and returns the proofs. Nonces come from the stream "range" of
// h with the index of the output, so that the executor changes nothing; a nil
// executor is executor.Serial.
func (o Outputs) Ranges(p *params.Params, ex executor.Executor, h *nonce.Hedge, ct group.Point, b group.Scalar) ([]rangeproof.Proof, error) {
	system, err := p.RangeProof(p.Kind())
	if err != nil {
		return nil, err
	}
	g := p.Group()
	system = system.On(group.Phase(g, "range proof"))
	proofs := make([]rangeproof.Proof, len(o.Points))
	err = cmp.Or[executor.Executor](ex, executor.Serial{}).Run(len(proofs), func(j int) (err error) {
		w := rangeproof.Witness{Value: o.Values[j], Blinding: g.Sub(o.Blindings[j], b)}
		proofs[j], err = system.Prove(g.SubPoints(o.Points[j], ct), w, h.Stream("range", j))
		if err != nil {
			return fmt.Errorf("output %d: %w", j, err)
		}
		return nil
	})
	return proofs, err
}

// Claim is what is left to check of an action when its sigma proof holds: the
// range proofs of one system.
type Claim struct {
	System rangeproof.System
	Items  []rangeproof.Item
}

// NewClaim decodes the RangeList of outputs under CT. Errors are
// *wire.DecodeError, or params.ErrNoSystem if p lacks the kind of range proof.
func NewClaim(p *params.Params, kind rangeproof.Kind, ct group.Point, outputs []group.Point, ranges []byte) (Claim, error) {
	system, err := p.RangeProof(kind)
	if err != nil {
		return Claim{}, err
	}
	proofs, err := rangeproof.DecodeList(system, ranges, len(outputs))
	if err != nil {
		return Claim{}, err
	}
	c := Claim{System: system, Items: make([]rangeproof.Item, len(outputs))}
	for j, out := range outputs {
		c.Items[j] = rangeproof.Item{V: p.Group().SubPoints(out, ct), Proof: proofs[j]}
	}
	return c, nil
}
