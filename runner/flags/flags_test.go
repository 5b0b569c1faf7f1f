package flags_test

import (
	"flag"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/runner/flags"
)

// line is a command line with a flag of each kind.
type line struct {
	set     flags.Set
	count   *int
	sizes   *[]int
	missing *bool
	seed    *uint64
	wait    *time.Duration
	file    *string
	cases   **regexp.Regexp
}

func newLine() *line {
	l := &line{set: flags.Set{Env: "TOY_"}}
	l.count = flags.One(&l.set, "count", "10", "", flags.AtLeast(1))
	l.sizes = flags.Many(&l.set, "sizes", "16,32", "", flags.OneOf(16, 32, 64))
	l.missing = flags.One(&l.set, "skip-missing", "false", "", flags.Switch())
	l.seed = flags.One(&l.set, "seed", "1", "", flags.Seeds())
	l.wait = flags.One(&l.set, "wait", "10s", "", flags.Durations())
	l.file = flags.One(&l.set, "o", "a.txt", "", flags.Files())
	l.cases = flags.One(&l.set, "cases", "", "", flags.Patterns())
	return l
}

// read parses and resolves.
func (l *line) read(env map[string]string, args ...string) (rest, behind []string, err error) {
	if rest, behind, err = l.set.Parse(args); err == nil {
		err = l.set.Resolve(func(name string) string { return env[name] })
	}
	return rest, behind, err
}

func TestParse(t *testing.T) {
	l := newLine()
	rest, behind, err := l.read(nil, "a", "-count=3", "--sizes", "64, 16,64", "b", "-skip-missing", "-", "-o",
		"-x", "--", "-count=4")
	require.NoError(t, err)
	require.Equal(t, []string{"a", "b", "-"}, rest)
	require.Equal(t, []string{"-count=4"}, behind)
	require.Equal(t, 3, *l.count)
	require.Equal(t, []int{64, 16}, *l.sizes)
	require.True(t, *l.missing)
	require.Equal(t, "-x", *l.file)
	require.EqualValues(t, 1, *l.seed, "the default")
	require.Equal(t, 10*time.Second, *l.wait)
	require.Nil(t, *l.cases)
}

// TestHelpOfAFlag shows its default, or the type of its value, and its usage.
func TestHelpOfAFlag(t *testing.T) {
	for _, c := range []struct {
		flag          flags.Flag
		option, usage string
	}{
		{flags.Flag{Name: "n", Default: "10", Usage: "a `number` of calls"}, "-n 10", "a number of calls"},
		{flags.Flag{Name: "n", Usage: "a `number` of calls"}, "-n number", "a number of calls"},
		{flags.Flag{Name: "n", Type: "count", Usage: "calls"}, "-n count", "calls"},
		{flags.Flag{Name: "n", Default: "true", Switch: true, Usage: "whether"}, "-n=true", "whether"},
		{flags.Flag{Name: "n", Default: "twelve,bytes", Usage: "a `list`"}, "-n twelve,bytes", "a list"},
		{flags.Flag{Name: "n", Default: "thirteen,byte", Usage: "a `list`"}, "-n list",
			"a list (default thirteen,byte)"},
	} {
		t.Run(c.option, func(t *testing.T) {
			option, usage := c.flag.Help()
			require.Equal(t, c.option, option)
			require.Equal(t, c.usage, usage)
		})
	}
}

// TestABadValueNamesItsSource: an error names the flag or the variable, the value and the allowed
// values.
func TestABadValueNamesItsSource(t *testing.T) {
	for arg, want := range map[string]string{
		"-count=0":            `-count: "0" is not a number of at least 1`,
		"-count=+1":           `-count: "+1" is not a number of at least 1`,
		"-sizes=16,17":        `-sizes: "17" is not one of 16, 32, 64`,
		"-sizes=16,":          `-sizes: "" is not one of 16, 32, 64`,
		"-skip-missing=maybe": `-skip-missing: "maybe" is not true or false`,
		"-seed=-1":            `-seed: "-1" is not a whole number from 0 to 18446744073709551615`,
		"-wait=0s":            `-wait: "0s" is not a positive duration such as 500ms, 10s or 1m`,
		"-o=":                 `-o: "" is not the name of a file`,
		"-cases=(":            `-cases: "(" is not a regular expression`,
		"-count":              `flag needs an argument: -count`,
		"-cuont=1":            `there is no flag -cuont`,
		"---count=1":          `there is no flag --count`,
		"-=1":                 `there is no flag -`,
	} {
		t.Run(arg, func(t *testing.T) {
			_, _, err := newLine().read(nil, arg)
			require.EqualError(t, err, want)
		})
	}
	for _, arg := range []string{"-h", "--help", "-help=x"} {
		t.Run(arg, func(t *testing.T) {
			require.ErrorIs(t, second(newLine().read(nil, "a", arg)), flags.ErrHelp)
		})
	}
	require.ErrorAs(t, second(newLine().read(nil, "-cuont=1")), new(*flags.UnknownError))
	require.ErrorAs(t, second(newLine().read(nil, "-count")), new(*flags.MissingError))
	bad := new(flags.Error)
	require.ErrorAs(t, second(newLine().read(map[string]string{"TOY_SIZES": "x"})), &bad)
	require.Equal(t,
		flags.Error{Name: "sizes", Source: "TOY_SIZES", Value: "x", Allowed: "one of 16, 32, 64"}, *bad)
}

func second(_, _ []string, err error) error { return err }

