package gate // confirming and mostProfiles are private limits of a trial

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/pprof/profile"
	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/flame"
	"github.com/zkatbench/zkatbench/bench/result"
)

// profileOf writes a CPU profile with samples by their stacks, the caller first.
func profileOf(t *testing.T, name string, samples map[string]int64) {
	t.Helper()
	p := &profile.Profile{SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"},
		{Type: "cpu", Unit: "nanoseconds"}}, PeriodType: &profile.ValueType{Type: "cpu", Unit: "nanoseconds"},
		Period: 1}
	at := map[string]*profile.Location{}
	for stack, n := range samples {
		s := &profile.Sample{Value: []int64{n, 1000 * n}}
		for _, f := range slices.Backward(strings.Split(stack, ";")) {
			if at[f] == nil {
				id := uint64(len(at) + 1)
				fn := &profile.Function{ID: id, Name: f, SystemName: f}
				at[f] = &profile.Location{ID: id, Address: 16 * id,
					Line: []profile.Line{{Function: fn, Line: 1}}}
				p.Function, p.Location = append(p.Function, fn), append(p.Location, at[f])
			}
			s.Location = append(s.Location, at[f])
		}
		p.Sample = append(p.Sample, s)
	}
	f, err := os.Create(name)
	require.NoError(t, err)
	require.NoError(t, p.Write(f))
	require.NoError(t, f.Close())
}

// timing returns a contender of cases that take ns each and have a CPU profile, and
// the file with the arguments of its processes.
func timing(t *testing.T, cases int, ns string, samples map[string]int64) (c *result.Contender, log string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell")
	}
	dir := t.TempDir()
	log = filepath.Join(dir, "log")
	profiled := filepath.Join(dir, "profile")
	if samples != nil {
		profileOf(t, profiled, samples)
	}
	script := "#!/bin/sh\necho \"$@\" >> " + log + "\nfor a; do case $a in -test.cpuprofile=*) [ ! -e " +
		profiled + " ] || cp " + profiled + " ${a#*=} || exit 1;; esac; done\necho pkg: p\n"
	for i := range cases {
		script += fmt.Sprintf("case \"$2\" in *=.|*BenchmarkC%d*) echo 'BenchmarkC%d 5 %s ns/op %s "+
			"cpu-ns/op';; esac\n", i, i, ns, ns)
	}
	name := filepath.Join(dir, "scripted")
	require.NoError(t, os.WriteFile(name, []byte(script), 0o700))
	return result.NewContender([]result.Binary{{Package: "p", Dir: dir, Path: name}},
		result.Stream{Writer: io.Discard}), log
}

// TestProfilesOfATrial: the functions of the first five regressions are named, from both
// profiles of each side. The rest of the budget bounds the length of profiles.
func TestProfilesOfATrial(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	before := map[string]int64{"main;p.a": 1000, "main;p.a;p.b": 100,
		"main;p.b;runtime.mallocgc;internal/runtime/maps.get": 100, "main;p.c": 300, "main;p.d": 5,
		"main;p.e": 50}
	after := map[string]int64{"main;p.a": 1000, "main;p.a;p.b": 400, "main;p.b;runtime.mallocgc": 200,
		"main;p.c": 500, "main;p.d": 90, "main;p.e": 150, "main;p.f": 2, "runtime.gcBgMarkWorker": 200}
	for _, c := range []struct {
		cases      int
		base, head string
		profile    bool
		budget     time.Duration
		iterations string
	}{
		{7, "100", "150", true, time.Hour, "-test.benchtime=13333333x"},
		{mostProfiles, "100", "150", true, 4 * time.Second, "-test.benchtime=6666666x"},
		{7, "1000000000", "9000000000", true, 8 * time.Second, "-test.benchtime=1x"},
		{7, "100", "150", false, time.Hour, ""}, {7, "150", "100", true, time.Hour, ""},
	} {
		name := fmt.Sprintf("%d cases, %s ns in %v, %v", c.cases, c.head, c.budget, c.profile)
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				base, baseLog := timing(t, c.cases, c.base, before)
				head, headLog := timing(t, c.cases, c.head, after)
				tr := trial(base, head, Rules{})
				tr.Budget, tr.Profile = c.budget, c.profile
				r, err := tr.Run(t.Context())
				require.NoError(t, err)
				r.Base, r.Head = "base", "head"
				var profiled []result.Key
				for _, p := range r.Profiles {
					profiled = append(profiled, p.Key)
					require.Equal(t, flame.Stacks{
						"main;p.a;p.b": 600, "main;p.b;runtime.mallocgc": 400, "main;p.c": 400,
						"main;p.d": 170, "main;p.e": 200, "main;p.f": 4, "runtime.gcBgMarkWorker": 400,
					}, p.Difference())
				}
				if c.iterations == "" {
					require.Empty(t, profiled)
					return
				}
				require.Len(t, profiled, mostProfiles)
				for _, one := range r.Comparisons {
					require.Equal(t, slices.Contains(profiled, one.Key), len(one.Grown) > 0, one.Key)
				}
				require.NotContains(t, profiled[1:], profiled[0])
				for _, log := range []string{baseLog, headLog} {
					text, err := os.ReadFile(log)
					require.NoError(t, err)
					require.Equal(t, 2*mostProfiles,
						strings.Count(string(text), c.iterations+" -test.cpuprofile="), string(text))
					require.Regexp(t, `-test.cpuprofile=\S*/zkatbench-profile-\d+/cpu\.pprof\n`, string(text))
				}
			})
		})
	}
	base, _ := timing(t, 1, "100", nil)
	head, _ := timing(t, 1, "150", nil)
	base.Data, head.Data = oneCase(wallTime, around(1, 1)), oneCase(wallTime, around(1.5, 1))
	within, end := context.WithCancel(t.Context())
	end()
	m := &measuring{Trial: trial(base, head, Rules{}), within: within, rng: rand.New(rand.NewPCG(1, 2))}
	m.Profile, m.Started = true, time.Now()
	r, err := m.run(t.Context(), nil)
	require.NoError(t, err, "the budget ends before the profiles")
	require.Equal(t, 1, r.Count(Regression))
	require.Empty(t, r.Profiles)
	left, err := filepath.Glob(filepath.Join(os.TempDir(), "zkatbench-profile-*"))
	require.NoError(t, err)
	require.Empty(t, left, "folders of profiles")
}

