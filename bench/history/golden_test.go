package history_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/history"
	"github.com/zkatbench/zkatbench/bench/result"
)

// drawn returns a series of n revisions: a level with noise, in per cent, a step at one
// revision, and a slope, in per cent a revision.
func drawn(seed uint64, n int, noise, step float64, at int, slope float64) history.Series {
	r := rand.New(rand.NewPCG(seed, 9))
	s := history.Series{Key: result.Key{Package: "p", Name: fmt.Sprintf("n=%d/noise=%v/step=%v@%d/slope=%v", n, noise, step, at, slope)}, Unit: "sec/op", Better: -1}
	for i := range n {
		y := 100 + noise*math.Round(100*r.NormFloat64())/100 + slope*float64(i)
		if i >= at {
			y += step
		}
		s.Points = append(s.Points, history.Point{Revision: fmt.Sprint("r", i), Values: []float64{y, y + 0.25, y - 0.25}})
	}
	return s
}

// TestChangesExactly: the changes and drifts of many histories, young and old, on both
// sides of each limit.
func TestChangesExactly(t *testing.T) {
	var all []history.Series
	seed := uint64(0)
	add := func(n int, noise, step float64, at int, slope float64) {
		seed++
		all = append(all, drawn(seed, n, noise, step, at, slope))
	}
	for _, n := range []int{1, 2, 5, 6, 7, 12, 19, 20, 21, 22, 25, 29, 30, 31, 45, 59, 60, 61, 75, 100, 140} {
		add(n, 1, 0, 0, 0)
		for _, step := range []float64{-40, -8, 4, 6, 15} {
			add(n, 1, step, n/2, 0)
			add(n, 1, step, n-2, 0)
		}
		for _, slope := range []float64{-0.2, 0.02, 0.035, 0.05, 0.07, 0.1, 0.2, 0.5} {
			add(n, 1, 0, 0, slope)
			add(n, 0.2, 0, 0, slope/4)
		}
	}
	for at := range 24 {
		add(24, 0.5, 3, at, 0)
		add(70, 1, -12, 3*at, 0.05)
		add(50, 0.01, 0.4, 2*at, 0)
	}
	for range 60 {
		add(40, 1, 0, 0, 0.06)
		add(40, 1, 0, 0, -0.07)
	}
	var b strings.Builder
	for _, s := range all {
		fmt.Fprintf(&b, "%s:", s.Key.Name)
		for _, c := range s.Changes() {
			fmt.Fprintf(&b, " %d-%d %.7g→%.7g worse=%v", c.At, c.Alarm, c.Before, c.After, s.Worse(c))
		}
		if d, found := s.Drift(); found {
			fmt.Fprintf(&b, " drift %d-%d %.7g→%.7g", d.At, d.Alarm, d.Before, d.After)
		}
		b.WriteString("\n")
	}
	golden(t, "changes.txt", b.String())
}

// of returns a series with one value for each revision.
func of(name, unit string, exact bool, better int, ys ...float64) history.Series {
	s := history.Series{Key: result.Key{Package: "p", Name: name}, Unit: unit, Exact: exact, Better: better}
	for i, y := range ys {
		s.Points = append(s.Points, history.Point{Revision: strings.Repeat(string(rune('a'+i%26)), []int{3, 40, 64}[i%3]), Values: []float64{y}})
	}
	return s
}

// TestSmallestChanges: a step of a young history and a drift are at least one per cent of
// the level.
func TestSmallestChanges(t *testing.T) {
	for _, c := range []struct {
		ys   []float64
		want []history.Change
	}{
		{[]float64{100, 100, 100, 101, 101, 101}, []history.Change{{At: 3, Alarm: 5, Before: 100, After: 101}}},
		{[]float64{-100, -100, -100, -101, -101, -101}, []history.Change{{At: 3, Alarm: 5, Before: -100, After: -101}}},
		{[]float64{100, 100, 100, 100.99, 100.99, 100.99}, nil},
		{[]float64{100, 100, 100, 100, 102, 102, 102}, []history.Change{{At: 4, Alarm: 6, Before: 100, After: 102}}},
		{[]float64{100, 100, 102, 102, 102, 102, 102}, nil},
		{[]float64{100, 100, 100, 101, 101}, nil},
		{[]float64{0, 0, 0, 1, 1, 1}, []history.Change{{At: 3, Alarm: 5, Before: 0, After: 1}}},
	} {
		require.Equal(t, c.want, of("A", "sec/op", false, -1, c.ys...).Changes(), c.ys)
	}
	exact := of("A", "size", true, -1, 7, 7, 8, 8, 7)
	require.Equal(t, []history.Change{{At: 2, Alarm: 2, Before: 7, After: 8}, {At: 4, Alarm: 4, Before: 8, After: 7}}, exact.Changes())
	require.True(t, exact.Worse(exact.Changes()[0]))
	require.False(t, exact.Worse(exact.Changes()[1]))
	require.False(t, exact.Worse(history.Change{}))
	ramp := func(rise float64) history.Series {
		var ys []float64
		for i := range 60 {
			ys = append(ys, 100+rise*float64(min(max(i-12, 0)/4, 9))/9+[]float64{0, 0.5, -0.5}[i%3])
		}
		return of("A", "sec/op", false, -1, ys...)
	}
	d, found := ramp(1).Drift()
	require.True(t, found)
	require.Equal(t, history.Change{At: 0, Alarm: 59, Before: 100, After: 101}, d)
	_, found = ramp(0.99).Drift()
	require.False(t, found)
}

