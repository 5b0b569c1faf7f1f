package result

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/zkatbench/zkatbench/runner/outfile"
)

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

// inJSON is v as JSON has it, which knows no NaN and no infinity.
func inJSON(v float64) *float64 {
	if v-v != 0 {
		return nil
	}
	return &v
}

// WriteJMH writes the rows as an array, with the names that the Java harness uses.
func WriteJMH(w io.Writer, rows []Row) error {
	docs := make([]document, len(rows))
	for i, r := range rows {
		score, err := r.Score()
		d := document{
			Benchmark: r.Benchmark, Mode: r.Mode, Forks: len(r.Samples), Warmup: r.Warmup, CPU: r.CPU, Threads: r.Threads,
			Metric: metric{
				Score: inJSON(score), Error: inJSON(err),
				Confidence: []*float64{inJSON(score - err), inJSON(score + err)},
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

// WriteRowLines writes each sample as a line of Go benchmark format.
func WriteRowLines(w io.Writer, rows []Row) error {
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

// ReadRows reads files in Go benchmark format, or in JSON as WriteJMH or the Java harness
// writes it. Results in Go benchmark format become samples of one fork of each file, in
// the mode Average or Throughput.
func ReadRows(mode string, names ...string) (rows []Row, err error) {
	for _, name := range names {
		content, err := outfile.ReadFile(name)
		if err != nil {
			return nil, err
		}
		d := NewData()
		var more []Row
		if bytes.HasPrefix(bytes.TrimSpace(content), []byte("[")) {
			more, err = readJMH(content)
		} else if err = d.Read(bytes.NewReader(content), name); err == nil {
			if err := d.Sound(name); err != nil {
				return nil, err
			}
			more = Rows(mode, d)
		}
		switch {
		case errors.Is(err, ErrNoBenchmarks) || err == nil && len(more) == 0:
			return nil, fmt.Errorf("%s: has no results", name)
		case err != nil:
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		rows = JoinForks(rows, more...)
	}
	return rows, nil
}

func readJMH(text []byte) (rows []Row, err error) {
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
