package issue_test

import (
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/issue"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/proof"
	"github.com/zkatbench/zkatbench/token/crypto/pedersen"
)

// TestGivenCommitments proves issues of commitments of the caller and verifies them
// from bytes.
func TestGivenCommitments(t *testing.T) {
	for _, curve := range []string{"BN254", "BLS12_381_BBS_GURVY"} {
		for _, kind := range kinds {
			p := setup(t, curve, kind)
			a, openings, err := issuer(p).Issue("EUR", receives(3, 4))
			require.NoError(t, err)
			var given []proof.Given
			var points [][]byte
			for j, o := range openings {
				points = append(points, p.Group().AppendPoint(nil, a.Outputs[j].Data))
				given = append(given, proof.Given{Point: points[j], Opening: o})
			}
			made, err := issuer(p).ProveGiven(given)
			require.NoError(t, err)
			require.NoError(t, issue.VerifyGiven(p, made, points))
			require.ErrorIs(t, issue.VerifyGiven(p, made, [][]byte{points[1], points[0]}), rangeproof.ErrRejected)
			require.ErrorIs(t, issue.VerifyGiven(p, made, nil), proof.ErrNothing)
			require.Error(t, issue.VerifyGiven(p, made, [][]byte{points[0], points[1][1:]}))

			_, err = issuer(p).ProveGiven(nil)
			require.ErrorIs(t, err, proof.ErrNothing)
			given[0].Opening, given[1].Opening = given[1].Opening, given[0].Opening
			_, err = issuer(p).ProveGiven(given)
			require.ErrorIs(t, err, pedersen.ErrOpening)
			given[1].Opening.Type = "USD"
			_, err = issuer(p).ProveGiven(given)
			require.ErrorIs(t, err, proof.ErrTypes)
			given[0].Opening.Value = p.Group().Uint64(1 << 16)
			_, err = issuer(p).ProveGiven(given)
			require.ErrorIs(t, err, proof.ErrValue)
		}
	}
}

// TestErrorsOfGivenCommitments name the output. The largest value is proved.
func TestErrorsOfGivenCommitments(t *testing.T) {
	p := setup(t, "BN254")
	a, openings, err := issuer(p).Issue("EUR", receives(3, p.MaxValue()))
	require.NoError(t, err)
	given := func() (gs []proof.Given) {
		for j, o := range openings {
			gs = append(gs, proof.Given{Point: p.Group().AppendPoint(nil, a.Outputs[j].Data), Opening: o})
		}
		return gs
	}
	made, err := issuer(p).ProveGiven(given())
	require.NoError(t, err)
	points := [][]byte{given()[0].Point, given()[1].Point}
	require.NoError(t, issue.VerifyGiven(p, made, points))
	broken := issuer(p)
	broken.Random = iotest.ErrReader(errLost)
	_, err = broken.ProveGiven(given())
	require.ErrorIs(t, err, errLost)
	for _, none := range []*params.Params{nil, {}} {
		_, err = issue.Issuer{Params: none}.ProveGiven(given())
		require.ErrorIs(t, err, params.ErrInvalid)
		require.ErrorIs(t, issue.VerifyGiven(none, made, points), params.ErrInvalid)
	}
	short := given()
	short[1].Point = short[1].Point[1:]
	_, err = issuer(p).ProveGiven(short)
	require.ErrorContains(t, err, "output 1: ")
	require.ErrorContains(t, issue.VerifyGiven(p, made, [][]byte{points[0], points[1][1:]}), "output 1: ")
	large := given()
	large[1].Opening.Value = p.Group().Uint64(p.MaxValue() + 1)
	_, err = issuer(p).ProveGiven(large)
	require.EqualError(t, err, "output 1: "+proof.ErrValue.Error())
	large[1].Opening.Value = p.Group().Neg(p.Group().Uint64(1)) // of more than 64 bits
	_, err = issuer(p).ProveGiven(large)
	require.EqualError(t, err, "output 1: "+proof.ErrValue.Error())
	other := given()
	other[1].Opening.Blinding = p.Group().Uint64(1)
	_, err = issuer(p).ProveGiven(other)
	require.EqualError(t, err, "output 1: "+pedersen.ErrOpening.Error())
}
