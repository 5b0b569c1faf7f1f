package token

import (
	"math"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// ID identifies a token by the transaction that made it and its index among the
// outputs of that transaction.
type ID struct {
	TxID  string
	Index uint64
}

// AppendField appends id as the message field n.
func (id ID) AppendField(dst []byte, n protowire.Number) []byte {
	return wire.AppendMessage(dst, n, func(dst []byte) []byte {
		return wire.AppendUint(wire.AppendBytes(dst, 1, id.TxID), 2, id.Index)
	})
}

// ReadID reads the message field n of m, which must be present and name a
// transaction.
func ReadID(m *wire.Message, n protowire.Number, field string) ID {
	sub := m.Sub(n, field)
	id := ID{TxID: sub.Text(1, "transaction id"), Index: sub.Uint(2, "index", math.MaxUint64)}
	if sub.Done() == nil && id.TxID == "" {
		sub.Fail("transaction id", wire.ErrMissing)
	}
	return id
}
