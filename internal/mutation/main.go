// Command mutation plants faults in the code, runs the tests that should detect
// each, and lists the faults that no test detected. Faults come from the lists,
// or edits drawn at random.
//
//	main.go         flags, the run and its summary
//	faults.go       the lists of faults: their form, and where an edit applies
//	operators.go    edits of syntax trees
//	draw.go         mutants drawn at random by a seed, the list of equivalent ones
//	schemata.go     all mutants in one build: copies of functions
//	build.go        the build; edits that do not compile are dropped
//	suite.go        test binaries: the tests that reach a mutant, and one trial
//	try.go          one fault that is outside functions: an overlay of its own
//	faults/         the lists, one file for each part of the code
//	equivalent.txt  mutants without an effect that a test could see, with reasons
//
// The tree stays unchanged: the go command reads changed files from an overlay. Run
// the command from the root of the module:
//
//	go run ./internal/mutation -list
//	go run ./internal/mutation -compile
//	go run ./internal/mutation -run='^sigma' -workers=2
//	go run ./internal/mutation -random=500 -seed=20261122 -journal=night.txt
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

	random      int
	seed        uint64
	packages    string
	testers     string
	equivalents string
	journal     string
}

func parse(args []string, out io.Writer) (o options, err error) {
	f := flag.NewFlagSet("mutation", flag.ContinueOnError)
	f.SetOutput(out)
	f.StringVar(&o.folder, "faults", "internal/mutation/faults", "`folder` of the lists of faults")
	f.StringVar(&o.explained, "explained", "docs/mutation.md", "`file` that names the faults that may survive")
	f.StringVar(&o.run, "run", "", "plant only faults with names that match the `regexp`; with -random, these too")
	f.StringVar(&o.shard, "shard", "1/1", "plant only every n-th fault, from the i-th on: `i/n`")
	f.IntVar(&o.workers, "workers", 1, "`number` of faults that are tried at a time")
	f.DurationVar(&o.timeout, "timeout", 5*time.Minute, "`time` after which the tests of a package count as failed")
	f.BoolVar(&o.list, "list", false, "check that all edits apply, and run nothing")
	f.BoolVar(&o.compile, "compile", false, "compile the faults, and run nothing")
	f.IntVar(&o.random, "random", 0, "plant this `number` of edits drawn at random instead of the lists, or with -run in the same build")
	f.Uint64Var(&o.seed, "seed", 1, "`number` by which -random draws")
	f.StringVar(&o.packages, "packages", checked, "`patterns` of the packages that -random edits")
	f.StringVar(&o.testers, "testers", testers, "`patterns` of the packages whose tests run")
	f.StringVar(&o.equivalents, "equivalents", "internal/mutation/equivalent.txt", "`file` of edits that no test can find, with reasons")
	f.StringVar(&o.journal, "journal", "", "`file` that keeps verdicts of -random: the same command at the same revision goes on where it was interrupted")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if f.NArg() > 0 || o.workers < 1 || o.random < 0 {
		return o, fmt.Errorf("mutation: -workers is at least 1, -random at least 0, and there are no arguments")
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

func (s *summary) add(name string, v verdict, took time.Duration) {
	s.Lock()
	defer s.Unlock()
	s.total++
	switch v.kind {
	case killed:
		s.killed++
	case survived:
		s.survived = append(s.survived, name)
	case broken:
		s.broken = append(s.broken, name)
	}
	fmt.Fprintf(s.out, "%-9s %-50s %4.0fs %s\n", v.kind, name, took.Seconds(), v.detail)
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

// randomShare is the least share of mutants at random that tests must detect, in
// percent of the mutants that are not equivalent.
const randomShare = 95

func (s *summary) judgeRandom(n, equivalent int) error {
	fmt.Fprintf(s.out, "random: found %d of %d, %d equivalent, %d survive\n", s.killed, n, equivalent, len(s.survived))
	if len(s.broken) > 0 {
		return fmt.Errorf("mutation: mutants that could not be judged: %s", strings.Join(s.broken, ", "))
	}
	if 100*s.killed < randomShare*s.total {
		return fmt.Errorf("mutation: fewer than %d %% of mutants at random are found", randomShare)
	}
	return nil
}

// applicable lists all faults that no longer apply.
func applicable(faults []fault) error {
	var errs []error
	for _, f := range faults {
		if _, err := f.place("."); err != nil {
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
	if o.random > 0 && o.run == "" {
		return atRandom(ctx, o, nil, nil, out)
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
		return stillEdits(ctx, o)
	}
	s := &summary{out: out}
	if o.random > 0 {
		err = atRandom(ctx, o, some, s, out)
	} else {
		err = plant(ctx, some, o, s)
	}
	if o.compile {
		if len(s.broken) > 0 {
			err = errors.Join(err, fmt.Errorf("mutation: faults that do not compile: %s", strings.Join(s.broken, ", ")))
		}
		return err
	}
	return errors.Join(err, s.judge(string(explained)))
}

// plant tries faults in functions in one build, and each other fault alone.
func plant(ctx context.Context, faults []fault, o options, s *summary) error {
	dir, err := os.MkdirTemp("", "faults")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	inside, alone, err := placed(faults)
	if err != nil {
		return err
	}
	overlay, usable, err := compile(ctx, ".", dir, inside)
	if err != nil {
		return err
	}
	for _, m := range inside {
		if m.unusable != "" {
			s.add(m.name, verdict{broken, m.unusable}, 0)
		}
	}
	if o.compile {
		return each(ctx, o.workers, alone, func(f fault) error {
			if v := f.compiles(ctx); v.kind == broken {
				s.add(f.name, v, 0)
			}
			return nil
		})
	}
	err = together{dir, overlay, o, s.out, new(journal)}.tryAll(ctx, usable, func(m *mutant, v verdict, took time.Duration) error {
		s.add(m.name, v, took)
		return nil
	})
	return errors.Join(err, each(ctx, o.workers, alone, func(f fault) error { return tryAlone(ctx, f, o, s, new(journal)) }))
}

// tryAlone tries a fault outside of functions.
func tryAlone(ctx context.Context, f fault, o options, s *summary, j *journal) error {
	start := time.Now()
	v, judged := j.find(f.name)
	if !judged {
		if v = try(ctx, f, o.timeout); ctx.Err() != nil {
			return nil // each returns it
		}
	}
	s.add(f.name, v, time.Since(start))
	return j.judged(f.name, v)
}

// firstListed is the number of the first listed fault; drawn ones have smaller numbers.
const firstListed = 1 << 20

// placed returns the faults in functions as mutants, and the others.
func placed(faults []fault) (inside []*mutant, alone []fault, err error) {
	for i, f := range faults {
		e, err := f.place(".")
		if err != nil {
			return nil, nil, err
		}
		if e.inFunction(".") {
			inside = append(inside, &mutant{edit: e, number: firstListed + i, name: f.name, tests: f.tests})
		} else {
			alone = append(alone, f)
		}
	}
	return inside, alone, nil
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
