package badinput_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	v1 "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/badinput"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
	v2 "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v2"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

func init() {
	typed = append(typed, v2.ErrRejected, v2.ErrStatement, params.ErrProtocol, validator.ErrOrigin)
}

// TestMatrixV2 runs all categories on requests of v2: as they are, and on each
// action alone, where all parties sign the result, so that the proof
// refuses it if no other rule does.
func TestMatrixV2(t *testing.T) {
	for _, curve := range curves {
		n, err := fixture.NewNetwork(fixture.Config{
			Group: vectors.Curve(t, curve), Bits: 16, TableBytes: 1 << 18, Protocols: params.Protocols{V2: true},
		})
		require.NoError(t, err)
		judge, g := n.Validator(validator.Options{}), n.Params.Group()
		for _, kind := range []string{"issues", "redeems"} {
			t.Run(curve+"/"+kind, func(t *testing.T) {
				parts, err := n.Parts(fixture.Shape{Kind: kind, Inputs: 2, Outputs: 3}, 7)
				require.NoError(t, err)
				a, err := n.Signed(anchor, parts...)
				require.NoError(t, err)
				honest := a.Request.Encode()
				_, err = judge.Validate(anchor, honest)
				require.NoError(t, err)
				whole, err := badinput.Parse(honest)
				require.NoError(t, err)
				require.Equal(t, honest, whole.Encode(nil))
				tried := 0
				for _, c := range cases(g, whole) {
					tried++
					raw := whole.Encode(c.Edit)
					_, err := judge.Validate(anchor, raw)
					if err == nil && auditorMoved(honest, raw) {
						continue
					}
					requireTyped(t, err, c.Category+" "+c.Node.Path)
				}
				action := a.Request.Actions[0]
				root, err := badinput.ParseAction(action.Kind, action.Raw)
				require.NoError(t, err)
				for _, c := range cases(g, root) {
					changed := *parts[0]
					changed.Action = action
					changed.Action.Raw = root.Encode(c.Edit)
					if len(changed.Action.Raw) == 0 {
						continue // Assemble would prove again
					}
					r, err := n.SignedUnseen(anchor, []*v1.Part{&changed}...)
					require.NoError(t, err)
					_, err = judge.Validate(anchor, r.Encode())
					requireTyped(t, err, "signed: "+c.Category+" "+c.Node.Path)
					tried++
				}
				require.Greater(t, tried, 20)
			})
		}
	}
}
