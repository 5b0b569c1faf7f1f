package study

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/zkatbench/zkatbench/internal/text"
	"github.com/zkatbench/zkatbench/scheme/threshold/engine"
)

func totalBytes(t engine.Traffic) int { return t.Bytes }

// bytesOf returns the bytes of a round of messages, counted from 0.
func bytesOf(round int) func(engine.Traffic) int {
	return func(t engine.Traffic) int {
		if round < 0 || round >= len(t.ByRound) {
			return 0
		}
		return t.ByRound[round]
	}
}

// last is the traffic to each party in the last recording.
func (p *Phase) last() []engine.Traffic { return p.Traffic[len(p.Traffic)-1] }

// spread returns the bytes of the parties in the last recording.
func (p *Phase) spread(bytes func(engine.Traffic) int) (least int, mean float64, most int) {
	all := received(p.last(), bytes)
	for _, b := range all {
		mean += float64(b) / float64(len(all))
	}
	return slices.Min(all), mean, slices.Max(all)
}

func received(parties []engine.Traffic, bytes func(engine.Traffic) int) (all []int) {
	for _, t := range parties {
		all = append(all, bytes(t))
	}
	return all
}

// meanSize is the received size that the specification states, over all seeds.
func (p *Phase) meanSize() (mean float64) {
	for _, parties := range p.Traffic {
		mean += p.Received(received(parties, totalBytes)) / float64(len(p.Traffic))
	}
	return mean
}

// deviation is the deviation of the mean size from the specified one in standard
// deviations of the mean. It is infinite if the size is not random and differs, and
// not a number without a specification.
func (p *Phase) deviation() float64 {
	expected := p.Expected()
	difference := p.meanSize() - expected.Mean
	switch {
	case math.IsNaN(difference):
		return difference
	case math.Abs(difference) < 1e-6:
		return 0
	}
	return difference / expected.StdDev * math.Sqrt(float64(len(p.Traffic)))
}

// maxDeviation is the greatest deviation that chance explains, in standard
// deviations.
const maxDeviation = 4

// sizeTable compares received bytes with the specification, and reports whether
// chance explains all deviations.
func sizeTable(w *page, all []*Phase) (asSpecified bool) {
	asSpecified, exact := true, true
	rows := [][]string{{"received B, " + text.Plural(len(all[0].Traffic), "seed"), "mean", "expected",
		"of one", "deviation"}}
	for _, p := range all {
		expected, deviation := p.Expected(), p.deviation()
		asSpecified = asSpecified && !(math.Abs(deviation) >= maxDeviation)
		exact = exact && expected.StdDev == 0 && !math.IsNaN(deviation)
		verdict := fmt.Sprintf("%+.2f sigmas", deviation)
		switch {
		case math.IsNaN(deviation):
			rows = append(rows, row(p.Case, fmt.Sprintf("%.1f", p.meanSize()), "", "", "not specified"))
			continue
		case math.IsInf(deviation, 0):
			verdict = "differs"
		case expected.StdDev == 0:
			verdict = "equal"
		}
		rows = append(rows,
			row(p.Case, fmt.Sprintf("%.1f", p.meanSize()), fmt.Sprintf("%.1f", expected.Mean),
				fmt.Sprintf("± %.1f", expected.StdDev), verdict))
	}
	if exact && asSpecified {
		w.WriteString("received B: all equal to the specification\n")
	} else {
		w.table(rows)
	}
	return asSpecified
}

// ratios writes naive ÷ (N × replay) of each phase with its interval, and the number of
// replays. All replays count: a replay that differs ends the measurement.
func ratios(w *page, all []*Phase) {
	var ratios []string
	replays, every := 0, 0
	for _, p := range all {
		replays, every = replays+p.Replays, every+p.Every
		if p.Samples[0].Naive > 0 {
			f := p.ratio()
			bounds := "[6 samples give an interval]"
			if f.Bounded {
				bounds = fmt.Sprintf("[%.3f, %.3f]", f.Interval.Low, f.Interval.High)
			}
			ratios = append(ratios, fmt.Sprintf("%s %.3f %s", p.Case, f.Mid, bounds))
		}
	}
	if len(ratios) > 0 {
		fmt.Fprintf(w, "naive / (N × replay): %s\n", strings.Join(ratios, ", "))
	}
	if every > 0 {
		fmt.Fprintf(w, "every party as the real one: %d, all complete, byte-equal and verified\n", every)
	}
	fmt.Fprintf(w, "replays: %d, all complete, byte-equal and verified\n", replays)
}
