package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/zkatbench/zkatbench/bench/gate"
	"github.com/zkatbench/zkatbench/bench/result"
)

// confidence is the level of the intervals.
const confidence = 0.95

// shifted is the change of a case against the base.
type shifted struct {
	c          benchCase
	base, head summary
	shift      gate.Shift // its ends are infinite if there are too few results
	verdict    gate.Verdict
}

// comparison shows the change of each case against the base, for each unit.
func comparison(base, head *result.Data, all []*benchmark, found changes) (s section) {
	s = section{ID: "comparison", Title: "Changes"}
	if base == nil {
		return s
	}
	s.Units = found.judgedFirst(head)
	s.Lead = "Change of each case against the base, sorted, with its interval (Hodges and Lehmann, 95 % for each case alone). The verdicts, and with them the colours, are the verdicts of zkatbench compare: they allow for the number of cases." +
		missing(base, head)
	for i, b := range all {
		f := figure{
			ID: fmt.Sprintf("comparison-%d", i+1), Title: b.title(),
			Table: table{Head: []string{"case", "unit", "base median", "results median", "ratio", "low", "high", "verdict"}},
		}
		for _, unit := range s.Units {
			rs := shifts(base, head, b, unit, found, &f.Table)
			f.Variants = append(f.Variants, variant{Unit: unit, Strips: stripsOf(b, rs, unit)})
		}
		s.Figures = append(s.Figures, f)
	}
	return s
}

// missing lists the cases on one side only.
func missing(base, head *result.Data) string {
	alone := func(where string, this, that *result.Data) string {
		var only []string
		for _, k := range this.Cases {
			if that.Values[k] == nil {
				only = append(only, k.String())
			}
		}
		if len(only) == 0 {
			return ""
		}
		return fmt.Sprintf(" Only in the %s: %s.", where, strings.Join(only, ", "))
	}
	return alone("base", base, head) + alone("results", head, base)
}

// shifts compares the cases of b on both sides, smallest ratio first.
func shifts(base, head *result.Data, b *benchmark, unit string, found changes, t *table) (rs []shifted) {
	before, after := figuresOf(base, b.Cases, unit), figuresOf(head, b.Cases, unit)
	for _, c := range b.Cases {
		one, hasBase := before[c.Key]
		two, hasHead := after[c.Key]
		if hasBase && hasHead {
			shift := gate.ShiftOf(base.Values[c.Key][unit], head.Values[c.Key][unit], confidence)
			rs = append(rs, shifted{c, one, two, shift, found.verdict(c.Key, unit)})
		}
	}
	slices.SortStableFunc(rs, func(a, b shifted) int { return cmp.Compare(a.shift.Value, b.shift.Value) })
	for _, r := range rs {
		t.add(r.c.Key.String(), unit, plain(r.base.Mid), plain(r.head.Mid), plain(1+r.shift.Value), plain(1+r.shift.Lo), plain(1+r.shift.Hi), string(r.verdict))
	}
	return rs
}

// bounded reports whether the change has an interval.
func (r shifted) bounded() bool { return !math.IsInf(r.shift.Lo, 0) && !math.IsNaN(r.shift.Lo) }

// stripsOf draws a point and an interval for each case.
func stripsOf(b *benchmark, rs []shifted, unit string) *strips {
	var ends []span
	for _, r := range rs {
		ends = append(ends, span{r.shift.Value, r.shift.Value})
		if r.bounded() {
			ends[len(ends)-1] = span{r.shift.Lo, r.shift.Hi}
		}
	}
	if len(rs) == 0 {
		return nil
	}
	a := stripAxisOf(ends)
	s := &strips{
		Head: []string{strings.Join(names(b.Axes), between), "base", "results", "change", "verdict"},
		Axis: a.marks(relative),
	}
	for _, r := range rs {
		colour := class(r.verdict)
		row := stripRow{
			Name: r.c.Key.String(), Label: r.c.brief(b.Axes), Class: colour,
			Cells: []string{show(r.base.Mid, unit), show(r.head.Mid, unit), signed(r.shift.Value), verdictText(r.verdict)},
			Hint:  fmt.Sprintf("%s: %s → %s, %s", r.c.Key, show(r.base.Mid, unit), show(r.head.Mid, unit), signed(r.shift.Value)),
		}
		p := newStrip(a, 0)
		if r.bounded() {
			p.interval(r.shift.Lo, r.shift.Hi, "interval "+colour)
			row.Hint += fmt.Sprintf(" (%s to %s)", signed(r.shift.Lo), signed(r.shift.Hi))
		}
		p.dot(r.shift.Value, 50, "dot "+colour)
		row.Picture = p.picture()
		s.Rows = append(s.Rows, row)
	}
	return s
}

// verdictText is a verdict for readers.
func verdictText(v gate.Verdict) string {
	switch v {
	case gate.Regression:
		return "worse"
	case gate.Improvement:
		return "better"
	case gate.Unknown:
		return "undecided"
	}
	return string(v)
}
