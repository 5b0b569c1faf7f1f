// Package clear has actions with tokens in the clear: the baseline of
// benchmarks, which shows the cost of privacy. It is not for networks. Parameters
// cannot name it, and only validator.NewClear reads its actions.
//
// A transfer or an issue has the fields of the hidden one, with the owner, the type
// and the quantity of each token in place of a commitment, and no proof.
package clear

import (
	"errors"
	"fmt"
	"math/bits"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// Why an action is wrong.
var (
	ErrTypes = errors.New("tokens have more than one type")
	ErrSum   = errors.New("inputs and outputs do not add up to the same")
)

// Action is a transfer, or an issue if it is without inputs.
type Action struct {
	Inputs   []Input
	Outputs  []token.Clear // redeemed if without owner
	Metadata map[string][]byte
	Issuer   []byte // of an issue, or that approves a redeem
}

// Input is a spent token.
type Input struct {
	ID    token.ID
	Token token.Clear
}

const (
	messageName = "clear action"
	version     = 1
)

// Encode returns the serialised action. Metadata is sorted by key.
func (a *Action) Encode() []byte {
	dst := wire.AppendUint(nil, 1, version)
	for _, in := range a.Inputs {
		dst = wire.AppendMessage(dst, 2, func(dst []byte) []byte {
			return appendToken(in.ID.AppendField(dst, 1), 2, in.Token)
		})
	}
	for _, out := range a.Outputs {
		dst = wire.AppendMessage(dst, 3, func(dst []byte) []byte { return appendToken(dst, 1, out) })
	}
	dst = wire.AppendMap(dst, 5, a.Metadata)
	if len(a.Issuer) > 0 {
		dst = wire.AppendWrapped(dst, 6, a.Issuer)
	}
	return dst
}

func appendToken(dst []byte, n protowire.Number, t token.Clear) []byte {
	return wire.AppendMessage(dst, n, func(dst []byte) []byte {
		return wire.AppendBytes(wire.AppendBytes(wire.AppendBytes(dst, 1, t.Owner), 2, t.Type), 3, t.Quantity)
	})
}

// Decode decodes an action. Byte slices are views into b. Errors are
// *wire.DecodeError.
func Decode(b []byte, limits token.Limits) (*Action, error) {
	m := wire.NewMessage(messageName, b)
	if m.Uint(1, "version", version) == 0 {
		m.Fail("version", wire.ErrMissing)
	}
	a := &Action{Inputs: make([]Input, m.Count(2, "inputs", limits.Inputs))}
	for i := range a.Inputs {
		sub := m.SubAt(2, "inputs", i)
		a.Inputs[i] = Input{ID: token.ReadID(&sub, 1, "token id"), Token: readToken(&sub, 2)}
		if sub.Done() == nil && len(a.Inputs[i].Token.Owner) == 0 {
			sub.Fail("token.owner", wire.ErrMissing)
		}
	}
	a.Outputs = make([]token.Clear, m.Count(3, "outputs", limits.Outputs))
	if len(a.Outputs) == 0 {
		m.Fail("outputs", wire.ErrMissing)
	}
	for j := range a.Outputs {
		sub := m.SubAt(3, "outputs", j)
		a.Outputs[j] = readToken(&sub, 1)
		sub.Done()
	}
	a.Metadata = m.Map(5, "metadata", limits.Metadata)
	a.Issuer = m.Wrapped(6, "issuer")
	if err := m.Done(); err != nil {
		return nil, err
	}
	return a, nil
}

func readToken(m *wire.Message, n protowire.Number) token.Clear {
	sub := m.Sub(n, "token")
	t := token.Clear{Owner: sub.Bytes(1, "owner"), Type: sub.Text(2, "type"),
		Quantity: sub.Text(3, "quantity")}
	if sub.Done() == nil && (t.Type == "" || t.Quantity == "") {
		sub.Fail("type or quantity", wire.ErrMissing)
	}
	return t
}

// Verify checks the statement of the proofs of hidden actions: all tokens have one type,
// quantities have at most n ≤ 64 bits, and both sides of a transfer add up to the same.
func (a *Action) Verify(n int) error {
	var sums [2]total
	for i, in := range a.Inputs {
		if err := sums[0].add(in.Token, a.Outputs[0].Type, n); err != nil {
			return fmt.Errorf("input %d: %w", i, err)
		}
	}
	for j, out := range a.Outputs {
		if err := sums[1].add(out, a.Outputs[0].Type, n); err != nil {
			return fmt.Errorf("output %d: %w", j, err)
		}
	}
	if len(a.Inputs) > 0 && sums[0] != sums[1] {
		return ErrSum
	}
	return nil
}

// total is a sum of 128 bits.
type total struct{ high, low uint64 }

func (s *total) add(t token.Clear, kind string, n int) error {
	if t.Type != kind {
		return ErrTypes
	}
	v, err := token.ParseQuantity(t.Quantity, n)
	if err != nil {
		return err
	}
	var carry uint64
	s.low, carry = bits.Add64(s.low, v, 0)
	s.high += carry
	return nil
}
