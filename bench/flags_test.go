package bench_test

import (
	"flag"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/runner/flags"
)

var (
	size = &bench.Axis[int]{Name: "size", Flag: "size", Default: "1,2", Brief: "1",
		Values: flags.Numbers(1, 64)}
	shape = &bench.Axis[string]{Name: "shape", Flag: "shapes", Default: "round,square",
		Values: flags.Names("round", "square", "odd")}
	width = &bench.Axis[int]{Name: "width", Flag: "width", Default: "16", Values: flags.OneOf(16, 32),
		Show: bench.IfChosen}
	kind = &bench.Axis[string]{Name: "kind", Flag: "kind", Default: "plain",
		Values: flags.Names("plain", "fancy"), Show: bench.IfChosen}

	toys = bench.Subject{Name: "toys", Axes: bench.Axes(size, shape, width, kind)}
)

func parse(t *testing.T, env map[string]string, args ...string) (*bench.Selection, error) {
	t.Helper()
	set := &flags.Set{Env: "TOY_"}
	sel := toys.RegisterLoad(set)
	_, _, err := set.Parse(args)
	require.NoError(t, err)
	return sel, set.Resolve(func(key string) string { return env[key] })
}

func names(t *testing.T, d bench.Drive, env map[string]string, args ...string) (ns []string) {
	t.Helper()
	sel, err := parse(t, env, args...)
	require.NoError(t, err)
	for _, c := range sel.Cases(d) {
		ns = append(ns, c.Name())
	}
	return ns
}

func TestNamesOfTheMatrix(t *testing.T) {
	require.Equal(t, []string{
		"size=1/shape=round", "size=1/shape=square", "size=2/shape=round", "size=2/shape=square",
	}, names(t, bench.Serial, nil))

	require.Equal(t, []string{"size=1/shape=round/workers=3", "size=1/shape=square/workers=3"},
		names(t, bench.Load, nil, "-workers=3"), "the runner has brief defaults")
	require.Equal(t, []string{"size=2/shape=odd/workers=3"},
		names(t, bench.Load, nil, "-workers=3", "-size=2", "-shapes=odd"),
		"given values apply to the runner too")
	require.Equal(t, []string{"size=2/shape=odd"},
		names(t, bench.Serial, nil, "-workers=1..8", "-size=2", "-shapes=odd"),
		"workers must not multiply the serial matrix")
}

func TestAnOperationDoesWithoutAnAxis(t *testing.T) {
	sel, err := parse(t, nil, "-size=1,2,3", "-shapes=odd,round")
	require.NoError(t, err)
	cases := sel.Cases(bench.Serial, bench.Axes(size)...)
	require.Len(t, cases, 2)
	require.Equal(t, "shape=odd", cases[0].Name())
	require.Zero(t, size.Of(cases[0]))
}

func TestAnAxisIsNamedOnlyIfChosen(t *testing.T) {
	for arg, want := range map[string][]string{
		"-kind=plain":       {"size=1/shape=odd"},
		"-kind=fancy":       {"size=1/shape=odd/kind=fancy"},
		"-kind=plain,fancy": {"size=1/shape=odd/kind=plain", "size=1/shape=odd/kind=fancy"},
	} {
		t.Run(arg, func(t *testing.T) {
			require.Equal(t, want, names(t, bench.Serial, nil, "-size=1", "-shapes=odd", arg))
		})
	}
}

func TestFlagsBeatTheEnvironment(t *testing.T) {
	env := map[string]string{"TOY_SIZE": "5", "TOY_SHAPES": "odd"}
	require.Equal(t, []string{"size=5/shape=odd"}, names(t, bench.Serial, env))
	require.Equal(t, []string{"size=7/shape=odd"}, names(t, bench.Serial, env, "-size=7"))
}

func TestValuesOfACase(t *testing.T) {
	sel, err := parse(t, nil, "-size=3", "-shapes=odd", "-duration=1500ms", "-profile", "-workers=4",
		"-setup_samples=0")
	require.NoError(t, err)
	c := sel.Cases(bench.Parallel)[0]
	require.Equal(t, 3, size.Of(c))
	require.Equal(t, "odd", shape.Of(c))
	require.Equal(t, "plain", kind.Of(c))
	require.Equal(t, bench.Options{Duration: 1500 * time.Millisecond, Profile: true}, c.Options())
	require.Equal(t, 4, bench.WorkerCounts.Of(c))
	require.Zero(t, bench.WorkerCounts.Of(sel.Cases(bench.Serial)[0]))
}

