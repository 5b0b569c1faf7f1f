package compare

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/zkatbench/zkatbench/bench/gate"
	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/runner/outfile"
	"github.com/zkatbench/zkatbench/runner/render"
	load "github.com/zkatbench/zkatbench/runner/result"
)

// errFailedBenchmark reports a file with the output of a benchmark that failed.
var errFailedBenchmark = errors.New("a benchmark failed, so its results do not count")

// files compares two files of results.
func files(base, head Side, o Options) (r gate.Report, err error) {
	if base.Kind != head.Kind {
		return r,
			fmt.Errorf("%q is a %v and %q a %v: results can be compared with results only", base.Name,
				base.Kind, head.Name, head.Kind)
	}
	loads, err := AreLoads(base.Name, head.Name)
	switch {
	case err != nil:
		return r, err
	case loads:
		return compareLoads(base.Name, head.Name, o.Rules)
	}
	return compareFiles(base.Name, head.Name, o)
}

// compareFiles judges two files of benchmarks.
func compareFiles(base, head string, o Options) (r gate.Report, err error) {
	var ds [2]*result.Data
	for i, name := range []string{base, head} {
		ds[i], err = result.ReadFiles(name)
		if err != nil {
			return r, err
		}
		if failed := ds[i].Failed; len(failed) > 0 {
			return r, fmt.Errorf("%w: %s", errFailedBenchmark, strings.Join(failed, "; "))
		}
	}
	for i, renames := range o.renames() {
		if err := ds[i].Rename(renames); err != nil {
			return r, fmt.Errorf("-map: %w", err)
		}
	}
	if o.Mix != "any" {
		if err := result.SameMachine(o.Mix == "host", ds[:]...); err != nil {
			return r, err
		}
	}
	r = gate.Files(o.Rules, ds[0], ds[1])
	r.Base, r.Head = base, head
	if len(ds[0].Config[orderKey]) == 0 || len(ds[1].Config[orderKey]) == 0 {
		r.Notes = append(r.Notes,
			"not measured in turns: a change of the machine between the files counts as a change")
	}
	for _, d := range ds {
		r.Incomplete = append(r.Incomplete, d.Partial...)
	}
	return r, nil
}

// errJSON reports a file that no command reads.
var errJSON = errors.New("is JSON, but neither a result of the load runner nor the events of go test -json")

// AreLoads reports whether all files are results of the load runner, as JSON. Mixed
// files are an error.
func AreLoads(names ...string) (bool, error) {
	loads := 0
	for _, name := range names {
		f, err := outfile.Open(name)
		if err != nil {
			return false, err
		}
		key, isObject := firstKey(f)
		f.Close()
		switch {
		case !isObject || slices.Contains([]string{"Time", "Action", "ImportPath"}, key): // of package result
		case key == "Name" || key == "Result":
			loads++
		default:
			return false, fmt.Errorf("%s %w", name, errJSON)
		}
	}
	if loads > 0 && loads < len(names) {
		return false,
			fmt.Errorf("%v: some are results of the load runner (JSON) and some are of benchmarks", names)
	}
	return loads > 0, nil
}

// firstKey returns the first key of a JSON object, and whether from begins with an object.
func firstKey(from io.Reader) (key string, isObject bool) {
	d := json.NewDecoder(from)
	if begin, err := d.Token(); err != nil || begin != json.Delim('{') {
		return "", false
	}
	token, _ := d.Token()
	key, _ = token.(string)
	return key, true
}

// readLoad reads a result of the load runner.
func readLoad(name string) (l gate.Load, err error) {
	b, err := outfile.ReadFile(name)
	if err != nil {
		return l, err
	}
	l.Name, l.Result, err = render.ReadJSON(bytes.NewReader(b))
	if err != nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return l, err
}

// MergeLoads writes the results of generators that ran at the same time as one, in JSON.
func MergeLoads(w io.Writer, names []string) error {
	var rs []*load.Result
	title := ""
	for i, name := range names {
		l, err := readLoad(name)
		if err != nil {
			return err
		}
		if i > 0 && l.Name != title {
			return fmt.Errorf("%s has results of %q, and %s of %q", names[0], title, name, l.Name)
		}
		title = l.Name
		rs = append(rs, l.Result)
	}
	m, err := load.Merge(rs...)
	if err != nil {
		return err
	}
	return render.Write(w, "json", m, render.Options{Name: title})
}

// compareLoads compares two results of the load runner.
func compareLoads(base, head string, rules gate.Rules) (r gate.Report, err error) {
	var sides [2]gate.Load
	for i, name := range []string{base, head} {
		sides[i], err = readLoad(name)
		if err != nil {
			return r, err
		}
	}
	of := [2]string{sides[0].Name, sides[1].Name}
	sides[1].Name = of[0] // so that they are compared
	r = gate.CompareLoads(rules, sides[:1], sides[1:])
	r.Base, r.Head = base, head
	if of[0] != of[1] {
		r.Notes = append(r.Notes, fmt.Sprintf("BASE is a run of %q, HEAD of %q", of[0], of[1]))
	}
	return r, nil
}
