package capacity

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/zkatbench/zkatbench/bench/chart"
	"github.com/zkatbench/zkatbench/internal/text"
	"github.com/zkatbench/zkatbench/runner/stats"
)

// Text writes a plan in width columns; 0 is unlimited.
func (p *Plan) Text(w io.Writer, width int) error { return write(w, width, p.Lines(), p.Groups()...) }

// write writes lines, the first as the title, and tables.
func write(w io.Writer, width int, lines []string, groups ...chart.Group) error {
	var b strings.Builder
	indent := "" // of the title
	for _, line := range lines {
		b.WriteString(text.Indent(indent, line, width) + "\n")
		indent = "  "
	}
	for _, t := range groups {
		if t.Title != "" {
			b.WriteString("\n" + t.Title + "\n")
		}
		t.Table.Indent = "  "
		if err := t.Table.Write(&b, width); err != nil {
			return err
		}
		for _, n := range t.Notes {
			b.WriteString(text.Indent("  ", n, width) + "\n")
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// shown is the choice with all its figures: the cheapest, otherwise the first.
func (p *Plan) shown() int { return max(0, p.Cheapest) }

// Lines describe the settings of the plan and the source of its figures.
func (p *Plan) Lines() []string {
	s := p.Settings
	auditor := "no auditor"
	if s.Audited {
		auditor = "an auditor signs it"
	}
	arrivals := "arrivals are Poisson"
	if s.Arrivals != "" {
		arrivals = fmt.Sprintf("arrivals are the times in %s, at these rates, in blocks of %d", s.Arrivals,
			s.Block)
	} else if s.Burst > 1 || s.Block > 1 {
		arrivals = fmt.Sprintf("arrivals have an index of dispersion of %s and come in blocks of %d",
			text.Number(s.Burst), s.Block)
	}
	lines := []string{
		fmt.Sprintf("Plan for %s requests/s, %s at peak: %s", text.Number(s.Rate), text.Number(s.Peak),
			mixText(s.Mix)),
		fmt.Sprintf("%d of %d endorsers validate each request, %s; nodes of %s; %s", s.Endorsers, s.Of,
			auditor, text.Plural(s.Cores, "core"), arrivals),
		fmt.Sprintf("limits at peak: a core works at most %s of the time, clients wait at most %v for "+
			"validation (P99)", text.Percent(s.Utilisation), s.P99),
	}
	if s.Batch > 1 {
		lines = append(lines,
			fmt.Sprintf("validators collect batches of %d, for at most %v", s.Batch, s.Linger))
	}
	return append(append(lines, p.Source.Lines()...), p.SpeedUp.text(s.Cores))
}

// Lines describe the source of the measured figures.
func (s Source) Lines() []string {
	where := "measured here"
	if s.File != "" {
		where = "measured, from " + s.File
	}
	more := "s"
	if s.CPUs == "1" {
		more = ""
	}
	const format = "%s: %s, %s processor%s, %s, revision %.12s, %s; processor time of one core"
	lines := []string{fmt.Sprintf(format, where, s.CPU, s.CPUs, more, s.Go, s.Revision, s.Started)}
	for _, n := range s.Noise {
		lines = append(lines, "noise: "+n)
	}
	return lines
}

// Groups are the tables of the plan, in the order of the text and of the page.
func (p *Plan) Groups() []chart.Group {
	all := append(p.choices(), p.details(&p.Choices[p.shown()])...)
	if len(p.Sensitivity) > 0 {
		all = append(all, p.sensitivity())
	}
	return append(all, chart.Group{Title: "Sources", Notes: []string{
		"set: rates, mix, arrivals, numbers of parties, limits, batches, retention, prices; measured: " +
			"times, sizes, memory, speed-up",
		"computed: cores = rate × mean time / utilisation, by the speed-up; waiting by simulation; bytes = " +
			"sizes × mix × rate × time; intervals of 95 % by bootstrap over rounds and speed-ups",
		"not included: ordering, gossip, databases, network latency, the other work of a node " +
			"(docs/capacity.md)",
	}})
}

// choices returns the tables of all choices, cores in one and bytes in the other. Both get a
// row of each choice and the notes about it in one pass over the choices.
func (p *Plan) choices() []chart.Group {
	cores := chart.Group{Title: "Choices: cores at peak",
		Table: text.Table{Align: "lrrrr",
			Head: []string{"choice", "validate, ms", "cores", "exactly", "P99, ms"}}}
	bytes := chart.Group{Title: "Choices: wallets and ledger",
		Table: text.Table{Align: "lrrrr",
			Head: []string{"choice", "wallet/s", "request", "ledger", "pruned"}}}
	s := p.Settings
	note := func(line string) {
		if line != "" && !slices.Contains(cores.Notes, line) {
			cores.Notes = append(cores.Notes, line)
		}
	}
	note("* fewest cores of the choices that meet the limits and may protect value; + of those without " +
		"a warning")
	if p.Cheapest < 0 {
		note("no choice meets the limits and may protect value")
	}
	for i, c := range p.Choices {
		name := c.Name
		switch i {
		case p.Cheapest:
			name = "* " + name
		case p.Unwarned:
			name = "+ " + name
		}
		r := c.first()
		wait := r.p99(r.Wait.Slowest, s.Mix)
		if !c.Meets {
			wait += " !"
			note(fmt.Sprintf("! more cores do not bring P99 below %v", s.P99))
		}
		note(c.Warning)
		cores.Table.Rows = append(cores.Table.Rows,
			[]string{name, estimate(r.rounds[0]).text(), c.Cores.text(), text.Number(c.Cores.Fractional),
				wait})
		bytes.Table.Rows = append(bytes.Table.Rows,
			[]string{name, text.Number(1 / c.Roles[0].Seconds), text.Metric(c.Bytes.Request, "B"),
				p.kept(c.Bytes.Request + c.Bytes.State), p.kept(c.Bytes.Request + c.Bytes.Pruned)})
		if s.CoreHour > 0 || s.GBMonth > 0 {
			bytes.Table.Head, bytes.Table.Align = append(bytes.Table.Head[:5:5], "cores, price/month",
				"ledger, price/month"), "lrrrrrr"
			row := &bytes.Table.Rows[len(bytes.Table.Rows)-1]
			*row = append(*row, text.Number(c.Month[0]), text.Number(c.Month[1]))
		}
	}
	bytes.Notes = []string{
		fmt.Sprintf("requests and entries after %s days, times copies of the ledger (%d); pruned: without "+
			"entries of spent tokens", text.Number(s.Retention.Hours()/24), s.Copies),
	}
	if s.CoreHour > 0 || s.GBMonth > 0 {
		bytes.Notes = append(bytes.Notes, "prices are in the currency of -core-hour and -gb-month")
	}
	return []chart.Group{cores, bytes}
}

// p99 is a 99 % quantile in ms, if the samples of the most frequent action reach it.
func (p *RolePlan) p99(seconds float64, mix []Share) string {
	most := slices.MaxFunc(mix, func(a, b Share) int { return cmp.Compare(a.Share, b.Share) })
	if len(p.samples[slices.Index(mix, most)]) < 100 {
		return "~"
	}
	return ms(seconds)
}

// text is the median in ms with half the width of its interval.
func (e Estimate) text() string {
	if e.Interval == (stats.Interval{}) {
		return ms(e.Median)
	}
	return fmt.Sprintf("%s ± %s", ms(e.Median), text.Percent((e.Interval.High-e.Interval.Low)/2/e.Median))
}

// text is the number of cores with its interval.
func (c Cores) text() string {
	return fmt.Sprintf("%d (%.0f to %.0f)", c.Whole, c.Interval.Low, c.Interval.High)
}

// details are the roles and the waiting times of a choice.
func (p *Plan) details(c *ChoicePlan) []chart.Group {
	roles := chart.Group{Title: "Roles of " + c.Name,
		Table: text.Table{Align: "lrrrrrr",
			Head: []string{"role", "ms", "req/s", "cores, average", "nodes × cores, peak", "busy", "Mbit/s"}}}
	waits := chart.Group{Title: "Waiting and service at peak, ms",
		Table: text.Table{Align: "lrrl", Head: []string{"role", "P50", "P99", "the slowest party"}}}
	var does []string
	for _, r := range c.Roles {
		if r.Parties == 0 {
			continue
		}
		each := ""
		if r.Parties > 1 {
			each = fmt.Sprintf("%d × ", r.Parties)
		}
		peak := fmt.Sprintf("%s%d × %d", each, r.Peak.Nodes, r.Peak.Cores)
		roles.Table.Rows = append(roles.Table.Rows,
			[]string{r.Name, ms(r.Seconds), text.Number(1 / r.Seconds),
				fmt.Sprintf("%s%d", each, r.Average.total()), peak, text.Percent(r.Peak.Utilisation),
				text.Number(r.Bits / 1e6)})
		does = append(does, r.Name+" "+r.Does)
		if r.Wait == nil {
			continue
		}
		w := r.Wait
		p99 := r.p99(w.P99, p.Settings.Mix)
		slowest := p99
		if slowest != "~" {
			slowest = fmt.Sprintf("P99 %s (%s to %s)", ms(w.Slowest), ms(w.Interval.Low), ms(w.Interval.High))
		}
		if n := r.asked; n > 1 {
			slowest += fmt.Sprintf(" of %d", n)
		}
		if r.Added > 0 {
			slowest += fmt.Sprintf("; %s added to meet the limit", text.Plural(r.Added, "core"))
		}
		waits.Table.Rows = append(waits.Table.Rows, []string{r.Name, ms(w.P50), p99, slowest})
	}
	roles.Notes = []string{strings.Join(does, "; "),
		fmt.Sprintf("a request reads %s entries of the ledger and writes %s", text.Number(c.Bytes.Reads),
			text.Number(c.Bytes.Writes)),
		"ms: processor time of a request; req/s of one busy core; 3 × 1 × 2: 3 parties with 1 node of " +
			"2 cores; Mbit/s of one party at peak"}
	waits.Table.Rows = append(waits.Table.Rows,
		[]string{"end to end", ms(c.EndToEnd.P50), ms(c.EndToEnd.P99),
			"wallet, auditor, endorsers, one after another"})
	if p.Finality != nil {
		waits.Table.Rows = append(waits.Table.Rows, p.Finality.row())
	}
	var others []string
	for _, o := range p.Arrivals {
		others = append(others, fmt.Sprintf("%s: %s", o.Arrivals, ms(o.P99)))
	}
	waits.Notes = []string{"P99 of the slowest endorser by arrivals: " + strings.Join(others, "; "),
		"~: fewer samples of the service than the quantile needs"}
	if p.Finality != nil {
		waits.Notes = append(waits.Notes, "finality: from submission to commit, by two constants of "+
			"consensus that docs/network.md names; without the network between machines")
	}
	return []chart.Group{roles, waits}
}

func (p *Plan) sensitivity() chart.Group {
	t := chart.Group{Title: "One change, from " + p.Sensitivity[0].From,
		Table: text.Table{Align: "lrrr", Head: []string{"change", "cores", "exactly", "saved"}}}
	for _, s := range p.Sensitivity {
		before, after := s.Before.Fractional, s.After.Fractional
		t.Table.Rows = append(t.Table.Rows,
			[]string{s.Change, fmt.Sprintf("%d → %d", s.Before.Whole, s.After.Whole),
				fmt.Sprintf("%s → %s", text.Number(before), text.Number(after)),
				text.Percent(1 - after/before)})
	}
	return t
}

func ms(seconds float64) string { return text.Number(seconds * 1e3) }

// kept is the size of the bytes that a request leaves in all copies after the retention.
func (p *Plan) kept(bytes float64) string {
	return text.Metric(bytes*p.Settings.Rate*p.Settings.Retention.Seconds()*float64(p.Settings.Copies), "B")
}
