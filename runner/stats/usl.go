package stats

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
)

// A Point is the throughput measured with a number of workers.
type Point struct {
	Workers    float64 `json:"workers"`
	Throughput float64 `json:"throughput"`
	Error      float64 `json:"error,omitempty"` // relative standard error of Throughput; 0 is unknown
}

// Scalability is a fit of the Universal Scalability Law (Gunther, Guerrilla
// Capacity Planning, §4.4):
//
//	X(N) = λ·N / (1 + σ·(N-1) + κ·N·(N-1))
//
// σ is the serial share (contention), κ the loss by exchanging data between
// workers (coherence). With κ = 0 it is Amdahl's law with serial fraction σ.
type Scalability struct {
	Lambda float64 `json:"lambda"`
	Sigma  float64 `json:"sigma"`
	Kappa  float64 `json:"kappa"`
	// Peak is N* = √((1-σ)/κ), the number of workers with the greatest
	// throughput; 0 if κ is 0, when throughput grows without a maximum.
	Peak float64 `json:"peak"`
	// Residual is the root mean square of the relative errors of the fit.
	Residual float64 `json:"residual"`
	// Misfit means that the points are further from the law than their errors allow,
	// so the function does not follow it.
	Misfit bool `json:"misfit,omitempty"`
	// Bounds are 95 % intervals; nil of a Misfit.
	Bounds *ScalabilityBounds `json:"bounds,omitempty"`
}

// ScalabilityBounds are intervals by parametric bootstrap from the residuals.
// For a Peak without an upper bound, High is 0.
type ScalabilityBounds struct {
	Sigma, Kappa, Peak Interval
}

// ErrPoints reports that the points do not determine a law with an error: it
// needs more different numbers of workers than it has parameters, or it fits any
// points.
var ErrPoints = errors.New("a scalability law needs a throughput at more numbers of workers than it has " +
	"parameters")

// Throughput is X(n).
func (s Scalability) Throughput(n float64) float64 {
	return s.Lambda * n / (1 + s.Sigma*(n-1) + s.Kappa*n*(n-1))
}

// FitUSL fits the Universal Scalability Law with 0 ≤ σ ≤ 1 and κ ≥ 0 to at least
// four numbers of workers.
func FitUSL(ps []Point) (Scalability, error) { return fit(ps, true) }

// FitAmdahl fits Amdahl's law, with κ = 0, to at least three numbers of workers.
func FitAmdahl(ps []Point) (Scalability, error) { return fit(ps, false) }

func fit(ps []Point, coherence bool) (Scalability, error) {
	distinct := map[float64]bool{}
	for _, p := range ps {
		if p.Workers < 1 || !(p.Throughput > 0) {
			return Scalability{}, ErrPoints
		}
		distinct[p.Workers] = true
	}
	parameters := 2
	if coherence {
		parameters++
	}
	if len(distinct) <= parameters {
		return Scalability{}, ErrPoints
	}
	s := leastSquares(ps, coherence)
	free := len(ps) - parameters
	s.Misfit = s.misses(ps, free)
	if s.Misfit {
		return s, nil
	}
	spread := s.Residual * math.Sqrt(float64(len(ps))/float64(free))
	s.Bounds = bootstrap(ps, s, spread, tQuantile(free, 0.975)/1.96, coherence)
	return s, nil
}

// leastMisfit is a relative residual. A residual up to it is never called a misfit: the
// errors of throughputs within a run are smaller than the differences between runs.
const leastMisfit = 0.02

// misses tests the residuals by their known errors (χ² at the 1 % level).
func (s Scalability) misses(ps []Point, free int) bool {
	sum := 0.0
	for _, p := range ps {
		if p.Error > 0 { // known
			e := (p.Throughput/s.Throughput(p.Workers) - 1) / p.Error
			sum += e * e
		}
	}
	return s.Residual > leastMisfit && sum > float64(free)*chiSquare(free, 0.99)
}

// terms selects the unknowns of a fit: b is free, equal to a (whole), or 0; c
// is free if coherence is set, and otherwise 0.
type terms struct{ free, whole, coherence bool }

