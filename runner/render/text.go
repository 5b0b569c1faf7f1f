// Package render shows a runner.Result to people.
//
//	text.go     the report, line by line
//	heatmap.go  latencies by geometric bucket
//	spark.go    throughput over time
//	say.go      a sentence for each finding
//
// It is the only place that knows of columns and colour.
package render

import (
	"fmt"
	"io"
	"sort"
	"strings"
	"time"

	"github.com/zkatbench/zkatbench/runner"
)

// Options says what the output may hold.
type Options struct {
	Colour bool // only for a terminal, never under NO_COLOR
	Name   string
}

// Text writes the report of r. It returns the first error of w.
func Text(w io.Writer, r *runner.Result, o Options) error {
	p := &page{w: w, o: o}
	p.head(r)
	p.throughput(r)
	p.latency(r)
	p.spread(r)
	p.failures(r)
	p.memory(r)
	p.heatmap(r)
	p.sparkline(r)
	p.findings(r)
	return p.err
}

// page keeps the first error of its writer.
type page struct {
	w   io.Writer
	o   Options
	err error
}

func (p *page) printf(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format, args...)
	}
}

func (p *page) section(name string) { p.printf("\n%s\n", p.bold(name)) }

// line prints a name, a value and a remark that may be empty.
func (p *page) line(name, value, remark string) {
	if remark != "" {
		remark = "  " + remark
	}
	p.printf("  %-16s %14s%s\n", name, value, remark)
}

func (p *page) bold(s string) string {
	if !p.o.Colour {
		return s
	}
	return "\x1b[1m" + s + "\x1b[0m"
}

func (p *page) head(r *runner.Result) {
	title := "Benchmark report"
	if p.o.Name != "" {
		title += ": " + p.o.Name
	}
	if r.Interrupted {
		title += " — INTERRUPTED, figures cover what was measured"
	}
	p.printf("%s\n", p.bold(title))
	p.line("Workers", fmt.Sprint(r.Config.Workers), "")
	p.line("Total Ops", fmt.Sprint(r.Done), sampleRemark(r.Done))
	p.line("Duration", short(float64(r.Elapsed)), durationRemark(r.Elapsed))
}

func (p *page) throughput(r *runner.Result) {
	p.line("Real Throughput", perSecond(r.Throughput()), "by the wall clock")
	p.line("Pure Throughput", perSecond(r.PureThroughput()), fmt.Sprintf("from the mean latency; overhead %.1f %%", 100*r.Overhead()))
}

func (p *page) latency(r *runner.Result) {
	p.section("Latency")
	q := func(x float64) string {
		if !r.Supports(x) {
			return "~"
		}
		return short(r.Latency.Quantile(x))
	}
	p.line("Min", short(r.Moments.Min), "")
	p.line("P50", short(r.Latency.Quantile(0.5)), "")
	p.line("Average", short(r.Moments.Mean), "")
	p.line("P95", q(0.95), "")
	p.line("P99", q(0.99), "")
	p.line("P99.9", q(0.999), unsupported(r))
	p.line("Max", short(r.Moments.Max), tailRemark(r))
}

func (p *page) spread(r *runner.Result) {
	p.section("Spread")
	p.line("Std Dev", short(r.Moments.StdDev), "")
	p.line("IQR", short(r.IQR()), "middle half of all operations")
	p.line("Jitter", short(r.Moments.Jitter), "mean change between consecutive operations of one worker")
	p.line("CV", fmt.Sprintf("%.1f %%", 100*r.CV()), rating(r.CV()))
}

func (p *page) failures(r *runner.Result) {
	p.section("Errors")
	p.line("Failed", fmt.Sprint(r.Failed), "")
	messages := make([]string, 0, len(r.Errors))
	for m := range r.Errors {
		messages = append(messages, m)
	}
	sort.Slice(messages, func(i, j int) bool { return r.Errors[messages[i]] > r.Errors[messages[j]] })
	for _, m := range messages {
		p.printf("  %10d × %s\n", r.Errors[m], m)
	}
	if r.Stack != "" {
		p.printf("  stack of the first panic:\n    %s\n", strings.ReplaceAll(strings.TrimSpace(r.Stack), "\n", "\n    "))
	}
}

func (p *page) memory(r *runner.Result) {
	p.section("Memory")
	p.line("B/op", fmt.Sprintf("%.0f", r.Memory.BytesPerOp), "measured apart, serially")
	p.line("allocs/op", fmt.Sprintf("%.1f", r.Memory.AllocsPerOp), "")
	p.line("GC cycles", fmt.Sprint(r.GC.Cycles), fmt.Sprintf("%.1f %% of processor time", 100*r.GC.CPUShare))
	p.line("Live heap", fmt.Sprintf("%.1f MiB", float64(r.GC.HeapBytes)/(1<<20)), "at the end")
}

// short writes nanoseconds with three digits and a unit.
func short(ns float64) string {
	for _, u := range []struct {
		size float64
		name string
	}{{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}} {
		if ns >= u.size {
			return fmt.Sprintf("%.3g %s", ns/u.size, u.name)
		}
	}
	return fmt.Sprintf("%.3g ns", ns)
}

func perSecond(v float64) string { return fmt.Sprintf("%.4g ops/s", v) }

func sampleRemark(n uint64) string {
	switch {
	case n < 100:
		return "too few for percentiles beyond P90"
	case n < 1000:
		return "few; P99 is rough"
	case n < 10000:
		return "good; P99.9 is rough"
	}
	return "excellent"
}

func durationRemark(d time.Duration) string {
	switch {
	case d < time.Second:
		return "very short: figures are a glimpse"
	case d < 5*time.Second:
		return "short"
	case d < 30*time.Second:
		return "good"
	}
	return "excellent"
}

func unsupported(r *runner.Result) string {
	if r.Supports(0.999) {
		return ""
	}
	return "~ where fewer than ten operations lie beyond"
}

func tailRemark(r *runner.Result) string {
	p99 := r.Latency.Quantile(0.99)
	if p99 == 0 {
		return ""
	}
	return fmt.Sprintf("%.1f × P99", r.Moments.Max/p99)
}

func rating(cv float64) string {
	switch {
	case cv < runner.Excellent:
		return "excellent (< 5 %)"
	case cv < runner.Acceptable:
		return "acceptable (5–10 %)"
	case cv < runner.Moderate:
		return "moderate (10–20 %)"
	}
	return "unstable (> 20 %)"
}
