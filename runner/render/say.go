package render

import (
	"fmt"

	"github.com/zkatbench/zkatbench/runner"
)

// sentences has for each kind what it says of its number, and the next step.
var sentences = map[runner.Kind]struct {
	says  string
	scale float64
	next  string
}{
	runner.FewOps:      {"only %.0f operations", 1, "run longer, for at least 1000"},
	runner.ShortRun:    {"the window was only %.2g s", 1, "run at least 5 s, 30 s for figures to keep"},
	runner.Unstable:    {"latencies vary by %.0f %% of their mean", 100, "look for other load on the machine, or a mix of cheap and dear operations"},
	runner.LongTail:    {"P99 is %.1f times P50", 1, "look for garbage collection, locks or scheduling"},
	runner.Outlier:     {"the slowest operation took %.0f times P99", 1, "repeat the run: one outlier may be the machine's"},
	runner.Overhead:    {"%.0f %% of the workers' time was not the operation's", 100, "use no more workers than processors"},
	runner.HeavyGC:     {"garbage collection took %.0f %% of the processor time", 100, "allocate less, or raise GOGC to see what it costs"},
	runner.Allocations: {"one operation allocates %.0f times", 1, "reuse memory in the hot path"},
	runner.Failures:    {"%.1f %% of all operations failed", 100, "read the messages above; figures cover the others"},
	runner.NothingDone: {"no operation succeeded, %.0f failed", 1, "make one operation succeed before measuring"},
	runner.LeftBehind:  {"%.0f operations were still in progress", 1, "wait longer, or see whether they hang"},
}

func (p *page) findings(r *runner.Result) {
	p.section("Analysis and recommendations")
	fs := r.Findings()
	for _, f := range fs {
		s := sentences[f.Kind]
		p.printf("  - %s: %s\n", fmt.Sprintf(s.says, f.Value*s.scale), s.next)
	}
	if len(fs) == 0 {
		p.printf("  Nothing unusual.\n")
	}
}
