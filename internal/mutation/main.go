// Command mutation changes the code in one small way at a time, runs the tests that
// should detect each change, and prints the changes that no test detected.
//
// All mutants are in one build, as copies of functions. The file equivalent.txt has
// edits without an effect that a test could see, with reasons.
//
// The tree stays unchanged: the go command reads changed files from an overlay. Run
// the command from the root of the module; docs/mutation.md describes it.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// drawn are the packages that take part in a draw.
const drawn = "./token/... ./scheme/... ./runner/... ./bench/watch/... ./bench/history/... " +
	"./bench/report/... " +
	"./bench/gate/... ./bench/result/... ./bench/metric/..."

// unchecked packages make inputs of tests and benchmarks, or write code.
var unchecked = regexp.MustCompile(`/(fixture|suite|badinput|vectors|generate|pb|` +
	`opcount|unitcost|selftest|[a-z]*test)(/|$)`)

// least returns the share of the drawn mutants of a folder in percent, without equivalent
// ones, that tests must find: token and scheme guard money. People decide about the
// others: no test is written for an edit alone.
func least(folder string) int {
	top, _, _ := strings.Cut(folder, "/")
	if top == "token" || top == "scheme" {
		return 95
	}
	return 85
}

// tally counts the tried mutants of folders with one least share, and the mutants that
// tests found.
type tally struct{ done, found int }

// check returns an error if tests found fewer mutants than the least share.
func check(tallies map[int]tally) (err error) {
	for _, share := range slices.Sorted(maps.Keys(tallies)) {
		c := tallies[share]
		if 100*c.found < share*c.done {
			err = errors.Join(err,
				fmt.Errorf("mutation: tests find %d of %d edits, fewer than %d %%", c.found, c.done, share))
		}
	}
	return err
}

// options are the flags.
type options struct {
	packages, equivalents string
	count, workers        int
	verbose               bool
	seed                  uint64
	duration              time.Duration
}

// patterns are the patterns of packages.
func (o options) patterns() []string {
	return strings.FieldsFunc(o.packages, func(r rune) bool { return r == ' ' || r == ',' })
}

func parse(args []string, out io.Writer) (o options, err error) {
	f := flag.NewFlagSet("mutation", flag.ContinueOnError)
	f.SetOutput(out)
	f.StringVar(&o.packages, "packages", drawn,
		"`patterns` of the packages to edit, with spaces or commas between them")
	f.StringVar(&o.equivalents, "equivalents", "internal/mutation/equivalent.txt",
		"`file` of edits that no test can find, with reasons")
	f.IntVar(&o.count, "count", 100,
		"`number` of edits to draw, without those that do not compile; 0: every edit, and none may survive")
	f.BoolVar(&o.verbose, "v", false, "print the edits that are found too")
	f.Uint64Var(&o.seed, "seed", 1, "`number` by which edits are drawn")
	f.IntVar(&o.workers, "workers", 2, "`number` of edits that are tried at a time")
	f.DurationVar(&o.duration, "duration", 10*time.Second, "processor `time` of the tests of one edit")
	err = f.Parse(args)
	if err == nil && (f.NArg() > 0 || o.workers < 1 || o.count < 0 || o.duration <= 0) {
		err = errors.New("mutation: -workers and -duration are positive, -count not negative, and there " +
			"are no arguments")
	}
	return o, err
}

// reasons reads the list of equivalent edits: the name of an edit in each line, then
// " # " and the reason.
func reasons(name string) (list map[string]string, err error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	list = map[string]string{}
	for line := range strings.Lines(string(text)) {
		name, reason, ok := strings.Cut(strings.TrimSpace(line), " # ")
		if name == "" {
			continue
		}
		if !ok {
			return nil, fmt.Errorf("mutation: no reason in the line %q", name)
		}
		list[name] = reason
	}
	return list, nil
}

