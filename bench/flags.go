package bench

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"

	"github.com/zkatbench/zkatbench/runner/drive"
)

// Set lists the axes of a suite, in the order of benchmark names.
type Set struct {
	// Program begins every error message: "zkatbench: -bits: ...".
	Program string
	// Env begins the name of every environment variable: with "ZKAT_",
	// ZKAT_BITS is the twin of -bits.
	Env  string
	Axes []Param
}

// Axes lists axes of different types for a Set.
func Axes(axes ...Param) []Param { return axes }

// Flags returns the names of the flags of s, without the ones of the load runner.
func (s *Set) Flags() (names []string) {
	for _, a := range s.Axes {
		names = append(names, a.info().flag)
	}
	return names
}

// Flags are the raw texts of the flags of a Set on one flag.FlagSet. Only
// Resolve parses them, so that a bad value gives one line and not, as with
// package flag, the usage of every flag of package testing.
type Flags struct {
	set   *Set
	texts []*text
	load  map[string]*text // flags of the load runner, by name
	// runner gets the values of load, by inner.
	runner *drive.Options
	inner  *flag.FlagSet
}

// text is the flag.Value of every axis: the typed text.
type text struct {
	raw    string
	given  bool
	toggle bool
}

func (t *text) String() string     { return t.raw }
func (t *text) Set(s string) error { t.raw, t.given = s, true; return nil }
func (t *text) IsBoolFlag() bool   { return t.toggle }

// Register declares the flags of s on fs.
func (s *Set) Register(fs *flag.FlagSet) *Flags {
	f := &Flags{set: s, inner: flag.NewFlagSet("", flag.ContinueOnError)}
	f.runner = drive.Register(f.inner)
	for _, a := range s.Axes {
		i := a.info()
		t := &text{raw: i.normal, toggle: i.toggle}
		usage := i.usage
		if i.brief != i.normal {
			usage += fmt.Sprintf(" (under the runner %s)", i.brief)
		}
		fs.Var(t, i.flag, fmt.Sprintf("%s; environment: %s", usage, s.twin(i.flag)))
		f.texts = append(f.texts, t)
	}
	return f
}

// RegisterLoad is Register for a suite that the load runner also drives: it
// declares the flags of package runner/drive too, except the ones that are
// axes.
func (s *Set) RegisterLoad(fs *flag.FlagSet) *Flags {
	f := s.Register(fs)
	f.load = map[string]*text{}
	f.inner.VisitAll(func(of *flag.Flag) {
		if slices.ContainsFunc(s.Axes, func(a Param) bool { return a.info().flag == of.Name }) {
			return
		}
		toggle, ok := of.Value.(interface{ IsBoolFlag() bool })
		t := &text{raw: of.DefValue, toggle: ok && toggle.IsBoolFlag()}
		fs.Var(t, of.Name, fmt.Sprintf("under the runner: %s; environment: %s", of.Usage, s.twin(of.Name)))
		f.load[of.Name] = t
	})
	return f
}

func (s *Set) twin(flag string) string { return s.Env + strings.ToUpper(flag) }

// Resolve checks all flags. A flag that is not on the command line takes the
// value of its environment variable, read by getenv (os.Getenv). The error is
// one line that names the program, the flag or the variable, the value, and the
// allowed values.
func (f *Flags) Resolve(getenv func(string) string) (*Selection, error) {
	sel := &Selection{runner: f.runner}
	for k, a := range f.set.Axes {
		i := a.info()
		normal, brief := i.normal, i.brief
		raw, source := f.given(f.texts[k], i.flag, getenv)
		if source != "" {
			normal, brief = raw, raw
		}
		c, err := newChoice(a, normal, brief)
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", f.set.Program, source, err)
		}
		sel.choices = append(sel.choices, c)
	}
	return sel, f.resolveLoad(getenv)
}

// given returns the value of a flag or of its environment variable, and the
// name of the source; source is empty if neither was given.
func (f *Flags) given(t *text, name string, getenv func(string) string) (raw, source string) {
	if t.given {
		return t.raw, "-" + name
	}
	if env := getenv(f.set.twin(name)); env != "" {
		return env, f.set.twin(name)
	}
	return "", ""
}

// resolveLoad passes the flags of the load runner to its Options.
func (f *Flags) resolveLoad(getenv func(string) string) error {
	sources := map[string]string{}
	for name, t := range f.load {
		raw, source := f.given(t, name, getenv)
		if source == "" {
			continue
		}
		sources[name] = source
		if err := f.inner.Set(name, raw); err != nil {
			return fmt.Errorf("%s: %s: %w", f.set.Program, source, err)
		}
	}
	err := f.runner.Check()
	if bad := new(drive.FlagError); errors.As(err, &bad) {
		return fmt.Errorf("%s: %s: %q is not %s", f.set.Program, cmp.Or(sources[bad.Name], "-"+bad.Name), bad.Value, bad.Allowed)
	}
	return err
}
