package capacity

import (
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"
)

// Text writes a plan for a terminal or a pipe.
func (p *Plan) Text(w io.Writer) error {
	t := newTextWriter(w)
	p.head(t)
	p.choices(t)
	if i := p.shown(); i >= 0 {
		p.details(t, &p.Choices[i])
	}
	p.savings(t)
	t.line("Sources")
	t.line("  set: rates, mix, numbers of parties, limits, batches, retention. Measured: times, sizes, memory, speed-up.")
	t.line("  computed: cores = rate × mean time / utilisation, by the speed-up; waiting by simulation; bytes = sizes × mix × rate × time.")
	t.line("  not included: ordering, gossip, databases, network latency, the other work of a node (docs/capacity.md).")
	return t.flush()
}

// shown is the choice with all its figures: the cheapest, otherwise the first.
func (p *Plan) shown() int {
	if p.Cheapest >= 0 || len(p.Choices) == 0 {
		return p.Cheapest
	}
	return 0
}

// textWriter writes lines and tables, and keeps the first error.
type textWriter struct {
	w   *tabwriter.Writer
	err error
}

func newTextWriter(w io.Writer) *textWriter {
	return &textWriter{w: tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)}
}

// flush writes the last block and returns the first error.
func (t *textWriter) flush() error {
	if t.err != nil {
		return t.err
	}
	return t.w.Flush()
}

func (t *textWriter) line(format string, args ...any) {
	if t.err == nil {
		_, t.err = fmt.Fprintf(t.w, format+"\n", args...)
	}
}

// row writes a row of a table; its cells end with tabs.
func (t *textWriter) row(cells ...string) { t.line("  %s", strings.Join(cells, "\t")) }

// end ends a block: columns of the next one are aligned anew.
func (t *textWriter) end() {
	t.line("")
	if t.err == nil {
		t.err = t.w.Flush()
	}
}

func (p *Plan) head(t *textWriter) {
	s := p.Settings
	t.line("Plan for %s requests a second, %s at peak: %s", text(s.Rate), text(s.Peak), mixText(s.Mix))
	auditor := "no auditor"
	if s.Audited {
		auditor = "an auditor signs it"
	}
	t.line("  %d of %d endorsers validate each request, %s; nodes of %s", s.Endorsers, s.Of, auditor, count(s.Cores, "core"))
	t.line("  limits at peak: a core works at most %s of the time, clients wait at most %v for validation (P99)", percent(s.Utilisation), s.P99)
	if s.Batch > 1 {
		t.line("  validators collect batches of %d, for at most %v", s.Batch, s.Linger)
	}
	for _, line := range p.Source.Lines() {
		t.line("  %s", line)
	}
	t.line("  %s", p.SpeedUp.text(s.Cores))
	t.end()
}

// Lines describe the source of the measured figures.
func (s Source) Lines() []string {
	where := "measured here"
	if s.File != "" {
		where = "measured, from " + s.File
	}
	lines := []string{fmt.Sprintf("%s: %s, %s processors, %s, revision %s, %s; processor time of one core", where, s.CPU, s.CPUs, s.Go, s.Revision, s.Started)}
	for _, n := range s.Noise {
		lines = append(lines, "noise: "+n)
	}
	return lines
}

func (u SpeedUp) text(cores int) string {
	if u.Assumed {
		return "speed-up: not measured, N cores do the work of N"
	}
	last := u.Points[len(u.Points)-1]
	line := fmt.Sprintf("speed-up: %.4g on %.0f cores, in processor time", last.Throughput/u.Points[0].Throughput*u.Points[0].Workers, last.Workers)
	if float64(cores) > last.Workers {
		line += fmt.Sprintf("; beyond, by σ = %.3g, κ = %.3g: %.4g on %d", u.Sigma, u.Kappa, u.speedUp(cores), cores)
	}
	return line
}

