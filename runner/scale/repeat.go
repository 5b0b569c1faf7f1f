package scale

import (
	"context"
	"math/rand/v2"

	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/result"
)

// Repeat runs op n times with c. Each run after the first has other seeds, derived from
// the seeds of c. With equal arrivals the spread between runs would show the machine
// alone. If ctx is cancelled, the current run ends early and the remaining runs are
// skipped.
func Repeat(ctx context.Context, c runner.Config, op runner.Operation, n int) (rs []*result.Result,
	err error) {
	for i := range n {
		r, err := runner.Run(ctx, nth(c, i), op)
		if err != nil {
			return rs, err
		}
		rs = append(rs, r)
		if r.Interrupted {
			break
		}
	}
	return rs, nil
}

// nth returns the configuration of the i-th run.
func nth(c runner.Config, i int) runner.Config {
	if i == 0 {
		return c
	}
	c.Seed = split(c.Seed, i)
	if c.Plan != nil {
		p := *c.Plan
		p.Seed = split(p.Seed, i)
		c.Plan = &p
	}
	return c
}

// split derives the i-th seed from a seed.
func split(seed uint64, i int) uint64 { return rand.NewPCG(seed, uint64(i)).Uint64() >> 1 }
