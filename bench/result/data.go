package result

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/perf/benchfmt"

	"github.com/zkatbench/zkatbench/runner/outfile"
)

// Data holds samples by case and unit. Units are tidy: sec/op, B/op, B/s.
type Data struct {
	Cases  []Key // in the order of their first appearance
	Units  []string
	Values map[Key]map[string][]float64 // in the order of measurement
	// Layouts are the layouts of the binaries that gave Values, 0 if it is not known.
	Layouts map[Key]map[string][]float64
	Spent   map[Key]float64 // seconds of the measured iterations, averaged over the results
	Iters   map[Key]float64 // iterations, averaged over the results
	Meta    benchfmt.UnitMetadataMap
	Config  map[string][]string // the values of each configuration key
	// Partial has the reasons for which a file is not whole, each after the name
	// of its file; Failed has the lines of go test about a failure.
	Partial, Failed []string
}

// NewData returns empty Data.
func NewData() *Data {
	return &Data{
		Values: map[Key]map[string][]float64{}, Layouts: map[Key]map[string][]float64{}, Spent: map[Key]float64{}, Iters: map[Key]float64{},
		Meta: benchfmt.UnitMetadataMap{}, Config: map[string][]string{},
	}
}

// ReadFiles reads files in Go benchmark format. A file without results is an
// error.
func ReadFiles(names ...string) (*Data, error) {
	return readFiles(names, func(*Data, string) error { return nil })
}

// ReadSound is ReadFiles, but refuses a value that is infinite or no number, and a
// negative time.
func ReadSound(names ...string) (*Data, error) { return readFiles(names, (*Data).sound) }

func readFiles(names []string, check func(*Data, string) error) (*Data, error) {
	d := NewData()
	for _, name := range names {
		text, err := outfile.ReadFile(name)
		if err == nil {
			err = d.Read(bytes.NewReader(text), name)
		}
		if err == nil {
			err = check(d, name)
		}
		if err != nil {
			return nil, err
		}
	}
	return d, nil
}

// Read adds the results of one file.
func (d *Data) Read(from io.Reader, name string) error {
	text, err := io.ReadAll(from)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	_, err = d.read(text, name)
	return err
}

// content is the content of a file.
type content struct {
	results []*benchfmt.Result
	units   []*benchfmt.UnitMetadata
}

// read adds the results of a file, and returns its content. A malformed result line is
// an error, so that no result is lost silently.
func (d *Data) read(text []byte, name string) (c content, err error) {
	r := benchfmt.NewReader(bytes.NewReader(text), name)
	for r.Scan() {
		switch rec := r.Result().(type) {
		case *benchfmt.SyntaxError:
			return c, rec
		case *benchfmt.UnitMetadata:
			c.units = append(c.units, rec)
			d.Meta[rec.UnitMetadataKey] = rec
		case *benchfmt.Result:
			c.results = append(c.results, rec.Clone())
			d.add(rec)
		}
	}
	if r.Err() == nil && len(c.results) == 0 {
		return c, fmt.Errorf("%s: %w", name, ErrNoBenchmarks)
	}
	e := endingOf(string(text))
	for _, line := range e.failed {
		d.Failed = append(d.Failed, name+": "+line)
	}
	for _, why := range e.partial(len(c.results)) {
		d.Partial = append(d.Partial, name+": "+why)
	}
	return c, r.Err()
}

// sound returns an error if a value is infinite or no number, or if a time is
// negative. name is the name of the file.
func (d *Data) sound(name string) error {
	for _, k := range d.Cases {
		for _, unit := range d.Units {
			for _, x := range d.Values[k][unit] {
				switch {
				case x-x != 0:
					return fmt.Errorf("%s: a result of %s in %s is not a number", name, k, unit)
				case x < 0 && strings.HasSuffix(unit, "sec/op"):
					return fmt.Errorf("%s: a result of %s in %s is negative", name, k, unit)
				}
			}
		}
	}
	return nil
}

func (d *Data) add(r *benchfmt.Result) {
	k := Key{r.GetConfig("pkg"), r.Name.String()}
	if d.Values[k] == nil {
		d.Values[k], d.Layouts[k] = map[string][]float64{}, map[string][]float64{}
		d.Cases = append(d.Cases, k)
	}
	layout, _ := r.Value(layoutUnit)
	for _, v := range r.Values {
		if v.Unit == layoutUnit {
			continue
		}
		if !slices.Contains(d.Units, v.Unit) {
			d.Units = append(d.Units, v.Unit)
		}
		d.Values[k][v.Unit] = append(d.Values[k][v.Unit], v.Value)
		d.Layouts[k][v.Unit] = append(d.Layouts[k][v.Unit], layout)
		if v.Unit == "sec/op" {
			n := float64(len(d.Values[k][v.Unit]))
			d.Spent[k] += (v.Value*float64(r.Iters) - d.Spent[k]) / n
			d.Iters[k] += (float64(r.Iters) - d.Iters[k]) / n
		}
	}
	for _, c := range r.Config {
		if c.File && c.Key != keyResults {
			d.configure(c.Key, string(c.Value))
		}
	}
}

func (d *Data) configure(key, value string) {
	if !slices.Contains(d.Config[key], value) {
		d.Config[key] = append(d.Config[key], value)
	}
}

// Keys of the configuration lines after the last result of a file.
const (
	keyResults     = "results"     // number of results since the start of the file, or since the last such line
	keyInterrupted = "interrupted" // by ^C, with the number of results
	keyIncomplete  = "incomplete"  // the reason for which results are missing
)

// EndLine is the last line of a file with n results. A file without it was cut,
// or its run did not end.
func EndLine(n int) string { return fmt.Sprintf("%s: %d", keyResults, n) }

// An ending is the evidence in a file for and against its being whole.
type ending struct {
	ours    bool // written by a command of this program, which ends files by EndLine
	counted int  // by all lines EndLine
	ended   bool // no result follows the last EndLine
	doubts  []string
	failed  []string // lines of go test about a failure
}

// endingOf reads the lines of a file that are not results.
func endingOf(text string) (e ending) {
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		key, value, _ := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		switch {
		case isFailure(line):
			e.failed = append(e.failed, strings.TrimSpace(line))
		case strings.HasPrefix(line, "Benchmark"):
			e.ended = false
		case key == "started":
			e.ours = true
		case key == keyResults:
			if n, err := strconv.Atoi(value); err == nil {
				e.counted, e.ended = e.counted+n, true
			}
		case key == keyInterrupted:
			e.doubts = append(e.doubts, keyInterrupted+": "+value)
		case key == keyIncomplete:
			e.doubts = append(e.doubts, value)
		}
	}
	return e
}

// isFailure reports whether go test prints line for a test or a benchmark that
// failed.
func isFailure(line string) bool {
	return strings.HasPrefix(strings.TrimLeft(line, " \t"), "--- FAIL") || line == "FAIL" || strings.HasPrefix(line, "FAIL\t") ||
		strings.HasPrefix(line, "panic: ")
}

// partial returns the reasons why a file with n results is
// not whole.
func (e ending) partial(n int) []string {
	why := slices.Clone(e.doubts)
	switch {
	case e.ended && e.counted != n:
		why = append(why, fmt.Sprintf("it has %d results, but its lines %q count %d", n, keyResults+":", e.counted))
	case e.ours && !e.ended && len(why) == 0:
		why = append(why, fmt.Sprintf("it was cut, or its run did not end: no line \"%s: N\" follows the last of %d results", keyResults, n))
	}
	return why
}
