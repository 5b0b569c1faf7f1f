package transcript_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/crypto/transcript"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// recorded is the part of every proof file with hash inputs.
type recorded struct {
	Groups []struct {
		Curve string
		Cases []struct {
			Challenges []struct {
				Label            string
				Preimage, Scalar vectors.Hex
			}
		}
	}
}

func TestRecordedChallengesAreReproduced(t *testing.T) {
	for _, name := range []string{"typeandsum.json", "sametype.json", "rp_bulletproof.json"} {
		checked := 0
		for name, file := range vectors.Sets[recorded](t, name) {
			t.Run(name, func(t *testing.T) {
				for _, group := range file.Groups {
					g := vectors.Curve(t, group.Curve)
					tr := transcript.NewV1(g, 0)
					for _, c := range group.Cases {
						for _, h := range c.Challenges {
							if h.Preimage == nil {
								continue // too long to be recorded for every case
							}
							tr.Raw(h.Preimage)
							require.Equal(t, vectors.Scalar(t, g, h.Scalar), tr.Challenge(), "%s %s %s", name,
								group.Curve, h.Label)
							checked++
						}
					}
				}
			})
		}
		require.NotZero(t, checked, name)
	}
}

func TestPointsAreFramedByTheirLength(t *testing.T) {
	for curve, prefix := range map[string][]byte{"BN254": {0x40, 0, 0, 0},
		"BLS12_381_BBS_GURVY": {0x60, 0, 0, 0}} {
		t.Run(curve, func(t *testing.T) {
			g := vectors.Curve(t, curve)
			tr := transcript.NewV1(g, 0)
			tr.Point(g.Generator())
			one := append([]byte(nil), tr.Preimage()...)
			require.Equal(t, append(prefix, g.AppendPoint(nil, g.Generator())...), one)
			tr.Points(append(vectors.Points(t, g, nil), g.Generator()))
			require.Equal(t, append(one, one...), tr.Preimage())
		})
	}
}

// TestV1HasNoMemory checks the property explained in docs/security.md: a
// challenge does not depend on bytes absorbed before the previous one.
func TestV1HasNoMemory(t *testing.T) {
	g := vectors.Curve(t, "BN254")
	long, short := transcript.NewV1(g, 0), transcript.NewV1(g, 0)
	long.Raw([]byte("statement"))
	long.Challenge()
	long.Raw([]byte("message"))
	short.Raw([]byte("message"))
	require.Equal(t, short.Challenge(), long.Challenge())
}

// TestScalarsAreAbsorbed: as they are encoded, without a length.
func TestScalarsAreAbsorbed(t *testing.T) {
	g := vectors.Curve(t, "BN254")
	tr := transcript.NewV1(g, 0)
	tr.Scalar(g.Uint64(5))
	require.Equal(t, g.AppendScalar(nil, g.Uint64(5)), tr.Preimage())
}
