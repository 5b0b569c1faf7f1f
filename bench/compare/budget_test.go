package compare_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/compare"
	"github.com/zkatbench/zkatbench/bench/result"
)

// slowTools is a Builder. Its builds and links take a time of the virtual clock, and its binaries are
// scripts.
type slowTools struct {
	t           *testing.T
	build, link time.Duration
	links       int
}

func (s *slowTools) wait(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

func (s *slowTools) Build(ctx context.Context, from result.Source, into string, _ bool) (all []result.Binary,
	left []error, err error) {
	if err := s.wait(ctx, s.build); err != nil {
		return nil, nil, err
	}
	name := filepath.Join(into, "scripted")
	script := "#!/bin/sh\necho pkg: p\nfor i in 1; do echo 'BenchmarkA 5 100 ns/op 100 cpu-ns/op'; done\n"
	require.NoError(s.t, os.WriteFile(name, []byte(script), 0o700))
	return []result.Binary{{Package: "p", Dir: into, Path: name, Layout: from.Layout}}, nil, nil
}

func (s *slowTools) Relink(ctx context.Context, all []result.Binary, _ map[string]bool,
	layouts int) ([]result.Binary, error) {
	for range layouts {
		if err := s.wait(ctx, s.link); err != nil {
			return all, err
		}
		s.links++
		b := all[len(all)-1]
		b.Layout += 2
		all = append(all, b)
	}
	return all, nil
}

// TestBudgetBoundsBuildsAndMeasurements: on a virtual clock, a comparison takes at most 1.1 times its budget,
// and if its builds take too long, it reports that it could not begin.
func TestBudgetBoundsBuildsAndMeasurements(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell")
	}
	const budget = 30 * time.Second
	for _, c := range []struct {
		build, link time.Duration
		links       int
		verdict     string // "" if it could not begin
	}{
		{time.Second, time.Second, 2, "same"},
		{10 * time.Second, time.Second, 2, "same"},
		{10 * time.Second, 10 * time.Second, 0, "same"}, // measured without the second layout
		{12 * time.Second, time.Second, 0, ""},
		{time.Hour, time.Second, 0, ""},
	} {
		t.Run(fmt.Sprintf("build %v, link %v", c.build, c.link), func(t *testing.T) {
			dirs := [2]string{t.TempDir(), t.TempDir()}
			synctest.Test(t, func(t *testing.T) {
				tools := &slowTools{t: t, build: c.build, link: c.link}
				o := compare.Options{Packages: []string{"."}, Count: 6, Layouts: 3, Budget: budget,
					Lenient: true, Builder: tools, Flags: result.Flags{Bench: "."}}
				o.Rules.Limit = 0.03
				begun := time.Now()
				r, err := compare.Run(t.Context(), compare.Named(dirs[0]), compare.Named(dirs[1]), o)
				require.NoError(t, err)
				require.LessOrEqual(t, time.Since(begun), budget/10*11)
				require.Equal(t, c.links, tools.links)
				notes := strings.Join(r.Notes, "\n")
				if c.verdict == "" {
					require.Empty(t, r.Comparisons)
					require.Contains(t, notes,
						"the comparison could not begin: building took 22.5s of the budget of 30s")
					return
				}
				require.NotEmpty(t, r.Comparisons)
				require.EqualValues(t, c.verdict, r.Comparisons[0].Verdict)
				require.NotContains(t, notes, "could not begin")
			})
		})
	}
}
