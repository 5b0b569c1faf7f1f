package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/zkatbench/zkatbench/bench/gate"
	"github.com/zkatbench/zkatbench/bench/result"
)

// prove measures the packages of the working directory against themselves, with each
// fault in turn, and prints the faults that the gate finds. Each comparison has an
// equal part of the rest of the budget: what is decided at once leaves its part to the
// others. The planted sources are an overlay of the build of HEAD.
func (c comparison) prove(ctx context.Context, packages []string, s streams) error {
	if len(packages) == 0 {
		return usageError("gate: -prove: name the packages, as in zkatbench gate -prove ./... -- -bench=.")
	}
	c.base, c.head, c.packages, c.side, c.reuse = ".", ".", packages, 1, true
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
	from := result.Source{Dir: ".", Packages: packages, Flags: c.tests.Build}
	var p gate.Proof
	for i, f := range gate.Faults {
		sub := filepath.Join(dir, f.Name)
		if err := os.Mkdir(sub, 0o755); err != nil {
			return c.failed(err)
		}
		if c.overlay, err = f.Overlay(ctx, from, sub); err != nil {
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
			return c.failed(err)
		}
		if *c.all {
			if err := r.WriteText(s.out, true); err != nil {
				return err
			}
		}
		p.Add(f, r)
	}
	if err := p.WriteText(s.out); err != nil {
		return err
	}
	if !p.Sound() {
		return exitError{status: 1}
	}
	return nil
}
