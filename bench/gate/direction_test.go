package gate // Rules.of is private: a report has the directions of its own units only

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/runner/stats"
)

// TestDirections: names of units say which change is bad; a change of an unknown one is
// named with the line that decides it, and fails a strict comparison.
func TestDirections(t *testing.T) {
	for direction, units := range map[Direction]string{
		Lower: "things/op errors/op errors/s failed-share p99-ms p99.9-ns proof-B live-bytes B/op instr/op " +
			"cycles/op retries " +
			"cache-misses timeouts/sec ns/row gc-pause-ns s ns allocs/op",
		Higher: "things/s msgs/sec ops/sec TPS tps MB/s B/s hits/op hit-rate throughput tx-per-sec QPS " +
			"Mbps speedup ops/s",
		Undirected: "things items depth op-things ratio msm-points ns/thing",
	} {
		for _, unit := range strings.Fields(units) {
			t.Run(unit, func(t *testing.T) { require.Equal(t, direction, Rules{}.of(unit, nil).Better) })
		}
	}
	base := oneCase("things", around(1, 2))
	for _, to := range []float64{0.7, 1.3} {
		head := oneCase("things", around(to, 2))
		r := Files(Rules{}, base, head)
		require.Equal(t, Changed, r.Comparisons[0].Verdict)
		require.Equal(t, Pass, r.Outcome())
		require.Contains(t, strings.Join(r.Notes, "\n"), `"unit things higher"`)
		require.Equal(t, Unclear, Files(Rules{Strict: true}, base, head).Outcome())
	}
}

// TestDerivedThroughput: B/s follows from the time while SetBytes is the same. It is
// judged if not, without a time, or if a rule names it.
func TestDerivedThroughput(t *testing.T) {
	of := func(seconds, bytes float64) *result.Data {
		times, speeds := around(seconds, 1), []float64(nil)
		for _, s := range times {
			speeds = append(speeds, bytes/s)
		}
		return data(t, "", samples{wallTime: times, throughput: speeds})
	}
	slower := Files(Rules{}, of(1, 1e9), of(1.3, 1e9))
	require.Len(t, slower.Comparisons, 1)
	require.Equal(t, throughput, slower.Beside[0].Unit)
	fewer := Files(Rules{}, of(1, 1e9), of(1, 0.66e9))
	require.Equal(t, Regression, comparisonOf(t, fewer, throughput).Verdict)
	require.Contains(t, strings.Join(fewer.Notes, "\n"), "SetBytes changed")
	require.Equal(t, Same, comparisonOf(t, fewer, wallTime).Verdict)
	require.Len(t, Files(Rules{}, of(1, 0.5e6), of(1, 0.505e6)).Comparisons, 1, "two decimals of MB/s")
	require.Len(t, Files(ruled(t, "unit MB/s 5%"), of(1, 1e9), of(1, 1e9)).Comparisons, 2)
	alone := oneCase(throughput, around(1, 1))
	require.Len(t, once(alone, alone).Comparisons, 1)
}

// TestPowerForRates simulates a fall of TPS by 3 % at three levels of noise, with a trial that
// looks until it decides, with at most 60 results a side and a limit of 1 %.
func TestPowerForRates(t *testing.T) {
	tries := nightly.Pick(20, 50, 1000)
	rules := ruled(t, "unit TPS noisy 1% higher")
	for noise, least := range map[float64]float64{0.01: 0.95, 0.02: 0.9, 0.04: 0.7} {
		rng := rand.New(rand.NewPCG(10, 64))
		draw := func(level float64) (xs []float64) {
			for range 60 {
				xs = append(xs, level*(1+noise*rng.NormFloat64()))
			}
			return xs
		}
		found, alarms := 0, 0
		for range tries {
			found += asInt(decided(rules, draw(1000), draw(970)) == Regression)
			alarms += asInt(decided(rules, draw(1000), draw(1000)) == Regression)
		}
		t.Logf("seed 10, 64, noise %g %%: %d of %d found; false alarms %d", 100*noise, found, tries, alarms)
		require.GreaterOrEqual(t, float64(found), least*float64(tries)-slack(least, tries))
		require.LessOrEqual(t, alarms, max(3, tries/40))
	}
}

// decided is the verdict on TPS of a trial that looks at growing parts of the results.
func decided(rules Rules, base, head []float64) Verdict {
	j := Judge{Rules: rules}
	for n := 10; ; n = min(len(base), int(stats.NextLook(float64(n))+0.5)) {
		b := oneCase("TPS", base[:n])
		j.Floor = floorOf(b, odd)
		v := j.Look(b, oneCase("TPS", head[:n])).Comparisons[0].Verdict
		if v != Unknown || n == len(base) {
			return v
		}
	}
}
