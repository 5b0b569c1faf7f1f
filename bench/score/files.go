package score

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"
)

// errNothing reports a file without results.
var errNothing = errors.New("has no results")

// document is a row in JSON, with the names that the Java harness uses.
type document struct {
	Benchmark    string            `json:"benchmark"`
	Mode         string            `json:"mode"`
	Forks        int               `json:"forks"`
	Warmup       int               `json:"warmupIterations"`
	Measurements int               `json:"measurementIterations"`
	Params       map[string]string `json:"params,omitempty"`
	Metric       metric            `json:"primaryMetric"`
	// CPU is processor time, as Metric.Raw, and Threads those of which it is.
	CPU     [][]float64 `json:"cpuRawData,omitempty"`
	Threads int         `json:"cpuThreads,omitempty"`
	// Order is the order of the parameters, which JSON objects do not have.
	Order []string `json:"paramOrder,omitempty"`
}

type metric struct {
	Score      *float64    `json:"score"`
	Error      *float64    `json:"scoreError"` // null for fewer than two samples
	Confidence []*float64  `json:"scoreConfidence"`
	Unit       string      `json:"scoreUnit"`
	Raw        [][]float64 `json:"rawData"`
}

// finite is v as JSON has it, which knows no NaN.
func finite(v float64) *float64 {
	if math.IsNaN(v) {
		return nil
	}
	return &v
}

// WriteJSON writes the rows as an array.
func WriteJSON(w io.Writer, rows []Row) error {
	docs := make([]document, len(rows))
	for i, r := range rows {
		score, err := r.Score()
		d := document{
			Benchmark: r.Benchmark, Mode: r.Mode, Forks: len(r.Samples), Warmup: r.Warmup, CPU: r.CPU, Threads: r.Threads,
			Metric: metric{
				Score: finite(score), Error: finite(err),
				Confidence: []*float64{finite(score - err), finite(score + err)},
				Unit:       r.unit(), Raw: r.Samples,
			},
		}
		if len(r.Samples) > 0 {
			d.Measurements = len(r.Samples[0])
		}
		for _, p := range r.Params {
			if d.Params == nil {
				d.Params = map[string]string{}
			}
			d.Params[p.Name], d.Order = p.Value, append(d.Order, p.Name)
		}
		docs[i] = d
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(docs)
}

// WriteBench writes each sample as a line of Go benchmark format.
func WriteBench(w io.Writer, rows []Row) error {
	b := bufio.NewWriter(w)
	for _, r := range rows {
		ns := func(v float64) float64 {
			if r.Mode == Throughput {
				return 1e6 / v
			}
			return v * 1e6
		}
		for i, fork := range r.Samples {
			for j, v := range fork {
				fmt.Fprintf(b, "Benchmark%s 1 %.0f ns/op", r.Name(), ns(v))
				if r.CPU != nil && r.CPU[i][j] > 0 && ns(r.CPU[i][j]) >= 0.5 { // 0 is not known
					fmt.Fprintf(b, " %.0f cpu-ns/op", ns(r.CPU[i][j]))
					if r.Threads > 0 {
						fmt.Fprintf(b, " %d cpu-threads", r.Threads)
					}
				}
				fmt.Fprintln(b)
			}
		}
	}
	return b.Flush()
}

// Read reads rows from Go benchmark format, or from JSON as WriteJSON or the Java
// harness writes it. Results in Go benchmark format become samples of one fork in
// the given mode, Average or Throughput. name is for messages.
func Read(r io.Reader, name, mode string) ([]Row, error) {
	content, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	var rows []Row
	if text := bytes.TrimSpace(content); len(text) > 0 && text[0] == '[' {
		rows, err = readJSON(text)
	} else {
		rows, err = readBench(content, name, mode)
	}
	if err == nil && len(rows) == 0 {
		err = errNothing
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return rows, nil
}

func readJSON(text []byte) (rows []Row, err error) {
	var docs []document
	if err := json.Unmarshal(text, &docs); err != nil {
		return nil, err
	}
	for _, d := range docs {
		r := Row{Benchmark: d.Benchmark, Mode: d.Mode, Warmup: d.Warmup, Samples: d.Metric.Raw, CPU: d.CPU, Threads: d.Threads}
		if r.unit() != d.Metric.Unit {
			return nil, fmt.Errorf("unit %q of %s is not %s", d.Metric.Unit, d.Benchmark, r.unit())
		}
		for name := range d.Params {
			if !slices.Contains(d.Order, name) {
				d.Order = append(d.Order, name)
			}
		}
		for _, name := range d.Order {
			r.Params = append(r.Params, Param{name, d.Params[name]})
		}
		rows = append(rows, r)
	}
	return rows, nil
}

func readBench(content []byte, name, mode string) (rows []Row, err error) {
	at := map[string]int{}
	reader := benchfmt.NewReader(bytes.NewReader(content), name)
	for reader.Scan() {
		res, ok := reader.Result().(*benchfmt.Result)
		if !ok {
			continue // a line of another program
		}
		seconds, timed := res.Value("sec/op")
		if !timed || seconds <= 0 {
			continue
		}
		r := rowOf(res.Name, mode)
		key := r.Name()
		i, known := at[key]
		if !known {
			i, at[key] = len(rows), len(rows)
			r.Samples = [][]float64{nil}
			rows = append(rows, r)
		}
		value := func(seconds float64) float64 {
			if mode == Throughput {
				return 1 / (seconds * 1e3)
			}
			return seconds * 1e3
		}
		rows[i].Samples[0] = append(rows[i].Samples[0], value(seconds))
		if cpu, has := res.Value("cpu-sec/op"); has && cpu > 0 {
			if rows[i].CPU == nil {
				rows[i].CPU = [][]float64{nil}
			}
			rows[i].CPU[0] = append(rows[i].CPU[0], value(cpu))
		}
		if threads, has := res.Value("cpu-threads"); has {
			rows[i].Threads = int(threads)
		}
	}
	for i, r := range rows {
		if r.CPU != nil && len(r.CPU[0]) < len(r.Samples[0]) {
			rows[i].CPU = nil // some results lack it
		}
	}
	return rows, reader.Err()
}

// rowOf takes a name such as PS18Verify/curve=BN254-8 apart. The number of
// processors is not a parameter.
func rowOf(name benchfmt.Name, mode string) Row {
	base, parts := name.Parts()
	r := Row{Benchmark: string(base), Mode: mode}
	for _, part := range parts {
		text := string(part)
		if strings.HasPrefix(text, "-") {
			continue
		}
		key, value, found := strings.Cut(strings.TrimPrefix(text, "/"), "=")
		if !found {
			r.Benchmark += "/" + key
			continue
		}
		r.Params = append(r.Params, Param{key, value})
	}
	return r
}
