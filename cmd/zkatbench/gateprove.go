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
		return fmt.Errorf("-prove: name the packages, as in zkatbench gate -prove ./... -- -bench=Sender")
	}
	c.base, c.head, c.packages, c.side, c.reuse = ".", ".", packages, 1, true
	c.tests.Run = append(slices.Clip(c.tests.Run), "-test.benchmem")
	end := time.Now().Add(*c.budget)
	from := result.Source{Dir: ".", Packages: packages, Flags: c.tests.Build}
	var p gate.Proof
	err := c.alone(ctx, s, func(dir string) error {
		for i, f := range gate.Faults {
			into := filepath.Join(dir, f.Name)
			err := os.Mkdir(into, 0o755)
			if err == nil {
				c.overlay, err = f.Overlay(ctx, from, into)
			}
			if err != nil {
				return err
			}
			if c.rules.Limit = *c.limit; f.Slower > 0 {
				c.rules.Limit = f.Slower / 2
			}
			budget := time.Until(end) / time.Duration(len(gate.Faults)-i)
			c.budget = &budget
			fmt.Fprintf(s.err, "zkatbench: gate: -prove: fault %s, %v\n", f.Name, budget.Round(time.Second))
			r, err := c.turns(ctx, into, s)
			if ctx.Err() != nil {
				return result.ErrInterrupted
			}
			if err == nil && *c.all {
				err = r.WriteText(s.out, true)
			}
			if err != nil {
				return err
			}
			p.Add(f, r)
		}
		return p.WriteText(s.out)
	})
	if err == nil && !p.Sound() {
		return exitError{status: negative}
	}
	return err
}
