package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

// suite is the test binary of a package, built with all mutants.
type suite struct {
	path, dir, binary string
	tests             []*trial
}

// trial is one test without a mutant: its processor time and its time from start to end,
// whether it passes without -short, and the numbers of the blocks with mutants that it
// reaches.
type trial struct {
	suite        *suite
	name         string
	took, lasted time.Duration
	reached      map[string]bool
	inFull       func() bool
}

const (
	start = 30 * time.Millisecond // processor time of a test binary without a test
	// tests that run together first take about this long; then twice as long each time
	first   = 100 * time.Millisecond
	longest = 20 * time.Second // a test that takes longer alone is left out
	full    = 4 * time.Second  // for one test without -short
	// tests that last this many times as long as without a mutant and their limit have found it
	patience = 10
)

// build builds the test binaries of packages.
func build(ctx context.Context, dir, overlay string, patterns []string) (suites []*suite, err error) {
	const tested = "{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}} {{.Dir}}{{end}}"
	list, err := exec.CommandContext(ctx, "go",
		append([]string{"list", "-f", tested}, patterns...)...).Output()
	if err != nil {
		return nil, fmt.Errorf("mutation: go list: %w", err)
	}
	// The go command builds all test binaries and "runs" each by a program that keeps it.
	keep := filepath.Join(dir, "keep")
	args := []string{"test", "-short", "-count=1", "-vet=off", "-ldflags=-s -w", "-overlay=" + overlay,
		"-exec=" + keep}
	for line := range strings.Lines(string(list)) {
		path, folder, _ := strings.Cut(strings.TrimSpace(line), " ")
		suites = append(suites,
			&suite{path: path, dir: folder,
				binary: filepath.Join(dir, strings.ReplaceAll(folder, "/", "_")+".test")})
		args = append(args, path)
	}
	if err := os.WriteFile(keep,
		fmt.Appendf(nil, "#!/bin/sh\ncp \"$1\" '%s'/\"$(pwd | tr / _)\".test\n", dir), 0o700); err != nil {
		return nil, err
	}
	if out, err := exec.CommandContext(ctx, "go", args...).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("mutation: tests do not build: %w\n%s", err, out)
	}
	return suites, nil
}

// each calls f for every item, workers at a time.
func each[T any](workers int, items []T, f func(T)) {
	var g errgroup.Group
	g.SetLimit(workers)
	for _, item := range items {
		g.Go(func() error { f(item); return nil })
	}
	_ = g.Wait() // f returns no error
}

// run runs tests of s within a limit of processor time and a time from start to end that
// follows from it and from the tests without a mutant. It returns the processor time
// that they take. environ chooses the mutant.
func (s *suite) run(ctx context.Context, limit time.Duration, short bool, tests []*trial,
	environ ...string) (out []byte, used time.Duration, err error) {
	names, all := make([]string, len(tests)), limit
	for i, t := range tests {
		names[i] = "^" + t.name + "$"
		all += t.lasted
	}
	ctx, cancel := context.WithTimeout(ctx, patience*all)
	defer cancel()
	cmd := exec.CommandContext(ctx, "bash", "-c",
		fmt.Sprintf(`ulimit -t %d -v 8000000; exec "$0" "$@"`, 1+int(limit.Seconds())), s.binary,
		"-test.failfast", fmt.Sprint("-test.short=", short), "-test.run="+strings.Join(names, "|"))
	var text bytes.Buffer
	cmd.Dir, cmd.Stdout = s.dir, &text
	cmd.Stderr, cmd.WaitDelay = &text, time.Second
	cmd.Env = slices.Concat(os.Environ(), []string{"TMPDIR=" + filepath.Dir(s.binary)}, environ)
	err = cmd.Run()
	if cmd.ProcessState != nil {
		used = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}
	return text.Bytes(), used, err
}

// measure runs every test alone without a mutant. Tests that fail so, since they
// count allocations for example, or take long, are left out.
func (s *suite) measure(ctx context.Context) {
	cmd := exec.CommandContext(ctx, s.binary, "-test.list=^(Test|Fuzz)")
	cmd.Dir = s.dir
	out, _ := cmd.Output() // no names if the package has flags only
	for name := range strings.FieldsSeq(string(out)) {
		t := &trial{suite: s, name: name, reached: map[string]bool{}}
		t.inFull = sync.OnceValue(func() bool {
			_, _, err := s.run(ctx, full, false, []*trial{t}, chosenEnv+"=0")
			return err == nil
		})
		file := s.binary + "." + filepath.Base(name)
		began := time.Now()
		_, took, err := s.run(ctx, longest, true, []*trial{t}, chosenEnv+"="+record, reachedEnv+"="+file)
		text, none := os.ReadFile(file)
		t.took, t.lasted = took, time.Since(began)
		if err != nil || none != nil {
			continue
		}
		for place := range strings.FieldsSeq(string(text)) {
			t.reached[place] = true
		}
		s.tests = append(s.tests, t)
	}
}

// cost is the processor time of t, and more if it is of another package than e.
func (t *trial) cost(e *edit) time.Duration {
	if t.suite.path != e.pkg.PkgPath {
		return 8 * (start + t.took)
	}
	return start + t.took
}

// failed finds the name of a test that failed, or did not end in its own way.
var failed = regexp.MustCompile(`(?m)^\s*--- FAIL: (\w+)|^panic: |^fatal error: `)

// try runs the tests that reach e for about the time: short ones by their cost, as many
// together as take about as long as all before, then those of its package in full. It
// returns the name of the test that finds e, or how many do not.
func (e *edit) try(ctx context.Context, suites []*suite, left time.Duration) (found bool, detail string) {
	finds := func(tests []*trial, limit time.Duration, short bool) bool {
		out, used, err := tests[0].suite.run(ctx, limit, short, tests,
			fmt.Sprintf("%s=%d", chosenEnv, e.number))
		left -= used
		detail = tests[0].suite.path
		test := failed.FindSubmatch(out)
		if test != nil {
			detail += " " + string(test[1])
		}
		return err != nil && (short || test != nil) // a test in full may take too long
	}
	var reach []*trial
	for _, s := range suites {
		for _, t := range s.tests {
			if t.reached[e.place] {
				reach = append(reach, t)
			}
		}
	}
	slices.SortStableFunc(reach, func(a, b *trial) int { return cmp.Compare(a.cost(e), b.cost(e)) })
	for i, n, size := 0, 0, first; i < len(reach) && (i == 0 || left > 0); i, size = i+n, 2*size {
		together := reach[i].took
		for n = 1; i+n < len(reach) && reach[i+n].suite == reach[i].suite &&
			together+reach[i+n].took <= min(size, left); n++ {
			together += reach[i+n].took
		}
		if finds(reach[i:i+n], 2*time.Second+3*together, true) {
			return true, detail
		}
	}
	for _, t := range reach {
		if left > 0 && t.suite.path == e.pkg.PkgPath && t.inFull() && finds([]*trial{t}, full, false) {
			return true, detail
		}
	}
	return false, fmt.Sprintf("%d tests reach it", len(reach))
}
