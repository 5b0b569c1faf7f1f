// Package enginetest changes messages of protocols and requires their faults, for the
// tests of threshold signatures.
package enginetest

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/scheme/threshold/engine"
)

// Edit returns an edit for engine.RunEdited. It applies edit to a copy of the body of
// the messages of one sender and step.
func Edit(from uint32, step string, edit func(body []byte) []byte) func([]engine.Message) []engine.Message {
	return func(ms []engine.Message) []engine.Message {
		for i, m := range ms {
			if m.From == from && m.Step == step {
				ms[i].Body = edit(bytes.Clone(m.Body))
			}
		}
		return ms
	}
}

// Send is Edit with the same body for all of them.
func Send(from uint32, step string, body []byte) func([]engine.Message) []engine.Message {
	return Edit(from, step, func([]byte) []byte { return body })
}

// RequireFault requires that err is want, in a message of one sender and step.
func RequireFault(t *testing.T, err, want error, from uint32, step string) {
	t.Helper()
	require.ErrorIs(t, err, want)
	fault := new(engine.Fault)
	require.ErrorAs(t, err, &fault)
	require.Equal(t, [2]any{from, step}, [2]any{fault.From, fault.Step})
}
