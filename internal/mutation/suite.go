package main

import (
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
	tests            []*trial
}

// trial is one test without a mutant: how long it takes, and the numbers of the
// functions with mutants that it reaches.
type trial struct {
	suite   *suite
	name    string
	took    time.Duration
	reached map[int]bool
}

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
			suites = append(suites, &suite{pkg: p.ImportPath, dir: p.Dir, binary: filepath.Join(dir, fmt.Sprintf("%d.test", len(suites)))})
		}
	}
	return suites, each(ctx, o.workers, suites, func(s *suite) error {
		cmd := exec.CommandContext(ctx, "go", "test", "-c", "-vet=off", "-overlay="+overlay, "-o", s.binary, s.pkg)
		cmd.Dir = root
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("mutation: %s does not build: %w\n%s", s.pkg, err, out)
		}
		return nil
	})
}

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

// run runs the named tests, with a mutant.
func (s *suite) run(ctx context.Context, mutant string, names []string, timeout time.Duration, more ...string) ([]byte, error) {
	for i := range names {
		names[i] = "^" + names[i] + "$"
	}
	scratch, err := os.MkdirTemp("", "mutant")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(scratch)
	ctx, cancel := context.WithTimeout(ctx, timeout+10*time.Second) // a test binary can hang in its own end
	defer cancel()
	args := append([]string{"-test.failfast", "-test.timeout=" + timeout.String(), "-test.run=" + strings.Join(names, "|")}, more...)
	cmd := exec.CommandContext(ctx, s.binary, args...)
	cmd.Dir = s.dir
	cmd.Env = append(os.Environ(), chosenEnv+"="+mutant, "TMPDIR="+scratch)
	cmd.WaitDelay = time.Second
	return cmd.CombinedOutput()
}

// measure runs every test alone without a mutant. Tests that fail so, since they
// count allocations for example, are left out.
func (s *suite) measure(ctx context.Context, dir string) error {
	cmd := exec.CommandContext(ctx, s.binary, "-test.list=^(Test|Fuzz)")
	cmd.Dir = s.dir
	out, err := cmd.Output()
	if err != nil {
		return nil // a package that has flags only
	}
	for name := range strings.FieldsSeq(string(out)) {
		if name == "ok" || strings.Contains(name, "/") {
			continue
		}
		file := filepath.Join(dir, filepath.Base(s.binary)+"."+name)
		start := time.Now()
		_, err := s.reach(ctx, file, name)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		t := &trial{suite: s, name: name, took: time.Since(start), reached: map[int]bool{}}
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

func (s *suite) reach(ctx context.Context, file, name string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, s.binary, "-test.short", "-test.run=^"+name+"$")
	cmd.Dir = s.dir
	cmd.Env = append(os.Environ(), chosenEnv+"="+record, reachedEnv+"="+file)
	return cmd.CombinedOutput()
}

// within reports whether the tests of s are among the tests of a listed fault.
func (m *mutant) within(s *suite) bool {
	return len(m.tests) == 0 || slices.ContainsFunc(m.tests, func(test string) bool {
		pkg, _, _ := strings.Cut(test, ":")
		return strings.HasSuffix(filepath.ToSlash(s.dir), strings.TrimPrefix(pkg, "."))
	})
}

// batches returns the tests that reach m, a batch for each suite and speed: quick
// tests first, those of the package of m before others.
func batches(m *mutant, suites []*suite) (all [][]*trial) {
	var quick, slow [][]*trial
	for _, s := range suites {
		var q, l []*trial
		for _, t := range s.tests {
			switch {
			case !t.reached[m.place] || !m.within(s):
			case t.took < 300*time.Millisecond:
				q = append(q, t)
			default:
				l = append(l, t)
			}
		}
		own := strings.HasSuffix(filepath.ToSlash(s.dir), "/"+filepath.ToSlash(filepath.Dir(m.file)))
		put := func(to *[][]*trial, batch []*trial) {
			switch {
			case len(batch) == 0:
			case own:
				*to = slices.Insert(*to, 0, batch)
			default:
				*to = append(*to, batch)
			}
		}
		put(&quick, q)
		put(&slow, l)
	}
	slices.SortStableFunc(slow, func(a, b []*trial) int { return int(total(a) - total(b)) })
	return append(quick, slow...)
}

func total(tests []*trial) (sum time.Duration) {
	for _, t := range tests {
		sum += t.took
	}
	return sum
}

// try runs the tests that reach m, short ones first, and those of a survivor
// again in full.
func (m *mutant) try(ctx context.Context, suites []*suite, timeout time.Duration) verdict {
	all := batches(m, suites)
	if len(all) == 0 {
		return verdict{survived, "no test reaches it"}
	}
	for _, short := range [][]string{{"-test.short"}, nil} {
		for _, batch := range all {
			names := make([]string, len(batch))
			for i, t := range batch {
				names[i] = t.name
			}
			limit := min(timeout, 20*time.Second+10*total(batch))
			if short == nil {
				limit = timeout
			}
			out, err := batch[0].suite.run(ctx, strconv.Itoa(m.number), names, limit, short...)
			if err == nil {
				continue
			}
			if ctx.Err() != nil {
				return verdict{broken, ctx.Err().Error()}
			}
			return verdict{killed, strings.TrimPrefix(batch[0].suite.pkg, "github.com/zkatbench/zkatbench/") + firstFailure(out)}
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
