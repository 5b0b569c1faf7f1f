package issue_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/issue"
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
			require.ErrorIs(t, issue.VerifyGiven(p, made, [][]byte{points[1], points[0]}),
				rangeproof.ErrRejected)
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
