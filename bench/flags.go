package bench

import (
	"flag"
	"fmt"
	"strings"
)

// Set is the axes of a suite, in the order in which names show them.
type Set struct {
	// Program begins every complaint, "zkatbench: -bits: ...".
	Program string
	// Env begins the name of every environment twin: "ZKAT_" makes ZKAT_BITS
	// the twin of -bits.
	Env  string
	Axes []param
}

// Axes lists axes of different types for a Set.
func Axes(axes ...param) []param { return axes }

// Flags are the raw texts of the flags of a Set on one flag.FlagSet. They are
// read only by Resolve, so that a bad value is one line and not, as package
// flag would have it, followed by the usage of every flag of package testing.
type Flags struct {
	set   *Set
	texts []*text
}

// text is the flag.Value of every axis: whatever was given.
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
	f := &Flags{set: s}
	for _, a := range s.Axes {
		i := a.info()
		t := &text{raw: i.normal, toggle: i.toggle}
		usage := i.usage
		if i.brief != i.normal {
			usage += fmt.Sprintf(" (under the runner %s)", i.brief)
		}
		fs.Var(t, i.flag, fmt.Sprintf("%s; environment: %s", usage, s.twin(i)))
		f.texts = append(f.texts, t)
	}
	return f
}

func (s *Set) twin(i info) string { return s.Env + strings.ToUpper(i.flag) }

// Resolve checks everything that was given, on the command line or else in the
// environment that getenv reads (os.Getenv). The error is one line that names
// the program, the flag or the variable, the value and what is allowed.
func (f *Flags) Resolve(getenv func(string) string) (*Selection, error) {
	sel := &Selection{}
	for k, a := range f.set.Axes {
		i, source := a.info(), ""
		normal, brief := i.normal, i.brief
		if t, env := f.texts[k], getenv(f.set.twin(i)); t.given {
			normal, brief, source = t.raw, t.raw, "-"+i.flag
		} else if env != "" {
			normal, brief, source = env, env, f.set.twin(i)
		}
		c, err := newChoice(a, normal, brief)
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", f.set.Program, source, err)
		}
		sel.choices = append(sel.choices, c)
	}
	return sel, nil
}
