package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/zkatbench/zkatbench/bench/gate"
	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/internal/text"
	"github.com/zkatbench/zkatbench/runner/stats"
)

// changes are the verdicts of package gate on the results against the base, the same
// as zkatbench compare gives on the files.
type changes struct {
	gate.Report
	comparisons map[gate.Cell]gate.Comparison
	units       []string // in their order of presentation
}

// changesOf returns no verdicts without a base.
func changesOf(in Input) changes {
	c := changes{comparisons: map[gate.Cell]gate.Comparison{}}
	if in.Base == nil || in.Results == nil {
		return c
	}
	judge := gate.Judge{Once: true, Rules: gate.Rules{Strict: true}}
	c.Report = judge.Look(in.Base, in.Results)
	for _, one := range slices.Concat(c.Comparisons, c.Beside) {
		c.comparisons[gate.Cell{Key: one.Key, Unit: one.Unit}] = one
	}
	c.units = c.judgedFirst(in.Results)
	return c
}

// judgedFirst returns the units in their order of presentation: processor time, if it is
// judged instead of wall time, then wall time, then the others.
func (c changes) judgedFirst(d *result.Data) []string {
	rank := func(unit string) int {
		switch {
		case strings.HasPrefix(unit, "cpu-sec/") && c.count(unit) > 0:
			return 0
		case unit == "sec/op":
			return 1
		}
		return 2
	}
	units := slices.Clone(d.Units)
	slices.SortStableFunc(units, func(a, b string) int { return rank(a) - rank(b) })
	return units
}

// wording has verdicts in a word for readers, and the class of the style sheet.
var wording = map[gate.Verdict]struct{ word, class string }{
	gate.Regression: {"worse", "bad"}, gate.Improvement: {"better", "good"},
	gate.Unknown: {"undecided", "faint"},
	gate.Same:    {"same", "faint"}, gate.Changed: {"changed", "faint"}, gate.Layout: {"layout", "faint"},
	"": {"", "faint"},
}

// with returns the comparisons with a verdict in a unit, the largest change first.
func (c changes) with(v gate.Verdict, unit string) (some []gate.Comparison) {
	for _, one := range c.Comparisons {
		if one.Verdict == v && one.Unit == unit {
			some = append(some, one)
		}
	}
	slices.SortStableFunc(some, func(a, b gate.Comparison) int {
		return cmp.Compare(math.Abs(b.Shift.Value), math.Abs(a.Shift.Value))
	})
	return some
}

// count returns the number of cases that were compared in a unit.
func (c changes) count(unit string) (n int) {
	for _, one := range c.Comparisons {
		if one.Unit == unit {
			n++
		}
	}
	return n
}

// summary lists the units with a verdict on any case: "Worse: sec/op (3 of 54 cases,
// +1.2 % to +5.1 %)". It is empty without any.
func (c changes) summary(v gate.Verdict) string {
	var parts []string
	for _, unit := range c.units {
		some := c.with(v, unit)
		if len(some) == 0 {
			continue
		}
		words := fmt.Sprintf("%d of %s", len(some), text.Plural(c.count(unit), "case"))
		if v == gate.Regression || v == gate.Improvement {
			words += ", " + signed(some[len(some)-1].Shift.Value)
			if len(some) > 1 {
				words += " to " + signed(some[0].Shift.Value)
			}
		}
		parts = append(parts, fmt.Sprintf("%s (%s)", unit, words))
	}
	if len(parts) == 0 {
		return ""
	}
	return capital(wording[v].word) + ": " + strings.Join(parts, ", ") + "."
}

// signed formats a relative change with its sign.
func signed(share float64) string {
	if !stats.Finite(share) {
		return "from 0"
	}
	return text.Change(share)
}
