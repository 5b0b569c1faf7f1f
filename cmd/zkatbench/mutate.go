package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/runner/flags"
	v1request "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/suite"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
)

// errMutant reports a failure of the validator.
var errMutant = errors.New("zkatbench: mutate: mutants were accepted, or made the validator panic")

// mutateLine validates random mutants of valid requests on all processors.
func mutateLine(s streams) *commandLine {
	l := newLine("mutate", "[flags]", "validate random mutants of token requests, which must all be refused")
	n := flags.One(&l.flags, "n", "1000000", "mutants", flags.Numbers(1, 1<<40))
	seed := flags.One(&l.flags, "seed", "1", "seed of all mutants", flags.Numbers(0, 1<<40))
	protocols := flags.Many(&l.flags, "protocol", "v1,v2", "protocols of the mutated requests", flags.Names("v1", "v2"))
	owners := bench.Register(&l.flags, suite.Owner)
	rules := flags.One(&l.flags, "follow", v1request.Strict.String(), "rules of the validator: strict, or those of a version of the reference", versions)
	l.exec = func(ctx context.Context, _ []string) error {
		hs, err := newTargets(*protocols, owners.Cases(bench.Serial), *rules)
		if err != nil {
			return err
		}
		return mutate(ctx, hs, *rules, uint64(*seed), *n, s.out)
	}
	return l
}

// mutate validates n mutants and prints the tally.
func mutate(ctx context.Context, hs []*mutationTarget, rules v1request.Version, seed uint64, n int, out io.Writer) error {
	workers := runtime.GOMAXPROCS(0)
	tallies := make([]tally, workers)
	err := executor.Unbounded{}.Run(workers, func(i int) (err error) {
		tallies[i], err = validateMutants(ctx, hs, seed<<16+uint64(i), share(n, workers, i))
		return err
	})
	total := tally{reasons: reasons{}}
	for _, t := range tallies {
		total.add(t)
	}
	fmt.Fprintf(out, "%d mutants: %d refused, %d equal to an original, %d accepted, %d panics\n",
		total.refused+total.equal+total.differing+total.accepted+total.panics, total.refused, total.equal, total.accepted, total.panics)
	if total.differing > 0 {
		fmt.Fprintf(out, "  %d accepted by the rules of %s alone\n", total.differing, rules)
	}
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
	differing                        int // accepted with a validator.Difference
	reasons                          reasons
	examples                         [][]byte
}

func (t *tally) add(o tally) {
	t.reasons.add(o.reasons)
	t.refused, t.equal = t.refused+o.refused, t.equal+o.equal
	t.differing += o.differing
	t.accepted, t.panics = t.accepted+o.accepted, t.panics+o.panics
	t.examples = append(t.examples, o.examples...)
}

// maxExamples bounds the number of wrong mutants shown.
const maxExamples = 4
