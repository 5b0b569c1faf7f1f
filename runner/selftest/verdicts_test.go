package selftest_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	must "github.com/zkatbench/zkatbench/runner/judge/require"
)

// limits are the columns of the table: limits over the true value.
var limits = []float64{0.25, 0.5, 1, 2, 4}

// decidedFigures are the figures that the table judges, with their quantiles; 0 is the mean.
var decidedFigures = map[string]float64{"mean": 0, "p50": 0.5, "p95": 0.95, "p99": 0.99}

// verdicts counts the verdicts on one requirement.
type verdicts struct{ right, undecided, wrong int }

func (v *verdicts) count(got must.Verdict, met bool) {
	switch {
	case got == must.Undecided:
		v.undecided++
	case (got == must.Met) == met:
		v.right++
	default:
		v.wrong++
	}
}

// The bounds of the table: in per cent of the windows, where limit and truth
// differ by a factor of two or more.
const (
	leastRight = 95
	mostWrong  = 2
)

// fails reports whether significantly more windows are wrong, or fewer are
// decided, than the bounds allow.
func (v verdicts) fails() bool {
	n := float64(v.right + v.undecided + v.wrong)
	beyond := func(misses int, allowed float64) bool {
		return float64(misses) > n*allowed+2.58*math.Sqrt(n*allowed*(1-allowed))
	}
	return beyond(v.wrong, mostWrong/100.0) || beyond(v.undecided+v.wrong, 1-leastRight/100.0)
}

// String is the percentage of right, undecided and wrong verdicts.
func (v verdicts) String() string {
	n := float64(v.right + v.undecided + v.wrong)
	return fmt.Sprintf("%.3g / %.3g / %.3g", 100*float64(v.right)/n, 100*float64(v.undecided)/n,
		100*float64(v.wrong)/n)
}

// overloaded is a queue without a steady state: every limit is broken.
func overloaded() process {
	p := queue(1.3, true)
	p.name, p.truth = "M/M/1, load 1.3, limit 100ms", func(float64) float64 { return math.Inf(1) }
	return p
}

// decide returns the verdicts on the requirements of each figure in windows of a minute, 6000
// operations, for each limit.
func (p process) decide(t *testing.T, trials int) map[string][]verdicts {
	t.Helper()
	rows := map[string][]verdicts{}
	for figure := range decidedFigures {
		rows[figure] = make([]verdicts, len(limits))
	}
	for seed := range uint64(trials) {
		r := p.run(t, seed, time.Minute)
		for figure, q := range decidedFigures {
			truth := 1e9 * p.truth(q)
			for j, factor := range limits {
				limit := factor * truth
				if math.IsInf(truth, 1) {
					limit = 100e6
				}
				c := must.Judge(r, []must.Requirement{{Figure: figure, Below: true, Limit: limit}})[0]
				rows[figure][j].count(c.Verdict, limit > truth)
			}
		}
	}
	return rows
}

// TestTablesOfDecisions prints verdicts on requirements such as p99<2ms after one minute with 100
// operations a second (-v), in per cent of the windows: right / undecided / wrong, for limits at
// several multiples of the true value. Where a minute is long enough for the queue, at a load of at
// most 0.8 or more than 1, and limit and truth differ by a factor of two or more, at least 95 % of the
// verdicts are right and at most 2 % wrong.
func TestTablesOfDecisions(t *testing.T) {
	all := append(append(distributions(), queues(0.5, 0.8)...), overloaded())
	if nightly.On() { // a minute is too short for these
		all = append(append(all, queues(0.95)...), queue(0.9, true))
	}
	for _, p := range all {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			trials := nightly.Pick(4, 20, 1000)
			for figure, row := range p.decide(t, trials) {
				t.Run(figure, func(t *testing.T) {
					t.Logf("| %s | %s | limits %g × truth: %v", p.name, figure, limits, row)
					for j, v := range row {
						switch {
						case p.load > 0.8 && p.load < 1:
						case limits[j] != 1:
							require.False(t, v.fails(), "%s, limit %g: %v", figure, limits[j], v)
						case p.load < 1 && p.name != heavy && p.name != "constant":
							n := float64(trials)
							require.LessOrEqual(t, float64(v.wrong), 0.3*n+2.33*math.Sqrt(0.3*0.7*n),
								"%s at the limit", figure)
						}
					}
				})
			}
		})
	}
}

// TestAWrongVerdictIsSeen plants limits that are not where the process says.
func TestAWrongVerdictIsSeen(t *testing.T) {
	p := queue(0.5, true)
	truth := p.truth
	p.truth = func(q float64) float64 { return truth(q) / 5 }
	require.True(t, p.decide(t, 8)["mean"][3].fails(),
		"limit 2: met, it says, and every window breaks it")
}
