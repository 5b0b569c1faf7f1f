package ledger_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/ledger"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

func TestKeys(t *testing.T) {
	type known struct {
		Keys []struct {
			TxID   string      `json:"tx_id"`
			Index  uint64      `json:",string"`
			Token  vectors.Hex `json:"serialized_output"`
			Output vectors.Hex `json:"output_key"`
			Marker vectors.Hex `json:"marker_key"`
		} `json:"ledger_keys"`
	}
	for name, set := range vectors.Sets[known](t, "primitives.json") {
		require.NotEmpty(t, set.Keys, name)
		for _, k := range set.Keys {
			id := token.ID{TxID: k.TxID, Index: k.Index}
			require.Equal(t, []byte(k.Output), ledger.OutputKey(id))
			require.Equal(t, []byte(k.Marker), ledger.MarkerKey(id, k.Token))
		}
	}
}

func TestNothingIsSpentTwice(t *testing.T) {
	id := token.ID{TxID: "a"}
	made := &validator.Accepted{Anchor: "a", Created: []validator.Created{{ID: id, Token: []byte{1}}, {ID: token.ID{TxID: "a", Index: 1}}}}
	spend := func(anchor string, raw ...byte) *validator.Accepted {
		return &validator.Accepted{Anchor: anchor, Spent: []validator.Spent{{ID: id, Token: raw}}}
	}
	var m ledger.Memory
	require.ErrorIs(t, m.Apply(spend("b", 1)), ledger.ErrSpent)
	require.NoError(t, m.Apply(made))
	require.Equal(t, 1, m.Len(), "a redeemed output is not stored")
	require.ErrorIs(t, m.Apply(made), ledger.ErrKnown)
	require.ErrorIs(t, m.Apply(spend("b", 2)), ledger.ErrSpent)
	twice := spend("b", 1)
	twice.Spent = append(twice.Spent, twice.Spent[0])
	require.ErrorIs(t, m.Apply(twice), ledger.ErrSpent)
	require.NoError(t, m.Apply(spend("b", 1)))
	require.ErrorIs(t, m.Apply(spend("c", 1)), ledger.ErrSpent)
	require.Zero(t, m.Len())
}
