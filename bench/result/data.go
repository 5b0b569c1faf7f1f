package result

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"sort"
	"strconv"
	"strings"

	"golang.org/x/perf/benchfmt"

	"github.com/zkatbench/zkatbench/runner/outfile"
)

// Data holds samples by case and unit. Units are tidy: sec/op, B/op, B/s.
type Data struct {
	Cases   []Key // in the order of their first appearance
	Units   []string
	Printed map[string]string            // each unit as the benchmarks first printed it, such as ns/op
	Values  map[Key]map[string][]float64 // in the order of measurement
	// Layouts are the layouts of the binaries that gave Values, 0 if it is not known.
	Layouts map[Key]map[string][]float64
	Spent   map[Key]float64 // seconds of the measured iterations, averaged over the results
	Iters   map[Key]float64 // iterations, averaged over the results
	Meta    benchfmt.UnitMetadataMap
	Config  map[string][]string // the values of each configuration key
	// Partial has the reasons for which a file is not whole, each after the name
	// of its file; Failed has the lines of go test about a failure.
	Partial, Failed []string
	// Looks are the looks of a comparison that was kept, in order.
	Looks []Look

	kept       []kept
	configured map[[2]string]bool // keys with their values
}

// Look has the knowledge of a comparison in progress when it judged the results so far.
// With it, the file of the comparison leads to the same verdicts.
type Look struct {
	More bool // further layouts could be linked
}

// kept is a result with the number of looks before it.
type kept struct {
	*benchfmt.Result
	looks int
}

// Until returns the results before a look, counted from 0.
func (d *Data) Until(look int) *Data {
	part := NewData()
	part.Meta, part.Config, part.configured = d.Meta, d.Config, d.configured
	for _, k := range d.kept {
		if k.looks <= look {
			part.add(k.Result)
		}
	}
	return part
}

// NewData returns empty Data.
func NewData() *Data {
	return &Data{
		Printed: map[string]string{},
		Values:  map[Key]map[string][]float64{},
		Layouts: map[Key]map[string][]float64{},
		Spent:   map[Key]float64{},
		Iters:   map[Key]float64{},
		Meta:    benchfmt.UnitMetadataMap{},
		Config:  map[string][]string{},

		configured: map[[2]string]bool{},
	}
}

// ReadFiles reads files in Go benchmark format, as text, as UTF-16 with a byte-order mark
// or as the events of go test -json. A file without results is an error, and so is a
// result that cannot be true (ErrUnsound).
func ReadFiles(names ...string) (*Data, error) {
	d := NewData()
	for _, name := range names {
		text, err := outfile.ReadFile(name)
		if err == nil {
			err = d.Read(bytes.NewReader(text), name)
		}
		if err != nil {
			return nil, err
		}
	}
	return d, nil
}

// ErrUnsound reports a result that cannot be true: without iterations, with a value that
// is infinite or not a number, with a negative cost, or with a unit twice.
var ErrUnsound = errors.New("cannot be true")

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
	p, err := plainOf(text)
	if err != nil {
		return c, fmt.Errorf("%s: %w", name, err)
	}
	lines := p.text()
	looks := looksOf(p.lines)
	r := benchfmt.NewReader(strings.NewReader(lines), name)
	for r.Scan() {
		switch rec := r.Result().(type) {
		case *benchfmt.SyntaxError:
			return c, fmt.Errorf("%s:%d: %s", name, p.at(rec.Line), rec.Msg)
		case *benchfmt.UnitMetadata:
			c.units = append(c.units, rec)
			d.Meta[rec.UnitMetadataKey] = rec
		case *benchfmt.Result:
			if why := unsound(rec); why != "" {
				_, line := rec.Pos()
				return c,
					fmt.Errorf("%s:%d: the result of %s %w: %s", name, p.at(line), rec.Name, ErrUnsound, why)
			}
			c.results = append(c.results, rec.Clone())
			_, line := rec.Pos()
			before := sort.SearchInts(looks.lines, line)
			d.kept = append(d.kept, kept{c.results[len(c.results)-1], before})
			d.add(rec)
		}
	}
	if r.Err() == nil && len(c.results) == 0 {
		return c, fmt.Errorf("%s: %w", strings.Join(append([]string{name}, p.lost...), ": "), ErrNoBenchmarks)
	}
	d.Looks = append(d.Looks, looks.all...)
	e := endingOf(lines)
	for _, line := range e.failed {
		d.Failed = append(d.Failed, name+": "+line)
	}
	for _, why := range slices.Concat(e.partial(len(c.results)), p.lost) {
		d.Partial = append(d.Partial, name+": "+why)
	}
	return c, r.Err()
}

// add adds one result: its values by unit with their layouts, the time that it took, and the
// keys of its configuration.
func (d *Data) add(r *benchfmt.Result) {
	k := keyOf(r)
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
		if d.Printed[v.Unit] == "" {
			d.Printed[v.Unit] = printedUnit(v)
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
		if c.File && c.Key != keyResults && c.Key != keyLook {
			d.configure(c.Key, string(c.Value))
		}
	}
}

func keyOf(r *benchfmt.Result) Key { return Key{r.GetConfig("pkg"), r.Name.String()} }

func (d *Data) configure(key, value string) {
	pair := [2]string{key, value}
	if d.configured[pair] && len(d.Config[key]) > 0 {
		return
	}
	d.configured[pair] = true
	d.Config[key] = append(d.Config[key], value)
}

// Keys of the configuration lines after the last result of a file.
const (
	// number of results since the start of the file, or since the last such line
	keyResults     = "results"
	keyInterrupted = "interrupted" // by ^C, with the number of results
	keyIncomplete  = "incomplete"  // the reason for which results are missing
)

// keyLook is the configuration key of a line that a comparison writes when it judges the
// results before it.
const keyLook = "look"

// line writes a look.
func (l Look) line() string { return fmt.Sprintf("%s: more=%t", keyLook, l.More) }

// looks are the looks in a file, and their lines from 1.
type looks struct {
	lines []int
	all   []Look
}

func looksOf(lines []string) (found looks) {
	for i, line := range lines {
		if !strings.HasPrefix(line, keyLook) {
			continue
		}
		var l Look
		if _, err := fmt.Sscanf(line, keyLook+": more=%t", &l.More); err == nil {
			found.lines, found.all = append(found.lines, i+1), append(found.all, l)
		}
	}
	return found
}

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
	trimmed := strings.TrimLeft(line, " \t")
	return line == "FAIL" || strings.HasPrefix(trimmed, "--- FAIL") || strings.HasPrefix(line, "FAIL\t") ||
		strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ") ||
		strings.HasPrefix(line, "signal: ") || strings.HasPrefix(line, "exit status ")
}

// partial returns the reasons why a file with n results is
// not whole.
func (e ending) partial(n int) []string {
	why := slices.Clone(e.doubts)
	switch {
	case e.ended && e.counted != n:
		why = append(why,
			fmt.Sprintf("it has %d results, but its lines %q count %d", n, keyResults+":", e.counted))
	case e.ours && !e.ended && len(why) == 0:
		why = append(why,
			fmt.Sprintf("it was cut, or its run did not end: no line \"%s: N\" follows the last of %d "+
				"results", keyResults, n))
	}
	return why
}
