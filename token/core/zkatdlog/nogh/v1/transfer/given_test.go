package transfer_test

import (
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/sigma"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/proof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/transfer"
	"github.com/zkatbench/zkatbench/token/crypto/pedersen"
)

// given returns commitments of a caller to values.
func given(t testing.TB, p *params.Params, typ string, values ...uint64) (gs []proof.Given, points [][]byte) {
	t.Helper()
	for _, s := range spends(t, p, typ, values...) {
		point := p.Group().AppendPoint(nil, s.Token.Data)
		gs, points = append(gs, proof.Given{Point: point, Opening: s.Opening}), append(points, point)
	}
	return gs, points
}

// TestGivenCommitments proves transfers between commitments of the caller and
// verifies them from bytes.
func TestGivenCommitments(t *testing.T) {
	for _, curve := range []string{"BN254", "BLS12_381_BBS_GURVY"} {
		for _, kind := range []rangeproof.Kind{rangeproof.CSP, rangeproof.Bulletproof} {
			p := setup(t, curve, kind)
			for _, shape := range [][2][]uint64{{{5}, {5}}, {{5, 6}, {10, 1}}, {{9}, {0, 4, 5}}} {
				in, inPoints := given(t, p, "EUR", shape[0]...)
				out, outPoints := given(t, p, "EUR", shape[1]...)
				made, err := sender(p).ProveGiven(in, out)
				require.NoError(t, err)
				require.NoError(t, transfer.VerifyGiven(p, made, inPoints, outPoints))
				_, other := given(t, p, "EUR", shape[1]...)
				require.ErrorIs(t, transfer.VerifyGiven(p, made, inPoints, other), sigma.ErrRejected)
				require.Error(t, transfer.VerifyGiven(p, made, append(inPoints, inPoints[0]), outPoints))
				require.ErrorIs(t, transfer.VerifyGiven(p, made, nil, outPoints), proof.ErrNothing)
				require.Error(t, transfer.VerifyGiven(p, made, inPoints, [][]byte{outPoints[0][1:]}))
				made.Raw[len(made.Raw)-1] ^= 1
				require.Error(t, transfer.VerifyGiven(p, made, inPoints, outPoints))
			}
		}
	}
}

// TestGivenCommitmentsAreChecked: no proof is made of a false statement.
func TestGivenCommitmentsAreChecked(t *testing.T) {
	p := setup(t, "BN254", rangeproof.CSP)
	in, _ := given(t, p, "EUR", 5, 6)
	for name, c := range map[string]struct {
		edit func(out []proof.Given) []proof.Given
		want error
	}{
		"none": {func([]proof.Given) []proof.Given { return nil }, proof.ErrNothing},
		"sum":  {func(out []proof.Given) []proof.Given { return out[:1] }, proof.ErrSum},
		"type": {func(out []proof.Given) []proof.Given {
			out[0].Opening.Type = "USD"
			return out
		}, proof.ErrTypes},
	} {
		t.Run(name, func(t *testing.T) {
			out, _ := given(t, p, "EUR", 4, 7)
			_, err := sender(p).ProveGiven(in, c.edit(out))
			require.ErrorIs(t, err, c.want)
		})
	}
	_, err := transfer.Sender{}.ProveGiven(in, in)
	require.ErrorIs(t, err, params.ErrInvalid)
}

// TestErrorsOfGivenCommitments name the input or the output. The largest value is proved.
func TestErrorsOfGivenCommitments(t *testing.T) {
	p := setup(t, "BN254")
	g := p.Group()
	in, inPoints := given(t, p, "EUR", p.MaxValue(), 5)
	out, outPoints := given(t, p, "EUR", 5, p.MaxValue())
	made, err := sender(p).ProveGiven(in, out)
	require.NoError(t, err)
	require.NoError(t, transfer.VerifyGiven(p, made, inPoints, outPoints))
	_, err = transfer.Sender{Params: p, Random: iotest.ErrReader(errLost)}.ProveGiven(in, out)
	require.ErrorIs(t, err, errLost)
	_, err = sender(p).ProveGiven(nil, out)
	require.ErrorIs(t, err, proof.ErrNothing)
	require.ErrorIs(t, transfer.VerifyGiven(p, made, inPoints, nil), proof.ErrNothing)
	for _, none := range []*params.Params{nil, {}} {
		_, err = transfer.Sender{Params: none}.ProveGiven(in, out)
		require.ErrorIs(t, err, params.ErrInvalid)
		require.ErrorIs(t, transfer.VerifyGiven(none, made, inPoints, outPoints), params.ErrInvalid)
	}
	for want, edit := range map[string]func(c *proof.Given){
		"%s 1: ": func(c *proof.Given) { c.Point = c.Point[1:] },
		"%s 1: " + proof.ErrValue.Error(): func(c *proof.Given) {
			c.Opening.Value = g.Uint64(p.MaxValue() + 1)
		},
		"%s 1: " + pedersen.ErrOpening.Error(): func(c *proof.Given) { c.Opening.Blinding = g.Uint64(1) },
	} {
		t.Run(want, func(t *testing.T) {
			for side, name := range []string{"input", "output"} {
				sides := [2][]proof.Given{slices.Clone(in), slices.Clone(out)}
				edit(&sides[side][1])
				_, err := sender(p).ProveGiven(sides[0], sides[1])
				require.ErrorContains(t, err, strings.ReplaceAll(want, "%s", name))
			}
		})
	}
	short := [][]byte{inPoints[0], inPoints[1][1:]}
	require.ErrorContains(t, transfer.VerifyGiven(p, made, short, outPoints), "input 1: ")
	require.ErrorContains(t, transfer.VerifyGiven(p, made, inPoints, short), "output 1: ")
}
