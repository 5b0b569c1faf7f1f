package selftest

import (
	"context"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"github.com/zkatbench/zkatbench/runner/judge/require"
)

// decisionWindow is the window of every row of the table of decisions: 6000
// operations.
const decisionWindow = time.Minute

// limits are the columns of the table: limits over the true value.
var limits = []float64{0.25, 0.5, 1, 2, 4}

// decidedFigures are the figures that the table judges.
var decidedFigures = []struct {
	name string
	q    float64 // 0: the mean
}{{"mean", 0}, {"p50", 0.5}, {"p95", 0.95}, {"p99", 0.99}}

// verdicts counts the verdicts on one requirement.
type verdicts struct{ right, undecided, wrong int }

func (v *verdicts) count(got require.Verdict, met bool) {
	switch {
	case got == require.Undecided:
		v.undecided++
	case (got == require.Met) == met:
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

// decide returns the verdicts on the requirements of one figure, for each limit.
func (p process) decide(ctx context.Context, trials int) (rows [][]verdicts, err error) {
	var truths []float64
	var rs []require.Requirement
	for _, f := range decidedFigures {
		truth := 1e9 * p.truth(f.q)
		rows, truths = append(rows, make([]verdicts, len(limits))), append(truths, truth)
		for _, factor := range limits {
			limit := factor * truth
			if math.IsInf(truth, 1) {
				limit = 100e6
			}
			rs = append(rs, require.Requirement{Figure: f.name, Below: true, Limit: limit})
		}
	}
	one := func(seed uint64) ([]require.Check, error) {
		r, err := p.run(seed, decisionWindow)
		if err != nil {
			return nil, err
		}
		return require.Judge(r, rs), nil
	}
	err = inTurns(ctx, trials, one, func(judged []require.Check) {
		for i, c := range judged {
			k, j := i/len(limits), i%len(limits)
			rows[k][j].count(c.Verdict, c.Limit > truths[k])
		}
	})
	return rows, err
}

// Decisions writes a Markdown table of verdicts on requirements such as p99<2ms
// after one minute with 100 operations a second, in per cent of the windows:
// right / undecided / wrong, for limits at several multiples of the true value.
// Scale multiplies the 400 windows. The error wraps ErrBound and names the
// processes with a load of at most 0.8, or more than 1, for which, at a factor of
// two or more, fewer than 95 % of the verdicts are right or more than 2 % wrong.
func Decisions(ctx context.Context, w io.Writer, scale float64) error {
	trials := max(1, int(400*scale))
	head, rule := "| process | figure |", "| --- | --- |"
	for _, f := range limits {
		head, rule = head+fmt.Sprintf(" limit = %g × truth |", f), rule+" ---: |"
	}
	if _, err := fmt.Fprintf(w, "%s\n%s\n", head, rule); err != nil {
		return err
	}
	var failed []string
	for _, p := range append(processes(), queue(0.9, true), overloaded()) {
		rows, err := p.decide(ctx, trials)
		if err != nil {
			return err
		}
		for k, f := range decidedFigures {
			row := fmt.Sprintf("| %s | %s |", p.name, f.name)
			for j, v := range rows[k] {
				row += " " + v.String() + " |"
				if limits[j] != 1 && p.promised() && v.fails() {
					failed = append(failed, fmt.Sprintf("%s, %s, limit %g", p.name, f.name, limits[j]))
				}
			}
			if _, err := fmt.Fprintln(w, row); err != nil {
				return err
			}
		}
	}
	if failed != nil {
		return fmt.Errorf("%w: verdicts on %s", ErrBound, strings.Join(failed, "; "))
	}
	return nil
}

// promised reports whether a minute is long enough for the queue.
func (p process) promised() bool { return p.load <= 0.8 || p.load > 1 }
