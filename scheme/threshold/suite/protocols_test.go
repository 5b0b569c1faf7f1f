package suite // protocols is private: the test adds a protocol to the registry

import (
	"fmt"
	"io"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/scheme/threshold/engine"
)

// coins is a protocol: each party sends a random byte to the coordinator, who adds
// them up.
type coins struct{}

func (coins) sequences() []sequence     { return []sequence{{Name: "Coins", Sign: "coins-toss"}} }
func (coins) parties(malicious int) int { return 3 * malicious }
func (coins) prepare(r *Run) error {
	r.party = func(id uint32) (engine.Party, error) {
		return &tosser{id: id, to: r.coordinator(), of: r.Parties(), random: r.random(r.Case, id)}, nil
	}
	r.verify = func(outputs [][]byte) error {
		if len(outputs[r.coordinator()-1]) != 1 {
			return fmt.Errorf("no sum in %v", outputs)
		}
		return nil
	}
	return nil
}

type tosser struct {
	id, to uint32
	of     int
	random io.Reader
	out    []byte
}

func (p *tosser) ID() uint32     { return p.id }
func (p *tosser) Output() []byte { return p.out }

func (p *tosser) Step(round int, in []engine.Message) ([]engine.Message, bool, error) {
	if p.id == p.to {
		if len(in) < p.of-1 {
			return nil, false, nil
		}
		p.out = []byte{0}
		for _, m := range in {
			p.out[0] += m.Body[0]
		}
		return nil, true, nil
	}
	coin := make([]byte, 1)
	_, err := io.ReadFull(p.random, coin)
	return []engine.Message{{From: p.id, To: p.to, Round: round, Body: coin}}, true, err
}

// TestOwnProtocolsJoinTheTables: a line in the registry is enough for flags, recordings,
// replays and tables.
func TestOwnProtocolsJoinTheTables(t *testing.T) {
	before := protocols
	t.Cleanup(func() { protocols = before })
	protocols = append(slices.Clone(before), coins{})
	require.Contains(t, CaseNames(), "coins-toss")
	require.Equal(t, sequence{Name: "Coins", Sign: "coins-toss"}, Sequences()[0])
	require.True(t, math.IsNaN(Scenario{Case: "coins-toss", MaxMalicious: 2}.Expected().Mean),
		"no specification")
	r, err := New(Scenario{Case: "coins-toss", MaxMalicious: 2, Seed: 1})
	require.NoError(t, err)
	require.Equal(t, 6, r.Parties())
	s, err := r.Record()
	require.NoError(t, err)
	for _, id := range r.IDs() {
		require.NoError(t, r.Replay(s, id))
	}
	r.Shift = true
	require.ErrorIs(t, r.Replay(s, 2), engine.ErrOutgoing)
	require.True(t, r.Draws())
	require.NoError(t, r.Replay(s, 1))
	require.False(t, r.Draws(), "the coordinator draws none")
}
