package render

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/zkatbench/zkatbench/internal/text"
	"github.com/zkatbench/zkatbench/runner/hist"
	"github.com/zkatbench/zkatbench/runner/judge"
	"github.com/zkatbench/zkatbench/runner/result"
)

// ErrFormat reports an unknown format.
var ErrFormat = errors.New("format")

// formats maps names, which are also file endings, to writers.
var formats = map[string]func(io.Writer, *result.Result, Options) error{
	"txt":   Text,
	"json":  writeJSON,
	"bench": Bench,
	"csv":   writeCSV,
	"md":    writeMarkdown,
	"prom":  writeOpenMetrics,
}

// Formats returns the names that Write accepts.
func Formats() []string {
	return []string{"txt", "json", "bench", "csv", "md", "prom"}
}

// Write writes r in the named format. Like Text, it refuses a Result that
// violates a law of measurement.
func Write(w io.Writer, format string, r *result.Result, o Options) error {
	f, ok := formats[format]
	if !ok {
		return fmt.Errorf("%w: %q is not one of %s", ErrFormat, format, strings.Join(Formats(), ", "))
	}
	if err := judge.Check(r); err != nil {
		return err
	}
	return f(w, r, o)
}

// saved is the JSON form. Version inside Result is the version of the schema.
type saved struct {
	Name     string `json:",omitempty"`
	Result   *result.Result
	Findings any // of runner.Finding; not read
}

// writeJSON writes r and its findings. ReadJSON reads it back.
func writeJSON(w io.Writer, r *result.Result, o Options) error {
	e := json.NewEncoder(w)
	return e.Encode(saved{o.Name, r, judge.Findings(r)})
}

// ReadJSON reads the output of JSON: one Result and its name. A Result of
// another version or one that violates a law, and trailing data, are errors.
func ReadJSON(from io.Reader) (name string, r *result.Result, err error) {
	d := json.NewDecoder(from)
	var s saved
	if err := d.Decode(&s); err != nil {
		return "", nil, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	if s.Result == nil {
		return "", nil, fmt.Errorf("%w: there is no result", ErrFormat)
	}
	if err := judge.Check(s.Result); err != nil {
		return "", nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return "", nil, fmt.Errorf("%w: something follows the result", ErrFormat)
	}
	return s.Name, s.Result, nil
}

// figure is one number with its unit in the benchmark format.
type figure struct {
	unit   string
	value  float64
	better string // higher, lower
}

// figures returns the main figures of r; percentiles only if there are enough
// latencies.
func figures(r *result.Result) (fs []figure) {
	add := func(unit string, v float64, better string) { fs = append(fs, figure{unit, v, better}) }
	add("ns/op", r.ServiceMean(), "lower")
	add("ops/s", r.Throughput(), "higher")
	if r.Open != nil {
		add("mean-response-ns/op", r.Moments.Mean, "lower")
		add("backlog-ops", float64(r.Open.Backlog), "lower")
	}
	for _, q := range percentiles {
		if e := judge.Quantile(r, q.q); e.Shown() {
			add(strings.ToLower(q.name)+"-ns/op", e.Value, "lower")
		}
	}
	add("max-ns/op", r.Moments.Max, "lower")
	add("failed-ops", float64(r.Failed), "lower")
	if r.Usage.CPUPerOp > 0 {
		add("cpu-ns/op", r.Usage.CPUPerOp, "lower")
		add("cpu-threads", float64(r.Config.Workers), "")
	}
	add("B/op", r.Usage.BytesPerOp, "lower")
	add("allocs/op", r.Usage.AllocsPerOp, "lower")
	return fs
}

// Bench writes r as one line of the Go benchmark format, for benchstat, with
// Unit lines that state the better direction.
func Bench(w io.Writer, r *result.Result, o Options) error {
	p := &page{w: w}
	p.printf("goos: %s\ngoarch: %s\n", runtime.GOOS, runtime.GOARCH)
	if cpu := r.Before.CPU; cpu != "" {
		p.printf("cpu: %s\n", strings.Join(strings.Fields(cpu), " "))
	}
	fs := figures(r)
	for _, f := range fs {
		if f.better != "" {
			p.printf("Unit %s better=%s\n", f.unit, f.better)
		}
	}
	p.result(benchmarkName(o.Name), r, fs)
	for _, part := range r.Parts {
		p.result(benchmarkName(o.Name)+"/op="+key(part.Name), part.Result, partFigures(figures(part.Result)))
	}
	return p.err
}

// result writes the line of one result.
func (p *page) result(name string, r *result.Result, fs []figure) {
	p.printf("Benchmark%s %d", withWorkers(name, r.Config.Workers), max(1, r.Done))
	for _, f := range fs {
		p.printf(" %s %s", plain(f.value), f.unit)
	}
	p.printf("\n")
}

// partFigures leaves out the figures that only a whole run has.
func partFigures(fs []figure) []figure {
	return slices.DeleteFunc(fs, func(f figure) bool {
		return slices.Contains([]string{"B/op", "allocs/op", "backlog-ops"}, f.unit)
	})
}

// key returns a name as a value in the name of a benchmark.
func key(name string) string {
	return strings.ReplaceAll(visibleName(name), "/", "_")
}

// withWorkers appends the number of workers to a name unless it is there.
func withWorkers(name string, n int) string {
	key := fmt.Sprintf("/workers=%d", n)
	return strings.TrimSuffix(name, key) + key
}

// plain formats v with eight digits and without an exponent.
func plain(v float64) string {
	v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'e', 7, 64), 64)
	return strconv.FormatFloat(v, 'f', -1, 64)
}

