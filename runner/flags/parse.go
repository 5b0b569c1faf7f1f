package flags

import (
	"errors"
	"fmt"
	"slices"
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

// UnknownError reports a flag that the Set does not have. Now is the present spelling of a
// flag of earlier versions, and may have a value: allow=partial.
type UnknownError struct{ Name, Now string }

func (e *UnknownError) Error() string {
	if e.Now != "" {
		return fmt.Sprintf("-%s is now -%s", e.Name, e.Now)
	}
	return "there is no flag -" + e.Name
}

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
		f, old := s.Lookup(name), former{}
		if f == nil {
			old, _ = s.former(name)
			f = old.Flag
		}
		switch {
		case f == nil && (name == "h" || name == "help"):
			return nil, nil, ErrHelp
		case f == nil:
			return nil, nil, s.unknown(name)
		case !given && (f.Switch || old.hasValue()):
			value = "true"
		case !given && i+1 == len(args):
			return nil, nil, &MissingError{name}
		case !given:
			i++
			value = args[i]
		}
		if old.Flag != nil {
			if !strings.HasSuffix(value, old.end) {
				return nil, nil, s.unknown(name)
			}
			value = strings.ReplaceAll(old.form, "%s", value)
			if note := s.unknown(name).Error(); !slices.Contains(s.notes, note) {
				s.notes = append(s.notes, note)
			}
		}
		switch {
		case f.Repeated && f.given:
			value = f.typed + "\n" + value
		case old.Flag != nil && f.given: // -mix=any -partial is -allow=any,partial
			value = f.typed + "," + value
		}
		f.typed, f.given = value, true
	}
	return rest, nil, nil
}

// Notes returns a line for each spelling of earlier versions that Parse has read.
func (s *Set) Notes() []string { return s.notes }

// unknown is the error for a flag that s does not have.
func (s *Set) unknown(name string) error {
	now, _ := s.Now(name)
	return &UnknownError{name, now}
}
