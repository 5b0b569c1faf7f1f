package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// suite is the test binary of a package, built with all mutants.
type suite struct {
	pkg, dir, binary string
	imports          []string // of the package and its tests
	tests            []*trial
}

// trial is one test without a mutant: the processor time and the time that it takes,
// whether it does more without -short, and the numbers of the blocks with mutants that
// it reaches. It counts the mutants that it ran with, and those that it found.
type trial struct {
	suite      *suite
	name       string
	took, wall time.Duration
	long       bool
	reached    map[int]bool

	runs, kills, tooLong atomic.Int64
}

const (
	start = 30 * time.Millisecond  // processor time of a test binary without a test
	first = 300 * time.Millisecond // tests that run together first take about this long; then twice as long each time
	short = 7 * time.Second        // short tests of one mutant take no longer together, by their times without it
	most  = 10 * time.Second       // nor all tests of one mutant
	full  = 4 * time.Second        // nor one test in full
)

// build builds the test binaries of all packages among patterns that the mutants
// can affect, and lists their tests.
func build(ctx context.Context, root, dir, overlay string, mutants []*mutant, o options) (suites []*suite, err error) {
	all, err := list(ctx, root, strings.Fields(o.testers)...)
	if err != nil {
		return nil, err
	}
	changed, deps := map[string]bool{}, map[string][]string{}
	folders := map[string]bool{}
	for _, m := range mutants {
		abs, err := filepath.Abs(filepath.Join(root, filepath.Dir(m.file)))
		if err != nil {
			return nil, err
		}
		folders[abs] = true
	}
	everything, err := list(ctx, root, "./...")
	if err != nil {
		return nil, err
	}
	for _, p := range everything {
		changed[p.ImportPath] = folders[p.Dir]
		deps[p.ImportPath] = p.Deps
	}
	affected := func(p listed) bool {
		for _, path := range slices.Concat([]string{p.ImportPath}, p.Deps, p.TestImports, p.XTestImports) {
			if changed[path] || slices.ContainsFunc(deps[path], func(d string) bool { return changed[d] }) {
				return true
			}
		}
		return false
	}
	for _, p := range all {
		if len(p.TestGoFiles)+len(p.XTestGoFiles) > 0 && affected(p) {
			suites = append(suites, &suite{pkg: p.ImportPath, dir: p.Dir, binary: filepath.Join(dir, flat(p.Dir)+".test"),
				imports: slices.Concat(p.Imports, p.TestImports, p.XTestImports)})
		}
	}
	// The go command builds all test binaries and "runs" each by a program that keeps it.
	keep := filepath.Join(dir, "keep")
	script := fmt.Sprintf("#!/bin/sh\ncp \"$1\" '%s'/\"$(pwd | tr / _)\".test\n", dir)
	if err := os.WriteFile(keep, []byte(script), 0o700); err != nil {
		return nil, err
	}
	args := []string{"test", "-short", "-count=1", "-vet=off", "-ldflags=-s -w", "-overlay=" + overlay, "-exec=" + keep}
	for _, s := range suites {
		args = append(args, s.pkg)
	}
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("mutation: tests do not build: %w\n%s", err, out)
	}
	return suites, nil
}

func flat(dir string) string { return strings.ReplaceAll(dir, "/", "_") }

// together is one build of all mutants: its folder and overlay.
type together struct {
	dir, overlay string
	o            options
	out          io.Writer
	journal      *journal
}

