package benchtest

import (
	"reflect"
	"slices"
	"testing"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/runner/flags"
)

// Select returns the selection that the flags in args make of the subject's
// matrix. The environment is not read.
func Select(t testing.TB, s bench.Subject, args ...string) *bench.Selection {
	t.Helper()
	set := new(flags.Set)
	sel := s.Register(set)
	_, _, err := set.Parse(args)
	noError(t, err)
	noError(t, set.Resolve(nil))
	return sel
}

// noError ends the test at an error. Test binaries of benchmarks link this package, and a
// library of assertions would add net/http to them.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Figures does op once, checks its result and its inputs, and returns the exact figures by unit,
// with the figures of -ops if the case has them.
func Figures(t testing.TB, s bench.Subject, op bench.Op, c bench.Case) map[string]float64 {
	t.Helper()
	in, err := op.New(c, 0)
	noError(t, err)
	exact, err := in.Try()
	noError(t, err)
	fs := map[string]float64{}
	for _, m := range exact {
		fs[m.Unit] = m.Value
	}
	if c.Options().Ops && op.On != nil {
		phases, err := op.Count(c, false)
		noError(t, err)
		for _, u := range s.CountUnits(phases.Total()) {
			fs[u.Name] = float64(u.Value)
		}
	}
	return fs
}

// Conform tests the rules that bench.Op states, in every case of the serial
// matrix that args select:
//
//   - an operation works and its own check accepts the result;
//   - exact figures are equal in two runs, and the header declares their units;
//   - an operation leaves the encodings of its inputs as they were, and Fresh
//     and Decode return an operation that works on inputs with the same
//     encodings.
func Conform(t *testing.T, s bench.Subject, args ...string) {
	sel := Select(t, s, args...)
	exact := s.Suite(sel).Header.Exact
	for _, op := range s.Ops {
		cases := sel.Cases(bench.Serial, op.Without...)
		if len(cases) == 0 {
			t.Fatalf("%s has no case", op.Name)
		}
		for _, c := range cases {
			t.Run(op.Name+"/"+c.Name(), func(t *testing.T) {
				first := Figures(t, s, op, c)
				if second := Figures(t, s, op, c); !reflect.DeepEqual(first, second) {
					t.Fatalf("exact figures differ between two runs: %v and %v", first, second)
				}
				for unit := range first {
					if !slices.Contains(exact, unit) {
						t.Fatalf("the header does not declare the unit %s as exact", unit)
					}
				}
				sameInputs(t, op, c)
			})
		}
	}
}

// sameInputs tests that Fresh and Decode return op on the same inputs.
func sameInputs(t *testing.T, op bench.Op, c bench.Case) {
	in, err := op.New(c, 0)
	noError(t, err)
	if in.Inputs == nil {
		return
	}
	before := in.Encodings()
	for name, again := range map[string]func() (bench.Instance, error){"Fresh": in.Fresh,
		"Decode": in.Decode} {
		if again == nil {
			continue
		}
		other, err := again()
		noError(t, err)
		_, err = other.Try()
		noError(t, err)
		if !reflect.DeepEqual(before, other.Encodings()) {
			t.Fatalf("inputs of %s differ", name)
		}
	}
}
