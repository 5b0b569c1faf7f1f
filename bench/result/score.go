package result

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/aclements/go-moremath/stats"
	"golang.org/x/perf/benchfmt"

	"github.com/zkatbench/zkatbench/internal/text"
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

// Scores are results as users of the Java Microbenchmark Harness know them: a row for each
// case. Its score is a mean with the half-width of its 99.9 % confidence interval by
// Student's t distribution. The interval assumes that results are independent and that
// their mean is normally distributed. Results of one process are not independent, so a row
// has several processes, called forks.
type Scores struct {
	*Data
	Mode, Clock string
	Forks       int // processes, each with equally many results
	Warmup      int // results of each process that Data does not have
}

// SkipFirst drops the first results of each process from Data, as a warm-up. A process has so
// many results of each case and unit, warm-up included.
func (s *Scores) SkipFirst(warmup, results int) {
	s.Warmup = warmup
	for _, units := range s.Values {
		for unit, all := range units {
			units[unit] = nil
			for process := range slices.Chunk(all, results) {
				units[unit] = append(units[unit], process[min(warmup, len(process)):]...)
			}
		}
	}
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
			seconds = units["cpu-sec/op"]
			if len(seconds) < len(units["sec/op"]) || len(units["cpu-threads"]) > 0 {
				return nil, fmt.Errorf("%s %w", k.Name, ErrClock)
			}
		}
		if len(seconds) == 0 {
			continue
		}
		r := row{}
		r.benchmark, r.params = params(k.Name)
		for _, x := range seconds {
			x *= 1e3
			if s.Mode == Throughput {
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
			"benchmark": r.benchmark, "mode": s.Mode, "forks": s.Forks, "warmupIterations": s.Warmup,
			"measurementIterations": each, "params": named,
			"primaryMetric": map[string]any{
				"score": r.score, "scoreError": finite(r.halfWidth),
				"scoreConfidence": []any{finite(r.score - r.halfWidth), finite(r.score + r.halfWidth)},
				"scoreUnit":       s.unit(), "rawData": slices.Collect(slices.Chunk(r.samples, each)),
			},
		})
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(all)
}

// Write prints the rows as a table, and the ratio of each row to the first row of the
// same benchmark that differs in one parameter. A parameter that a row does not have is
// an empty cell.
func (s Scores) Write(w io.Writer) error {
	rows, err := s.rows()
	if err != nil {
		return err
	}
	var last [][]string
	for _, r := range rows {
		score, halfWidth := r.texts()
		last = append(last, []string{s.Mode, strconv.Itoa(len(r.samples)), score, halfWidth, s.unit()})
	}
	if err := writeTable(w, rows, []string{"Mode", "Cnt", "Score", "Error", "Units"}, last); err != nil {
		return err
	}
	for i, r := range rows {
		at := -1
		base := slices.IndexFunc(rows[:i], func(earlier row) bool {
			at = difference(earlier, r)
			return at >= 0
		})
		if base < 0 {
			continue
		}
		ratio, halfWidth := r.over(rows[base])
		name, value, first := r.params[at][0], r.params[at][1], rows[base].params[at][1]
		line := fmt.Sprintf("ratio %s=%s / %s=%s: %.2f %s", name, value, name, first, ratio,
			plusMinus(halfWidth, 2))
		if _, err := fmt.Fprintln(w, strings.TrimSpace(line)); err != nil {
			return err
		}
	}
	return nil
}

// difference returns the index of the parameter if two rows of one benchmark differ in
// exactly one, and -1 otherwise.
func difference(a, b row) int {
	if a.benchmark != b.benchmark || len(a.params) != len(b.params) {
		return -1
	}
	at := -1
	for i := range a.params {
		switch {
		case a.params[i] == b.params[i]:
		case a.params[i][0] != b.params[i][0] || at >= 0:
			return -1
		default:
			at = i
		}
	}
	return at
}

// WriteChanges prints two runs side by side: both scores, the change in per
// cent with its interval, and "same" if the intervals of the scores overlap. Rows
// without a partner of the same name follow.
func (s Scores) WriteChanges(w io.Writer, before *Data) error {
	after, err := s.rows()
	if err != nil {
		return err
	}
	s.Data = before
	older, err := s.rows()
	if err != nil {
		return err
	}
	var rows []row
	var last [][]string
	var only strings.Builder
	for _, r := range after {
		i := slices.IndexFunc(older, func(b row) bool { return b.name() == r.name() })
		if i < 0 {
			fmt.Fprintf(&only, "only after: %s %s\n", r.name(), r.text())
			continue
		}
		b := older[i]
		ratio, halfWidth := r.over(b)
		change, same := fmt.Sprintf("%+.1f %s", 100*(ratio-1), plusMinus(100*halfWidth, 1)), ""
		if math.Abs(r.score-b.score) <= r.halfWidth+b.halfWidth {
			same = "same"
		}
		rows, last = append(rows, r),
			append(last,
				[]string{s.Mode, b.text(), r.text(), s.unit(), strings.TrimSpace(change) + " %", same})
		older = slices.Delete(older, i, i+1)
	}
	if len(rows) > 0 {
		if err := writeTable(w, rows, []string{"Mode", "Before", "After", "Units", "Change", ""},
			last); err != nil {
			return err
		}
	}
	for _, r := range older {
		if _, err := fmt.Fprintf(w, "only before: %s %s\n", r.name(), r.text()); err != nil {
			return err
		}
	}
	_, err = io.WriteString(w, only.String())
	return err
}

// writeTable writes a line for each row: its name, its parameters, and the last cells.
// head names the columns of the last cells.
func writeTable(w io.Writer, rows []row, head []string, last [][]string) error {
	var params []string
	for _, r := range rows {
		for _, p := range r.params {
			if name := "(" + p[0] + ")"; !slices.Contains(params, name) {
				params = append(params, name)
			}
		}
	}
	t := text.Table{Head: slices.Concat([]string{"Benchmark"}, params, head)}
	t.Align = "l" + strings.Repeat("r", len(t.Head)-1)
	for i, r := range rows {
		line := append([]string{r.benchmark}, make([]string, len(params))...)
		for _, p := range r.params {
			line[1+slices.Index(params, "("+p[0]+")")] = p[1]
		}
		t.Rows = append(t.Rows, append(line, last[i]...))
	}
	return t.Write(w, text.Width(w))
}

// texts returns the score and the half-width of its interval, with three decimals, and
// more for a score below 0.1.
func (r row) texts() (score, halfWidth string) {
	decimals := 3
	if r.score > 0 && r.score < 0.1 {
		decimals = 2 - int(math.Floor(math.Log10(r.score)))
	}
	return strconv.FormatFloat(r.score, 'f', decimals, 64), plusMinus(r.halfWidth, decimals)
}

// text is the score with its interval.
func (r row) text() string {
	score, halfWidth := r.texts()
	return strings.TrimSpace(score + " " + halfWidth)
}

// plusMinus formats a half-width; it is empty if it is not known.
func plusMinus(halfWidth float64, decimals int) string {
	if math.IsInf(halfWidth, 0) || math.IsNaN(halfWidth) {
		return ""
	}
	return "± " + strconv.FormatFloat(halfWidth, 'f', decimals, 64)
}
