package result

import (
	"context"
	"errors"
	"regexp"
	"strings"

	"golang.org/x/perf/benchfmt"
)

// ErrNothing says that nothing was measured.
var ErrNothing = errors.New("no benchmark was run")

// Key names a case: a benchmark with its parameters.
type Key struct{ Package, Name string }

// String is the name as go test prints it.
func (k Key) String() string { return "Benchmark" + k.Name }

// Cases are those of b that match f, found by running each once. That they run
// is seen before anything is measured.
func (b Binary) Cases(ctx context.Context, f Flags) (keys []Key, err error) {
	once := f
	once.Run = append(append([]string{}, f.Run...), "-test.benchtime=1x")
	seen := map[Key]bool{}
	err = b.Measure(ctx, once, nil, func(line Line) {
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

// pattern is the argument of -bench that matches these cases, of all GOMAXPROCS.
func pattern(keys []Key) string {
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

// cutProcs cuts off what may be GOMAXPROCS, which no pattern matches, or the end
// of the name if that is 1.
func cutProcs(name string) (rest, procs string) {
	_, parts := benchfmt.Name(name).Parts()
	if n := len(parts); n > 0 && parts[n-1][0] == '-' {
		procs = string(parts[n-1])
	}
	return strings.TrimSuffix(name, procs), procs
}
