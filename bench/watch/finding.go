package watch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/mod/modfile"

	"github.com/zkatbench/zkatbench/bench/gate"
	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/runner/outfile"
	"github.com/zkatbench/zkatbench/text"
)

// finding is a suspicion that cases became worse between two revisions, with its answer.
type finding struct {
	Base, Head string
	Why        string       // step, level, drift, day, half, or the name of a change
	Asked      []result.Key // empty: all cases
	Changed    []result.Key // cases whose benchmark itself changed; they were not compared
	Verdicts   []Verdict    // of the comparison
	At         time.Time    // of the comparison
	Note       string       // the reason for missing verdicts
}

// Verdict is the one of a comparison in turns. Change is a share.
type Verdict struct {
	Key        result.Key
	Unit       string
	Verdict    gate.Verdict
	Base, Head float64 // medians
	Change     float64
}

// worse returns the cases with a regression.
func (f finding) worse() (keys []result.Key) {
	for _, v := range f.Verdicts {
		if v.Verdict == gate.Regression && !slices.Contains(keys, v.Key) {
			keys = append(keys, v.Key)
		}
	}
	return keys
}

func (f finding) regression() bool { return len(f.worse()) > 0 }

// answer returns the finding that answers p, or nil. A drift is answered as long as the
// revisions of an earlier answer overlap with its own.
func (s *state) answer(p finding) *finding {
	for i, f := range s.findings {
		asked := len(f.Asked) == 0 || len(p.Asked) > 0 && !slices.ContainsFunc(p.Asked, func(k result.Key) bool { return !slices.Contains(f.Asked, k) })
		same := f.Base == p.Base && f.Head == p.Head
		if p.Why == whyDrift && f.Why == whyDrift {
			same = slices.Index(s.line, f.Head) < slices.Index(s.line, p.Base)
		}
		if same && asked {
			return &s.findings[i]
		}
	}
	return nil
}

// settle compares the revisions of a suspicion and keeps the answer. Cases whose
// benchmark differs are not compared.
func (w *Watch) settle(ctx context.Context, f finding) error {
	f.At = time.Now()
	var same []result.Key
	for _, k := range f.Asked {
		differs, err := w.benchmarkChanged(ctx, f.Base, f.Head, k.Package)
		switch {
		case err != nil:
			return err
		case differs:
			f.Changed = append(f.Changed, k)
		default:
			same = append(same, k)
		}
	}
	if len(same) > 0 || len(f.Asked) == 0 {
		w.Log("comparing %.12s with %.12s (%s)", f.Base, f.Head, f.Why)
		r, err := w.Lab.Compare(ctx, f.Base, f.Head, same)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, ErrRevision):
			f.Note = err.Error()
		case err != nil:
			return err
		}
		worse := r.Count(gate.Regression) > 0
		for _, c := range r.Comparisons {
			if c.Verdict == gate.Regression || c.Verdict == gate.Unknown && !worse {
				f.Verdicts = append(f.Verdicts, Verdict{c.Key, c.Unit, c.Verdict, c.Base.Median, c.Head.Median, c.Shift.Value})
			}
		}
	}
	content, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		return fmt.Errorf("finding: %w", err)
	}
	if err := w.write(w.findingFile(f), append(content, '\n')); err != nil {
		return err
	}
	for _, line := range f.lines() {
		w.Log("%s", line)
	}
	return nil
}

// benchmarkChanged reports whether the benchmarks of a package differ between two
// commits: its test files, its test data, or the folders of the harness.
func (w *Watch) benchmarkChanged(ctx context.Context, base, head, pkg string) (bool, error) {
	gomod, err := result.Git(ctx, w.Repository, "show", base+":./go.mod")
	if err != nil {
		return false, err
	}
	dir := path.Join(".", strings.TrimPrefix(strings.TrimPrefix(pkg, modfile.ModulePath([]byte(gomod))), "/"))
	paths := []string{":(glob)" + path.Join(dir, "*_test.go"), ":(glob)" + path.Join(dir, "testdata/**")}
	for _, h := range w.Harness {
		if h != "" {
			paths = append(paths, ":(glob)"+path.Join(h, "**/*.go"))
		}
	}
	out, err := result.Git(ctx, w.Repository, append([]string{"diff", "--name-only", "--no-renames", base, head, "--"}, paths...)...)
	return out != "", err
}

// findingFile names the file of a finding; a second one of the same revisions has other
// cases.
func (w *Watch) findingFile(f finding) string {
	for i := 1; ; i++ {
		name := filepath.Join(w.Dir, "findings", fmt.Sprintf("%.12s-%.12s-%d.json", f.Base, f.Head, i))
		if _, err := os.Stat(name); err != nil {
			return name
		}
	}
}

func (w *Watch) readFindings() (all []finding, err error) {
	names, err := filepath.Glob(filepath.Join(w.Dir, "findings", "*.json"))
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		var f finding
		content, err := outfile.ReadFile(name)
		if err == nil {
			err = json.Unmarshal(content, &f)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, f)
	}
	return all, nil
}

// lines describes a finding, a line for each case and unit.
func (f finding) lines() (all []string) {
	between := fmt.Sprintf("between %.12s and %.12s (%s)", f.Base, f.Head, f.Why)
	for _, v := range f.Verdicts {
		word := "regression"
		if v.Verdict != gate.Regression {
			word = "undecided"
		}
		all = append(all, fmt.Sprintf("%s: %s %s %s %s", word, v.Key, v.Unit, text.Change(v.Change), between))
	}
	for _, k := range f.Changed {
		all = append(all, fmt.Sprintf("the benchmark itself changed: %s %s", k, between))
	}
	switch {
	case f.Note != "":
		all = append(all, fmt.Sprintf("not compared: %s %s", f.Note, between))
	case len(all) == 0:
		all = []string{"not confirmed: no regression " + between}
	}
	return all
}
