package compare

import (
	"context"

	"github.com/zkatbench/zkatbench/bench/result"
)

// Build builds a side and returns its binaries.
func Build(ctx context.Context, s Side, o Options, into string) ([]result.Binary, error) {
	c := comparison{Options: o}
	b, remove, err := c.build(ctx, s, into, 1)
	remove()
	return b.binaries, err
}