// tryAll builds the test binaries, runs every test without a mutant, and then the
// tests that reach each mutant. verdict is called from several goroutines.
func (t together) tryAll(ctx context.Context, mutants []*mutant, judged func(*mutant, verdict, time.Duration) error) error {
	if len(mutants) == 0 {
		return nil
	}
	suites, err := build(ctx, ".", t.dir, t.overlay, mutants, t.o)
	if err != nil {
		return err
	}
	fmt.Fprintf(t.out, "%d test binaries built\n", len(suites))
	if err := each(ctx, t.o.workers, suites, func(s *suite) error { return s.recall(ctx, t.dir, t.journal) }); err != nil {
		return err
	}
	fmt.Fprintf(t.out, "%d tests reach mutants\n", countTests(suites))
	var done, survive atomic.Int64
	begin := time.Now()
	end := make(chan struct{})
	defer close(end)
	go func() {
		for {
			select {
			case <-end:
				return
			case <-time.After(time.Minute):
			}
			n := done.Load()
			rest := time.Since(begin) / time.Duration(max(n, 1)) * time.Duration(int64(len(mutants))-n)
			fmt.Fprintf(t.out, "tried %d of %d, %d survive, about %s remain\n", n, len(mutants), survive.Load(), rest.Round(time.Minute))
		}
	}()
	return each(ctx, t.o.workers, mutants, func(m *mutant) error {
		start := time.Now()
		v := m.try(ctx, suites, t.o.timeout)
		if ctx.Err() != nil {
			return nil // each returns it
		}
		done.Add(1)
		if v.kind == survived {
			survive.Add(1)
		}
		return judged(m, v, time.Since(start))
	})
}

func countTests(suites []*suite) (n int) {
	for _, s := range suites {
		n += len(s.tests)
	}
	return n
}

// each calls f for every item, workers at a time, and returns the errors.
func each[T any](ctx context.Context, workers int, items []T, f func(T) error) error {
	queue := make(chan T)
	errs := make([]error, workers)
	var wg sync.WaitGroup
	for i := range workers {
		wg.Go(func() {
			for item := range queue {
				if ctx.Err() == nil {
					errs[i] = errors.Join(errs[i], f(item))
				}
			}
		})
	}
	for _, item := range items {
		if ctx.Err() != nil {
			break
		}
		queue <- item
	}
	close(queue)
	wg.Wait()
	return errors.Join(append(errs, ctx.Err())...)
}

// run runs the tests of a batch with a mutant, within a limit of processor time, which
// it returns. A test that hangs without work ends after timeout, or earlier if its
// process sleeps much longer than without the mutant.
func (s *suite) run(ctx context.Context, mutant string, tests []*trial, limit, timeout time.Duration, more ...string) (out []byte, used time.Duration, err error) {
	names := make([]string, len(tests))
	idle := 5 * time.Second
	for i, t := range tests {
		names[i] = "^" + t.name + "$"
		idle += 5 * t.wall
	}
	scratch, err := os.MkdirTemp("", "mutant")
	if err != nil {
		return nil, 0, err
	}
	defer os.RemoveAll(scratch)
	ctx, cancel := context.WithTimeout(ctx, timeout+10*time.Second) // a test binary can hang in its own end
	defer cancel()
	args := append([]string{"-c", within(limit), s.binary, "-test.failfast", "-test.timeout=" + timeout.String(), "-test.run=" + strings.Join(names, "|")}, more...)
	cmd := exec.CommandContext(ctx, "bash", args...)
	cmd.Dir = s.dir
	cmd.Env = append(os.Environ(), chosenEnv+"="+mutant, "TMPDIR="+scratch)
	cmd.WaitDelay = time.Second
	var text bytes.Buffer
	cmd.Stdout, cmd.Stderr = &text, &text
	if err := cmd.Start(); err != nil {
		return nil, 0, err
	}
	go endIdle(ctx, cancel, cmd.Process.Pid, idle)
	err = cmd.Wait()
	return text.Bytes(), cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), err
}

// endIdle cancels ctx when no thread of the process has run or wanted to run for
// the time idle, as far as the system tells it.
func endIdle(ctx context.Context, cancel func(), pid int, idle time.Duration) {
	ticker := time.NewTicker(250 * time.Millisecond)
	defer ticker.Stop()
	last, since := "", time.Now()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", pid))
		now, runs := "", len(threads) == 0
		for _, name := range threads {
			text, _ := os.ReadFile(name)
			_, rest, _ := strings.Cut(string(text), ") ")
			fields := strings.Fields(rest)
			if len(fields) < 15 || fields[0] != "S" {
				runs = true
				break
			}
			now += fmt.Sprintln(fields[11:15]) // its processor time and that of its children
		}
		if runs || now != last {
			last, since = now, time.Now()
		} else if time.Since(since) > idle {
			cancel()
			return
		}
	}
}

