package render

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/zkatbench/zkatbench/internal/text"
	"github.com/zkatbench/zkatbench/runner/host"
	"github.com/zkatbench/zkatbench/runner/judge"
	"github.com/zkatbench/zkatbench/runner/result"
	"github.com/zkatbench/zkatbench/runner/schedule"
)

func (p *page) schedule(r *result.Result) {
	o := r.Open
	if o == nil {
		return
	}
	plan := r.Config.Plan.String()
	if r.Config.Plan.Arrival == schedule.Poisson {
		plan += fmt.Sprintf(", seed %d", r.Config.Plan.Seed)
	}
	p.section("Schedule: " + plan)
	p.line("Offered", text.Count(o.Offered), "planned starts in the window")
	p.line("Achieved", text.Count(o.Started), p.achieved(o))
	p.line("Late", text.Count(o.Late), "started over 1 ms after the plan")
	p.line("Backlog", text.Count(o.Backlog), "planned but not started at the end")
	p.line("Service time", text.Duration(o.ServiceMean),
		fmt.Sprintf("mean from the true start; P50 %s, P99 %s",
			text.Duration(r.Service.Quantile(0.5)), text.Duration(r.Service.Quantile(0.99))))
	p.line("Pacer lag", text.Duration(float64(o.LagMean)),
		fmt.Sprintf("mean lateness of the timer, at most %s; part of the response time",
			text.Duration(float64(o.LagMax))))
}

// hasFinding reports whether one of the kinds is among the findings.
func (p *page) hasFinding(kinds ...string) bool {
	return slices.ContainsFunc(p.found, func(f judge.Finding) bool { return slices.Contains(kinds, f.Kind) })
}

func (p *page) findings() {
	p.section("Analysis and recommendations")
	for _, f := range p.found {
		if f.Cause != "" {
			p.wrapped("  - ", f.Observed+" (possibly caused by: "+f.Cause+")")
			continue
		}
		p.wrapped("  - ", f.Observed+": "+f.Advice)
	}
	if len(p.found) == 0 {
		p.wrapped("  ", "Nothing unusual.")
	}
}

func (p *page) achieved(o *result.Open) string {
	share := text.Percent(float64(o.Started) / float64(max(1, o.Offered)))
	if p.hasFinding("overloaded") {
		return share + ": OVERLOADED"
	}
	return share
}

// maxStackLines is the number of lines shown of a stack.
const maxStackLines = 30

func (p *page) failures(r *result.Result) {
	p.section("Errors")
	remark := ""
	if r.Failed > 0 {
		remark = text.Percent(float64(r.Failed)/float64(r.Failed+r.Done)) +
			" of all; excluded from the latencies"
	}
	p.line("Failed", text.Count(r.Failed), remark)
	for _, m := range r.Messages() {
		p.wrapped(fmt.Sprintf("    %s × ", text.Count(r.Errors[m])), text.VisibleLines(m))
	}
	if r.Abandoned > 0 {
		p.line("Abandoned", text.Count(r.Abandoned), "still in progress when the run ended")
	}
	p.stack("stack of the first panic", r.Stack)
	p.stack("goroutines when no operation finished", r.Dump)
}

func (p *page) stack(name, stack string) {
	if stack == "" {
		return
	}
	if p.parts != nil {
		p.collect(Line{Name: name, Remark: strings.TrimSpace(text.VisibleLines(stack))})
		return
	}
	lines := strings.Split(strings.TrimSpace(text.VisibleLines(stack)), "\n")
	more := ""
	if len(lines) > maxStackLines {
		more = fmt.Sprintf("\n    … %d more lines in the JSON form", len(lines)-maxStackLines)
		lines = lines[:maxStackLines]
	}
	p.printf("  %s:\n    %s%s\n", name, strings.Join(lines, "\n    "), more)
}

func (p *page) memory(r *result.Result) {
	u := r.Usage
	p.section("Memory and scheduling")
	p.line("B/op", text.Count(uint64(u.BytesPerOp+0.5)), "heap bytes of the whole program in the window")
	p.line("allocs/op", text.Number(u.AllocsPerOp), "")
	cpu, why := "~", "unknown: the program also works when idle"
	if u.CPUPerOp > 0 {
		cpu, why = text.Duration(u.CPUPerOp),
			"processor time of the whole program in the window, less what it takes when idle"
	}
	p.line("CPU/op", cpu, why)
	p.line("GC", text.Count(u.GCCycles),
		fmt.Sprintf("cycles; %s of processor time (assists %s); total pause %s, longest %s",
			text.Percent(u.GCShare), text.Percent(u.AssistShare), text.Duration(float64(u.GCPauses)),
			text.Duration(float64(u.GCPauseMax))))
	if u.HeapBytes > 0 {
		p.line("Live heap", text.Number(float64(u.HeapBytes)/(1<<20))+" MiB", "after the last collection")
	} else {
		p.line("Live heap", "~", "no collection in the window")
	}
	p.line("Lock waiting", text.Duration(float64(u.MutexWait)), "sum over all goroutines")
	p.line("Run queue", text.Duration(float64(u.SchedP50)),
		fmt.Sprintf("P50 from runnable to running, P99 %s", text.Duration(float64(u.SchedP99))))
	p.line("Goroutines", text.Count(u.Goroutines), "created")
}

func (p *page) machine(r *result.Result) {
	b := r.Before
	if b.Go == "" {
		return
	}
	p.section("Machine")
	p.wrapped("  ", fmt.Sprintf("%s, %s", known(b.CPU), text.Plural(b.CPUs, "processor")))
	p.wrapped("  ",
		fmt.Sprintf("%s %s/%s, GOMAXPROCS %d, GOGC %s, GOMEMLIMIT %s", b.Go, b.OS, b.Arch, b.GOMAXPROCS,
			b.GOGC, b.GOMEMLIMIT))
	p.wrapped("  ", fmt.Sprintf("governor %s, turbo %s, SMT %s, quota %s, clock %s, steps of %s",
		known(b.Governor), known(b.Turbo), known(b.SMT), known(b.Quota), known(b.ClockSource),
		text.Duration(float64(r.Clock.Step))))
	p.wrapped("  ", fmt.Sprintf("load %s before, %s after; stolen %s; pressure %s; throttled %s",
		number(b.Load), number(r.After.Load), increase(b.Steal, r.After.Steal),
		increase(b.Pressure, r.After.Pressure), increase(b.Throttled, r.After.Throttled)))
	p.wrapped("  ",
		fmt.Sprintf("revision %s, %s", known(b.Revision), r.Started.UTC().Format("2006-01-02 15:04:05 UTC")))
}

func known(s string) string { return cmp.Or(s, host.Unknown) }

func number(v *float64) string {
	if v == nil {
		return host.Unknown
	}
	return text.Number(*v)
}

// increase returns the increase of a counter of seconds.
func increase(before, after *float64) string {
	if before == nil || after == nil {
		return host.Unknown
	}
	return text.Duration(1e9 * (*after - *before))
}