// benchmarkName returns name in the syntax of the benchmark format: no blanks,
// no invisible characters, and an upper-case first letter.
func benchmarkName(name string) string {
	name = visibleName(name)
	if name == "" {
		return "Run"
	}
	first := []rune(name)[0]
	if unicode.IsLower(first) {
		return string(unicode.ToUpper(first)) + name[len(string(first)):]
	}
	if !unicode.IsUpper(first) {
		return "Run_" + name
	}
	return name
}

// visibleName replaces blanks and invisible characters.
func visibleName(name string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsSpace(c) || !unicode.IsPrint(c) {
			return '_'
		}
		return c
	}, name)
}

// writeCSV writes the latencies as a table: the bounds of each bucket in ns, the
// count, and the cumulative share.
func writeCSV(w io.Writer, r *result.Result, _ Options) error {
	c := csv.NewWriter(w)
	_ = c.Write([]string{"low_ns", "below_ns", "count", "share_up_to"}) // c.Error reports it
	seen := uint64(0)
	r.Latency.Each(func(i int, n uint64) {
		low, high := hist.Bounds(i)
		seen += n
		_ = c.Write([]string{fmt.Sprint(low), fmt.Sprint(high), fmt.Sprint(n),
			strconv.FormatFloat(float64(seen)/float64(r.Records), 'g', 9, 64)})
	})
	c.Flush()
	return c.Error()
}

// writeMarkdown writes the main figures as a table, for a page or a pull request.
func writeMarkdown(w io.Writer, r *result.Result, o Options) error {
	p := &page{w: w, o: o}
	name := o.Name
	if name == "" {
		name = "Run"
	}
	if r.Interrupted {
		name += " (INTERRUPTED: " + r.End + ")"
	}
	p.printf("### %s\n\n%s, %s in %v%s\n\n| figure | value | 95 %% confidence |\n| --- "+
		"| ---: | --- |\n",
		text.Markdown(name), text.Plural(r.Config.Workers, "worker"), text.Plural(r.Done, "operation"),
		r.Elapsed.Round(time.Millisecond),
		batches(r))
	p.printf("| throughput | %s | |\n", perSecond(r.Throughput()))
	p.printf("| mean | %s | %s |\n", precise(r.Moments.Mean, digitStep(r)),
		remark(judge.Mean(r), digitStep(r)))
	for _, q := range percentiles {
		if e := judge.Quantile(r, q.q); e.Shown() {
			p.printf("| %s | %s | %s |\n", q.name, precise(e.Value, digitStep(r)), remark(e, digitStep(r)))
		}
	}
	p.printf("| max | %s | |\n| failed | %s | |\n| B/op | %.0f | |\n| allocs/op | %s | |\n",
		text.Duration(r.Moments.Max), text.Count(r.Failed), r.Usage.BytesPerOp,
		text.Number(r.Usage.AllocsPerOp))
	for i, f := range judge.Findings(r) {
		if i == 0 {
			p.printf("\n")
		}
		p.printf("- %s: %s\n", text.Markdown(f.Observed), text.Markdown(f.Advice))
	}
	return p.err
}

// batches describes latencies of batches; it is empty for single operations.
func batches(r *result.Result) string {
	if r.Config.Batch > 1 {
		return fmt.Sprintf("; latencies are means of %d", r.Config.Batch)
	}
	return ""
}
