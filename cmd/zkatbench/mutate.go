package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/badinput"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/suite"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
	"github.com/zkatbench/zkatbench/token/crypto/group/curves"
)

// The flags of mutate.
var (
	mutants = &bench.Axis[int]{
		Name: "n", Flag: "n", Default: "1000000", Show: bench.Never, One: true, Values: bench.Numbers(1, 1<<40),
		Usage: "mutants",
	}
	mutateSeed = &bench.Axis[int]{
		Name: "seed", Flag: "seed", Default: "1", Show: bench.Never, One: true, Values: bench.Numbers(0, 1<<40),
		Usage: "what all mutants follow from",
	}
)

var mutateFlags = bench.Set{
	Program: suite.Options.Program, Env: suite.Options.Env,
	Axes: bench.Axes(mutants, mutateSeed),
}

// errMutant says that the validator does not do its work.
var errMutant = errors.New("zkatbench: mutate: mutants were accepted, or made the validator panic")

// mutate validates random mutants of requests, on all processors. None may be
// accepted but what is byte for byte one of the requests.
func mutate(ctx context.Context, args []string, out io.Writer) error {
	sel, err := parse(mutateFlags, "mutate", args, out)
	if sel == nil {
		return err
	}
	h, err := newHunt()
	if err != nil {
		return err
	}
	workers := runtime.GOMAXPROCS(0)
	tallies := make([]tally, workers)
	err = executor.Unbounded{}.Run(workers, func(i int) (err error) {
		seed := uint64(mutateSeed.All(sel)[0])<<16 + uint64(i)
		tallies[i], err = h.run(ctx, seed, share(mutants.All(sel)[0], workers, i))
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

// share is the part of n that worker i of some does.
func share(n, workers, i int) int { return (n + workers - 1 - i) / workers }

// hunt is requests whose mutants are validated.
type hunt struct {
	validator *validator.Validator
	originals [][]byte
}

func newHunt() (*hunt, error) {
	g, err := curves.ByName("BN254")
	if err != nil {
		return nil, err
	}
	n, err := fixture.NewNetwork(fixture.Config{Group: g, Bits: 16, Systems: []rangeproof.Kind{rangeproof.CSP}})
	if err != nil {
		return nil, err
	}
	h := &hunt{validator: n.Validator(validator.Options{})}
	for i, kind := range fixture.Kinds {
		a, err := n.Request("tx", fixture.Shape{Kind: kind, Inputs: 2, Outputs: 2}, uint64(i)+1)
		if err != nil {
			return nil, err
		}
		h.originals = append(h.originals, a.Request.Encode())
	}
	return h, nil
}

// tally is what came of mutants.
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

// maxExamples bounds the wrong mutants that are shown.
const maxExamples = 4

func (h *hunt) run(ctx context.Context, seed uint64, n int) (t tally, err error) {
	var trees []*badinput.Node
	for _, raw := range h.originals {
		tree, err := badinput.Parse(raw)
		if err != nil {
			return t, err
		}
		trees = append(trees, tree)
	}
	t.reasons = reasons{}
	m := badinput.NewMutator(seed, trees...)
	for range n {
		if ctx.Err() != nil {
			return t, nil
		}
		h.judge(m.Next(), &t)
	}
	return t, nil
}

func (h *hunt) judge(raw []byte, t *tally) {
	_, err := h.validator.Validate("tx", raw)
	switch {
	case err != nil && !errors.As(err, new(*executor.PanicError)):
		t.refused++
		t.reasons[reason(err)]++
		return
	case err != nil:
		t.panics++
	case h.isOriginal(raw):
		t.equal++
		return
	default:
		t.accepted++
	}
	if len(t.examples) < maxExamples {
		t.examples = append(t.examples, raw)
	}
}

func (h *hunt) isOriginal(raw []byte) bool {
	for _, o := range h.originals {
		if bytes.Equal(o, raw) {
			return true
		}
	}
	return false
}
