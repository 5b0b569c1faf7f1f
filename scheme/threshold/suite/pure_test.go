package suite_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/scheme/threshold/engine"
	"github.com/zkatbench/zkatbench/scheme/threshold/suite"
)

// careful compares the input of a party before and after its step.
type careful struct {
	engine.Party
	t *testing.T
}

func (c careful) Step(round int, in []engine.Message) ([]engine.Message, bool, error) {
	before := slices.Clone(in)
	for i := range before {
		before[i].Body = slices.Clone(in[i].Body)
	}
	out, done, err := c.Party.Step(round, in)
	require.Equal(c.t, before, in)
	return out, done, err
}

// TestPartiesArePure runs the parties of each case in both orders. The messages are the
// same, and no party changes a message that it receives.
func TestPartiesArePure(t *testing.T) {
	for _, name := range suite.CaseNames() {
		r := newRun(t, name, 1, 3)
		run := func(reversed bool) []engine.Message {
			parties, err := r.All()
			require.NoError(t, err)
			for i, p := range parties {
				parties[i] = careful{p, t}
			}
			if reversed {
				slices.Reverse(parties)
			}
			transcript, err := engine.Run(parties)
			require.NoError(t, err)
			return transcript.Messages
		}
		require.Equal(t, run(false), run(true), name)
	}
}
