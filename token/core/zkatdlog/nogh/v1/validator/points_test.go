package validator_test

import (
	"bytes"
	"encoding/base64"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
	"github.com/zkatbench/zkatbench/token/internal/networktest"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

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
			wrong := make([]byte, g.PointLen())
			wrong[len(wrong)-1] = c.y
			text := base64.StdEncoding.EncodeToString
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
						return bytes.Replace(raw, []byte(text(g.AppendPoint(nil, p))), []byte(text(wrong)), 1)
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
				refused := new(validator.RefusedError)
				require.ErrorAs(t, alone, &refused)
				require.Equal(t, "actions", refused.Rule)
				require.Equal(t, place[i], refused.Action)
				require.ErrorIs(t, alone, c.want)
				require.ErrorAs(t, alone, new(*wire.DecodeError))
				require.Equal(t, alone, verdicts[i].Err, "place %d", i)
				three := v.ValidateBatch([]validator.Submission{right, s, right})
				require.Equal(t, alone, three[1].Err)
				require.NoError(t, three[0].Err)
				require.NoError(t, three[2].Err)
			}
		})
	}
}