// within is a script that runs its arguments with a limit of processor time, and of
// memory to 8 GB.
func within(limit time.Duration) string {
	return fmt.Sprintf(`ulimit -t %d -v 8000000; exec "$0" "$@"`, 1+int(limit.Seconds()))
}

// noted is a trial in a journal.
type noted struct {
	Name       string
	Took, Wall time.Duration
	Long       bool
	Reached    []int
}

// recall takes what the tests of s reach from the journal, or measures it.
func (s *suite) recall(ctx context.Context, dir string, j *journal) error {
	name := "tests of " + s.pkg
	var all []noted
	if json.Unmarshal([]byte(j.known[name]), &all) == nil {
		for _, n := range all {
			t := &trial{suite: s, name: n.Name, took: n.Took, wall: n.Wall, long: n.Long, reached: map[int]bool{}}
			for _, place := range n.Reached {
				t.reached[place] = true
			}
			s.tests = append(s.tests, t)
		}
		return nil
	}
	if err := s.measure(ctx, dir); err != nil {
		return err
	}
	for _, t := range s.tests {
		all = append(all, noted{t.name, t.took, t.wall, t.long, slices.Sorted(maps.Keys(t.reached))})
	}
	text, err := json.Marshal(all)
	return errors.Join(err, j.add(name, string(text)))
}

// measure runs every test alone without a mutant. Tests that fail so, since they
// count allocations for example, or take long, are left out.
func (s *suite) measure(ctx context.Context, dir string) error {
	cmd := exec.CommandContext(ctx, s.binary, "-test.list=^(Test|Fuzz)")
	cmd.Dir = s.dir
	out, err := cmd.Output()
	if err != nil {
		return nil // a package that has flags only
	}
	long, err := s.long()
	if err != nil {
		return err
	}
	for name := range strings.FieldsSeq(string(out)) {
		if name == "ok" || strings.Contains(name, "/") {
			continue
		}
		file := filepath.Join(dir, filepath.Base(s.binary)+"."+name)
		begin := time.Now()
		took, err := s.reach(ctx, file, name)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		t := &trial{suite: s, name: name, took: took, wall: time.Since(begin), long: strings.Contains(long, "func "+name+"("), reached: map[int]bool{}}
		text, readErr := os.ReadFile(file)
		if err != nil || readErr != nil {
			continue // it fails without a mutant, or it reaches none
		}
		for place := range strings.FieldsSeq(string(text)) {
			n, _ := strconv.Atoi(place)
			t.reached[n] = true
		}
		s.tests = append(s.tests, t)
	}
	return nil
}

// long returns the text of the files of tests that ask for -short.
func (s *suite) long() (text string, err error) {
	names, err := filepath.Glob(filepath.Join(s.dir, "*_test.go"))
	for _, name := range names {
		part, err := os.ReadFile(name)
		if err != nil {
			return "", err
		}
		if bytes.Contains(part, []byte("testing.Short()")) {
			text += string(part)
		}
	}
	return text, err
}

func (s *suite) reach(ctx context.Context, file, name string) (took time.Duration, err error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "bash", "-c", within(2*most), s.binary, "-test.short", "-test.run=^"+name+"$")
	cmd.Dir = s.dir
	cmd.Env = append(os.Environ(), chosenEnv+"="+record, reachedEnv+"="+file)
	err = cmd.Run()
	if cmd.ProcessState != nil {
		took = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}
	return took, err
}

// within reports whether a test is among those of a listed fault.
func (m *mutant) within(t *trial) bool {
	return len(m.tests) == 0 || slices.ContainsFunc(m.tests, func(test string) bool {
		pkg, only, _ := strings.Cut(test, ":")
		only, _, _ = strings.Cut(only, "/")
		named, err := regexp.MatchString(only, t.name)
		return strings.HasSuffix(filepath.ToSlash(t.suite.dir), strings.TrimPrefix(pkg, ".")) && named && err == nil
	})
}

