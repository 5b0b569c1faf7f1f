package report

import (
	"bufio"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/zkatbench/zkatbench/bench/history"
	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/runner"
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
}

// Load is a run of the load runner.
type Load struct {
	Name   string
	Result *runner.Result
}

// Read reads files in Go benchmark format and JSON files of the load runner,
// distinguished by their first byte. Two files of results that share a case are
// compared, with the first as the base; otherwise their results are shown
// together.
func Read(names ...string) (in Input, err error) {
	in.Title = "Benchmark report"
	var results []string
	for _, name := range names {
		in.Files = append(in.Files, filepath.Base(name))
		isLoad, err := in.readLoad(name)
		if err != nil {
			return in, err
		}
		if !isLoad {
			results = append(results, name)
		}
	}
	slices.SortStableFunc(in.Loads, func(a, b Load) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), cmp.Compare(a.Result.Config.Workers, b.Result.Config.Workers))
	})
	return in, in.readResults(results)
}

// readLoad reads a file if it begins as JSON.
func (in *Input) readLoad(name string) (is bool, err error) {
	f, err := os.Open(name)
	if err != nil {
		return false, err
	}
	defer f.Close()
	from := bufio.NewReader(f)
	if start, err := from.Peek(1); err != nil || start[0] != '{' {
		return false, nil
	}
	title, r, err := render.ReadJSON(from)
	if err != nil {
		return true, fmt.Errorf("%s: %w", name, err)
	}
	if title == "" {
		title = filepath.Base(name)
	}
	// The label contains the number of workers; runs that differ only in it
	// form one ladder.
	title = strings.Replace(title, fmt.Sprintf("/%s=%d", workers, r.Config.Workers), "", 1)
	in.Loads = append(in.Loads, Load{title, r})
	return true, nil
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
