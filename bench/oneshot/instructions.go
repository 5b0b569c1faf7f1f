package oneshot

import (
	"bytes"
	"context"
	"os/exec"

	"github.com/zkatbench/zkatbench/bench/instr"
)

// Instructions counts the instructions of one record. start returns a process that prepares and
// works so many records of the program; if the operation can read its inputs, they are on
// standard input: to make them would take more instructions than the work, and vary more.
// The shorter run has at least as many records as the program, and their number is returned.
func Instructions(ctx context.Context, p Program, start instr.Program, cache bool) (perOp instr.Counts,
	shorter int, err error) {
	return instr.Measure(ctx, func(prepared, worked int) (*exec.Cmd, error) {
		cmd, err := start(prepared, worked)
		if err != nil || p.Op.Read == nil {
			return cmd, err
		}
		made := p
		made.Records = prepared
		r, err := made.Prepare(ctx)
		if err != nil {
			return nil, err
		}
		var inputs bytes.Buffer
		cmd.Stdin = &inputs
		return cmd, r.Emit(&inputs)
	}, p.Records, cache)
}
