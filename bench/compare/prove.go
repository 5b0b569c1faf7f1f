package compare

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/zkatbench/zkatbench/bench/gate"
	"github.com/zkatbench/zkatbench/bench/result"
)

// Prove measures the packages of the working directory against themselves, with each fault of
// gate.Faults in turn. Each comparison has an equal part of the rest of the budget: a comparison
// decided at once leaves its part to the others. The planted sources are an overlay of the build of
// HEAD. begin is called before each comparison, and end with its report.
func Prove(ctx context.Context, o Options, begin func(f gate.Fault, budget time.Duration),
	end func(gate.Report) error) (p gate.Proof, err error) {
	here := Named(".")
	o.Flags.Run = append(slices.Clip(o.Flags.Run), "-test.benchmem")
	if err := Check(ctx, here, here, o); err != nil {
		return p, err
	}
	until, limit := time.Now().Add(o.Budget), o.Rules.Limit
	from := result.Source{Dir: ".", Packages: o.Packages, Flags: o.Flags.Build}
	c := comparison{Options: o}
	err = o.inside(ctx, func(dir string) error {
		for i, f := range gate.Faults {
			into := filepath.Join(dir, f.Name)
			planted := here
			err := os.Mkdir(into, 0o755)
			if err == nil {
				planted.Overlay, err = f.Overlay(ctx, from, into)
			}
			if err != nil {
				return err
			}
			c.both = [2]Side{here, planted}
			c.Rules.Limit = limit
			if f.Slower > 0 {
				c.Rules.Limit = f.Slower / 2
			}
			c.Budget = time.Until(until) / time.Duration(len(gate.Faults)-i)
			begin(f, c.Budget)
			r, err := c.turns(ctx, into)
			if ctx.Err() != nil {
				return result.ErrInterrupted
			}
			if err == nil {
				err = end(r)
			}
			if err != nil {
				return err
			}
			p.Add(f, r)
		}
		return nil
	})
	return p, err
}