// refusals returns the texts that are not values.
func refusals[T any](v flags.Values[T]) func(texts []string) []string {
	return func(texts []string) (bad []string) {
		for _, text := range texts {
			if _, ok := v.Parse(text); !ok {
				bad = append(bad, text)
			}
		}
		return bad
	}
}

// TestValues: each kind has the texts on this side of its limits, and refuses the others.
func TestValues(t *testing.T) {
	for name, c := range map[string]struct {
		refused   func([]string) []string
		good, bad string
	}{
		"numbers": {refusals(flags.Numbers(2, 12)), "2 12", "1 13 02 +3 x 3.0 99999999999999999999"},
		"at least": {refusals(flags.AtLeast[int64](-3)), "-3 9223372036854775807",
			"-4 9223372036854775808 -0"},
		"seeds":     {refusals(flags.Seeds()), "0 18446744073709551615", "-1 18446744073709551616 0x1"},
		"one of":    {refusals(flags.OneOf(4, 8, 16)), "4 16", "5"},
		"names":     {refusals(flags.Names("few", "many")), "few many", "some"},
		"patterns":  {refusals(flags.Patterns()), "a|b", "("},
		"durations": {refusals(flags.Durations()), "1ns 90s", "0s -1s 1"},
		"switch":    {refusals(flags.Switch()), "true 0", "yes"},
	} {
		t.Run(name, func(t *testing.T) {
			require.Empty(t, c.refused(strings.Fields(c.good)))
			require.Equal(t, strings.Fields(c.bad), c.refused(strings.Fields(c.bad)))
		})
	}
}

// The twin of a flag is a name that a shell can set.
func TestTheEnvironmentIsOfferedToEveryFlag(t *testing.T) {
	l := newLine()
	for _, name := range l.set.Names() {
		require.Regexp(t, "^TOY_[A-Z0-9_]+$", l.set.Variable(name))
	}
	_, _, err := l.read(map[string]string{"TOY_SKIP_MISSING": "true", "TOY_COUNT": "7", "TOY_SEED": "9"},
		"-count=8")
	require.NoError(t, err)
	require.True(t, *l.missing)
	require.Equal(t, 8, *l.count, "the command line wins")
	require.EqualValues(t, 9, *l.seed)
	require.True(t, l.set.Lookup("seed").Given())
	require.False(t, l.set.Lookup("wait").Given())
}

func TestChecksSeeAllFlags(t *testing.T) {
	l := newLine()
	l.set.Check(func() error { return nil })
	l.set.Check(func() error { return l.set.Bad("count", "10", "even with these sizes") })
	_, _, err := l.read(map[string]string{"TOY_COUNT": "10"})
	require.EqualError(t, err, `TOY_COUNT: "10" is not even with these sizes`)
	l.set.Check(func() error { t.Error("checked after a failure"); return nil })
	_, _, err = l.read(nil)
	require.EqualError(t, err, `-count: "10" is not even with these sizes`)
}

// TestLines: a flag that is given several times has all its values, in their order.
func TestLines(t *testing.T) {
	l := newLine()
	var lines []string
	flags.Lines(&l.set, &lines, "line", "usage", "a line without x", func(s string) bool { return s != "x" })
	_, _, err := l.read(nil, "-line=p", "-count=2", "-line", "q")
	require.NoError(t, err)
	require.Equal(t, []string{"p", "q"}, lines)
	require.Equal(t, "p\nq", l.set.Lookup("line").Text())
	require.EqualError(t, second(l.read(nil, "-line=x")), `-line: "x" is not a line without x`)
	require.Equal(t, []string{"cases", "count", "line", "o", "seed", "sizes", "skip-missing", "wait"},
		l.set.Names())
}

// Bind leaves values to Resolve.
func TestBind(t *testing.T) {
	l, fs := newLine(), flag.NewFlagSet("", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	l.set.Bind(fs)
	require.Equal(t, "number of repetitions; environment: TOY_COUNT", fs.Lookup("count").Usage)
	require.Equal(t, "16,32", fs.Lookup("sizes").DefValue)
	require.NoError(t, fs.Parse([]string{"-skip-missing", "-count", "x"}))
	require.EqualError(t, l.set.Resolve(nil), `-count: "x" is not a number of at least 1`)
	require.NoError(t, fs.Parse([]string{"-count=2"}))
	require.NoError(t, l.set.Resolve(nil))
	require.Equal(t, 2, *l.count)
	require.True(t, *l.missing)
	require.NoError(t, fs.Parse([]string{"-skip_missing=false"}))
	require.NoError(t, l.set.Resolve(nil))
	require.False(t, *l.missing, "the earlier name")
	require.Equal(t, 10*time.Second, *l.wait)
	require.False(t, l.set.Lookup("wait").Given())
}

// TestFlagsAsTheyAreDeclared: a set has its own -help, no twins without a prefix, and one value of
// a flag where a text can mean several.
func TestFlagsAsTheyAreDeclared(t *testing.T) {
	var s flags.Set
	help := flags.One(&s, "help", "false", "usage", flags.Switch())
	flags.One(&s, "n", "1", "", flags.Workers())
	_, _, err := s.Parse([]string{"-help", "-n=1..3"})
	require.NoError(t, err)
	require.ErrorContains(t, s.Resolve(nil), `-n: "1..3" is not a number`)
	require.True(t, *help)
	fs := flag.NewFlagSet("", flag.ContinueOnError)
	s.Bind(fs)
	require.Equal(t, "usage", fs.Lookup("help").Usage)
}

func TestTwoFlagsOfOneNamePanic(t *testing.T) {
	require.Panics(t, func() { newLine().set.Add(flags.Flag{Name: "o"}) })
}
