package params_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
	"github.com/zkatbench/zkatbench/token/internal/networktest"
	"github.com/zkatbench/zkatbench/token/internal/pb"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// edited decodes parameters after edit changed their inner message.
func edited(t *testing.T, p *params.Params, edit func(m pb.Fields)) error {
	t.Helper()
	return rewritten(t, p, networktest.EditFields(t, "PublicParameters", edit))
}

// rewritten decodes parameters with other bytes of their inner message.
func rewritten(t *testing.T, p *params.Params, write func(raw []byte) []byte) error {
	t.Helper()
	_, err := params.Decode(networktest.EditParams(t, p, write), options)
	return err
}

// TestEachRuleOfParameters breaks one rule at a time, by the value of one field.
func TestEachRuleOfParameters(t *testing.T) {
	p := setup(t, "BN254", 16, rangeproof.CSP)
	other := setup(t, "BN254", 16, rangeproof.Bulletproof)
	g := p.Group()
	point := func(pt group.Point) pb.Fields { return pb.Fields{"raw": wire.AppendJSONPoint(nil, g, pt)} }
	var bases, lefts []any
	require.NoError(t, edited(t, p, func(m pb.Fields) {
		bases = m["pedersen_generators"].([]any)
		lefts = m["csp_range_proof_params"].(map[string]any)["left_generators"].([]any)
	}))
	const section, keys = "csp_range_proof_params", "idemix_issuer_public_keys"
	const left, right = section + ".left_generators", section + ".right_generators"
	const large = "18446744073709551615"
	for name, c := range map[string]struct {
		path  string
		value any
		want  error
	}{
		"driver":             {"token_driver_name", "fabtoken", params.ErrInvalid},
		"version":            {"token_driver_version", 2, params.ErrInvalid},
		"curve id":           {"curve_id.id", 9, group.ErrUnknownCurve},
		"large id":           {"curve_id.id", large, group.ErrUnknownCurve},
		"no curve":           {"curve_id", nil, wire.ErrMissing},
		"max token":          {"max_token", 1<<16 - 2, params.ErrInvalid},
		"precision":          {"quantity_precision", 32, params.ErrInvalid},
		"two bases":          {"pedersen_generators.2", nil, wire.ErrCount},
		"four bases":         {"pedersen_generators", append(bases, point(g.Generator())), wire.ErrTooLarge},
		"empty base":         {"pedersen_generators.2", pb.Fields{}, wire.ErrMissing},
		"more":               {left, append(lefts, point(g.Generator())), wire.ErrCount},
		"fewer":              {left + ".0", nil, wire.ErrCount},
		"identity":           {left + ".3", point(group.Point{}), group.ErrIdentity},
		"last":               {right + ".16", point(g.Generator()), params.ErrInvalid},
		"equal":              {left + ".1", lefts[2], params.ErrInvalid},
		"other bits":         {section + ".bit_length", 32, params.ErrInvalid},
		"rounds":             {section + ".number_of_rounds", 4, params.ErrInvalid},
		"no system":          {section, nil, params.ErrInvalid},
		"no key":             {keys, nil, params.ErrInvalid},
		"empty key":          {keys + ".0.public_key", nil, params.ErrInvalid},
		"key, no curve":      {keys + ".0.curve_id", nil, params.ErrInvalid},
		"key, unknown curve": {keys + ".0.curve_id.id", 9, params.ErrInvalid},
		"key, large curve":   {keys + ".0.curve_id.id", large, params.ErrInvalid},
	} {
		t.Run(name, func(t *testing.T) {
			err := edited(t, p, func(m pb.Fields) { m.Set(c.path, c.value) })
			require.ErrorIs(t, err, c.want)
			vectors.Formatted(t, err)
		})
	}
	err := edited(t, other, func(m pb.Fields) { m.Set("range_proof_params.q", point(g.Generator())) })
	require.ErrorIs(t, err, params.ErrInvalid, "a generator of Bulletproofs")
	err = edited(t, other, func(m pb.Fields) { m.Set("range_proof_params.q", nil) })
	require.ErrorIs(t, err, wire.ErrMissing, "no generator")
	failing := options
	failing.Group = func(int) (group.Group, error) { return nil, group.ErrIdentity }
	_, err = params.Decode(p.Encode(), failing)
	require.ErrorIs(t, err, group.ErrUnknownCurve)
}

// TestUnknownFieldsOfParametersAreRefused: in each message inside, and after all fields.
func TestUnknownFieldsOfParametersAreRefused(t *testing.T) {
	p := setup(t, "BN254", 16, rangeproof.CSP)
	unknown := protowire.AppendVarint(protowire.AppendTag(nil, 100, protowire.VarintType), 1)
	places := 0
	for at, end := 0, false; !end; at++ {
		changed := false
		err := rewritten(t, p, func(raw []byte) (b []byte) {
			i := 0
			for ; len(raw) > 0; i++ {
				number, kind, tag := protowire.ConsumeTag(raw)
				n := tag + protowire.ConsumeFieldValue(number, kind, raw[tag:])
				field := raw[:n]
				if i == at && kind == protowire.BytesType && number != 1 { // 1 is a text
					value, _ := protowire.ConsumeBytes(field[tag:])
					field, changed = protowire.AppendBytes(slices.Clone(field[:tag]),
						slices.Concat(value, unknown)), true
				}
				b, raw = append(b, field...), raw[n:]
			}
			if end = i == at; end {
				b, changed = append(b, unknown...), true
			}
			return b
		})
		if changed {
			places++
			require.ErrorIs(t, err, wire.ErrNotCanonical, "field %d", at)
		}
	}
	require.Greater(t, places, 6) // curve, three generators, a section, a key, the end
}

// TestFieldsOfParametersAreInOrder: a field that stands behind the next one of another
// number, or at the end, is refused.
func TestFieldsOfParametersAreInOrder(t *testing.T) {
	p := setup(t, "BN254", 16, rangeproof.CSP, rangeproof.Bulletproof)
	var fields [][]byte
	var numbers []protowire.Number
	require.NoError(t, rewritten(t, p, func(raw []byte) []byte {
		for rest := raw; len(rest) > 0; {
			number, _, n := protowire.ConsumeField(rest)
			require.Positive(t, n)
			fields, numbers, rest = append(fields, rest[:n]), append(numbers, number), rest[n:]
		}
		return raw
	}))
	require.Greater(t, len(fields), 8)
	for i := range fields {
		for to := i + 1; to < len(fields); to++ {
			if numbers[to] == numbers[i] {
				continue
			}
			moved := slices.Insert(slices.Delete(slices.Clone(fields), i, i+1), to, fields[i])
			require.Error(t, rewritten(t, p, func([]byte) []byte { return slices.Concat(moved...) }),
				"field %d, %d behind it", numbers[i], to-i)
		}
	}
}

// TestViewsAreTheSameParameters: a view for counting has their digest.
func TestViewsAreTheSameParameters(t *testing.T) {
	p := setup(t, "BN254", 16)
	require.Equal(t, p.Digest(), p.On(p.Group()).Digest())
	require.Equal(t, p.AnchorPrefix(), p.On(p.Group()).AnchorPrefix())
}
