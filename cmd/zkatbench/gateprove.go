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
// equal part of the rest of the budget: what is decided at once leaves its part to the
// others. The planted sources are an overlay of the build of HEAD.
func (c comparison) prove(ctx context.Context, packages []string, s streams) error {
	if len(packages) == 0 {
		return usageError("gate: -prove: name the packages, as in zkatbench gate -prove ./... -- -bench=.")
	}
	c.base, c.head, c.packages, c.side = ".", ".", packages, 1
	c.tests.Run = append(slices.Clip(c.tests.Run), "-test.benchmem")
	err := c.checkSides(ctx)
	if err == nil {
		c.plan, err = bind(c.command, *c.pin)
	}
	if err != nil {
		return err
	}
	unlock, err := lockForBinaries(ctx, *c.free, s.err)
	if err != nil {
		return err
	}
	defer unlock()
	dir, err := os.MkdirTemp("", "zkatbench-prove-")
	if err != nil {
		return c.failed(err)
	}
	defer os.RemoveAll(dir)
	end := time.Now().Add(*c.budget)
	p := proving{found: map[result.Key]map[string]string{}}
	for i, f := range gate.Faults {
		sub := filepath.Join(dir, f.Name)
		if err := os.Mkdir(sub, 0o755); err != nil {
			return c.failed(err)
		}
		if c.overlay, err = overlay(ctx, f, packages, c.tests.Build, sub); err != nil {
			return c.failed(err)
		}
		if c.rules.Limit = *c.limit; f.Slower > 0 {
			c.rules.Limit = f.Slower / 2
		}
		budget := time.Until(end) / time.Duration(len(gate.Faults)-i)
		c.budget = &budget
		fmt.Fprintf(s.err, "zkatbench: gate: -prove: fault %s, %v\n", f.Name, budget.Round(time.Second))
		r, err := c.turns(ctx, sub, s)
		if ctx.Err() != nil {
			return result.ErrInterrupted
		} else if err != nil {
			return failedComparison(c.failed(err))
		}
		if *c.all {
			if err := r.WriteText(s.out, true); err != nil {
				return err
			}
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
	if f == (gate.Fault{Name: f.Name}) {
		return "", nil
	}
	files, err := result.Source{Dir: ".", Packages: packages, Flags: build}.Files(ctx)
	if err != nil {
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
	found          map[result.Key]map[string]string // by the name of a fault: yes or no
	alarms, missed int
	least          float64 // the smallest slow-down that is found in all cases; 0: none
	widest         float64 // the largest difference of a case from itself
}

func (p *proving) add(f gate.Fault, r gate.Report) {
	none, all := f == gate.Fault{Name: f.Name}, true
	for _, c := range r.Comparisons {
		if p.found[c.Key] == nil {
			p.keys, p.found[c.Key] = append(p.keys, c.Key), map[string]string{}
		}
		if none && c.Rule.Kind == gate.Noisy && c.Verdict != gate.Layout {
			p.widest = max(p.widest, math.Abs(c.Shift.Value))
		}
	}
	for _, k := range p.keys {
		found := slices.ContainsFunc(r.Comparisons, func(c gate.Comparison) bool {
			alarm := c.Verdict == gate.Regression || none && c.Verdict == gate.Improvement
			return c.Key == k && alarm && (!f.Alloc || c.Unit == "allocs/op")
		})
		found = found || slices.ContainsFunc(r.Missing, func(m gate.Cell) bool { return m.Key == k })
		switch {
		case none && found:
			p.alarms++
		case !none && !found && (f.Slower == 0 || f.Slower > 0.05):
			p.missed++
		}
		all = all && found
		p.found[k][f.Name] = map[bool]string{true: "yes", false: "no"}[found]
	}
	if all && f.Slower > 0 {
		p.least = f.Slower // the faults become smaller
	}
}

// write prints the table, the conclusion, and a file of rules.
func (p *proving) write(s streams) error {
	t := text.Table{Align: "l", Head: []string{"case"}}
	for _, f := range gate.Faults {
		t.Head = append(t.Head, f.Name)
	}
	for _, k := range p.keys {
		row := []string{k.Name}
		for _, f := range gate.Faults {
			row = append(row, p.found[k][f.Name])
		}
		t.Rows = append(t.Rows, row)
	}
	if err := t.Write(s.out, text.Width(s.out)); err != nil {
		return err
	}
	fmt.Fprintf(s.out, "\nfalse alarms: %d of %s\n", p.alarms, text.Plural(len(p.keys), "case"))
	limit := p.least / 2
	if p.least > 0 {
		fmt.Fprintf(s.out, "smallest slow-down that is found in all cases in this budget: %s\n", text.Percent(p.least))
	} else {
		limit = 0.1
		fmt.Fprintln(s.out, "no slow-down up to 10 % is found in all cases: raise -budget, or ignore the cases with no below")
	}
	limit = max(limit, math.Ceil(200*p.widest)/200)
	fmt.Fprintf(s.out, "\n# rules to keep, for -rules\nunit sec/op %s\n", strings.ReplaceAll(text.Percent(limit), " ", ""))
	for _, k := range p.keys {
		if p.found[k]["+10 %"] == "no" {
			fmt.Fprintf(s.out, "# a slow-down of 10 %% is not found: ignore .name:%s\n", text.Visible(k.Name))
		}
	}
	return nil
}
