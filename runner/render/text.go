// Package render shows a runner.Result.
//
// The text report is written line by line, each group of lines by the function
// for its subject; the summary has at most twelve lines. Other forms are JSON,
// CSV, benchmark format, Markdown, OpenMetrics, and the report as data without
// pictures.
//
// Only this package knows about columns and colour.
package render

import (
	"fmt"
	"io"
	"time"

	"github.com/zkatbench/zkatbench/internal/text"
	"github.com/zkatbench/zkatbench/runner/judge"
	"github.com/zkatbench/zkatbench/runner/result"
)

// Text writes the report of r. It refuses a Result that violates a law of
// measurement, with an error that wraps runner.ErrLaw; otherwise it returns the
// first error of w.
func Text(w io.Writer, r *result.Result, o Options) error {
	if err := judge.Check(r); err != nil {
		return err
	}
	p := newPage(w, o)
	p.found = judge.Findings(r)
	p.figures(r)
	rows := lines(rows(r))
	p.heatmap(r, rows)
	p.timemap(r, rows)
	p.sparkline(r)
	p.machine(r)
	p.findings()
	return p.err
}

// figures shows everything before the pictures.
func (p *page) figures(r *result.Result) {
	p.head(r)
	p.throughput(r)
	p.schedule(r)
	p.stages(r)
	p.mix(r)
	p.latency(r)
	p.spread(r)
	p.failures(r)
	p.memory(r)
}

func (p *page) head(r *result.Result) {
	title := "Benchmark report"
	if p.o.Name != "" {
		title += ": " + text.VisibleLines(p.o.Name)
	}
	p.title(bold, title)
	if r.Interrupted {
		p.title(red, "INTERRUPTED ("+r.End+"): the figures cover the time until then")
	}
	p.verdicts(r)
	p.line("Workers", text.Count(r.Config.Workers), setUpRemark(r))
	p.line("Total Ops", text.Count(r.Done), sampleRemark(r))
	p.line("Duration", text.Duration(float64(r.Elapsed)), durationRemark(r.Elapsed)+"; ended by "+r.End)
	p.line("Warm-up", text.Duration(float64(r.WarmUp.Took)), warmUpRemark(r.WarmUp))
}

func setUpRemark(r *result.Result) string {
	switch r.SetUp {
	case "none":
		return ""
	case "mix":
		return fmt.Sprintf("a mix of %d operations", len(r.Parts))
	case "pool":
		return fmt.Sprintf("inputs of a pool, %s distinct", text.Count(r.Inputs))
	}
	return "inputs made " + r.SetUp
}

func warmUpRemark(w result.WarmUp) string {
	switch {
	case w.Took == 0:
		return "none"
	case w.Wanted && w.Steady:
		return fmt.Sprintf("%s ops, until latency was steady", text.Count(w.Operations))
	case w.Wanted:
		return fmt.Sprintf("%s ops, never steady", text.Count(w.Operations))
	}
	return fmt.Sprintf("%s ops, excluded from the figures", text.Count(w.Operations))
}

func (p *page) throughput(r *result.Result) {
	p.line("Real Throughput", perSecond(r.Throughput()), "in wall-clock time")
	remark := "from the mean time in an operation; overhead " + text.Percent(r.Overhead())
	if r.Open != nil {
		remark = "if workers never waited for the plan; busy " + text.Percent(1-r.Overhead())
	}
	recording := float64(r.Clock.Record) / float64(r.Config.Batch)
	p.line("Pure Throughput", perSecond(r.PureThroughput()),
		remark+"; recording takes "+text.Duration(recording)+" per operation")
}

func sampleRemark(r *result.Result) string {
	if k := r.Config.Batch; k > 1 {
		return fmt.Sprintf("timed in %s batches; latencies are means of %d", text.Count(r.Records), k)
	}
	switch n := r.Records; {
	case n < 100:
		return "too few for percentiles above P90"
	case n < 1000:
		return "few; P99 is rough at best"
	case n < 10000:
		return "good; P99.9 is rough"
	}
	return "excellent"
}

func durationRemark(d time.Duration) string {
	switch {
	case d < time.Second:
		return "very short"
	case d < 5*time.Second:
		return "short"
	case d < 30*time.Second:
		return "good"
	}
	return "excellent"
}
