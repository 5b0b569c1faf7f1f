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

// pattern is the argument of -bench that matches these cases and no others.
func pattern(keys []Key) string {
	all := make([]string, len(keys))
	for i, k := range keys {
		parts := strings.Split("Benchmark"+withoutProcs(k.Name), "/")
		for j, p := range parts {
			parts[j] = "^" + regexp.QuoteMeta(p) + "$"
		}
		all[i] = strings.Join(parts, "/")
	}
	return strings.Join(all, "|")
}

// withoutProcs cuts GOMAXPROCS off, which no pattern matches.
func withoutProcs(name string) string {
	_, parts := benchfmt.Name(name).Parts()
	if n := len(parts); n > 0 && parts[n-1][0] == '-' {
		return strings.TrimSuffix(name, string(parts[n-1]))
	}
	return name
}
