package proof

import (
	"crypto/sha256"
	"encoding/binary"
	"io"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	v2 "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v2"
	"github.com/zkatbench/zkatbench/token/crypto/transcript"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// V2 is the kind of v2 proofs: one proof for a whole action, without range
// proofs. It is in the same field as the range-proof systems.
const V2 rangeproof.Kind = "v2"

// variantV2 is the number of V2 on the wire.
const variantV2 protowire.Number = 3

// ReadV2Field reads the message field n of m, which must be present and contain
// a v2 proof. The bytes are a view into the message.
func ReadV2Field(m *wire.Message, n protowire.Number) Proof {
	sub := m.Sub(n, "proof")
	p := Proof{Kind: V2, Raw: sub.Present(variantV2, string(V2))}
	if sub.Done() == nil && len(p.Raw) == 0 {
		sub.Fail(string(V2), wire.ErrMissing)
	}
	return p
}

// Place is the position of an action: the anchor of the request and the index
// of the action in it. A v2 proof is valid for one place.
type Place struct {
	Anchor string
	Index  int
}

// Context returns the context of a v2 proof in addition to its statement (v2
// specification, section 15): the place, and the action with an empty proof,
// which includes token identifiers, owners and metadata.
func Context(p *v2.Params, at Place, action []byte) []byte {
	digest := p.Digest()
	b := transcript.AppendLabel(make([]byte, 0, 128+len(action)), "zkatdlog-nogh-v2/context")
	b = append(b, digest[:]...)
	b = transcript.AppendLabel(b, at.Anchor)
	b = binary.BigEndian.AppendUint32(b, uint32(at.Index))
	b = binary.BigEndian.AppendUint32(b, uint32(len(action)))
	sum := sha256.Sum256(append(b, action...))
	return sum[:]
}

// V2Action is an action with a v2 proof.
type V2Action interface {
	// V2Claim returns the claim of the proof at a place, unchecked.
	V2Claim(p *v2.Params, at Place) v2.Claim
}

// ProveV2 returns the v2 proof of a at a place. Errors are those of
// v2.Params.Prove, or params.ErrProtocol if the network does not accept v2.
func ProveV2(p *params.Params, a V2Action, at Place, w *v2.Witness, random io.Reader) ([]byte, error) {
	engine, err := p.V2()
	if err != nil {
		return nil, err
	}
	return engine.Prove(a.V2Claim(engine, at).Statement, w, random)
}

// NewV2Claim returns the unchecked claim of the v2 proof of a at a place. The
// error is params.ErrProtocol if the network does not accept v2.
func NewV2Claim(p *params.Params, a V2Action, at Place) (v2.Claim, error) {
	engine, err := p.V2()
	if err != nil {
		return v2.Claim{}, err
	}
	return a.V2Claim(engine, at), nil
}

// VerifyV2 returns nil if the v2 proof of a is right at a place: v2.ErrRejected
// if not, *wire.DecodeError if it is malformed, v2.ErrStatement if the action is
// out of the bounds of v2, params.ErrProtocol if the network does not accept v2.
func VerifyV2(p *params.Params, a V2Action, at Place) error {
	engine, err := p.V2()
	if err != nil {
		return err
	}
	claim := a.V2Claim(engine, at)
	return engine.Verify(claim.Statement, claim.Proof)
}
