package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
)

// The flags of mutate.
var (
	mutants = &bench.Axis[int]{
		Name: "n", Flag: "n", Default: "1000000", Show: bench.Never, One: true, Values: bench.Numbers(1, 1<<40),
		Usage: "mutants",
	}
	mutateSeed = &bench.Axis[int]{
		Name: "seed", Flag: "seed", Default: "1", Show: bench.Never, One: true, Values: bench.Numbers(0, 1<<40),
		Usage: "seed of all mutants",
	}
	mutateProtocol = &bench.Axis[string]{
		Name: "protocol", Flag: "protocol", Default: "v1,v2", Show: bench.Never, Values: bench.Names("v1", "v2"),
		Usage: "protocols of the mutated requests, comma-separated",
	}
)

var mutateFlags = bench.Set{
	Program: "zkatbench", Env: "ZKAT_",
	Axes: bench.Axes(mutants, mutateSeed, mutateProtocol),
}

// errMutant reports a failure of the validator.
var errMutant = errors.New("zkatbench: mutate: mutants were accepted, or made the validator panic")

// mutate validates random mutants of requests on all processors. Half of the
// mutants are changes of signed requests; the others are changed before
// signing, so that invalid signatures do not hide later checks. Only mutants
// that are byte for byte equal to one of the requests may be accepted.
func mutate(ctx context.Context, args []string, out io.Writer) error {
	sel, err := selection(commandLine{name: "mutate", takes: "[flags]"}, mutateFlags, args, out)
	if sel == nil {
		return err
	}
	hs, err := newTargets(mutateProtocol.All(sel))
	if err != nil {
		return err
	}
	workers := runtime.GOMAXPROCS(0)
	tallies := make([]tally, workers)
	err = executor.Unbounded{}.Run(workers, func(i int) (err error) {
		seed := uint64(mutateSeed.All(sel)[0])<<16 + uint64(i)
		tallies[i], err = validateMutants(ctx, hs, seed, share(mutants.All(sel)[0], workers, i))
		return err
	})
	total := tally{reasons: reasons{}}
	for _, t := range tallies {
		total.add(t)
	}
	fmt.Fprintf(out, "%d mutants: %d refused, %d equal to an original, %d accepted, %d panics\n",
		total.refused+total.equal+total.accepted+total.panics, total.refused, total.equal, total.accepted, total.panics)
	printReasons(out, total.reasons)
	for _, raw := range total.examples {
		fmt.Fprintf(out, "  %x\n", raw)
	}
	switch {
	case err != nil:
		return err
	case total.accepted+total.panics > 0:
		return errMutant
	case ctx.Err() != nil:
		return errInterrupted
	}
	return nil
}

// share is the number of the n mutants that worker i validates.
func share(n, workers, i int) int { return (n + workers - 1 - i) / workers }

// tally counts the outcomes of mutants.
type tally struct {
	refused, equal, accepted, panics int
	reasons                          reasons
	examples                         [][]byte
}

func (t *tally) add(o tally) {
	t.reasons.add(o.reasons)
	t.refused, t.equal = t.refused+o.refused, t.equal+o.equal
	t.accepted, t.panics = t.accepted+o.accepted, t.panics+o.panics
	t.examples = append(t.examples, o.examples...)
}

// maxExamples bounds the number of wrong mutants shown.
const maxExamples = 4
