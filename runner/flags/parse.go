package flags

import (
	"errors"
	"fmt"
	"strings"
)

// ErrHelp is the error of Parse for -h, -help and --help.
var ErrHelp = errors.New("flags: help requested")

// Error reports a forbidden value.
type Error struct {
	// Name is the name of the flag, Source the flag or its variable: "-bits" or
	// "ZKAT_BITS".
	Name, Source, Value, Allowed string
}

func (e *Error) Error() string { return fmt.Sprintf("%s: %q is not %s", e.Source, e.Value, e.Allowed) }

// Bad is the error for a forbidden value of the flag called name.
func (s *Set) Bad(name, value, allowed string) error {
	e := &Error{Name: name, Source: "-" + name, Value: value, Allowed: allowed}
	if f := s.Lookup(name); f != nil && f.source != "" {
		e.Source = f.source
	}
	return e
}

// UnknownError reports a flag that the Set does not have.
type UnknownError struct{ Name string }

func (e *UnknownError) Error() string { return "there is no flag -" + e.Name }

// MissingError reports a flag without the value that it needs.
type MissingError struct{ Name string }

func (e *MissingError) Error() string { return "flag needs an argument: -" + e.Name }

// Parse reads a command line: -name=value, -name value, and -name alone for a
// switch, with one hyphen or two, before, between and after other arguments,
// which it returns. Everything after -- is returned as behind. Resolve then
// gives the flags their values.
func (s *Set) Parse(args []string) (rest, afterDashes []string, err error) {
	for i := 0; i < len(args); i++ {
		a := args[i]
		if a == "--" {
			return rest, args[i+1:], nil
		}
		if len(a) < 2 || a[0] != '-' {
			rest = append(rest, a)
			continue
		}
		name, value, given := strings.Cut(strings.TrimPrefix(a[1:], "-"), "=")
		f := s.Lookup(name)
		switch {
		case f == nil && (name == "h" || name == "help"):
			return nil, nil, ErrHelp
		case f == nil:
			return nil, nil, &UnknownError{name}
		case !given && f.Switch:
			value = "true"
		case !given && i+1 == len(args):
			return nil, nil, &MissingError{name}
		case !given:
			i++
			value = args[i]
		}
		if f.Repeated && f.given {
			value = f.typed + "\n" + value
		}
		f.typed, f.given = value, true
	}
	return rest, nil, nil
}
