// Command mutation plants faults in the code, one at a time, runs the tests
// that should detect each, and lists the faults that no test detected.
//
//	main.go    flags, the run and its summary
//	faults.go  the list of faults: its form, and where an edit applies
//	try.go     one fault: an overlay of the file and the tests over it
//	faults/    the faults, one file for each part of the code
//
// The tree stays unchanged: go test reads the changed file from an overlay. Run
// the command from the root of the module:
//
//	go run ./internal/mutation -list
//	go run ./internal/mutation -compile
//	go run ./internal/mutation -run='^sigma' -workers=2
//	go run ./internal/mutation -shard=1/4
//
// docs/mutation.md lists the surviving faults with reasons. The command fails
// if another fault survives, or if an edit no longer applies.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"strings"
	"sync"
	"time"
)

// options are the flags.
type options struct {
	folder    string
	explained string
	run       string
	shard     string
	workers   int
	timeout   time.Duration
	list      bool
	compile   bool
}

func parse(args []string, out io.Writer) (o options, err error) {
	f := flag.NewFlagSet("mutation", flag.ContinueOnError)
	f.SetOutput(out)
	f.StringVar(&o.folder, "faults", "internal/mutation/faults", "`folder` of the lists of faults")
	f.StringVar(&o.explained, "explained", "docs/mutation.md", "`file` that names the faults that may survive")
	f.StringVar(&o.run, "run", "", "plant only faults with names that match the `regexp`")
	f.StringVar(&o.shard, "shard", "1/1", "plant only every n-th fault, from the i-th on: `i/n`")
	f.IntVar(&o.workers, "workers", 1, "`number` of faults that are tried at a time")
	f.DurationVar(&o.timeout, "timeout", 5*time.Minute, "`time` after which the tests of a package count as failed")
	f.BoolVar(&o.list, "list", false, "check that all edits apply, and run nothing")
	f.BoolVar(&o.compile, "compile", false, "compile each fault, and run nothing")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if f.NArg() > 0 || o.workers < 1 {
		return o, fmt.Errorf("mutation: -workers is at least 1, and there are no arguments")
	}
	return o, nil
}

// chosen returns the faults selected by o.
func chosen(all []fault, o options) (some []fault, err error) {
	name, err := regexp.Compile(o.run)
	if err != nil {
		return nil, fmt.Errorf("mutation: -run: %w", err)
	}
	var i, n int
	if _, err := fmt.Sscanf(o.shard, "%d/%d", &i, &n); err != nil || i < 1 || i > n {
		return nil, fmt.Errorf("mutation: -shard=%s is not i/n with 1 ≤ i ≤ n", o.shard)
	}
	for k, f := range all {
		if k%n == i-1 && name.MatchString(f.name) {
			some = append(some, f)
		}
	}
	return some, nil
}

// summary counts verdicts and keeps the names of faults that are not killed.
type summary struct {
	sync.Mutex
	out      io.Writer
	total    int
	killed   int
	survived []string
	broken   []string
}

func (s *summary) add(f fault, v verdict, took time.Duration) {
	s.Lock()
	defer s.Unlock()
	s.total++
	switch v.kind {
	case killed:
		s.killed++
	case survived:
		s.survived = append(s.survived, f.name)
	case broken:
		s.broken = append(s.broken, f.name)
	}
	fmt.Fprintf(s.out, "%-9s %-50s %4.0fs %s\n", v.kind, f.name, took.Seconds(), v.detail)
}

// unexplained returns the survivors that text does not name in backquotes.
func (s *summary) unexplained(text string) (names []string) {
	for _, name := range s.survived {
		if !strings.Contains(text, "`"+name+"`") {
			names = append(names, name)
		}
	}
	return names
}

// share is the least share of faults that tests must detect, in percent.
const share = 97

func (s *summary) judge(explained string) error {
	fmt.Fprintf(s.out, "\n%d faults, %d killed (%.1f %%), %d survived, %d do not compile\n",
		s.total, s.killed, 100*float64(s.killed)/float64(max(s.total, 1)), len(s.survived), len(s.broken))
	for _, name := range s.survived {
		fmt.Fprintln(s.out, "survived:", name)
	}
	if len(s.broken) > 0 {
		return fmt.Errorf("mutation: faults that do not compile: %s", strings.Join(s.broken, ", "))
	}
	if names := s.unexplained(explained); len(names) > 0 {
		return fmt.Errorf("mutation: no test finds, and no table explains: %s", strings.Join(names, ", "))
	}
	if s.total > 0 && 100*s.killed < share*s.total && len(s.survived) > 1 {
		return fmt.Errorf("mutation: fewer than %d %% are killed", share)
	}
	return nil
}

// applicable lists all faults that no longer apply.
func applicable(faults []fault) error {
	var errs []error
	for _, f := range faults {
		if _, _, err := f.apply("."); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

func run(ctx context.Context, args []string, out io.Writer) error {
	o, err := parse(args, out)
	if err != nil {
		return err
	}
	all, err := load(o.folder)
	if err != nil {
		return err
	}
	some, err := chosen(all, o)
	if err != nil {
		return err
	}
	explained, err := os.ReadFile(o.explained)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if err := applicable(some); err != nil {
		return err
	}
	if o.list {
		fmt.Fprintf(out, "%d faults apply\n", len(some))
		return nil
	}
	plant := func(f fault) verdict { return try(ctx, f, o.timeout) }
	if o.compile {
		plant = func(f fault) verdict { return compiled(ctx, f) }
	}
	s := &summary{out: out}
	work := make(chan fault)
	var wg sync.WaitGroup
	for range o.workers {
		wg.Go(func() {
			for f := range work {
				start := time.Now()
				v := plant(f)
				if ctx.Err() == nil {
					s.add(f, v, time.Since(start))
				}
			}
		})
	}
	for _, f := range some {
		if ctx.Err() != nil {
			break
		}
		work <- f
	}
	close(work)
	wg.Wait()
	return errors.Join(ctx.Err(), s.judge(string(explained)))
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