// TestListsExactly: ten series and runs, and what a check says of them.
func TestListsExactly(t *testing.T) {
	var drift, fall []float64
	for i := range 40 {
		drift = append(drift, 100+0.1*float64(i)+[]float64{0.4, -0.4, 0}[i%3])
		fall = append(fall, 100-0.1*float64(i)+[]float64{0.4, -0.4, 0}[i%3])
	}
	step := []float64{1, 1.01, 0.99, 1, 1.01, 0.99, 2, 2.01, 1.99, 2}
	all := []history.Series{
		of("drift", "sec/op", false, -1, drift...), of("drift/rate", "x/s", false, 1, drift...), of("drift/any", "x", false, 0, drift...),
		of("fall", "sec/op", false, -1, fall...), of("fall/rate", "x/s", false, 1, fall...), of("fall/exact", "x/s", true, 1, fall...),
		of("step", "sec/op", false, -1, step...), of("step/rate", "B/s", false, 1, step...), of("step/any", "odd", false, 0, step...),
		of("exact", "size", true, -1, 7, 7, 8, 8, 9, 9, 9), of("exact/less", "size", true, -1, 9, 9, 9, 8), of("exact/any", "size", true, 0, 9, 9, 9, 8),
		of("exact/one", "size", true, -1, 9), of("exact/two", "size", true, -1, 9, 9), of("young", "sec/op", false, -1, 1, 1, 1, 1, 1),
		of("six", "sec/op", false, -1, 1, 1, 1, 1, 1, 1), of("odd\x1bname", "B/op", true, -1, 1024, 2048), of("end", "sec/op", false, -1, 1, 1, 1, 1, 1, 1, 3, 3, 3),
	}
	all[16].Points[1].Revision = "v1.2+changes"
	var b strings.Builder
	require.NoError(t, history.WriteCases(&b, all))
	for _, last := range []int{0, 1, 2, 3, 4, 9} {
		fmt.Fprintf(&b, "== the last %d\n", last)
		v, err := history.Check(&b, all, last)
		require.NoError(t, err)
		fmt.Fprintln(&b, v)
	}
	var runs []history.Run
	for i := range 10 {
		runs = append(runs, history.Run{Revision: all[0].Points[i].Revision, Machine: fmt.Sprint("machine ", i), Started: epoch.Add(time.Duration(i) * 25 * time.Hour).In(time.FixedZone("x", 3600)), Cases: i * i})
	}
	require.NoError(t, history.WriteRuns(&b, runs))
	golden(t, "cases.txt", b.String())
	require.NoError(t, history.WriteRuns(io.Discard, nil))
	require.ErrorIs(t, history.WriteRuns(full{}, nil), errFull)
	require.ErrorIs(t, history.WriteCases(full{}, all), errFull)
	v, err := history.Check(full{}, all, 3)
	require.ErrorIs(t, err, errFull)
	require.Equal(t, 13, v.Judged)
}

// full takes no bytes.
type full struct{}

var errFull = errors.New("no space left")

func (full) Write([]byte) (int, error) { return 0, errFull }

// read reads results.
func read(t *testing.T, text string) *result.Data {
	t.Helper()
	d := result.NewData()
	require.NoError(t, d.Read(strings.NewReader(text), "results"))
	return d
}

// dump lists everything in a history.
func dump(t *testing.T, s *history.Store, cases, unit string) string {
	t.Helper()
	runs, err := s.Runs(ctx)
	require.NoError(t, err)
	var b strings.Builder
	for _, r := range runs {
		fmt.Fprintf(&b, "%s %s %d %q\n", r.Revision, r.Started.Format(time.RFC3339Nano), r.Cases, r.Machine)
	}
	all, err := s.Series(ctx, regexp.MustCompile(cases), unit)
	require.NoError(t, err)
	for _, one := range all {
		fmt.Fprintf(&b, "%q %q %q %s exact=%v better=%d\n", one.Machine, one.Key.Package, one.Key.Name, one.Unit, one.Exact, one.Better)
		for _, p := range one.Points {
			fmt.Fprintf(&b, "  %s %s %v median %v\n", p.Revision, p.Started.Format(time.RFC3339Nano), p.Values, p.Median())
		}
	}
	return b.String()
}

