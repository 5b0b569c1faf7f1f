package transfer

import (
	"math"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/proof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

const messageName = "transfer action"

// Action is a transfer as contained in a request.
type Action struct {
	Inputs   []Input
	Outputs  []token.Token // redeemed if without owner
	Proof    proof.Proof
	Metadata map[string][]byte
	Issuer   []byte // issuer that approves a redeem
	Redeem   uint64 // redeemed value in the clear, of v2

	// RedeemType is the type of the tokens of a v2 action that redeems: the proof shows
	// it. It is empty in actions without a redeem, and in actions made before types of
	// redeems were shown.
	RedeemType string
}

// Protocol returns the protocol of the proof, which determines the version of the
// message.
func (a *Action) Protocol() proof.Protocol { return a.Proof.Protocol() }

// Input is a spent token. It is included completely: the proof refers to it,
// and the ledger checks that it exists.
type Input struct {
	ID      token.ID
	Token   token.Token
	Upgrade *Upgrade // of a clear token (section 16); otherwise nil
}

// Upgrade opens an input that was a clear token on the ledger.
type Upgrade struct {
	Clear    token.Clear
	Blinding group.Scalar
}

// Redeems reports whether an output is without an owner, or a value is redeemed in the
// clear.
func (a *Action) Redeems() bool {
	if a.Redeem > 0 {
		return true
	}
	for _, out := range a.Outputs {
		if out.IsRedeemed() {
			return true
		}
	}
	return false
}

// ownerHint is the memory to reserve for each owner and its metadata.
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
	for _, in := range a.Inputs {
		dst = wire.AppendMessage(dst, 2, func(dst []byte) []byte { return in.appendFields(dst, g) })
	}
	for _, out := range a.Outputs {
		dst = wire.AppendMessage(dst, 3, func(dst []byte) []byte { return out.AppendField(dst, 1, g) })
	}
	dst = a.Proof.AppendField(dst, 4)
	dst = wire.AppendMap(dst, 5, a.Metadata)
	if len(a.Issuer) > 0 {
		dst = wire.AppendWrapped(dst, 6, a.Issuer)
	}
	dst = wire.AppendUint(dst, 7, a.Redeem)
	return wire.AppendBytes(dst, 8, []byte(a.RedeemType))
}

// The fields of an input that hold its token.
const (
	fieldV1Token = 2
	fieldV2Token = 4
)

func (in Input) appendFields(dst []byte, g group.Group) []byte {
	dst = in.ID.AppendField(dst, 1)
	if in.Token.V2 {
		return in.Token.AppendField(dst, fieldV2Token, g)
	}
	dst = in.Token.AppendField(dst, fieldV1Token, g)
	if in.Upgrade == nil {
		return dst
	}
	return wire.AppendMessage(dst, 3, func(dst []byte) []byte {
		dst = wire.AppendMessage(dst, 1, func(dst []byte) []byte {
			dst = wire.AppendBytes(dst, 1, in.Upgrade.Clear.Owner)
			dst = wire.AppendBytes(dst, 2, in.Upgrade.Clear.Type)
			return wire.AppendBytes(dst, 3, in.Upgrade.Clear.Quantity)
		})
		return wire.AppendJSONScalarField(dst, 2, g, in.Upgrade.Blinding)
	})
}

// Decode decodes an action and checks that it is well formed (section 10). The
// lengths of lists are checked before the first point is decoded. Byte slices
// are views into b. Errors are *wire.DecodeError.
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
	a := &Action{}
	a.Inputs = make([]Input, counted(&m, 2, "inputs", limits.Inputs))
	for i := range a.Inputs {
		a.Inputs[i].read(&m, i, ps, format)
	}
	a.Outputs = make([]token.Token, counted(&m, 3, "outputs", limits.Outputs))
	for j := range a.Outputs {
		sub := m.SubAt(3, "outputs", j)
		a.Outputs[j].ReadField(&sub, 1, "token", ps)
		a.Outputs[j].V2 = format.MarksTokens
		if sub.Done() == nil && format.ClearRedeem && a.Outputs[j].IsRedeemed() {
			sub.Fail("token.owner", wire.ErrMissing)
		}
	}
	a.Proof = proof.Read(protocol, &m, 4)
	a.Metadata = m.Map(5, "metadata", limits.Metadata)
	a.Issuer = m.Wrapped(6, "issuer")
	if format.ClearRedeem {
		a.Redeem = m.Uint(7, "redeemed value", math.MaxUint64)
		a.RedeemType = m.Text(8, "redeemed type")
		if a.RedeemType != "" && a.Redeem == 0 {
			m.Fail("redeemed value", wire.ErrMissing)
		}
	}
	if err := m.Done(); err != nil {
		return nil, err
	}
	return a, nil
}

// counted returns the number of fields n that come next: at least one, at most
// most.
func counted(m *wire.Message, n protowire.Number, field string, most int) int {
	count := m.Count(n, field, most)
	if count == 0 {
		m.Fail(field, wire.ErrMissing)
	}
	return count
}

func (in *Input) read(m *wire.Message, i int, ps *wire.Points, format proof.Format) {
	sub := m.SubAt(2, "inputs", i)
	in.ID = token.ReadID(&sub, 1, "token id")
	if format.MarksTokens && sub.Has(fieldV2Token) {
		in.Token.ReadField(&sub, fieldV2Token, "input", ps)
		in.Token.V2 = true
	} else {
		in.Token.ReadField(&sub, fieldV1Token, "input", ps)
		if sub.Has(3) {
			in.Upgrade = readUpgrade(&sub, ps.Group())
		}
	}
	if sub.Done() == nil && in.Token.IsRedeemed() {
		sub.Fail("input.owner", wire.ErrMissing)
	}
}

func readUpgrade(m *wire.Message, g group.Group) *Upgrade {
	sub := m.Sub(3, "upgrade witness")
	clear := sub.Sub(1, "clear token")
	u := &Upgrade{Clear: token.Clear{
		Owner: clear.Bytes(1, "owner"), Type: clear.Text(2, "type"), Quantity: clear.Text(3, "quantity"),
	}}
	if clear.Done() == nil && (len(u.Clear.Owner) == 0 || u.Clear.Type == "" || u.Clear.Quantity == "") {
		clear.Fail("owner, type or quantity", wire.ErrMissing)
	}
	u.Blinding = sub.JSONScalar(2, "blinding factor", g)
	sub.Done()
	return u
}