// distance is 0 for the tests of the package of m, 1 for those of packages that
// import it, and 2 for others.
func (m *mutant) distance(s *suite) int {
	folder := "/" + filepath.ToSlash(filepath.Dir(m.file))
	switch {
	case strings.HasSuffix(filepath.ToSlash(s.dir), folder):
		return 0
	case slices.ContainsFunc(s.imports, func(path string) bool { return strings.HasSuffix(path, folder) }):
		return 1
	}
	return 2
}

// cost is the processor time of t per chance that it finds a mutant at a distance: the
// share of those that it found before, and less for a greater distance.
func (t *trial) cost(distance int) float64 {
	chance := float64(1+t.kills.Load()) / float64(2+t.runs.Load())
	return (start + t.took).Seconds() / chance * float64([]int{1, 4, 16}[distance])
}

// batches returns the tests that reach m, by their cost, until they take the time for
// short tests. Each batch has tests of one suite.
func batches(m *mutant, suites []*suite) (all [][]*trial) {
	var tests []*trial
	costs := map[*trial]float64{}
	for _, s := range suites {
		distance := m.distance(s)
		for _, t := range s.tests {
			if t.reached[m.place] && m.within(t) {
				tests = append(tests, t)
				costs[t] = t.cost(distance)
			}
		}
	}
	slices.SortStableFunc(tests, func(a, b *trial) int { return cmp.Compare(costs[a], costs[b]) })
	var sum time.Duration
	for size := first; len(tests) > 0; size *= 2 {
		var some, rest []*trial
		var together time.Duration
		for _, t := range tests {
			if len(some) == 0 || t.suite == some[0].suite && together+t.took <= size {
				some = append(some, t)
				together += t.took
			} else {
				rest = append(rest, t)
			}
		}
		if sum+together > short && len(all) > 0 && len(m.tests) == 0 {
			if size > first { // smaller ones may still have time
				tests = slices.DeleteFunc(tests, func(t *trial) bool { return sum+t.took > short })
				size = first / 2
				continue
			}
			return all
		}
		sum += together
		all, tests = append(all, some), rest
	}
	return all
}

// try runs the tests that reach m: short ones first, and those of its package
// that do more in full again, for a survivor. Only short tests count as failed
// when their time is over.
func (m *mutant) try(ctx context.Context, suites []*suite, timeout time.Duration) verdict {
	all := batches(m, suites)
	if len(all) == 0 {
		return verdict{survived, "no test reaches it"}
	}
	var sum time.Duration
	n := 0
	runs := func(tests []*trial, limit, timeout time.Duration, more ...string) (out []byte, err error) {
		out, used, err := tests[0].suite.run(ctx, strconv.Itoa(m.number), tests, limit, timeout, more...)
		sum += used
		return out, err
	}
	found := func(tests []*trial, out []byte) verdict {
		failed := firstFailure(out)
		for _, t := range tests {
			if t.name == strings.TrimSpace(failed) {
				t.kills.Add(1)
			}
		}
		return verdict{killed, strings.TrimPrefix(tests[0].suite.pkg, "github.com/zkatbench/zkatbench/") + failed}
	}
	for _, tests := range all {
		var took time.Duration
		for _, t := range tests {
			took += t.took
			t.runs.Add(1)
		}
		n += len(tests)
		out, err := runs(tests, 2*time.Second+3*took, min(timeout, 30*time.Second+20*took), "-test.short")
		if ctx.Err() != nil {
			return verdict{broken, ctx.Err().Error()}
		}
		if err != nil {
			return found(tests, out)
		}
	}
	for _, tests := range all {
		for _, t := range tests {
			if !t.long || m.distance(t.suite) > 0 || t.tooLong.Load() > 0 || sum > most {
				continue
			}
			out, err := runs([]*trial{t}, full, timeout)
			if ctx.Err() != nil {
				return verdict{broken, ctx.Err().Error()}
			}
			if err != nil && failedTest.Match(out) {
				return found(tests, out)
			}
			if err != nil {
				t.tooLong.Add(1)
			}
		}
	}
	return verdict{survived, fmt.Sprintf("%d tests reach it", n)}
}
