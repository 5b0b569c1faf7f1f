package result

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"
)

// ErrNoBenchmarks reports that no benchmark was run.
var ErrNoBenchmarks = errors.New("no benchmark was run")

// Key names a case: a benchmark with its parameters.
type Key struct{ Package, Name string }

// String returns the name as go test prints it.
func (k Key) String() string { return "Benchmark" + k.Name }

// Cases returns the cases of b that match f. It finds them by running each
// once, which also shows that they work before the measurement.
func (b Binary) Cases(ctx context.Context, f Flags) (keys []Key, err error) {
	once := f
	once.Run = append(append([]string{}, f.Run...), "-test.benchtime=1x")
	seen := map[Key]bool{}
	_, err = b.process(ctx, once, f.Bench, func(line printed) {
		if line.Benchmark != "" {
			k := Key{b.Package, line.Benchmark}
			if !seen[k] {
				keys = append(keys, k)
			}
			seen[k] = true
		}
	})
	return keys, err
}

// Pattern returns the argument of -bench that matches these cases, with any
// GOMAXPROCS.
func Pattern(keys []Key) string {
	all := make([]string, len(keys))
	for i, k := range keys {
		name, procs := cutProcs("Benchmark" + k.Name)
		parts := strings.Split(name, "/")
		for j, p := range parts {
			parts[j] = "^" + regexp.QuoteMeta(p)
		}
		if procs != "" {
			procs = "(" + procs + ")?"
		}
		all[i] = strings.Join(parts, "$/") + procs + "$"
	}
	return strings.Join(all, "|")
}

// cutProcs cuts off a suffix that may be GOMAXPROCS, since -bench patterns do
// not match it. The suffix may also be part of the name if GOMAXPROCS is 1.
func cutProcs(name string) (rest, procs string) {
	_, parts := benchfmt.Name(name).Parts()
	if n := len(parts); n > 0 && parts[n-1][0] == '-' {
		procs = string(parts[n-1])
	}
	return strings.TrimSuffix(name, procs), procs
}

// undefined is the message of package flag for a flag that a program lacks.
var undefined = regexp.MustCompile(`flag provided but not defined: (-[^\s;]+)`)

// Probe sets b.Unknown to the flags of f that the binary does not define, as
// binaries of other revisions. It runs no benchmark.
func (b *Binary) Probe(ctx context.Context, f Flags) error {
	for {
		_, err := b.process(ctx, f, "^$", func(printed) {})
		if err == nil {
			return nil
		}
		name := undefined.FindStringSubmatch(err.Error())
		if name == nil || slices.Contains(b.Unknown, name[1]) {
			return err
		}
		b.Unknown = append(b.Unknown, name[1])
	}
}

// without returns the arguments without the named flags and their values.
func without(args, names []string) (kept []string) {
	for i := 0; i < len(args); i++ {
		name, _, joined := strings.Cut(args[i], "=")
		switch {
		case !slices.Contains(names, "-"+strings.TrimLeft(name, "-")):
			kept = append(kept, args[i])
		case !joined && i+1 < len(args) && !strings.HasPrefix(args[i+1], "-"):
			i++ // its value
		}
	}
	return kept
}
