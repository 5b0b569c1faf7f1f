package bench

import (
	"fmt"

	"github.com/zkatbench/zkatbench/runner/drive"
	"github.com/zkatbench/zkatbench/runner/flags"
)

// Axes lists axes of different types.
func Axes(axes ...Param) []Param { return axes }

// Register declares the flags of axes, in the order of benchmark names, and
// returns the Selection that set.Resolve fills.
func Register(set *flags.Set, axes ...Param) *Selection {
	sel := &Selection{runner: new(drive.Options)}
	sel.add(set, axes)
	return sel
}

func (s *Selection) add(set *flags.Set, axes []Param) {
	for _, a := range axes {
		i := a.info()
		usage := i.usage
		if i.brief != i.normal {
			usage += fmt.Sprintf(" (under the runner %s)", i.brief)
		}
		at := len(s.choices)
		s.choices = append(s.choices, choice{axis: a, info: i})
		set.Add(flags.Flag{Name: i.flag, Default: i.normal, Usage: usage, Allowed: i.allowed, Read: func(typed string) (bad string, ok bool) {
			c := &s.choices[at]
			if c.all, bad, ok = c.values(typed); !ok {
				return bad, false
			}
			if c.brief = c.all; !set.Lookup(i.flag).Given() {
				c.brief, bad, ok = c.values(i.brief)
			}
			return bad, ok
		}})
	}
}

// Register declares the flags of the axes of the subject, of the axes that all
// subjects share, and of Options, and returns the Selection that set.Resolve
// fills.
func (s Subject) Register(set *flags.Set) *Selection {
	sel := Register(set, s.Axes...)
	sel.Options.register(set)
	sel.add(set, Axes(InputUse, WorkerCounts))
	return sel
}

// RegisterLoad is Register for a test binary, which the load runner also drives:
// it declares the flags of package runner/drive too, except flags that set
// has.
func (s Subject) RegisterLoad(set *flags.Set) *Selection {
	sel := s.Register(set)
	own := map[string]bool{}
	for _, name := range set.Names() {
		own[name] = true
	}
	sel.runner = drive.Register(set)
	for _, f := range set.All() {
		if !own[f.Name] {
			f.Usage = "under the runner: " + f.Usage
		}
	}
	return sel
}
