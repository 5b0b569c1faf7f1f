package validator_test

import (
	"bytes"
	"encoding/base64"
	"testing"

	"github.com/stretchr/testify/require"

	v1 "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
	"github.com/zkatbench/zkatbench/token/internal/networktest"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// withoutPoint returns raw with (0, y) in place of the first p.
func withoutPoint(g group.Group, raw []byte, p group.Point, y byte) []byte {
	text, wrong := base64.StdEncoding.EncodeToString, make([]byte, g.PointLen())
	wrong[len(wrong)-1] = y
	return bytes.Replace(raw, []byte(text(g.AppendPoint(nil, p))), []byte(text(wrong)), 1)
}

// TestWrongPointsOfABlock: a wrong point in every place of a block, alone and among others,
// is refused as in a request alone. The neighbours are accepted.
func TestWrongPointsOfABlock(t *testing.T) {
	for curve, c := range map[string]struct {
		y    byte // of the point (0, y)
		want error
	}{"BN254": {2, group.ErrNotOnCurve}, "BLS12_381_BBS_GURVY": {2, group.ErrNotInSubgroup}} {
		t.Run(curve, func(t *testing.T) {
			n := networktest.New(t, fixture.Config{Group: vectors.Curve(t, curve), TableBytes: 1 << 18})
			g, v := n.Params.Group(), n.Validator(validator.Options{})
			submit := func(change func(action int, raw []byte) []byte) validator.Submission {
				parts := networktest.Parts(t, n, "swaps", 2, 1, 1)
				for i, p := range parts {
					p.Action.Raw = change(i, p.Action.Raw)
				}
				r := networktest.Signed(t, n, parts...)
				return validator.Submission{Anchor: "tx", Raw: r.Encode()}
			}
			var points [2][]group.Point // of each action, in the order of reading
			right := submit(func(action int, raw []byte) []byte {
				a := networktest.Transfer(t, g, raw)
				points[action] = []group.Point{a.Inputs[0].Token.Data, a.Inputs[1].Token.Data,
					a.Outputs[0].Data}
				return raw
			})
			block, place := []validator.Submission{right}, []int{-1}
			for action := range points {
				for _, p := range points[action] {
					block, place = append(block, submit(func(i int, raw []byte) []byte {
						if i < action {
							return raw
						}
						if i > action { // a later one is not named
							p = points[i][0]
						}
						return withoutPoint(g, raw, p, c.y)
					}), right), append(place, action, -1)
				}
			}
			verdicts := v.ValidateBatch(block)
			for i, s := range block {
				_, alone := v.Validate(s.Anchor, s.Raw)
				if place[i] < 0 {
					require.NoError(t, alone)
					require.NoError(t, verdicts[i].Err)
					continue
				}
				require.Equal(t, place[i], networktest.Refused(t, alone, "actions", c.want).Action)
				require.ErrorAs(t, alone, new(*wire.DecodeError))
				require.Equal(t, alone, verdicts[i].Err, "place %d", i)
			}
		})
	}
}

// TestWrongPointsOfManyActions: from each of ten actions on, all have a wrong point. The first
// of them is named.
func TestWrongPointsOfManyActions(t *testing.T) {
	n := networktest.New(t, fixture.Config{Group: vectors.Curve(t, "BN254"), TableBytes: 1})
	g, v := n.Params.Group(), n.Validator(validator.Options{})
	var parts []*v1.Part
	for i := range uint64(5) {
		parts = append(parts, networktest.Parts(t, n, "swaps", 1, 1, i)...)
	}
	require.Len(t, parts, 10)
	for first := len(parts) - 1; first >= 0; first-- {
		action := &parts[first].Action
		a := networktest.Transfer(t, g, action.Raw)
		action.Raw = withoutPoint(g, action.Raw, a.Outputs[0].Data, 2)
		_, err := v.Validate("tx", networktest.Signed(t, n, parts...).Encode())
		require.Equal(t, first, networktest.Refused(t, err, "actions", group.ErrNotOnCurve).Action)
	}
}
