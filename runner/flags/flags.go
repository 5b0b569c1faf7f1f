// Package flags declares and reads the flags of commands and of test binaries.
//
// One and Many declare a flag of a Set; Values say how its values are read and written.
// Words has the flags of all programs of this module, each with one meaning. Bind
// declares the same flags on a flag.FlagSet, as test binaries need.
//
// A flag has a twin in the environment: its name in capitals, with underscores
// in place of hyphens, after the prefix of the Set. The command line wins. A
// bad value is one line that names the flag or the variable, the value, and the allowed
// values.
package flags

import (
	"cmp"
	"flag"
	"fmt"
	"slices"
	"strings"
)

// Set is the flags of one command line.
type Set struct {
	// Env begins the name of every environment variable: with "ZKAT_",
	// ZKAT_SKIP_MISSING is the twin of -skip-missing. If empty, flags have no
	// twins.
	Env string
	// InTests means that the flags are of a test binary, where go test keeps some of Words
	// for itself.
	InTests bool

	flags  []*Flag
	checks []func() error
	notes  []string
}

// Flag is one flag of a Set.
type Flag struct {
	Name, Default string
	// Usage says what the flag means. For one of Words it can be empty, which means the
	// meaning of the word, or begin with a colon and complete the meaning.
	Usage string
	// Type is the type of a word, and empty for others.
	Type string
	// Allowed completes the sentence "x is not ...": "a number from 1 to 64".
	Allowed string
	// Switch means that the flag can be given without a value, which means true.
	Switch bool
	// Repeated means that the flag may be given several times; Read gets the values
	// with a line feed between them.
	Repeated bool
	// Read parses and keeps a value. If it is not allowed, bad is the part of it
	// that the message quotes.
	Read func(typed string) (bad string, ok bool)

	typed  string // on the command line
	text   string // after Resolve: of the command line, of the environment or the default
	given  bool   // on the command line
	source string // after Resolve: "-bits" or "ZKAT_BITS"; empty for the default
}

// Given reports whether the command line or the environment set the flag. It
// holds after Resolve, and within Read.
func (f *Flag) Given() bool { return f.source != "" }

// Text returns the text that Resolve read.
func (f *Flag) Text() string { return f.text }

// maxDefault is the length of a default value in the first part of a Help. Longer ones
// follow the usage.
const maxDefault = 12

// Help returns the flag with its default or the type of its value, and its usage.
func (f *Flag) Help() (option, usage string) {
	space, value := " ", f.Default
	name, usage := flag.UnquoteUsage(&flag.Flag{Usage: f.Usage})
	name = cmp.Or(f.Type, name)
	if f.Switch {
		space = "="
	}
	switch {
	case value == "":
		value = name
	case len(value) > maxDefault:
		value, usage = name, fmt.Sprintf("%s (default %s)", usage, value)
	}
	return "-" + f.Name + space + value, usage
}

// Add declares a flag. A Set with two flags of one name panics.
func (s *Set) Add(f Flag) {
	if s.Lookup(f.Name) != nil {
		panic("flags: -" + f.Name + " is declared twice")
	}
	if w, found := known(f.Name); found {
		f.Type = w.Type
		if f.Usage == "" || strings.HasPrefix(f.Usage, ": ") {
			f.Usage = w.Meaning + f.Usage
		}
	}
	s.flags = append(s.flags, &f)
}

// Check adds a function that Resolve calls after all flags are read, for
// combinations of flags.
func (s *Set) Check(f func() error) { s.checks = append(s.checks, f) }

// One declares a flag with a single value and returns the place of the value.
func One[T any](s *Set, name, normal, usage string, v Values[T]) *T {
	to := new(T)
	Into(s, to, name, normal, usage, v)
	return to
}

// Into is One for a value that has a place.
func Into[T any](s *Set, to *T, name, normal, usage string, v Values[T]) {
	s.Add(Flag{Name: name, Default: normal, Usage: usage, Allowed: v.Allowed, Switch: v.Switch,
		Read: func(typed string) (string, bool) {
			parsed, ok := v.Parse(typed)
			if !ok || len(parsed) != 1 {
				return typed, false
			}
			*to = parsed[0]
			return "", true
		}})
}

// Many declares a flag with a comma-separated list of values, and returns the
// place of the list.
func Many[T any](s *Set, name, normal, usage string, v Values[T]) *[]T {
	to := new([]T)
	IntoList(s, to, name, normal, usage, v)
	return to
}

// IntoList is Many for a list that has a place.
func IntoList[T any](s *Set, to *[]T, name, normal, usage string, v Values[T]) {
	s.Add(Flag{Name: name, Default: normal, Usage: usage, Allowed: v.Allowed,
		Read: func(typed string) (bad string, ok bool) {
			*to, bad, ok = v.List(typed)
			return bad, ok
		}})
}

// Lines declares a flag that may be given several times, with the place of its values.
func Lines(s *Set, to *[]string, name, usage, allowed string, ok func(string) bool) {
	s.Add(Flag{Name: name, Usage: usage, Allowed: allowed, Repeated: true,
		Read: func(typed string) (bad string, good bool) {
			*to = nil
			for line := range strings.Lines(typed) {
				line = strings.TrimSuffix(line, "\n")
				if !ok(line) {
					return line, false
				}
				*to = append(*to, line)
			}
			return "", true
		}})
}

// Lookup returns the flag called name, or nil.
func (s *Set) Lookup(name string) *Flag {
	for _, f := range s.flags {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// All returns the flags, sorted by name.
func (s *Set) All() []*Flag {
	return slices.SortedFunc(slices.Values(s.flags), func(a, b *Flag) int {
		return strings.Compare(a.Name, b.Name)
	})
}

// Names returns the names of all flags, sorted.
func (s *Set) Names() (names []string) {
	for _, f := range s.All() {
		names = append(names, f.Name)
	}
	return names
}

// Variable is the environment twin of the flag called name, or the empty string.
func (s *Set) Variable(name string) string {
	if s.Env == "" {
		return ""
	}
	return s.Env + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
}

// Resolve reads all flags. A flag absent from the command line takes the
// value of its environment twin, read by getenv (os.Getenv), or its default.
// The error is an *Error, or of a Check.
func (s *Set) Resolve(getenv func(string) string) error {
	for _, f := range s.flags {
		raw := f.Default
		f.source = ""
		if twin := s.Variable(f.Name); f.given {
			raw, f.source = f.typed, "-"+f.Name
		} else if twin != "" && getenv != nil {
			if value := getenv(twin); value != "" {
				raw, f.source = value, twin
			}
		}
		f.text = raw
		if bad, ok := f.Read(raw); !ok {
			return s.Bad(f.Name, bad, f.Allowed)
		}
	}
	for _, check := range s.checks {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}
