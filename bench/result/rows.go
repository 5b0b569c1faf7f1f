package result

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"

	"github.com/zkatbench/zkatbench/runner/stats"
)

// rowConfidence is the confidence of the intervals of rows.
const rowConfidence = 0.999

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

// Row is a benchmark with one value of each parameter, as users of the Java
// Microbenchmark Harness know it: its score is a mean with the half-width of its
// 99.9 % confidence interval by Student's t distribution. The interval assumes that
// samples are independent and that their mean is normally distributed. Samples of one
// process are not independent, so a row has several processes, called forks.
type Row struct {
	Benchmark string
	Mode      string
	Params    []Param
	Warmup    int         // iterations of each fork that are not in Samples
	Samples   [][]float64 // by fork, in the unit of the mode, of wall time
	CPU       [][]float64 // the same of processor time; nil if it is not known
	Threads   int         // of CPU: 0 if the operation stays on one thread
}

// Rows returns the timed cases of forks as rows in the mode Average or Throughput.
// Forks need not have the same cases.
func Rows(mode string, forks ...*Data) (rows []Row) {
	for _, d := range forks {
		for _, k := range d.Cases {
			units := d.Values[k]
			if len(units["sec/op"]) == 0 {
				continue
			}
			r := rowOf(k.Name, mode)
			r.Samples = [][]float64{inMode(mode, units["sec/op"])}
			if cpu := units["cpu-sec/op"]; len(cpu) == len(units["sec/op"]) {
				r.CPU = [][]float64{inMode(mode, cpu)}
			}
			if threads := units["cpu-threads"]; len(threads) > 0 {
				r.Threads = int(threads[0])
			}
			rows = JoinForks(rows, r)
		}
	}
	return rows
}

// inMode converts seconds to the unit of a mode.
func inMode(mode string, seconds []float64) []float64 {
	values := make([]float64, len(seconds))
	for i, s := range seconds {
		if values[i] = s * 1e3; mode == Throughput {
			values[i] = 1 / values[i]
		}
	}
	return values
}

// rowOf returns a row for a name such as PS18Verify/curve=BN254-8. The number of
// processors is not a parameter.
func rowOf(name, mode string) Row {
	base, parts := benchfmt.Name(name).Parts()
	r := Row{Benchmark: string(base), Mode: mode}
	for _, part := range parts {
		key, value, found := strings.Cut(strings.TrimPrefix(string(part), "/"), "=")
		switch {
		case part[0] == '-':
		case found:
			r.Params = append(r.Params, Param{key, value})
		default:
			r.Benchmark += "/" + key
		}
	}
	return r
}

// JoinForks adds rows to others. The forks of rows with the same name and mode become
// those of one row.
func JoinForks(rows []Row, more ...Row) []Row {
	for _, r := range more {
		i := slices.IndexFunc(rows, func(old Row) bool { return old.Mode == r.Mode && old.Name() == r.Name() })
		if i < 0 {
			rows = append(rows, r)
			continue
		}
		if rows[i].CPU != nil && r.CPU != nil {
			rows[i].CPU = append(rows[i].CPU, r.CPU...)
		} else {
			rows[i].CPU = nil
		}
		rows[i].Samples = append(rows[i].Samples, r.Samples...)
	}
	return rows
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

// Score returns the mean of the samples and the half-width of its interval. The
// half-width is infinite for fewer than two samples, and the mean NaN for none.
func (r Row) Score() (mean, halfWidth float64) {
	return stats.MeanOf(slices.Concat(r.Samples...), rowConfidence)
}

// Over returns the ratio of the score of r to the one of base, with the half-width of
// its interval: the relative errors of both scores are added in quadrature.
func (r Row) Over(base Row) (ratio, halfWidth float64) {
	score, err := r.Score()
	baseScore, baseErr := base.Score()
	ratio = score / baseScore
	return ratio, ratio * math.Hypot(err/score, baseErr/baseScore)
}

// Name is the row in Go benchmark format: "PS18Verify/curve=BN254/messages=1".
func (r Row) Name() string {
	name := r.Benchmark
	for _, p := range r.Params {
		name += "/" + p.Name + "=" + p.Value
	}
	return name
}

// Renamed returns r with the name that old gives for its own, in Go benchmark
// format.
func (r Row) Renamed(old func(name string) string) Row {
	renamed := rowOf(old(r.Name()), r.Mode)
	r.Benchmark, r.Params = renamed.Benchmark, renamed.Params
	return r
}
