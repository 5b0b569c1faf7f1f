// Package foreign makes parameters with foreign generators, for tests.
package foreign

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
)

// Generators exchanges two generators of parameters. All else is right.
func Generators(t testing.TB, p *params.Params) []byte {
	t.Helper()
	var envelope struct {
		Identifier string `json:"identifier"`
		Raw        []byte `json:"raw"`
	}
	require.NoError(t, json.Unmarshal(p.Encode(), &envelope))
	const pedersenGenerators = 4 // the number of the field in the message
	var entries [][]byte
	var own []int
	for raw := envelope.Raw; len(raw) > 0; {
		number, _, n := protowire.ConsumeField(raw)
		require.Positive(t, n)
		if number == pedersenGenerators {
			own = append(own, len(entries))
		}
		entries, raw = append(entries, raw[:n]), raw[n:]
	}
	require.Len(t, own, 3)
	entries[own[0]], entries[own[1]] = entries[own[1]], entries[own[0]]
	envelope.Raw = bytes.Join(entries, nil)
	raw, err := json.Marshal(envelope)
	require.NoError(t, err)
	_, err = params.Decode(raw, params.Options{AllowForeignGenerators: true, AllowForeignGeneratorsV2: true})
	require.NoError(t, err, "all but the generators is right")
	return raw
}
