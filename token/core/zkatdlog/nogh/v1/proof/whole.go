package proof

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"sync"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	v2 "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v2"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/round"
	"github.com/zkatbench/zkatbench/token/crypto/transcript"
)

// V2 is the kind of Whole proofs: one proof for a whole action, without range
// proofs. It is in the same field as the range-proof systems.
const V2 rangeproof.Kind = "v2"

// variantV2 is the number of V2 on the wire.
const variantV2 protowire.Number = 3

// whole is the protocol v2, with the proofs of package v2.
type whole struct{}

func (whole) Format() Format { return Format{Version: 2, MarksTokens: true, ClearRedeem: true} }

func (whole) Kind(p *params.Params) (rangeproof.Kind, error) {
	_, err := p.V2()
	return V2, err
}

func (whole) Accepts(p *params.Params, _ rangeproof.Kind) error {
	if !p.Protocols().V2 {
		return fmt.Errorf("%w v2", params.ErrProtocol)
	}
	return nil
}

func (whole) Sound(rangeproof.Kind) bool { return true }

// MaySpend: tokens of v1 only if all of them were made with sound proofs (v2
// specification, section 15).
func (whole) MaySpend(p *params.Params, marked bool) bool { return marked || p.Protocols().SoundV1 }

func (whole) Early(*Draft) (made bool, err error) { return false, nil }

// prove has the errors of v2.Params.Prove, and params.ErrProtocol if the network does not
// accept v2.
func (whole) prove(d *Draft, at Place) (Proof, error) {
	engine, err := d.maker.Params.V2()
	if err != nil {
		return Proof{}, err
	}
	d.witness.openings(&d.opened)
	raw, err := engine.Prove(d.action.Claim(engine, at).Statement, &d.opened, d.maker.Random)
	return Proof{Kind: V2, Raw: raw}, err
}

// Verify always searches for the wrong action: that takes little time.
func (whole) Verify(r round.Round, p *params.Params, actions []Placed) []error {
	engine, err := p.V2()
	if err != nil {
		return slices.Repeat([]error{err}, len(actions))
	}
	claims := make([]v2.Claim, len(actions))
	for i, a := range actions {
		claims[i] = a.Action.Claim(engine, a.At)
	}
	return engine.VerifyClaims(r.SearchAll(), claims)
}

func (whole) variants() []variant { return wholeVariants }

var wholeVariants = []variant{{V2, variantV2}}

// Context returns the context of a v2 proof in addition to its statement (v2
// specification, section 15): the place, and the action with an empty proof,
// which includes token identifiers, owners and metadata. appendAction appends its
// encoding.
func Context(p *v2.Params, at Place, appendAction func(dst []byte) []byte) []byte {
	room := contexts.Get().(*[]byte)
	defer contexts.Put(room)
	digest := p.Digest()
	b := transcript.AppendLabel((*room)[:0], "zkatdlog-nogh-v2/context")
	b = append(b, digest[:]...)
	b = transcript.AppendLabel(b, at.Anchor)
	b = binary.BigEndian.AppendUint32(b, uint32(at.Index))
	b = binary.BigEndian.AppendUint32(b, 0)
	start := len(b)
	b = appendAction(b)
	binary.BigEndian.PutUint32(b[start-4:], uint32(len(b)-start))
	*room = b
	group.CountWork(group.Phase(p.Group(), "context"), group.HashedBlocks, transcript.Blocks(len(b)))
	sum := sha256.Sum256(b)
	return sum[:]
}

// contexts is memory for the hashed bytes.
var contexts = sync.Pool{New: func() any { return new([]byte) }}
