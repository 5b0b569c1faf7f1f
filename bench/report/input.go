package report

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/pprof/profile"

	"github.com/zkatbench/zkatbench/bench/flame"
	"github.com/zkatbench/zkatbench/bench/heap"
	"github.com/zkatbench/zkatbench/bench/history"
	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/bench/step"
	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/outfile"
	"github.com/zkatbench/zkatbench/runner/render"
)

// Input is the content of a page. Empty parts are omitted.
type Input struct {
	Title   string
	Files   []string // names to show
	Base    *result.Data
	Results *result.Data // compared with Base, if present
	Loads   []Load
	Trends  []history.Series
	Tables  []Table // shown first
	Inside  Inside
}

// Table is a table of text.
type Table struct {
	Title, Note string
	Head        []string
	Rows        [][]string
}

// Load is a run of the load runner. File distinguishes runs with the same name and
// number of workers; it is empty if there are none.
type Load struct {
	Name   string
	Result *runner.Result
	File   string
}

// Read reads files of every kind, distinguished by their beginning: JSON of the
// load runner, heap profiles, tables of steps, folded stacks, profiles of the Go
// runtime; all others are results in Go benchmark format. Two files of results that share a case are
// compared, with the first as the base; otherwise their results are shown
// together.
func Read(names ...string) (in Input, err error) {
	in.Title = "Benchmark report"
	in.Inside = Inside{map[string]step.Table{}, map[string]*heap.Summary{}, map[string]flame.Stacks{}}
	var results []string
	for _, name := range names {
		in.Files = append(in.Files, filepath.Base(name))
		isResult, err := in.read(name)
		if err != nil {
			if errors.Is(err, outfile.ErrInput) { // names the file
				return in, err
			}
			return in, fmt.Errorf("%s: %w", name, err)
		}
		if isResult {
			results = append(results, name)
		}
	}
	slices.SortStableFunc(in.Loads, func(a, b Load) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), cmp.Compare(a.Result.Config.Workers, b.Result.Config.Workers))
	})
	counts := map[string]int{}
	for _, l := range in.Loads {
		counts[l.alone()]++
	}
	for i, l := range in.Loads {
		if counts[l.alone()] == 1 {
			in.Loads[i].File = ""
		}
	}
	return in, in.readResults(results)
}

// The beginnings by which files are told apart.
const (
	beginsHeap   = `{"dhatFileVersion":`
	beginsObject = "{"
	beginsSteps  = "Step,Calls,"
	beginsTimed  = "benchmark complete after " // the line before a table of steps
	beginsFolded = step.Label + ": "
	beginsGzip   = "\x1f\x8b" // profiles of the Go runtime
)

// read reads a file unless it has results.
func (in *Input) read(name string) (isResult bool, err error) {
	f, err := outfile.Open(name)
	if err != nil {
		return false, outfile.Cause(err)
	}
	defer f.Close()
	from := bufio.NewReader(f)
	peeked, _ := from.Peek(len(beginsTimed))
	begins := func(with string) bool { return strings.HasPrefix(string(peeked), with) }
	base := filepath.Base(name)
	switch {
	case begins(beginsHeap):
		in.Inside.Heaps[base], err = heap.Read(from)
	case begins(beginsObject):
		err = in.readLoad(base, from)
	case begins(beginsTimed):
		if _, err = from.ReadString('\n'); err == nil {
			in.Inside.Steps[base], err = step.Read(from)
		}
	case begins(beginsSteps):
		in.Inside.Steps[base], err = step.Read(from)
	case begins(beginsGzip):
		err = in.readProfile(base, from)
	case begins(beginsFolded):
		in.Inside.Flames[base], err = flame.Read(from)
	default:
		isResult = true
	}
	return isResult, err
}

// readProfile reads a profile in the format of package runtime/pprof, such as the
// ones of go test -cpuprofile, of -diagnose and of zkatbench inside.
func (in *Input) readProfile(base string, from io.Reader) error {
	p, err := profile.Parse(from)
	if err != nil {
		return err
	}
	in.Inside.Flames[base] = flame.Fold(p, step.Label)
	return nil
}

// readLoad reads JSON of the load runner.
func (in *Input) readLoad(base string, from io.Reader) error {
	title, r, err := render.ReadJSON(from)
	if err != nil {
		return err
	}
	if title == "" {
		title = base
	}
	// The label contains the number of workers; runs that differ only in it
	// form one ladder.
	title = strings.Replace(title, fmt.Sprintf("/%s=%d", workers, r.Config.Workers), "", 1)
	in.Loads = append(in.Loads, Load{title, r, base})
	return nil
}

func (in *Input) readResults(names []string) (err error) {
	if len(names) == 2 {
		base, err := result.ReadFiles(names[0])
		if err != nil {
			return err
		}
		head, err := result.ReadFiles(names[1])
		if err != nil {
			return err
		}
		if overlap(base, head) {
			in.Base, in.Results = base, head
			return nil
		}
	}
	if len(names) > 0 {
		in.Results, err = result.ReadFiles(names...)
	}
	return err
}

// overlap reports whether any case is in both.
func overlap(a, b *result.Data) bool {
	for _, k := range a.Cases {
		if b.Values[k] != nil {
			return true
		}
	}
	return false
}
