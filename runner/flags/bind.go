package flags

import (
	"flag"
	"strings"
)

// Bind declares the flags of s on fs, flag.CommandLine in a test binary. The
// values are plain text for fs; call Resolve after fs has parsed, so that a bad
// value gives one line and not, as with package flag, the usage of all flags of
// package testing.
func (s *Set) Bind(fs *flag.FlagSet) {
	for _, f := range s.flags {
		f.typed = f.Default
		usage := f.Usage
		if twin := s.Variable(f.Name); twin != "" {
			usage += "; environment: " + twin
		}
		fs.Var((*bound)(f), f.Name, usage)
		if old := strings.ReplaceAll(f.Name, "-", "_"); old != f.Name {
			fs.Var((*bound)(f), old, "the earlier name of -"+f.Name)
		}
	}
}

// bound is a Flag as a flag.Value.
type bound Flag

func (b *bound) String() string     { return b.typed }
func (b *bound) Set(s string) error { b.typed, b.given = s, true; return nil }
func (b *bound) IsBoolFlag() bool   { return b.Switch }
