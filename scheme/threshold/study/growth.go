package study

import (
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/zkatbench/zkatbench/count"
	"github.com/zkatbench/zkatbench/internal/text"
	"github.com/zkatbench/zkatbench/runner/stats"
	"github.com/zkatbench/zkatbench/scheme/threshold/suite"
)

// Growth is the measured phases by the number f of malicious parties.
type Growth map[int]Phases

// multiplications are the points that the real party multiplies by a scalar: the
// generator, other points, and terms of multi-scalar multiplications.
func (p *Phase) multiplications() (n uint64) {
	for _, c := range p.Ops {
		n += c.Calls(count.FixedMSM) + c.Calls(count.ScalarMul) + c.Terms(count.MSM)
	}
	return n
}

func (p *Phase) multiplied() float64 { return float64(p.multiplications()) }

func (p *Phase) seconds() float64 { return p.replay().Mid / 1e9 }

// fit fits a power law of f to a value of a case, c·fᵖ, for each f of at least least.
func (g Growth) fit(name string, least int, value func(*Phase) float64) (stats.PowerLaw, error) {
	var xs, ys []float64
	for _, f := range slices.Sorted(maps.Keys(g)) {
		if p := g[f][name]; p != nil && f >= least {
			xs, ys = append(xs, float64(f)), append(ys, value(p))
		}
	}
	return stats.FitPower(xs, ys)
}

// fromTen are the greater numbers of malicious parties, for which costs that do not
// grow weigh less.
const fromTen = 10

// exponent is the text of a fitted exponent with its interval.
func (g Growth) exponent(name string, least int, value func(*Phase) float64) string {
	law, err := g.fit(name, least, value)
	if err != nil {
		return notMeasured
	}
	return fmt.Sprintf("%.2f [%.2f, %.2f]", law.Exponent, law.Bounds.Low, law.Bounds.High)
}

// cases are the measured cases in the order of protocols.
func (g Growth) cases() []string {
	return slices.DeleteFunc(suite.CaseNames(), func(name string) bool {
		for _, phases := range g {
			if phases[name] != nil {
				return false
			}
		}
		return true
	})
}

// Write writes times and multiplications by f, and the fitted exponents.
func (g Growth) Write(w io.Writer) error {
	p, cases := newPage(w), g.cases()
	for _, t := range []struct {
		name string
		cell func(*Phase) string
	}{
		{"time of a replay", func(p *Phase) string { return text.Duration(p.replay().Mid) }},
		{"points multiplied", func(p *Phase) string { return text.Count(p.multiplications()) }},
	} {
		rows := [][]string{append([]string{t.name}, cases...)}
		for _, f := range slices.Sorted(maps.Keys(g)) {
			cells := []string{fmt.Sprintf("f = %d", f)}
			for _, name := range cases {
				if phase := g[f][name]; phase != nil {
					cells = append(cells, t.cell(phase))
				} else {
					cells = append(cells, notMeasured)
				}
			}
			rows = append(rows, cells)
		}
		p.table(rows)
		p.WriteString("\n")
	}
	rows := [][]string{{"c · f^p, 95 % interval of p", "p of time", "error of the fit", "p from f = 10",
		"p of multiplications", "p from f = 10"}}
	for _, name := range cases {
		residual := notMeasured
		if law, err := g.fit(name, 1, (*Phase).seconds); err == nil {
			residual = text.Percent(law.Residual)
		}
		rows = append(rows,
			row(name, g.exponent(name, 1, (*Phase).seconds), residual,
				g.exponent(name, fromTen, (*Phase).seconds),
				g.exponent(name, 1, (*Phase).multiplied), g.exponent(name, fromTen, (*Phase).multiplied)))
	}
	p.table(rows)
	p.WriteString("\n")
	_, err := w.Write(p.Bytes())
	return err
}
