package stats

import (
	"errors"
	"math"
)

// PowerLaw is a fit of y = c·xᵖ.
type PowerLaw struct {
	Factor   float64 `json:"factor"`   // c
	Exponent float64 `json:"exponent"` // p
	// Bounds is the 95 % interval of the exponent.
	Bounds Interval `json:"bounds"`
	// Residual is the root mean square of the relative errors of the fit.
	Residual float64 `json:"residual"`
}

// ErrPower reports that the points do not determine a power law.
var ErrPower = errors.New("a power law needs at least three positive points with different x")

// At is the value of the law.
func (l PowerLaw) At(x float64) float64 { return l.Factor * math.Pow(x, l.Exponent) }

// FitPower fits a power law by least squares of log y over log x. The interval is the
// interval of a slope by Student's t (Draper and Smith, Applied Regression Analysis,
// §1.4). It assumes independent relative errors of equal size, and that a power law
// holds over the whole range.
func FitPower(xs, ys []float64) (PowerLaw, error) {
	n := float64(len(xs))
	if len(xs) != len(ys) || n < 3 {
		return PowerLaw{}, ErrPower
	}
	var line Line
	for i := range xs {
		if !(0 < xs[i] && xs[i] < math.Inf(1)) || !(0 < ys[i] && ys[i] < math.Inf(1)) {
			return PowerLaw{}, ErrPower
		}
		line.Add(math.Log(xs[i]), math.Log(ys[i]), 1)
	}
	xx := line.xx - line.x*line.x/n
	if xx < 1e-12 {
		return PowerLaw{}, ErrPower
	}
	l := PowerLaw{}
	l.Exponent, _ = line.Fit()
	l.Factor = math.Exp((line.y - l.Exponent*line.x) / n)
	var squares, relative float64
	for i := range xs {
		e := math.Log(ys[i]) - math.Log(l.At(xs[i]))
		squares += e * e
		r := ys[i]/l.At(xs[i]) - 1
		relative += r * r
	}
	l.Residual = math.Sqrt(relative / n)
	half := tQuantile(len(xs)-2, 0.975) * math.Sqrt(squares/(n-2)/xx)
	l.Bounds = Interval{l.Exponent - half, l.Exponent + half}
	return l, nil
}
