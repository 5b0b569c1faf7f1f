package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// suite is the test binary of a package, built with all mutants.
type suite struct {
	pkg, dir, binary string
	imports          []string // of the package and its tests
	tests            []*trial
}

// trial is one test without a mutant: the processor time that it takes, whether it
// does more without -short, and the numbers of the functions with mutants that it
// reaches.
type trial struct {
	suite   *suite
	name    string
	took    time.Duration
	long    bool
	reached map[int]bool
}

const (
	quick = 300 * time.Millisecond // a quick test takes less
	batch = 3 * time.Second        // tests that run together take about this long
	most  = 20 * time.Second       // tests of one mutant take no longer together, by their times without it
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
	args := []string{"test", "-short", "-count=1", "-vet=off", "-overlay=" + overlay, "-exec=" + keep}
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
	if err := each(ctx, t.o.workers, suites, func(s *suite) error { return s.measure(ctx, t.dir) }); err != nil {
		return err
	}
	return each(ctx, t.o.workers, mutants, func(m *mutant) error {
		start := time.Now()
		v := m.try(ctx, suites, t.o.timeout)
		if ctx.Err() != nil {
			return nil // each returns it
		}
		return judged(m, v, time.Since(start))
	})
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

// run runs the tests of a batch with a mutant, within a limit of processor time. A
// test that hangs without work ends after timeout.
func (s *suite) run(ctx context.Context, mutant string, tests []*trial, limit, timeout time.Duration, more ...string) ([]byte, error) {
	names := make([]string, len(tests))
	for i, t := range tests {
		names[i] = "^" + t.name + "$"
	}
	scratch, err := os.MkdirTemp("", "mutant")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(scratch)
	ctx, cancel := context.WithTimeout(ctx, timeout+10*time.Second) // a test binary can hang in its own end
	defer cancel()
	args := append([]string{"-c", within(limit), s.binary, "-test.failfast", "-test.timeout=" + timeout.String(), "-test.run=" + strings.Join(names, "|")}, more...)
	cmd := exec.CommandContext(ctx, "bash", args...)
	cmd.Dir = s.dir
	cmd.Env = append(os.Environ(), chosenEnv+"="+mutant, "TMPDIR="+scratch)
	cmd.WaitDelay = time.Second
	return cmd.CombinedOutput()
}

// within is a script that runs its arguments with a limit of processor time, and of
// memory to 8 GB.
func within(limit time.Duration) string {
	return fmt.Sprintf(`ulimit -t %d -v 8000000; exec "$0" "$@"`, 1+int(limit.Seconds()))
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
		took, err := s.reach(ctx, file, name)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		t := &trial{suite: s, name: name, took: took, long: strings.Contains(long, "func "+name+"("), reached: map[int]bool{}}
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

// within reports whether the tests of s are among the tests of a listed fault.
func (m *mutant) within(s *suite) bool {
	return len(m.tests) == 0 || slices.ContainsFunc(m.tests, func(test string) bool {
		pkg, _, _ := strings.Cut(test, ":")
		return strings.HasSuffix(filepath.ToSlash(s.dir), strings.TrimPrefix(pkg, "."))
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

// batches returns the tests that reach m: the nearest first, and of these the
// quick ones, until they take most. Each batch has tests of one suite.
func batches(m *mutant, suites []*suite) (all [][]*trial) {
	var sum time.Duration
	for distance := range 3 {
		for _, slow := range []bool{false, true} {
			for _, s := range suites {
				if !m.within(s) || m.distance(s) != distance {
					continue
				}
				var tests []*trial
				for _, t := range s.tests {
					if t.reached[m.place] && (t.took >= quick) == slow {
						tests = append(tests, t)
					}
				}
				slices.SortStableFunc(tests, func(a, b *trial) int { return int(a.took - b.took) })
				for len(tests) > 0 {
					n := 1
					for n < len(tests) && total(tests[:n+1]) <= batch {
						n++
					}
					if sum += total(tests[:n]); sum > most && len(all) > 0 && len(m.tests) == 0 {
						return all
					}
					all, tests = append(all, tests[:n]), tests[n:]
				}
			}
		}
	}
	return all
}

func total(tests []*trial) (sum time.Duration) {
	for _, t := range tests {
		sum += t.took
	}
	return sum
}

// try runs the tests that reach m: short ones first, and those of its package
// that do more in full again, for a survivor. Only short tests count as failed
// when their time is over.
func (m *mutant) try(ctx context.Context, suites []*suite, timeout time.Duration) verdict {
	all := batches(m, suites)
	if len(all) == 0 {
		return verdict{survived, "no test reaches it"}
	}
	found := func(tests []*trial, out []byte) verdict {
		return verdict{killed, strings.TrimPrefix(tests[0].suite.pkg, "github.com/zkatbench/zkatbench/") + firstFailure(out)}
	}
	number := strconv.Itoa(m.number)
	for _, tests := range all {
		took := total(tests)
		out, err := tests[0].suite.run(ctx, number, tests, 5*time.Second+5*took, min(timeout, 30*time.Second+20*took), "-test.short")
		if ctx.Err() != nil {
			return verdict{broken, ctx.Err().Error()}
		}
		if err != nil {
			return found(tests, out)
		}
	}
	for _, tests := range all {
		tests = slices.DeleteFunc(slices.Clone(tests), func(t *trial) bool { return !t.long || m.distance(t.suite) > 0 })
		if len(tests) == 0 {
			continue
		}
		out, err := tests[0].suite.run(ctx, number, tests, most, timeout)
		if ctx.Err() != nil {
			return verdict{broken, ctx.Err().Error()}
		}
		if err != nil && failedTest.Match(out) {
			return found(tests, out)
		}
	}
	return verdict{survived, fmt.Sprintf("%d tests reach it", countTests(all))}
}

func countTests(all [][]*trial) (n int) {
	for _, b := range all {
		n += len(b)
	}
	return n
}
