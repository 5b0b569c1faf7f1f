package gate_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/gate"
	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/internal/nightly"
)

// TestKeptVerdicts: the files of a comparison that looked several times have its verdicts
// to the letter, in simulated comparisons of three cases beside layouts.
func TestKeptVerdicts(t *testing.T) {
	verdicts := map[gate.Verdict]int{}
	for try := range nightly.Pick(20, 40, 400) {
		rng := rand.New(rand.NewPCG(uint64(try), 64))
		var texts [2]strings.Builder
		var sides [2]*result.Data
		for i := range sides {
			sides[i] = result.NewData()
		}
		slower := []float64{0, 0.02 * rng.NormFloat64(), 0.05}
		judge := gate.Judge{}
		var live gate.Report
		for look := range 1 + rng.IntN(6) {
			for n := range 10 {
				for c, by := range slower {
					for i, d := range sides {
						layout := float64(look - n%(look+1))
						ns := 1000 * (1 + by*float64(i)) * math.Exp(0.02*rng.NormFloat64()+
							0.01*math.Sin(9*layout+float64(i)))
						line := fmt.Sprintf("BenchmarkC%d 1000 %.6g ns/op %d B/op %g layout\n", c, ns,
							60+rng.IntN(2), layout)
						texts[i].WriteString(line)
						require.NoError(t, d.Read(strings.NewReader(line), "live"))
					}
				}
			}
			judge.More = rng.IntN(3) > 0
			judge.Floor = gate.FloorOfTurns(sides[0])
			live = judge.Look(sides[0], sides[1])
			for i := range texts {
				fmt.Fprintf(&texts[i], "look: more=%t\n", judge.More)
			}
		}
		var kept [2]*result.Data
		for i := range kept {
			kept[i] = result.NewData()
			require.NoError(t, kept[i].Read(strings.NewReader(texts[i].String()), "kept"))
		}
		require.Equal(t, written(t, live), written(t, gate.Files(gate.Rules{}, kept[0], kept[1])),
			"seed %d, 64", try)
		for _, c := range live.Comparisons {
			verdicts[c.Verdict]++
		}
	}
	require.Greater(t, len(verdicts), 3, "of all kinds: %v", verdicts)
}

func written(t *testing.T, r gate.Report) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, r.WriteJSON(&b))
	require.NoError(t, r.WriteText(&b, true))
	return b.String()
}
