package render

import (
	"fmt"
	"io"
	"strings"

	"github.com/zkatbench/zkatbench/internal/text"
	"github.com/zkatbench/zkatbench/runner/judge"
	"github.com/zkatbench/zkatbench/runner/result"
)

// Limits of Summary, so that it has at most 12 lines before they wrap.
const (
	summaryVerdicts = 3
	summaryErrors   = 2
	summaryFindings = 3
)

// Summary writes at most twelve lines on r, which wrap at the width: verdicts, throughput, latencies,
// failures and the most important findings. Like Text, it refuses a Result that
// violates a law of measurement.
func Summary(w io.Writer, r *result.Result, o Options) error {
	if err := judge.Check(r); err != nil {
		return err
	}
	p := newPage(w, o)
	p.found = judge.Findings(r)
	title := text.VisibleLines(p.o.Name)
	if r.Interrupted {
		title += " INTERRUPTED (" + r.End + ")"
	}
	p.title(bold, strings.TrimSpace(title))
	checks := Verdicts(r)
	for i, c := range checks {
		if i == summaryVerdicts-1 && len(checks) > summaryVerdicts {
			p.title("", fmt.Sprintf("%d more requirements", len(checks)-i))
			break
		}
		p.title(verdictColour[c.Verdict], c.String())
	}
	for _, line := range Figures(r) {
		p.title("", line)
	}
	messages := r.Messages()
	for _, m := range messages[:min(len(messages), summaryErrors)] {
		p.title(red,
			fmt.Sprintf("failed: %s × %s", text.Count(r.Errors[m]),
				text.Visible(strings.ReplaceAll(m, "\n", " "))))
	}
	for _, f := range p.found[:min(len(p.found), summaryFindings)] {
		p.title(yellow, "- "+f.Observed+": "+f.Advice)
	}
	p.title(grey, "-v prints the whole report")
	return p.err
}

// Figures are the main figures of a run: a line on throughput, and one on latencies if
// there are any.
func Figures(r *result.Result) []string {
	lines := []string{fmt.Sprintf("%s: %s operations in %s by %s%s", perSecond(r.Throughput()),
		text.Count(r.Done), text.Duration(float64(r.Elapsed)), text.Plural(r.Config.Workers, "worker"),
		offered(r))}
	if r.Records > 0 {
		name := "latency "
		if r.Open != nil {
			name = "response time "
		}
		lines = append(lines, name+latencies(r))
	}
	return lines
}

// offered is the part of the planned starts that an open loop took.
func offered(r *result.Result) string {
	if r.Open == nil || r.Open.Offered == 0 {
		return ""
	}
	return fmt.Sprintf(", %s of the planned starts",
		text.Percent(float64(r.Open.Started)/float64(r.Open.Offered)))
}

// latencies are the mean and the percentiles that have enough latencies.
func latencies(r *result.Result) string {
	all := "mean " + text.Duration(r.Moments.Mean)
	for _, q := range percentiles {
		if e := judge.Quantile(r, q.q); e.Shown() && q.q <= 0.999 {
			all += ", " + q.name + " " + text.Duration(e.Value)
		}
	}
	return all + ", max " + text.Duration(r.Moments.Max)
}
