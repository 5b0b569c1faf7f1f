package report

import (
	"bufio"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/google/pprof/profile"

	"github.com/zkatbench/zkatbench/bench/chart"
	"github.com/zkatbench/zkatbench/bench/flame"
	"github.com/zkatbench/zkatbench/bench/heap"
	"github.com/zkatbench/zkatbench/bench/history"
	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/bench/step"
	"github.com/zkatbench/zkatbench/runner/outfile"
	"github.com/zkatbench/zkatbench/runner/render"
	load "github.com/zkatbench/zkatbench/runner/result"
)

// Input is the content of a page. Empty parts are omitted.
type Input struct {
	Title   string
	Files   []string // names to show
	Base    *result.Data
	Results *result.Data // compared with Base, if present
	Loads   []Load
	Trends  []history.Series
	Charts  []chart.Group // shown first
	// Observations inside operations, by file name. Rows of steps follow their heads.
	Steps  map[string][][]string
	Heaps  map[string]*heap.Result
	Flames map[string]flame.Stacks
}

// Load is a run of the load runner. File distinguishes runs with the same name and
// number of workers; it is empty if another run does not share them.
type Load struct {
	Name   string
	Result *load.Result
	File   string
}

// Read reads files of every kind, distinguished by their beginning: JSON of the load
// runner, heap profiles, tables of steps, folded stacks, profiles of the Go runtime; all
// others are results in Go benchmark format. Two files of results that share a case are
// compared, with the first as the base; otherwise their results are shown together. An
// error names its file.
func Read(names ...string) (in Input, err error) {
	in.Title = "Benchmark report"
	in.Steps, in.Heaps, in.Flames = map[string][][]string{}, map[string]*heap.Result{},
		map[string]flame.Stacks{}
	var results []string
	for _, name := range names {
		in.Files = append(in.Files, filepath.Base(name))
		isResult, err := in.read(name)
		switch {
		case errors.Is(err, outfile.ErrInput): // names the file
			return in, err
		case err != nil:
			return in, fmt.Errorf("%s: %w", name, err)
		case isResult:
			results = append(results, name)
		}
	}
	slices.SortStableFunc(in.Loads, func(a, b Load) int {
		return cmp.Or(strings.Compare(a.Name, b.Name),
			cmp.Compare(a.Result.Config.Workers, b.Result.Config.Workers))
	})
	for i, l := range in.Loads { // equal ones are neighbours
		equal := func(o Load) bool {
			return o.Name == l.Name && o.Result.Config.Workers == l.Result.Config.Workers
		}
		if !slices.ContainsFunc(in.Loads[max(0, i-1):i], equal) &&
			!slices.ContainsFunc(in.Loads[i+1:], equal) {
			in.Loads[i].File = ""
		}
	}
	return in, in.readResults(results)
}

// labelled begins folded stacks of an operation, timed the output of a one-shot program
// with its table of steps.
const (
	labelled = step.Label + ": "
	timed    = "benchmark complete after "
)

// read reads a file unless it has results.
func (in *Input) read(name string) (isResult bool, err error) {
	f, err := outfile.Open(name)
	if err != nil {
		return false, outfile.Cause(err)
	}
	defer f.Close()
	from := bufio.NewReader(f)
	peeked, _ := from.Peek(len(timed))
	begins := func(with string) bool { return strings.HasPrefix(string(peeked), with) }
	base := filepath.Base(name)
	switch {
	case begins(`{"dhatFileVersion":`):
		in.Heaps[base], err = heap.Read(from)
	case begins("Step,Calls,"), begins(timed):
		in.Steps[base], err = readSteps(from, begins(timed))
	case begins("{"):
		err = in.readLoad(base, from)
	case begins("\x1f\x8b"): // compressed, as package runtime/pprof writes profiles
		p, err := profile.Parse(from)
		if err != nil {
			return false, err
		}
		in.Flames[base] = flame.Fold(p, step.Label)
	case begins(labelled):
		in.Flames[base], err = flame.Read(from)
	default:
		isResult = true
	}
	return isResult, err
}

// readLoad reads JSON of the load runner.
func (in *Input) readLoad(base string, from io.Reader) error {
	title, r, err := render.ReadJSON(from)
	if err != nil {
		return fmt.Errorf("JSON, but neither a run of the load runner nor a heap profile: %w", err)
	}
	// The label contains the number of workers; runs that differ only in it
	// form one ladder.
	title = strings.Replace(cmp.Or(title, base), fmt.Sprintf("/%s=%d", workers, r.Config.Workers), "", 1)
	in.Loads = append(in.Loads, Load{title, r, base})
	return nil
}

// readSteps reads a table of steps. All cells except heads and names are numbers.
func readSteps(from *bufio.Reader, timed bool) (rows [][]string, err error) {
	if timed {
		_, err = from.ReadString('\n')
	}
	if err == nil {
		rows, err = csv.NewReader(from).ReadAll()
	}
	if err == nil && len(rows) < 2 {
		err = errors.New("a table without steps")
	}
	for _, row := range rows[min(1, len(rows)):] {
		for _, field := range row[1:] {
			_, wrong := strconv.ParseUint(field, 10, 64)
			err = cmp.Or(err, wrong)
		}
	}
	return rows, err
}

func (in *Input) readResults(names []string) (err error) {
	if len(names) == 0 {
		return nil
	}
	if len(names) == 2 {
		in.Base, err = result.ReadFiles(names[0])
		if err != nil {
			return err
		}
		in.Results, err = result.ReadFiles(names[1])
		if err != nil {
			return err
		}
		if slices.ContainsFunc(in.Base.Cases, func(k result.Key) bool {
			return in.Results.Values[k] != nil
		}) {
			return nil
		}
		in.Base = nil
	}
	in.Results, err = result.ReadFiles(names...)
	return err
}