// TestStoreExactly: runs of several machines, packages, cases, units and revisions, which
// were added in another order.
func TestStoreExactly(t *testing.T) {
	s := create(t, filepath.Join(t.TempDir(), "h.db"))
	const results = "Unit size assume=exact better=lower\nUnit rate better=higher\nUnit loose assume=nothing\n"
	for i, text := range []string{
		"host: b\ncpu: X\ncpus: 2\ngoos: linux\ngoarch: amd64\npinned: 0,1\nrevision: r2\nstarted: 2026-01-02T03:04:05Z\npkg: p\nBenchmarkA 1 2 u\nBenchmarkB 1 3 u\npkg: q\nBenchmarkB 1 4 u\n",
		"host: b\ncpu: X\ncpus: 2\ngoos: linux\ngoarch: amd64\npinned: 0,1\nrevision: r1\nstarted: 2026-01-01T03:04:05+01:00\npkg: p\nBenchmarkA 1 1 u\nBenchmarkB 1 2 u\npkg: q\nBenchmarkB 1 3 u\n",
		"host: a\npinned: no\nrevision: r2\nstarted: 2026-01-03T00:00:00Z\npkg: q\nBenchmarkB 1 8 u\nBenchmarkB 1 9 u\n",
		"host: c\npkg: q\nrevision: r2\nstarted: 2026-01-04T00:00:00Z\nBenchmarkB 1 8 u\nhost: b\nstarted: 2026-01-03T12:00:00Z\nBenchmarkB 1 8 u\nstarted: 2026-01-05T00:00:00Z\nBenchmarkB 1 8 u\n",
		"host: z\nrevision: r9\nstarted: yesterday\npkg: q\nBenchmarkB 1 8 u 7 size 5 rate 2 loose\nBenchmarkB 1 NaN u 8 size +Inf rate\n",
		"host: z\nrevision: r8\npkg: q\nBenchmarkB 1 8 u 7 size 5 rate\n",
		"host: y\nrevision: r1\npkg: q\nBenchmarkB 1 8 exact-later\n", "Unit exact-later assume=exact better=higher\nhost: y\nrevision: r2\npkg: q\nBenchmarkB 1 8 exact-later\n",
		"host: z\nrevision: r8\npkg: q\nBenchmarkB 1 9 u\nBenchmarkC 1 9 u\npinned: 3\nBenchmarkC 1 9 u\npinned: 1\nBenchmarkC 1 9 u\n",
		"host: z\nrevision: r8\npkg: q\nBenchmarkB 1 9 u\nBenchmarkC 1 9.5 u\nBenchmarkD 1 NaN u\n",
	} {
		require.NoError(t, s.Add(ctx, read(t, results+text), "", epoch.Add(time.Duration(i)*time.Hour+time.Nanosecond)))
	}
	for i := range 11 {
		d := read(t, fmt.Sprintf("host: many\nrevision: m%02d\npkg: q\nBenchmarkM 1 %d u\n", 10-i, i))
		require.NoError(t, s.Add(ctx, d, fmt.Sprint("given", i), epoch.Add(-time.Duration(i)*time.Hour)))
	}
	whole := dump(t, s, "", "")
	golden(t, "store.txt", whole+"== B\n"+dump(t, s, "^BenchmarkB$", "")+"== size\n"+dump(t, s, "", "size"))

	d := read(t, "host: many\npkg: q\nrevision: m09\nBenchmarkM 1 1 u\nrevision: m10\nBenchmarkM 1 1 u\n")
	require.EqualError(t, s.Add(ctx, d, "", epoch), `does not name exactly one revision: ["m09" "m10"]`)
	require.NoError(t, s.Add(ctx, d, "r", epoch))
	require.ErrorIs(t, s.Add(ctx, d, "r", epoch), history.ErrKnown)
	require.NoError(t, s.Add(ctx, d, "r'", epoch), "of another revision")
	for _, text := range []string{"revision: unknown\npkg: q\nBenchmarkM 1 1 u\n", "pkg: q\nBenchmarkM 1 1 u\n"} {
		require.ErrorIs(t, s.Add(ctx, read(t, text), "", epoch), history.ErrRevision)
	}
	for _, unit := range []string{"u", "v"} {
		require.NoError(t, s.Add(ctx, read(t, "revision: unit\nBenchmarkA 1 1 "+unit+"\n"), "", epoch))
	}
	ten := func(last int) *result.Data {
		text := "revision: ten\n"
		for i := range 10 {
			text += fmt.Sprintf("BenchmarkT%d 1 %d u\n", i, map[bool]int{true: last}[i == 9])
		}
		return read(t, text)
	}
	require.NoError(t, s.Add(ctx, ten(1), "", epoch))
	require.NoError(t, s.Add(ctx, ten(2), "", epoch), "another tenth case")
	require.ErrorIs(t, s.Add(ctx, ten(2), "", epoch), history.ErrKnown)
	d.Values[d.Cases[0]]["u"] = []float64{2}
	require.NoError(t, s.Add(ctx, d, "r", epoch), "other values")
	d.Config["x"] = []string{"y"}
	require.NoError(t, s.Add(ctx, d, "r", epoch), "another configuration")
	d.Cases[0].Name = "N"
	d.Values[d.Cases[0]] = map[string][]float64{"u": {2}}
	require.NoError(t, s.Add(ctx, d, "r", epoch), "another case")
}