// leastSquares fits N/X = a + b·(N-1) + c·N·(N-1), which is linear, with
// weights (X/N)² so that errors are relative. The constraints 0 ≤ b ≤ a and 0 ≤
// c are met by trying all combinations of bounds.
func leastSquares(ps []Point, coherence bool) (best Scalability) {
	best.Residual = math.Inf(1)
	for _, t := range []terms{{true, false, true}, {true, false, false}, {false, false, true}, {},
		{false, true, true}, {false, true, false}} {
		if t.coherence && !coherence {
			continue
		}
		w := solve(ps, t)
		if w[1] < 0 || w[1] > w[0] || w[2] < 0 {
			continue
		}
		s := Scalability{Lambda: 1 / w[0], Sigma: w[1] / w[0], Kappa: w[2] / w[0]}
		s.Residual = s.residual(ps)
		if s.Residual < best.Residual {
			best = s
		}
	}
	if best.Kappa > 0 {
		best.Peak = math.Sqrt((1 - best.Sigma) / best.Kappa)
	}
	return best
}

func (s Scalability) residual(ps []Point) float64 {
	sum := 0.0
	for _, p := range ps {
		e := p.Throughput/s.Throughput(p.Workers) - 1
		sum += e * e
	}
	return math.Sqrt(sum / float64(len(ps)))
}

// solve computes weighted linear least squares by the normal equations for
// three unknowns; t selects the unknowns that may differ from 0.
func solve(ps []Point, t terms) (w [3]float64) {
	use := [3]bool{true, t.free, t.coherence}
	var m [3][4]float64
	for _, p := range ps {
		n, y := p.Workers, p.Workers/p.Throughput
		row := [4]float64{1 / y, (n - 1) / y, n * (n - 1) / y, 1}
		if t.whole {
			row[0] = n / y
		}
		for i := range 3 {
			for j := range 4 {
				if use[i] && (j == 3 || use[j]) {
					m[i][j] += row[i] * row[j]
				}
			}
		}
	}
	for i := range 3 {
		if !use[i] {
			m[i][i] = 1
		}
	}
	for i := range 3 { // Gauss-Jordan; the matrix is positive definite, so no pivoting
		for k := range 3 {
			if factor := m[k][i] / m[i][i]; k != i {
				for j := range 4 {
					m[k][j] -= factor * m[i][j]
				}
			}
		}
	}
	for i := range 3 {
		w[i] = m[i][3] / m[i][i]
	}
	if t.whole {
		w[1] = w[0]
	}
	return w
}

// bootstrap draws throughputs around the fit with the relative standard
// deviation spread, widened for few degrees of freedom, and fits them again.
func bootstrap(ps []Point, s Scalability, spread, widen float64, coherence bool) *ScalabilityBounds {
	const draws = 400
	random := rand.New(rand.NewPCG(1, uint64(len(ps))))
	var sigma, kappa, peak []float64
	again := make([]Point, len(ps))
	for range draws {
		for i, p := range ps {
			noise := max(0.05, 1+spread*widen*random.NormFloat64())
			again[i] = Point{Workers: p.Workers, Throughput: s.Throughput(p.Workers) * noise}
		}
		f := leastSquares(again, coherence)
		sigma, kappa = append(sigma, f.Sigma), append(kappa, f.Kappa)
		if f.Peak == 0 {
			f.Peak = math.Inf(1)
		}
		peak = append(peak, f.Peak)
	}
	b := &ScalabilityBounds{Sigma: Central(sigma), Kappa: Central(kappa), Peak: Central(peak)}
	for _, end := range []*float64{&b.Peak.Low, &b.Peak.High} {
		if *end == math.Inf(1) {
			*end = 0
		}
	}
	return b
}

// Central is the interval with 95 % of some values, which it sorts.
func Central(xs []float64) Interval {
	slices.Sort(xs)
	return Interval{xs[len(xs)*25/1000], xs[len(xs)*975/1000]}
}