func (p *Plan) choices(t *textWriter) {
	t.line("Choices")
	t.row("", "choice", "validate, ms", "endorser", "auditor", "all cores", "P99, ms", "wallet/s", "ledger", "pruned")
	warnings, seen := []string{}, map[string]bool{}
	for i, c := range p.Choices {
		row := []string{p.mark(i), c.Name}
		wait, wallet := "", ""
		var parties []string
		for _, r := range c.Roles {
			switch {
			case r.Wait != nil:
				parties = append(parties, fmt.Sprintf("%d × %d", r.Parties, r.Peak.total()))
				if wait == "" {
					wait = ms(r.Wait.Slowest)
				}
			case r.Parties == 0:
				parties = append(parties, "–")
			case wallet == "":
				wallet = fmt.Sprintf("%.0f", r.PerCore)
			}
		}
		if !c.Meets {
			wait += " !"
		}
		row = append(row, c.waiting().text())
		row = append(row, parties...)
		row = append(row, fmt.Sprint(c.Cores), wait, wallet, p.kept(c.Bytes.Chain+c.Bytes.State), p.kept(c.Bytes.Chain+c.Bytes.Pruned))
		t.row(row...)
		if c.Warning != "" && !seen[c.Warning] {
			seen[c.Warning] = true
			warnings = append(warnings, c.Warning)
		}
		if !c.Meets && !seen["!"] {
			seen["!"] = true
			warnings = append(warnings, fmt.Sprintf("! more cores do not bring P99 below %v", p.Settings.P99))
		}
	}
	t.end()
	switch {
	case p.Cheapest < 0:
		t.line("  no choice meets the limits and may protect value")
	case p.Cheapest == p.Unwarned:
		t.line("  * fewest cores of the choices that meet the limits and may protect value")
	case p.Unwarned < 0:
		t.line("  * fewest cores of the choices that meet the limits and may protect value; all of them have a warning")
	default:
		t.line("  * fewest cores of the choices that meet the limits and may protect value; + of those without a warning")
	}
	for _, w := range warnings {
		t.line("  %s", w)
	}
	t.line("  cores at peak; ledger after %s: requests and entries, pruned: without entries of spent tokens", retentionText(p.Settings.Retention))
	t.end()
}

func (p *Plan) mark(i int) string {
	switch i {
	case p.Cheapest:
		return "*"
	case p.Unwarned:
		return "+"
	}
	return ""
}

// waiting is the measured time of the first operation for which clients wait.
func (c ChoicePlan) waiting() Estimate {
	for _, r := range c.Model.Roles {
		if r.Waits {
			for _, m := range c.Measured {
				if m.Role == r.Name {
					return m.Seconds
				}
			}
		}
	}
	return Estimate{}
}

// text is the median in ms with half the width of its interval.
func (e Estimate) text() string {
	if e.Interval == nil {
		return ms(e.Median)
	}
	return fmt.Sprintf("%s ± %s", ms(e.Median), percent((e.Interval.High-e.Interval.Low)/2/e.Median))
}