// linking returns two sides built by a fake program go. It fails to link the layout bad. In
// both the case A takes 100 ns, and B takes 100 and 140 ns; each layout adds some.
func linking(t *testing.T, bad int) (sides [2]*result.Contender) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell")
	}
	dir := t.TempDir()
	tool := fmt.Sprintf("#!/bin/sh\ncase \"$*\" in list*) printf 'p\\tm\\t%s\\n';; *randlayout=%d*) exit "+
		"1;; *) cp \"$(dirname \"$4\")/program\" \"$4\";; esac\n", dir, bad)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go"), []byte(tool), 0o700))
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	for i, ns := range []int{100, 140} {
		program := "#!/bin/sh\nn=${0##*-layout}\n"
		for _, c := range []struct {
			name string
			ns   int
		}{{"A", 100}, {"B", ns}} {
			program += fmt.Sprintf("case \"$2\" in *=.|*Benchmark%s*) echo \"Benchmark%s 1000000 $((%d + n "+
				"/ 2)) ns/op 5 cpu-ns/op\";; esac\n", c.name, c.name, c.ns)
		}
		into := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(into, "program"), []byte(program), 0o700))
		built, err := result.Source{Dir: dir, Packages: []string{"."}, Layout: 1 + i}.Build(t.Context(), into)
		require.NoError(t, err)
		sides[i] = result.NewContender(built, result.Stream{Writer: io.Discard})
	}
	return sides
}

// TestLayoutsOfATrial: after each look, both sides of the open cases get further layouts
// and as many results, until they are decided. A change is confirmed by several layouts.
func TestLayoutsOfATrial(t *testing.T) {
	run := func(sides [2]*result.Contender) (Report, error) {
		tr := trial(sides[0], sides[1], ruled(t, "ignore .unit:cpu-sec/op"))
		tr.Layouts = 3
		return tr.Run(t.Context())
	}
	sides := linking(t, -1)
	r, err := run(sides)
	require.NoError(t, err)
	require.Equal(t, []int{1, 1}, []int{r.Count(Regression), r.Count(Same)})
	for i, side := range sides {
		require.GreaterOrEqual(t, len(side.Binaries), confirming)
		require.LessOrEqual(t, len(side.Binaries), mostLayouts+1)
		ofB := side.Data.Layouts[result.Key{Package: "p", Name: "B"}]["sec/op"]
		seen := map[float64]int{}
		for _, layout := range ofB {
			seen[layout-float64(i)]++
		}
		require.GreaterOrEqual(t, len(seen), confirming, "layouts with results of the change: %v", seen)
		require.Equal(t, 6*r.Looks, len(ofB))
	}
	// After the budget there are no further layouts, which would have to confirm a change.
	synctest.Test(t, func(t *testing.T) {
		sides := linking(t, -1)
		tr := trial(sides[0], sides[1], ruled(t, "ignore .unit:cpu-sec/op"))
		tr.Layouts, tr.Budget = 3, 6*time.Second
		tr.Show = func(result.Progress) { time.Sleep(time.Second) }
		r, err := tr.Run(t.Context())
		require.NoError(t, err)
		require.Equal(t, 1, r.Count(Regression))
	})
	for _, bad := range []int{3, 4} {
		r, err := run(linking(t, bad))
		require.ErrorContains(t, err, "go test: exit status 1")
		require.Len(t, r.Comparisons, 2)
	}
}
