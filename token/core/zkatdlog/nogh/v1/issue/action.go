package issue

import (
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/proof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

const messageName = "issue action"

// Action is an issue as contained in a request.
type Action struct {
	Issuer   []byte  // typed identity
	Inputs   []Input // burned clear tokens (section 16), usually empty
	Outputs  []token.Token
	Proof    proof.Proof
	Metadata map[string][]byte
}

// Input is a clear token, burned and issued again.
type Input struct {
	ID    token.ID
	Token []byte // serialised
}

// Protocol returns the protocol of the proof, which determines the version of the
// message.
func (a *Action) Protocol() proof.Protocol { return a.Proof.Protocol() }

// ownerHint is the memory to reserve for each identity and its metadata.
const ownerHint = 1 << 10

// Sizes returns the sizes of the action that are limited.
func (a *Action) Sizes() token.Sizes {
	return token.Sizes{Inputs: len(a.Inputs), Outputs: len(a.Outputs), Proof: len(a.Proof.Raw),
		Metadata: a.Metadata}
}

// Encode returns the serialised action. Metadata is sorted by key.
func (a *Action) Encode(g group.Group) []byte {
	return a.appendTo(make([]byte, 0, len(a.Proof.Raw)+(1+len(a.Inputs)+len(a.Outputs))*ownerHint), g)
}

func (a *Action) appendTo(dst []byte, g group.Group) []byte {
	dst = wire.AppendUint(dst, 1, a.Protocol().Format().Version)
	dst = wire.AppendWrapped(dst, 2, a.Issuer)
	for _, in := range a.Inputs {
		dst = wire.AppendMessage(dst, 3, func(dst []byte) []byte {
			return wire.AppendBytes(in.ID.AppendField(dst, 1), 2, in.Token)
		})
	}
	for _, out := range a.Outputs {
		dst = wire.AppendMessage(dst, 4, func(dst []byte) []byte { return out.AppendField(dst, 1, g) })
	}
	dst = a.Proof.AppendField(dst, 5)
	return wire.AppendMap(dst, 6, a.Metadata)
}

// Decode decodes an action and checks that it is well formed (section 11), and
// that every output has a point and an owner, which the peer checks elsewhere.
// The lengths of lists are checked before the first point is decoded. Byte
// slices are views into b. Errors are *wire.DecodeError.
func Decode(g group.Group, b []byte, limits token.Limits) (*Action, error) {
	return wire.Together(g, func(ps *wire.Points) (*Action, error) { return Read(ps, b, limits) })
}

// Read is Decode with points that ps decodes.
func Read(ps *wire.Points, b []byte, limits token.Limits) (*Action, error) {
	m := wire.NewMessage(messageName, b)
	version := m.Uint(1, "version", proof.MaxVersion)
	if version == 0 {
		m.Fail("version", wire.ErrMissing)
	}
	protocol := proof.OfVersion(version)
	format := protocol.Format()
	a := &Action{Issuer: m.Wrapped(2, "issuer")}
	if a.Issuer == nil {
		m.Fail("issuer", wire.ErrMissing)
	}
	a.Inputs = make([]Input, m.Count(3, "inputs", limits.Inputs))
	for i := range a.Inputs {
		a.Inputs[i] = readInput(&m, i)
	}
	a.Outputs = make([]token.Token, m.Count(4, "outputs", limits.Outputs))
	if len(a.Outputs) == 0 {
		m.Fail("outputs", wire.ErrMissing)
	}
	for j := range a.Outputs {
		sub := m.SubAt(4, "outputs", j)
		a.Outputs[j].ReadField(&sub, 1, "token", ps)
		a.Outputs[j].V2 = format.MarksTokens
		if sub.Done() == nil && a.Outputs[j].IsRedeemed() {
			sub.Fail("token.owner", wire.ErrMissing)
		}
	}
	a.Proof = proof.Read(protocol, &m, 5)
	a.Metadata = m.Map(6, "metadata", limits.Metadata)
	if err := m.Done(); err != nil {
		return nil, err
	}
	return a, nil
}

func readInput(m *wire.Message, i int) (in Input) {
	sub := m.SubAt(3, "inputs", i)
	in.ID = token.ReadID(&sub, 1, "id")
	in.Token = sub.Bytes(2, "token")
	if sub.Done() == nil && len(in.Token) == 0 {
		sub.Fail("token", wire.ErrMissing)
	}
	return in
}
