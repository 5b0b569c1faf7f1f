package proof

import (
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/sigma"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	v2 "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v2"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/round"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// Protocol is a way to prove actions: Composed or Whole. Messages, services and
// rules are common to both, and where they differ they ask the protocol of the
// action, so that no other code asks which of the two it is.
type Protocol interface {
	// Format is how messages of the protocol differ.
	Format() Format
	// Kind returns the kind of proofs that parties of a network make.
	Kind(p *params.Params) (rangeproof.Kind, error)
	// Accepts returns nil if networks with parameters p accept proofs of a kind of
	// the protocol, and otherwise params.ErrProtocol or params.ErrNoSystem.
	Accepts(p *params.Params, kind rangeproof.Kind) error
	// Sound reports whether proofs of a kind hold against a malicious prover.
	Sound(kind rangeproof.Kind) bool
	// MaySpend reports whether an action may spend a token marked by
	// Format.MarksTokens, or is not.
	MaySpend(p *params.Params, marked bool) bool
	// Early makes the proof of an action before its place is known, if it does not
	// depend on the place.
	Early(d *Draft) (made bool, err error)
	// Verify is a task that verifies actions at their places together and returns the
	// error of each: nil only if its proof is right. Actions after the first wrong one
	// may be round.ErrUndecided, except with Round.SearchEach.
	Verify(r round.Round, p *params.Params, actions []Placed) []error

	// prove returns the proof of a draft at a place.
	prove(d *Draft, at Place) (Proof, error)

	// variants lists the kinds with their numbers on the wire (section 10).
	variants() []variant
}

// variant is a kind of proof in the field that holds one of them.
type variant struct {
	kind   rangeproof.Kind
	number protowire.Number
}

// The protocols. Composed is v1: a sigma proof and range proofs. Whole is v2: one
// proof for a whole action, valid for one place.
var (
	Composed Protocol = composed{}
	Whole    Protocol = whole{}
)

// Protocols lists the protocols in the order of their versions; wrong proofs
// are reported.
var Protocols = []Protocol{Composed, Whole}

// Format is how messages of a protocol differ.
type Format struct {
	// Version is the version of actions.
	Version uint64
	// MarksTokens means that new tokens are marked as made by this protocol.
	MarksTokens bool
	// ClearRedeem means that a redeemed value is a number in the action, so that each
	// output has an owner.
	ClearRedeem bool
}

// MaxVersion is the highest version of actions.
const MaxVersion = 2

// OfVersion returns the protocol of actions of a version, from 1 to MaxVersion.
func OfVersion(version uint64) Protocol {
	if version == Whole.Format().Version {
		return Whole
	}
	return Composed
}

// Protocol returns the protocol of a proof, by its kind.
func (p Proof) Protocol() Protocol {
	if p.Kind == V2 {
		return Whole
	}
	return Composed
}

// Of returns the protocol that the parties of a network use for actions: Whole if the
// network accepts it.
func Of(p *params.Params) Protocol {
	if p.Check() == nil && p.Protocols().V2 {
		return Whole
	}
	return Composed
}

// Action is an action with its proof.
type Action interface {
	Protocol() Protocol
	// Encode returns the serialised action.
	Encode(g group.Group) []byte
	// Parts returns the parts of a Composed proof, in memory of m. ps decodes the points
	// of the sigma proof.
	Parts(p *params.Params, ps *wire.Points, m *round.Memory) (Parts, error)
	// Claim returns the claim of a Whole proof at a place, unchecked.
	Claim(p *v2.Params, at Place) v2.Claim
}

// Parts are the parts of a Composed proof: a sigma proof of one of the two kinds, and
// the encoded range proofs of a system for the outputs without their type. Verify
// subtracts the commitment to the type from the outputs when the points are decoded.
// If both Sum and Same are nil, there is no proof to verify.
type Parts struct {
	Statement   sigma.TypeAndSumStatement // of Sum
	Sum         *sigma.TypeAndSum
	Same        *sigma.SameType
	Kind        rangeproof.Kind
	WithoutType []group.Point
	Ranges      []byte
	system      rangeproof.System
	proofs      []rangeproof.Proof
}

// Placed is an action at its place.
type Placed struct {
	Action Action
	At     Place
	// AnyType also accepts a v1 issue with the identity as commitment to the type.
	AnyType bool
}

// Place is the position of an action: the anchor of the request and the index
// of the action in it. A Whole proof is valid for one place.
type Place struct {
	Anchor string
	Index  int
}

// PlaceAll returns actions of different requests that have the same place in each.
func PlaceAll[A Action](at Place, actions []A) []Placed {
	placed := make([]Placed, len(actions))
	for i, a := range actions {
		placed[i] = Placed{Action: a, At: at}
	}
	return placed
}