// details writes the roles, waiting times, measured figures and bytes of a
// choice.
func (p *Plan) details(t *textWriter, c *ChoicePlan) {
	t.line("Roles of %s", c.Name)
	t.row("role", "ms a request", "requests/s and core", "cores average", "cores peak", "nodes", "utilisation", "work")
	for _, r := range c.Roles {
		if r.Parties == 0 {
			continue
		}
		each := ""
		if r.Parties > 1 {
			each = fmt.Sprintf("%d × ", r.Parties)
		}
		t.row(r.Name, ms(r.Seconds), fmt.Sprintf("%.0f", r.PerCore), fmt.Sprintf("%s%d", each, r.Average.total()),
			fmt.Sprintf("%s%d", each, r.Peak.total()), fmt.Sprintf("%s%d × %d", each, r.Peak.Nodes, r.Peak.Cores), percent(r.Peak.Utilisation), r.Does)
	}
	t.end()
	t.line("Waiting and service at peak, ms")
	t.row("role", "P50", "P99", "P99.9", "requests", "")
	for _, r := range c.Roles {
		if r.Wait == nil {
			continue
		}
		w, p99, note := r.Wait, ms(r.Wait.P99), ""
		if w.Interval != nil {
			p99 += fmt.Sprintf(" [%s, %s]", ms(w.Interval.Low), ms(w.Interval.High))
		}
		if n := p.Settings.Endorsers; n > 1 && r.Parties > 1 {
			note = fmt.Sprintf("the slowest of %d: P99 %s", n, ms(w.Slowest))
		}
		if r.Added > 0 {
			note += fmt.Sprintf("; %s a party added to meet the limit", count(r.Added, "core"))
		}
		t.row(r.Name, ms(w.P50), p99, ms(w.P999), fmt.Sprint(w.Requests), strings.TrimPrefix(note, "; "))
		if f := w.Closed; f != nil && f.differs() {
			t.row("", "", ms(f.Value), "", "", fmt.Sprintf("%s by %s (simulated %s)", f.Figure, f.Name, ms(f.Simulated)))
		}
	}
	t.end()
	t.line("Measured for %s, ms of processor time", c.Name)
	t.row("role", "action", "requests together", "median", "95 % interval", "mean", "samples", "allocated, kB")
	for _, m := range c.Measured {
		batch, low, mixed := "1", "–", ""
		if m.Batch > 0 {
			batch = fmt.Sprint(m.Batch)
		}
		if i := m.Seconds.Interval; i != nil {
			low = fmt.Sprintf("[%s, %s]", ms(i.Low), ms(i.High))
		}
		if m.Mixed {
			mixed = " (means)"
		}
		t.row(m.Role, m.Action, batch, ms(m.Seconds.Median), low, ms(m.Seconds.Mean), fmt.Sprint(m.Seconds.Values)+mixed, fmt.Sprintf("%.3g", m.Allocated/1e3))
	}
	t.end()
	b := c.Bytes
	t.line("Bytes of %s", c.Name)
	t.row("", "a request", "a day", "in "+retentionText(p.Settings.Retention))
	for _, one := range []struct {
		name  string
		bytes float64
	}{
		{"network, from the wallet", b.Network}, {"ledger, requests", b.Chain}, {"ledger, entries written", b.State}, {"ledger, entries left without spent tokens", b.Pruned},
	} {
		t.row(one.name, size(one.bytes), size(one.bytes*p.Settings.requests(day)), size(one.bytes*p.Settings.requests(p.Settings.Retention)))
	}
	t.end()
	t.line("  a request reads %.3g entries of the ledger and writes %.3g; tables of public generators take %s", b.Reads, b.Writes, size(c.Tables))
	t.end()
}

func (p *Plan) savings(t *textWriter) {
	if len(p.Sensitivity) == 0 {
		return
	}
	t.line("One change, from %s", p.Sensitivity[0].From)
	t.row("change", "cores", "saved")
	for _, s := range p.Sensitivity {
		if s.Missing {
			t.row(s.Change, "not measured", "")
			continue
		}
		t.row(s.Change, fmt.Sprintf("%d → %d", s.Before, s.After), fmt.Sprint(s.Before-s.After))
	}
	t.end()
}

func ms(seconds float64) string {
	switch v := seconds * 1e3; {
	case v >= 100:
		return fmt.Sprintf("%.0f", v)
	case v >= 10:
		return fmt.Sprintf("%.1f", v)
	case v >= 0.1:
		return fmt.Sprintf("%.2f", v)
	default:
		return fmt.Sprintf("%.4f", v)
	}
}

func percent(v float64) string { return fmt.Sprintf("%.2g %%", 100*v) }

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// size is a number of bytes with a decimal prefix.
func size(bytes float64) string {
	for _, unit := range []string{"B", "kB", "MB", "GB", "TB"} {
		if math.Abs(bytes) < 1000 {
			return fmt.Sprintf("%.3g %s", bytes, unit)
		}
		bytes /= 1000
	}
	return fmt.Sprintf("%.3g PB", bytes)
}

// kept is the size of the bytes that a request leaves, after the retention.
func (p *Plan) kept(bytes float64) string {
	return size(bytes * p.Settings.requests(p.Settings.Retention))
}
