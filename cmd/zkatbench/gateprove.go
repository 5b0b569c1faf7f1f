package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/zkatbench/zkatbench/bench/gate"
	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/text"
)

// prove measures the packages of the working directory against themselves, with each
// fault in turn, and prints the faults that the gate finds. Each comparison has an
// equal part of the budget. The planted sources are an overlay of the build.
func (c comparison) prove(ctx context.Context, packages []string, s streams) error {
	if len(packages) == 0 {
		return usageError("gate: -prove: name the packages, as in zkatbench gate -prove ./... -- -bench=.")
	}
	dir, err := os.MkdirTemp("", "zkatbench-prove-")
	if err != nil {
		return c.failed(err)
	}
	defer os.RemoveAll(dir)
	c.base, c.head, c.packages, c.side = ".", ".", packages, 1
	c.tests.Run = append(slices.Clip(c.tests.Run), "-test.benchmem")
	budget := *c.budget / time.Duration(len(gate.Faults))
	c.budget = &budget
	p := proving{found: map[result.Key][]string{}}
	for i, f := range gate.Faults {
		if c.overlay, err = overlay(ctx, f, packages, c.tests.Build, filepath.Join(dir, fmt.Sprint(i))); err != nil {
			return c.failed(err)
		}
		if c.rules.Limit = *c.limit; f.Slower > 0 {
			c.rules.Limit = f.Slower / 2
		}
		fmt.Fprintf(s.err, "zkatbench: gate: -prove: fault %s, %v\n", f.Name, budget)
		r, err := c.measure(ctx, s)
		if ctx.Err() != nil {
			return result.ErrInterrupted
		} else if err != nil {
			return failedComparison(c.failed(err))
		}
		p.add(f, r)
	}
	if err := p.write(s); err != nil {
		return err
	}
	if p.alarms > 0 || p.missed > 0 {
		return exitError{status: 1}
	}
	return nil
}

// overlay writes planted copies of all files of this module with loops of benchmarks,
// and the file of the build that replaces the originals.
func overlay(ctx context.Context, f gate.Fault, packages, build []string, dir string) (name string, err error) {
	if f == gate.Faults[0] {
		return "", nil
	}
	files, err := result.Source{Dir: ".", Packages: packages, Flags: build}.Files(ctx)
	if err != nil {
		return "", err
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		return "", err
	}
	replace := map[string]string{}
	for i, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			return "", err
		}
		if !bytes.Contains(source, []byte(".Loop()")) && !bytes.Contains(source, []byte(".N")) {
			continue
		}
		planted, loops, err := f.Plant(source, i)
		if err != nil || loops == 0 {
			continue // the compiler complains about it, or it is no benchmark
		}
		replace[file] = filepath.Join(dir, fmt.Sprintf("%d.go", i))
		if err := os.WriteFile(replace[file], planted, 0o600); err != nil {
			return "", err
		}
	}
	if len(replace) == 0 {
		return "", errors.New("-prove: no loop over b.N or b.Loop is found in the packages")
	}
	content, err := json.Marshal(map[string]any{"Replace": replace})
	name = filepath.Join(dir, "overlay.json")
	return name, errors.Join(err, os.WriteFile(name, content, 0o600))
}

// proving is the outcome of all faults so far.
type proving struct {
	keys           []result.Key
	found          map[result.Key][]string // by fault
	alarms, missed int
	least          float64 // the smallest slow-down that is found in all cases; 0: none
	widest         float64 // the largest difference of a case from itself
}

func (p *proving) add(f gate.Fault, r gate.Report) {
	all := true
	for _, c := range r.Comparisons {
		if !slices.Contains(p.keys, c.Key) {
			p.keys = append(p.keys, c.Key)
		}
		if f == gate.Faults[0] && c.Rule.Kind == gate.Noisy && c.Verdict != gate.Layout {
			p.widest = max(p.widest, math.Abs(c.Shift.Value))
		}
	}
	for _, k := range p.keys {
		word := "no"
		for _, c := range r.Comparisons {
			alarm := c.Verdict == gate.Regression || f == gate.Faults[0] && c.Verdict == gate.Improvement
			if c.Key == k && alarm && (!f.Alloc || c.Unit == "allocs/op") {
				word = "yes"
			}
		}
		if slices.ContainsFunc(r.Missing, func(m gate.Cell) bool { return m.Key == k }) {
			word = "yes"
		}
		all = all && word == "yes"
		switch {
		case f == gate.Faults[0] && word == "yes":
			p.alarms++
		case f != gate.Faults[0] && word == "no" && (f.Slower == 0 || f.Slower > 0.05):
			p.missed++
		}
		p.found[k] = append(p.found[k], word)
	}
	if all && f.Slower > 0 && p.least == 0 {
		p.least = f.Slower
	}
}

// write prints the table, the conclusion, and a file of rules.
func (p *proving) write(s streams) error {
	t := text.Table{Align: "l", Head: []string{"case"}}
	for _, f := range gate.Faults {
		t.Head = append(t.Head, f.Name)
	}
	for _, k := range p.keys {
		t.Rows = append(t.Rows, append([]string{k.Name}, p.found[k]...))
	}
	if err := t.Write(s.out, text.Width(s.out)); err != nil {
		return err
	}
	fmt.Fprintf(s.out, "\nfalse alarms: %d of %s\n", p.alarms, text.Plural(len(p.keys), "case"))
	limit := p.least / 2
	if p.least > 0 {
		fmt.Fprintf(s.out, "smallest slow-down that is found in all cases in this budget: %s\n", text.Percent(p.least))
	} else {
		limit = gate.Faults[3].Slower
		fmt.Fprintln(s.out, "no slow-down up to 10 % is found in all cases: raise -budget, or ignore the cases with no below")
	}
	limit = max(limit, math.Ceil(200*p.widest)/200)
	fmt.Fprintf(s.out, "\n# rules to keep, for -rules\nunit sec/op %s\n", strings.ReplaceAll(text.Percent(limit), " ", ""))
	for _, k := range p.keys {
		if found := p.found[k]; found[3] == "no" {
			fmt.Fprintf(s.out, "# a slow-down of 10 %% is not found: ignore .name:%s\n", text.Visible(k.Name))
		}
	}
	return nil
}
