package result

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/aclements/go-moremath/stats"
	"golang.org/x/perf/benchfmt"
)

// scoreConfidence is the confidence of the intervals of scores.
const scoreConfidence = 0.999

// The modes of scores.
const (
	// SingleShot times one operation in a fresh environment: ms/op.
	SingleShot = "ss"
	// Average is the time of an operation: ms/op.
	Average = "avgt"
	// Throughput is the operations of a unit of time: ops/ms.
	Throughput = "thrpt"
)

// The clocks of scores.
const (
	Wall = "wall"
	CPU  = "cpu"
)

// ErrClock reports results without processor time of one thread.
var ErrClock = errors.New("has no processor time of one thread")

// Scores are results as users of the Java Microbenchmark Harness know them: a row for
// each case, whose score is a mean with the half-width of its 99.9 % confidence interval
// by Student's t distribution. The interval assumes that results are independent and that
// their mean is normally distributed. Results of one process are not independent, so a row
// has several processes, called forks.
type Scores struct {
	*Data
	Mode, Clock string
	Forks       int // processes, each with equally many results
	Warmup      int // results of each process that Data does not have
}

// row is the score of a case.
type row struct {
	benchmark        string
	params           [][2]string // names and values
	samples          []float64   // in the unit of the mode
	score, halfWidth float64     // the mean, and the half-width of its interval
}

// unit is the unit of a mode.
func (s Scores) unit() string {
	if s.Mode == Throughput {
		return "ops/ms"
	}
	return "ms/op"
}

// rows returns the cases that have times.
func (s Scores) rows() (rows []row, err error) {
	for _, k := range s.Cases {
		units := s.Values[k]
		seconds := units["sec/op"]
		if s.Clock == CPU {
			if seconds = units["cpu-sec/op"]; len(seconds) < len(units["sec/op"]) || len(units["cpu-threads"]) > 0 {
				return nil, fmt.Errorf("%s %w", k.Name, ErrClock)
			}
		}
		if len(seconds) == 0 {
			continue
		}
		r := row{}
		r.benchmark, r.params = params(k.Name)
		for _, x := range seconds {
			if x *= 1e3; s.Mode == Throughput {
				x = 1 / x
			}
			r.samples = append(r.samples, x)
		}
		r.score, r.halfWidth = meanOf(r.samples)
		rows = append(rows, r)
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("%w: the files have no times", ErrNoBenchmarks)
	}
	return rows, nil
}

// params divides a name such as PS18Verify/curve=BN254-8. The number of processors is
// not a parameter.
func params(name string) (benchmark string, params [][2]string) {
	base, parts := benchfmt.Name(name).Parts()
	benchmark = string(base)
	for _, part := range parts {
		key, value, found := strings.Cut(strings.TrimPrefix(string(part), "/"), "=")
		switch {
		case part[0] == '-':
		case found:
			params = append(params, [2]string{key, value})
		default:
			benchmark += "/" + key
		}
	}
	return benchmark, params
}

// name is the case in Go benchmark format, without the number of processors.
func (r row) name() string {
	name := r.benchmark
	for _, p := range r.params {
		name += "/" + p[0] + "=" + p[1]
	}
	return name
}

// meanOf returns the mean of at least one sample and the half-width of its interval,
// which is infinite for one.
func meanOf(samples []float64) (mean, halfWidth float64) {
	s := stats.Sample{Xs: samples}
	n := float64(len(samples))
	if n == 1 {
		return samples[0], math.Inf(1)
	}
	t := stats.InvCDF(stats.TDist{V: n - 1})((1 + scoreConfidence) / 2)
	return s.Mean(), t * s.StdDev() / math.Sqrt(n)
}

// over returns the ratio of the score of r to the score of base, with the half-width of
// its interval: the relative errors of both scores are added in quadrature.
func (r row) over(base row) (ratio, halfWidth float64) {
	ratio = r.score / base.score
	return ratio, ratio * math.Hypot(r.halfWidth/r.score, base.halfWidth/base.score)
}

// WriteJSON writes the rows as an array, with the names that the Java harness uses.
func (s Scores) WriteJSON(w io.Writer) error {
	rows, err := s.rows()
	if err != nil {
		return err
	}
	// finite is v as JSON has it, which knows no infinity.
	finite := func(v float64) any {
		if math.IsInf(v, 0) {
			return nil
		}
		return v
	}
	var all []any
	for _, r := range rows {
		each := (len(r.samples) + s.Forks - 1) / s.Forks
		named := map[string]string{}
		for _, p := range r.params {
			named[p[0]] = p[1]
		}
		all = append(all, map[string]any{
			"benchmark": r.benchmark, "mode": s.Mode, "forks": s.Forks, "warmupIterations": s.Warmup, "measurementIterations": each, "params": named,
			"primaryMetric": map[string]any{
				"score": r.score, "scoreError": finite(r.halfWidth), "scoreConfidence": []any{finite(r.score - r.halfWidth), finite(r.score + r.halfWidth)},
				"scoreUnit": s.unit(), "rawData": slices.Collect(slices.Chunk(r.samples, each)),
			},
		})
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(all)
}
