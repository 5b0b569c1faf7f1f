package token_test

import (
	"fmt"
	"maps"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
	"github.com/zkatbench/zkatbench/token/internal/pb"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// TestFieldsOfOpenings: each field of an Opening, in the order of the numbers on the wire,
// is in the .proto file, in the specification and in the recorded openings. The encoder writes
// it and the decoder reads it. The message names the place that lacks it.
func TestFieldsOfOpenings(t *testing.T) {
	spec, err := os.ReadFile("../../../../../../docs/spec/zkatdlog-nogh-v1.md")
	require.NoError(t, err)
	_, section, ok := strings.Cut(string(spec), "### 4.4 ")
	require.True(t, ok)
	section, _, _ = strings.Cut(section, "### 4.5 ")
	source, err := os.ReadFile("../../../../../internal/pb/token.proto")
	require.NoError(t, err)
	_, message, ok := strings.Cut(string(source), "message TokenMetadata {")
	require.True(t, ok)
	message, _, _ = strings.Cut(message, "}")
	compiled := pb.Message("TokenMetadata").Fields()
	fields := reflect.TypeFor[token.Opening]()
	g := vectors.Curve(t, "BN254")
	var base token.Opening
	for i := range fields.NumField() {
		change(t, g, reflect.ValueOf(&base).Elem().Field(i), 1)
	}
	written := numbers(t, base.Encode(g))
	assert.Equal(t, fields.NumField(), compiled.Len(),
		"the compiled .proto file has other fields than Opening")
	assert.Len(t, written, fields.NumField(), "the encoder writes other fields than Opening has")
	for i := range fields.NumField() {
		name, number := strings.ToLower(fields.Field(i).Name), i+1
		line := regexp.MustCompile(fmt.Sprintf(`(?m)^ *\w+ %s\w* = %d;`, name, number))
		assert.Regexp(t, line, message, "token.proto lacks the field %s", name)
		assert.Regexp(t, line, section, "section 4.4 of the specification lacks the field %s", name)
		assert.True(t, written[number], "the encoder does not write the field %s", name)
		other := base
		change(t, g, reflect.ValueOf(&other).Elem().Field(i), 2)
		assert.NotEqual(t, base.Encode(g), other.Encode(g), "the encoder does not depend on the field %s",
			name)
		read, err := token.DecodeOpening(g, other.Encode(g))
		assert.NoError(t, err, "the decoder refuses the field %s", name)
		assert.Equal(t, other.Encode(g), read.Encode(g), "the decoder does not read the field %s", name)
	}
	recorded := map[int]bool{}
	for name, file := range vectors.Sets[primitives](t, "primitives.json") {
		t.Run(name, func(t *testing.T) {
			for _, c := range file.Curves {
				for _, v := range c.Commitments {
					maps.Copy(recorded, numbers(t, v.Opening))
				}
			}
		})
	}
	assert.Len(t, recorded, fields.NumField(), "the recorded openings have other fields than Opening")
}

// numbers returns the numbers of the fields of a typed opening.
func numbers(t *testing.T, encoded []byte) map[int]bool {
	t.Helper()
	_, content, err := wire.Typed("opening", encoded)
	require.NoError(t, err)
	found := map[int]bool{}
	for len(content) > 0 {
		number, _, n := protowire.ConsumeField(content)
		require.Positive(t, n)
		found[int(number)], content = true, content[n:]
	}
	return found
}

// change sets a field of an opening to the n-th value.
func change(t *testing.T, g group.Group, field reflect.Value, n uint64) {
	t.Helper()
	switch field.Interface().(type) {
	case string:
		field.SetString(fmt.Sprint("value ", n))
	case []byte:
		field.SetBytes(fmt.Append(nil, "value ", n))
	case group.Scalar:
		field.Set(reflect.ValueOf(g.Uint64(n)))
	case uint64:
		field.SetUint(n)
	default:
		t.Fatalf("change knows no value of %s", field.Type())
	}
}