func TestWorkers(t *testing.T) {
	for arg, want := range map[string][]int{
		"1,10":      {1, 10},
		"1..4":      {1, 2, 3, 4},
		"2..3,3..4": {2, 3, 4},
		"3..3":      {3},
		" 1 , 2 ":   {1, 2},
	} {
		t.Run(arg, func(t *testing.T) {
			sel, err := parse(t, nil, "-size=1", "-shapes=odd", "-workers="+arg)
			require.NoError(t, err)
			var got []int
			for _, c := range sel.Cases(bench.Parallel) {
				got = append(got, bench.WorkerCounts.Of(c))
			}
			require.Equal(t, want, got)
		})
	}
	for _, arg := range []string{"NumCPU", "1..NumCPU", "NumCPU/2", "NumCPU/4096"} {
		sel, err := parse(t, nil, "-workers="+arg)
		require.NoError(t, err, arg)
		for _, c := range sel.Cases(bench.Parallel) {
			require.Contains(t, c.Name(), "/workers="+strconv.Itoa(bench.WorkerCounts.Of(c)),
				"names contain a number")
		}
	}
}

func TestABadValueIsOneLine(t *testing.T) {
	const workers = "is not a number from 1 to 4096, a range such as 1..8, " +
		"NumCPU or a part of it such as NumCPU/2"
	const rate = "is not a number of operations a second, from one a day to 1e9, or 0 for back to back"
	for arg, want := range map[string]string{
		"-shapes=P384":      `-shapes: "P384" is not one of round, square, odd`,
		"-shapes=round,":    `-shapes: "" is not one of round, square, odd`,
		"-shapes=":          `-shapes: "" is not one of round, square, odd`,
		"-size=0":           `-size: "0" is not a number from 1 to 64`,
		"-size=65":          `-size: "65" is not a number from 1 to 64`,
		"-size=-1":          `-size: "-1" is not a number from 1 to 64`,
		"-size=abc":         `-size: "abc" is not a number from 1 to 64`,
		"-size=032":         `-size: "032" is not a number from 1 to 64`,
		"-size=1,2,x":       `-size: "x" is not a number from 1 to 64`,
		"-width=17":         `-width: "17" is not one of 16, 32`,
		"-workers=x":        `-workers: "x" ` + workers,
		"-workers=8..1":     `-workers: "8..1" ` + workers,
		"-workers=1..":      `-workers: "1.." ` + workers,
		"-workers=NumCPU/0": `-workers: "NumCPU/0" ` + workers,
		"-workers=NumCPU2":  `-workers: "NumCPU2" ` + workers,
		"-workers=0":        `-workers: "0" ` + workers,
		"-duration=0s":      `-duration: "0s" is not a positive duration such as 500ms, 10s or 1m`,
		"-duration=10":      `-duration: "10" is not a positive duration such as 500ms, 10s or 1m`,
		"-setup_samples=1,": `-setup_samples: "1," is not a number from 0 to 1000000`,
		"-profile=maybe":    `-profile: "maybe" is not true or false`,
		"-rate=fast":        `-rate: "fast" ` + rate,
		"-arrival=poisson":  `-rate: "0" is not more than 0, which -arrival=poisson needs`,
		"-repeat=0":         `-repeat: "0" is not a number of at least 1`,
		"-ascii=so":         `-ascii: "so" is not true or false`,
	} {
		t.Run(arg, func(t *testing.T) {
			_, err := parse(t, nil, arg)
			require.EqualError(t, err, want)
		})
	}
	_, err := parse(t, map[string]string{"TOY_SIZE": "abc"})
	require.EqualError(t, err, `TOY_SIZE: "abc" is not a number from 1 to 64`)
	_, err = parse(t, map[string]string{"TOY_PRECISION": "tight"})
	require.ErrorContains(t, err, `TOY_PRECISION: "tight" is not a share such as 1% or 0.01`)
}

func TestUsageNamesTheVariable(t *testing.T) {
	set, fs := &flags.Set{Env: "TOY_"}, flag.NewFlagSet("toys", flag.ContinueOnError)
	toys.Register(set)
	set.Bind(fs)
	f := fs.Lookup("size")
	require.Contains(t, f.Usage, "environment: TOY_SIZE")
	require.Contains(t, f.Usage, "under the runner 1")
	require.Equal(t, "1,2", f.DefValue)
}

func TestEveryDefaultIsAllowed(t *testing.T) {
	sel, err := parse(t, nil)
	require.NoError(t, err)
	require.Len(t, sel.Cases(bench.Serial), 4)
	require.Len(t, sel.Cases(bench.Load), 2)
}
