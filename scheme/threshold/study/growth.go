package study

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/zkatbench/zkatbench/bench/chart"
	"github.com/zkatbench/zkatbench/count"
	"github.com/zkatbench/zkatbench/runner/stats"
)

// Growth is the cost of a party in one case over the number f of malicious parties.
type Growth struct {
	Case   string
	Points []Grown
}

// Grown is the cost for one f.
type Grown struct {
	F    int
	Time Figure // of a replay, in seconds
	// Multiplications are the points that are multiplied by a scalar: of the
	// generator, of other points, and in multi-scalar multiplications.
	Multiplications uint64
}

// Add adds a measured phase.
func (g *Growth) Add(p *Phase) {
	at := Grown{F: p.MaxMalicious, Time: p.replay()}
	for _, c := range p.Ops {
		at.Multiplications += c.Calls(count.FixedMSM) + c.Calls(count.ScalarMul) + c.Terms(count.MSM)
	}
	g.Points = append(g.Points, at)
	slices.SortStableFunc(g.Points, func(a, b Grown) int { return cmp.Compare(a.F, b.F) })
}

// fit fits a power law of f to a value of the points with f of at least least.
func (g *Growth) fit(least int, value func(Grown) float64) (stats.PowerLaw, error) {
	var xs, ys []float64
	for _, p := range g.Points {
		if p.F >= least {
			xs, ys = append(xs, float64(p.F)), append(ys, value(p))
		}
	}
	return stats.FitPower(xs, ys)
}

// Time fits the time of a replay: seconds = c·fᵖ.
func (g *Growth) Time(least int) (stats.PowerLaw, error) {
	return g.fit(least, func(p Grown) float64 { return p.Time.Mid })
}

// Multiplications fits the number of multiplied points.
func (g *Growth) Multiplications(least int) (stats.PowerLaw, error) {
	return g.fit(least, func(p Grown) float64 { return float64(p.Multiplications) })
}

// fromTen are the greater numbers of malicious parties, for which costs that do not
// grow weigh less.
const fromTen = 10

// WriteGrowth writes times and multiplications by f, and the fitted exponents.
func WriteGrowth(w io.Writer, all []*Growth) error {
	var fs []int
	for _, g := range all {
		for _, p := range g.Points {
			fs = append(fs, p.F)
		}
	}
	slices.Sort(fs)
	fs = slices.Compact(fs)
	times, counts := [][]string{{"time of a replay"}}, [][]string{{"points multiplied"}}
	for _, g := range all {
		times[0], counts[0] = append(times[0], g.Case), append(counts[0], g.Case)
	}
	for _, f := range fs {
		time, count := []string{fmt.Sprintf("f = %d", f)}, []string{fmt.Sprintf("f = %d", f)}
		for _, g := range all {
			i := slices.IndexFunc(g.Points, func(p Grown) bool { return p.F == f })
			if i < 0 {
				time, count = append(time, notMeasured), append(count, notMeasured)
				continue
			}
			time = append(time, seconds(g.Points[i].Time.Mid))
			count = append(count, spaced(float64(g.Points[i].Multiplications)))
		}
		times, counts = append(times, time), append(counts, count)
	}
	for _, rows := range [][][]string{times, counts, exponents(all)} {
		if err := columns(w, rows); err != nil {
			return err
		}
		if _, err := fmt.Fprintln(w); err != nil {
			return err
		}
	}
	return nil
}

// exponents is the table of fits.
func exponents(all []*Growth) [][]string {
	rows := [][]string{{
		"c · f^p, 95 % interval of p", "p of time", "error of the fit", "p from f = 10", "p of multiplications", "p from f = 10",
	}}
	for _, g := range all {
		law, err := g.Time(1)
		residual := notMeasured
		if err == nil {
			residual = fmt.Sprintf("%.0f %%", 100*law.Residual)
		}
		rows = append(rows, []string{
			g.Case, exponent(law, err), residual, exponent(g.Time(fromTen)),
			exponent(g.Multiplications(1)), exponent(g.Multiplications(fromTen)),
		})
	}
	return rows
}

func exponent(l stats.PowerLaw, err error) string {
	if err != nil {
		return notMeasured
	}
	return fmt.Sprintf("%.2f [%.2f, %.2f]", l.Exponent, l.Bounds.Low, l.Bounds.High)
}

// GrowthPicture draws the times of all cases over f, both axes logarithmic.
func GrowthPicture(all []*Growth) chart.Chart {
	c := chart.Chart{
		Title: "Time of a party over the number f of malicious parties",
		X:     chart.Axis{Name: "f", Log: true}, Y: chart.Axis{Name: "time of a replay", Log: true, Label: chart.Seconds},
	}
	for _, g := range all {
		name := g.Case
		if law, err := g.Time(1); err == nil {
			name += ": exponent " + exponent(law, nil)
		}
		s := chart.Series{Name: name}
		for _, p := range g.Points {
			s.Points = append(s.Points, chart.Point{
				X: float64(p.F), Y: p.Time.Mid, Low: p.Time.Interval.Low, High: p.Time.Interval.High, Bounded: p.Time.Bounded,
			})
		}
		c.Series = append(c.Series, s)
	}
	return c
}