// stale returns the names in the list that are no edit of the packages any more, and those of
// folders that are gone.
func stale(list map[string]string, all []*pkg) (names []string) {
	loaded, edits := map[string]bool{}, map[string]bool{}
	for _, p := range all {
		loaded[p.folder] = true
		for _, e := range p.edits {
			edits[e.name] = true
		}
	}
	for name := range list {
		folder, _, _ := strings.Cut(name, " ")
		_, gone := os.Stat(folder)
		if !edits[name] && (loaded[folder] || gone != nil) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// draw chooses edits by the seed, all or n, and writes the files to dir, with the copies
// of edits without type errors.
func draw(all []*pkg, dir string, o options) (mutants []*edit, overlay string, err error) {
	for _, p := range all {
		mutants = append(mutants, p.edits...)
	}
	rand.New(rand.NewPCG(o.seed, 0)).Shuffle(len(mutants), func(i, j int) {
		mutants[i], mutants[j] = mutants[j], mutants[i]
	})
	if o.count > 0 {
		mutants = mutants[:min(o.count, len(mutants))]
	}
	for i, e := range mutants {
		e.number = i + 1
	}
	replace := map[string]string{}
	for _, p := range all {
		texts, wrong := p.changed(mutants)
		for ; len(wrong) > 0; texts, wrong = p.changed(mutants) {
			mutants = slices.DeleteFunc(mutants, func(e *edit) bool { return wrong[e] })
		}
		for path, text := range texts {
			replace[path] = filepath.Join(dir, strings.ReplaceAll(path, "/", "_"))
			err = errors.Join(err, os.WriteFile(replace[path], text, 0o600))
		}
	}
	text, failed := json.Marshal(map[string]any{"Replace": replace})
	overlay = filepath.Join(dir, "overlay.json")
	return mutants, overlay, errors.Join(err, failed, os.WriteFile(overlay, text, 0o600))
}

// run draws mutants, builds the test binaries, tries each mutant and prints its verdict and
// the shares. The callback of each mutant counts under one lock.
func run(ctx context.Context, args []string, out io.Writer) error {
	o, err := parse(args, out)
	if err != nil {
		return err
	}
	started := time.Now()
	known, err := reasons(o.equivalents)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	all, err := load(ctx, o.patterns()...)
	if err != nil {
		return err
	}
	for _, name := range stale(known, all) {
		fmt.Fprintln(out, "STALE    "+name)
	}
	mutants, overlay, err := draw(all, dir, o)
	if err != nil {
		return err
	}
	total := len(mutants)
	if total == 0 {
		return fmt.Errorf("mutation: the packages %s have nothing to edit", o.packages)
	}
	mutants = slices.DeleteFunc(mutants, func(e *edit) bool { return known[e.name] != "" })
	suites, err := build(ctx, dir, overlay, o.patterns())
	if err != nil {
		return err
	}
	since := func() time.Duration { return time.Since(started).Round(time.Second) }
	fmt.Fprintf(out, "%d mutants with seed %d; %d test binaries built in %v\n", total, o.seed, len(suites),
		since())
	each(o.workers, suites, func(s *suite) { s.measure(ctx) })
	var mu sync.Mutex
	var whole tally
	tallies := map[int]tally{} // by least share
	each(o.workers, mutants, func(e *edit) {
		verdict := "SURVIVES"
		ok, detail := e.try(ctx, suites, o.duration)
		mu.Lock()
		defer mu.Unlock()
		if ctx.Err() != nil {
			return
		}
		share := 100
		if o.count > 0 {
			share = least(e.pkg.folder)
		}
		c := tallies[share]
		c.done++
		whole.done++
		if ok {
			c.found++
			whole.found++
			verdict = "found   "
		}
		tallies[share] = c
		if !ok || o.verbose {
			fmt.Fprintf(out, "%s %s:%d (%s) %s\n", verdict, filepath.Base(e.path), e.line(), detail, e.name)
		}
		if whole.done%100 == 0 {
			fmt.Fprintf(out, "%d of %d tried after %v\n", whole.done, len(mutants), since())
		}
	})
	fmt.Fprintf(out, "found %d of %d (%.1f %%), %d equivalent, %d survive\n",
		whole.found, whole.done, 100*float64(whole.found)/float64(cmp.Or(whole.done, 1)),
		total-len(mutants), whole.done-whole.found)
	return cmp.Or(check(tallies), ctx.Err())
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
