package render

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/zkatbench/zkatbench/internal/text"
	"github.com/zkatbench/zkatbench/runner/judge"
	"github.com/zkatbench/zkatbench/runner/result"
	"github.com/zkatbench/zkatbench/runner/scale"
	"github.com/zkatbench/zkatbench/runner/stats"
)

// Scaling writes the throughput by number of workers, the fitted laws, and the
// limits of scaling.
func Scaling(w io.Writer, s *scale.Result, o Options) error {
	p := newPage(w, o)
	title := "Scaling"
	if o.Name != "" {
		title += ": " + text.VisibleLines(o.Name)
	}
	p.title(bold, title)
	best := 0.0
	for _, r := range s.Runs {
		if err := judge.Check(r); err != nil {
			return err
		}
		best = max(best, r.Throughput())
	}
	p.scalingRow("workers", "throughput", "speed-up", "efficiency", 0)
	for _, r := range s.Runs {
		speedUp := text.Number(s.SpeedUp(r)) + "x"
		p.scalingRow(strconv.Itoa(r.Config.Workers), perSecond(r.Throughput()), speedUp,
			text.Percent(s.Efficiency(r)), r.Throughput()/best)
		if r.Interrupted {
			p.printf("%9s%14s\n", "", "INTERRUPTED")
		}
	}
	if s.Amdahl != nil {
		p.wrapped("  ", Law("Amdahl's law", s.Amdahl, false))
	}
	if s.Universal != nil {
		p.wrapped("  ", Law("Universal Scalability Law", s.Universal, true))
	}
	for i, f := range s.Findings() {
		if i == 0 {
			p.section("What limits it")
		}
		p.wrapped("  - ", f.Observed+": "+f.Advice)
	}
	return p.err
}

// scalingRow prints one line of the table, with a bar unless share is 0.
// Columns that do not fit are omitted from the end.
func (p *page) scalingRow(workers, throughput, speedUp, efficiency string, share float64) {
	line := fmt.Sprintf("  %7s%14s%10s", workers, throughput, speedUp)
	if with := fmt.Sprintf("%s%12s", line, efficiency); utf8.RuneCountInString(with) <= p.o.Width {
		line = with
	}
	const gap = "  "
	width := p.o.Width - utf8.RuneCountInString(line+gap)
	if width >= 8 && share > 0 {
		line += gap + p.bar(share, width)
	}
	p.printf("%s\n", line)
}

// Law describes a fitted law in a line.
func Law(name string, l *stats.Scalability, coherence bool) string {
	if l.Misfit {
		return name + ": does not hold (error of the fit " + fitError(l.Residual) + ")"
	}
	parts := []string{fmt.Sprintf("σ = %s%s", text.Percent(l.Sigma), bounds(l.Bounds.Sigma, 100))}
	if coherence {
		parts = append(parts, fmt.Sprintf("κ = %s%s", text.Number(l.Kappa), bounds(l.Bounds.Kappa, 1)))
		if l.Peak > 0 {
			parts = append(parts,
				fmt.Sprintf("greatest throughput at N* = %s workers%s", text.Number(l.Peak),
					bounds(l.Bounds.Peak, 1)))
		}
	}
	parts = append(parts, "error of the fit "+fitError(l.Residual))
	return name + ": " + strings.Join(parts, ", ")
}

// fitError formats the error of a fit; errors of rounding are below 0.01 %.
func fitError(residual float64) string {
	if residual < 1e-4 {
		return "less than 0.01 %"
	}
	return text.Percent(residual)
}

// bounds formats an interval; a High of 0 means no upper bound.
func bounds(i stats.Interval, scale float64) string {
	if i.High < i.Low {
		return " (from " + text.Number(scale*i.Low) + ")"
	}
	return " (" + text.Number(scale*i.Low) + " – " + text.Number(scale*i.High) + ")"
}

// Repeats writes the spread of the main figures between repeated runs.
func Repeats(w io.Writer, rs []*result.Result, o Options) error {
	p := newPage(w, o)
	p.title(bold, fmt.Sprintf("Spread between %d runs", len(rs)))
	row := func(name string, write func(float64) string, figure func(*result.Result) float64) {
		var values []float64
		for _, r := range rs {
			values = append(values, figure(r))
		}
		remark := fmt.Sprintf("%s – %s", write(slices.Min(values)), write(slices.Max(values)))
		mean, half := stats.MeanOf(values, 0.95)
		if len(rs) > 1 && mean > 0 {
			remark += fmt.Sprintf("; mean known to ±%s", text.Percent(half/mean))
		}
		p.line(name, write(mean), remark)
	}
	row("Throughput", perSecond, (*result.Result).Throughput)
	row("Average", text.Duration, func(r *result.Result) float64 { return r.Moments.Mean })
	for _, q := range percentiles[:3] {
		all := true
		for _, r := range rs {
			all = all && judge.Quantile(r, q.q).Shown()
		}
		if all {
			row(q.name, text.Duration, func(r *result.Result) float64 { return judge.Quantile(r, q.q).Value })
		}
	}
	row("Max", text.Duration, func(r *result.Result) float64 { return r.Moments.Max })
	return p.err
}
