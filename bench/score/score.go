// Package score shows samples of benchmarks as users of the Java
// Microbenchmark Harness know them: a mean with the half-width of its 99.9 %
// confidence interval by Student's t distribution.
//
//	score.go  rows of samples, and their scores
//	table.go  rows as a table of text
//	change.go two runs side by side, with the change
//	files.go  rows as JSON and as Go benchmark format, written and read
//
// The interval assumes that samples are independent and that their mean is
// normally distributed. Samples of one process are not independent, so a row has
// several processes, called forks.
package score

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/aclements/go-moremath/stats"
)

// confidence is the confidence of the intervals.
const confidence = 0.999

// The modes of a row.
const (
	// SingleShot times one operation in a fresh environment: ms/op.
	SingleShot = "ss"
	// Average is the time of an operation: ms/op.
	Average = "avgt"
	// Throughput is the operations of a unit of time: ops/ms.
	Throughput = "thrpt"
)

// Param is a parameter of a benchmark.
type Param struct{ Name, Value string }

// Row is a benchmark with one value of each parameter.
type Row struct {
	Benchmark string
	Mode      string
	Params    []Param
	Warmup    int         // iterations of each fork that are not in Samples
	Samples   [][]float64 // by fork, in Unit, of wall time
	CPU       [][]float64 // the same of processor time; nil if it is not known
	Threads   int         // of CPU: 0 if the operation stays on one thread
}

// The clocks of a row.
const (
	Wall = "wall"
	CPU  = "cpu"
)

// ErrClock reports a row without processor time of one thread.
var ErrClock = errors.New("has no processor time of one thread")

// OnClock returns the rows with the samples of a clock.
func OnClock(rows []Row, clock string) ([]Row, error) {
	if clock == Wall {
		return rows, nil
	}
	on := slices.Clone(rows)
	for i, r := range on {
		if r.CPU == nil || r.Threads > 0 {
			return nil, fmt.Errorf("%s %w", r.Name(), ErrClock)
		}
		on[i].Samples, on[i].CPU = r.CPU, nil
	}
	return on, nil
}

// unit is the unit of the samples.
func (r Row) unit() string {
	if r.Mode == Throughput {
		return "ops/ms"
	}
	return "ms/op"
}

// all returns the samples of all forks.
func (r Row) all() (all []float64) {
	for _, fork := range r.Samples {
		all = append(all, fork...)
	}
	return all
}

// Count is the number of samples.
func (r Row) Count() int { return len(r.all()) }

// Score returns the mean of the samples and the half-width of its interval, NaN
// for fewer than two samples.
func (r Row) Score() (mean, halfWidth float64) {
	all := r.all()
	if len(all) == 0 {
		return math.NaN(), math.NaN()
	}
	sample := stats.Sample{Xs: all}
	mean = sample.Mean()
	if len(all) < 2 {
		return mean, math.NaN()
	}
	return mean, quantile(len(all)-1) * sample.StdDev() / math.Sqrt(float64(len(all)))
}

// quantile is the factor of the two-sided interval for n degrees of freedom.
func quantile(n int) float64 {
	return stats.InvCDF(stats.TDist{V: float64(n)})((1 + confidence) / 2)
}

// Ratio is the ratio of the scores of two rows that differ in one parameter.
type Ratio struct {
	Of, To           Param // of the numerator and of the denominator
	Value, HalfWidth float64
}

// Ratios returns a ratio for each row that differs in one parameter from an
// earlier row of the same benchmark: to the first such row. The relative errors
// of both are added in quadrature.
func Ratios(rows []Row) (ratios []Ratio) {
	for i, r := range rows {
		for _, base := range rows[:i] {
			at := difference(base, r)
			if at < 0 {
				continue
			}
			score, err := r.Score()
			baseScore, baseErr := base.Score()
			value := score / baseScore
			ratios = append(ratios, Ratio{
				Of: r.Params[at], To: base.Params[at],
				Value: value, HalfWidth: value * math.Hypot(err/score, baseErr/baseScore),
			})
			break
		}
	}
	return ratios
}

// difference returns the index of the only parameter where two rows of one
// benchmark differ, or -1.
func difference(a, b Row) int {
	if a.Benchmark != b.Benchmark || a.Mode != b.Mode || len(a.Params) != len(b.Params) {
		return -1
	}
	at := -1
	for i := range a.Params {
		switch {
		case a.Params[i] == b.Params[i]:
		case a.Params[i].Name != b.Params[i].Name || at >= 0:
			return -1
		default:
			at = i
		}
	}
	return at
}

// Name is the row in Go benchmark format: "PS18Verify/curve=BN254/messages=1".
func (r Row) Name() string {
	parts := []string{r.Benchmark}
	for _, p := range r.Params {
		parts = append(parts, p.Name+"="+p.Value)
	}
	return strings.Join(parts, "/")
}