// TestBrokenStores: each query of a closed store, and of rows that another program wrote,
// names the file.
func TestBrokenStores(t *testing.T) {
	name := filepath.Join(t.TempDir(), "h.db")
	s, err := history.Create(ctx, name)
	require.NoError(t, err)
	d := results(1, 1, 1000)
	require.NoError(t, s.Add(ctx, d, "", epoch))
	change := func(query string) {
		db, err := sql.Open("sqlite", name)
		require.NoError(t, err)
		_, err = db.Exec(query)
		require.NoError(t, err)
		require.NoError(t, db.Close())
	}
	fails := func(want string, runs bool) {
		t.Helper()
		_, err := s.Series(ctx, everything, "")
		require.ErrorContains(t, err, want)
		require.ErrorContains(t, err, name+": ")
		require.NotContains(t, err.Error(), "nil")
		_, err = s.Runs(ctx)
		require.Equal(t, runs, err != nil)
		if runs {
			require.ErrorContains(t, err, name+": ")
			require.ErrorContains(t, err, want)
		}
	}
	change("UPDATE sample SET samples = '[1,'")
	fails(history.ErrStore.Error()+": samples of BenchmarkSum/n=0: unexpected end", false)
	change("UPDATE sample SET samples = '[1,2]'")
	change("UPDATE run SET started = 'then'")
	fails(`parsing time "then"`, true)
	_, err = s.Series(ctx, everything, "")
	require.ErrorIs(t, err, history.ErrStore)
	change("UPDATE run SET started = '2026-01-01T00:00:00Z'")
	change("UPDATE sample SET exact = 'x'")
	fails(`couldn't convert "x" into type bool`, false)
	change("UPDATE sample SET exact = 0")
	_, err = s.Series(ctx, everything, "")
	require.NoError(t, err)
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	require.EqualError(t, s.Add(cancelled, results(2, 1, 1000), "", epoch), name+": context canceled")
	_, err = s.Runs(cancelled)
	require.EqualError(t, err, name+": context canceled")
	_, err = s.Series(cancelled, everything, "")
	require.EqualError(t, err, name+": context canceled")
	_, err = history.Open(cancelled, name)
	require.EqualError(t, err, name+": context canceled")
	change("DROP TABLE sample")
	require.ErrorContains(t, s.Add(ctx, results(3, 1, 1000), "", epoch), name+": SQL logic error: no such table: sample")
	fails("no such table: sample", true)
	require.NoError(t, s.Close())

	other := filepath.Join(t.TempDir(), "other.db")
	text := strings.Repeat("no database ", 100)
	require.NoError(t, os.WriteFile(other, []byte(text), 0o600))
	_, err = history.Open(ctx, other)
	require.ErrorContains(t, err, other+": is not a history that this program reads: file is not a database")
	for _, version := range []string{"0", "2"} {
		later := filepath.Join(t.TempDir(), "later.db")
		name = later
		change("CREATE TABLE theirs (x)")
		change("PRAGMA user_version = " + version)
		_, err = history.Create(ctx, later)
		require.EqualError(t, err, later+": is not a history that this program reads")
	}
	empty := filepath.Join(t.TempDir(), "empty.db")
	require.NoError(t, os.WriteFile(empty, nil, 0o600))
	s, err = history.Open(ctx, empty)
	require.NoError(t, err, "a new file")
	require.NoError(t, s.Close())
	_, err = history.Create(ctx, filepath.Join(t.TempDir(), "absent", "h.db"))
	require.Error(t, err)
}
