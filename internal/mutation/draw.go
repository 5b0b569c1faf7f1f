package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// checked are the packages whose tests mutants at random judge: verifiers,
// validators, decoders, batches, ledger, audit, group, protocols, statistics, gate
// and results.
const checked = "./token/crypto/... ./token/core/... ./scheme/ps18 ./scheme/ps18/curve ./scheme/threshold/frost " +
	"./scheme/threshold/otecdsa ./scheme/threshold/robust ./scheme/threshold/codec ./scheme/threshold/engine " +
	"./scheme/p256/limb/... ./scheme/p256/curve ./scheme/p256/ecdsa ./runner/stats ./bench/gate ./bench/result ./bench/metric"

// unchecked packages make inputs of tests and benchmarks, or write code.
var unchecked = regexp.MustCompile(`/(fixture|suite|suitetest|badinput|rangetest|grouptest|vectors|generate|pb|opcount|unitcost|[a-z]*test)(/|$)`)

// testers are the packages with tests that may find a mutant.
const testers = "./token/... ./scheme/... ./runner/... ./bench/... ./count/..."

// candidates returns all edits of the operators in the packages, in a fixed order.
func candidates(ctx context.Context, root, patterns string) (all []edit, err error) {
	packages, err := list(ctx, root, strings.Fields(patterns)...)
	if err != nil {
		return nil, err
	}
	top, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	for _, p := range packages {
		if unchecked.MatchString(p.ImportPath) {
			continue
		}
		for _, name := range p.GoFiles {
			rel, err := filepath.Rel(top, filepath.Join(p.Dir, name))
			if err != nil {
				return nil, err
			}
			s, err := parseFile(root, rel)
			if err != nil {
				return nil, err
			}
			if !generated(s.text) {
				all = append(all, s.edits()...)
			}
		}
	}
	return all, nil
}

// generated reports whether text is generated code without a source that is
// checked itself. The copy of a curve's package is generated from the other's.
func generated(text []byte) bool {
	head, _, _ := bytes.Cut(text, []byte("\npackage "))
	return bytes.Contains(head, []byte("Code generated"))
}

// draw chooses n mutants that compile, by the seed. known edits are drawn too:
// they count as equivalent.
func draw(ctx context.Context, root, dir string, o options) (mutants []*mutant, err error) {
	all, err := candidates(ctx, root, o.packages)
	if err != nil {
		return nil, err
	}
	r := rand.New(rand.NewPCG(o.seed, 0))
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	var tried []*mutant
	for len(mutants) < o.random && len(tried) < len(all) {
		more := min(o.random-len(mutants)+(o.random-len(mutants))/3+4, len(all)-len(tried))
		for range more {
			m := &mutant{edit: all[len(tried)], number: len(tried) + 1}
			m.name = fmt.Sprintf("%s:%d %s", m.file, m.line, m.operator)
			tried = append(tried, m)
		}
		if mutants, err = typed(ctx, root, dir, usable(tried)); err != nil {
			return nil, err
		}
	}
	return mutants[:min(o.random, len(mutants))], nil
}

// key names m in a journal.
func (m *mutant) key() string { return fmt.Sprintf("%d %s", m.number, m) }

// equivalents reads the list of equivalent mutants: an edit in each line as
// edit.String prints it, then " # " and the reason.
func equivalents(name string) (reasons map[string]string, err error) {
	text, err := os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	reasons = map[string]string{}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		edit, reason, ok := strings.Cut(line, " # ")
		if !ok || strings.TrimSpace(reason) == "" {
			return nil, fmt.Errorf("mutation: %s: no reason in the line %q", name, line)
		}
		reasons[strings.TrimSpace(edit)] = reason
	}
	return reasons, nil
}

// stillEdits returns an error that names the equivalent mutants that no operator makes.
func stillEdits(ctx context.Context, o options) error {
	reasons, err := equivalents(o.equivalents)
	if err != nil {
		return err
	}
	all, err := candidates(ctx, ".", o.packages)
	if err != nil {
		return err
	}
	for _, e := range all {
		delete(reasons, e.String())
	}
	var errs []error
	for _, edit := range sortedKeys(reasons) {
		errs = append(errs, fmt.Errorf("mutation: %s: no operator makes the edit %s", o.equivalents, edit))
	}
	return errors.Join(errs...)
}

// journal keeps verdicts and what tests reach in a file, so that an interrupted run
// goes on where it stopped. Its first line names the run; each other one has a name
// and a text.
type journal struct {
	sync.Mutex
	known map[string]string
	file  *os.File
}

func openJournal(name, run string) (*journal, error) {
	j := &journal{known: map[string]string{}}
	if name == "" {
		return j, nil
	}
	old, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	old = old[:bytes.LastIndexByte(old, '\n')+1] // without a line that was interrupted
	if lines, ok := strings.CutPrefix(string(old), run+"\n"); ok {
		for line := range strings.Lines(lines) {
			if name, text, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t"); ok {
				j.known[name] = text
			}
		}
	} else {
		old = []byte(run + "\n")
	}
	if j.file, err = os.OpenFile(name, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600); err != nil {
		return nil, err
	}
	_, err = j.file.Write(old)
	return j, err
}

// add notes a text.
func (j *journal) add(name, text string) error {
	j.Lock()
	defer j.Unlock()
	if j.file == nil {
		return nil
	}
	_, err := fmt.Fprintf(j.file, "%s\t%s\n", name, strings.ReplaceAll(text, "\n", " "))
	return err
}

func (j *journal) judged(name string, v verdict) error {
	return j.add(name, string(v.kind)+"\t"+v.detail)
}

// find returns the verdict of an earlier run.
func (j *journal) find(name string) (v verdict, ok bool) {
	text, ok := j.known[name]
	k, detail, _ := strings.Cut(text, "\t")
	return verdict{kind(k), detail}, ok
}

// revision names the commit and the changes of the tree; it is empty outside of a repository.
func revision(ctx context.Context) string {
	commit, _ := exec.CommandContext(ctx, "git", "rev-parse", "--short", "HEAD").Output()
	changes, _ := exec.CommandContext(ctx, "git", "diff", "HEAD").Output()
	return fmt.Sprintf("%s-%x", bytes.TrimSpace(commit), crc32.ChecksumIEEE(changes))
}

// atRandom draws mutants, runs the tests that reach each, and prints the survivors.
// With -run it plants listed faults in the same build, for which s has the verdicts.
func atRandom(ctx context.Context, o options, listed []fault, lists *summary, out io.Writer) error {
	reasons, err := equivalents(o.equivalents)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	drawn, err := draw(ctx, ".", dir, o)
	if err != nil {
		return err
	}
	inside, alone, err := placed(listed)
	if err != nil {
		return err
	}
	all := drawn
	for i, m := range inside { // in turns, so that a part of a run has some of both
		all = slices.Insert(all, min(2*i, len(all)), m)
	}
	overlay, all, err := compile(ctx, ".", dir, all)
	if err != nil {
		return err
	}
	for _, m := range inside {
		if m.unusable != "" {
			lists.add(m.name, verdict{broken, m.unusable}, 0)
		}
	}
	fmt.Fprintf(out, "%d mutants with seed %d of %s\n", len(drawn), o.seed, o.packages)
	j, err := openJournal(o.journal, fmt.Sprintf("random=%d seed=%d run=%s packages=%s revision=%s", o.random, o.seed, o.run, o.packages, revision(ctx)))
	if err != nil {
		return err
	}
	random, equivalent := &summary{out: out}, 0
	note := func(m *mutant, v verdict, took time.Duration) {
		if m.operator == "" {
			lists.add(m.name, v, took)
		} else {
			random.add(m.name, v, took)
		}
	}
	var open []*mutant
	for _, m := range all {
		v, judged := j.find(m.key())
		switch _, known := reasons[m.String()]; {
		case known:
			equivalent++
		case judged:
			note(m, v, 0)
		default:
			open = append(open, m)
		}
	}
	err = together{dir, overlay, o, out, j}.tryAll(ctx, open, func(m *mutant, v verdict, took time.Duration) error {
		if v.kind == survived {
			v.detail += ": " + m.String()
		}
		note(m, v, took)
		return j.judged(m.key(), v)
	})
	return errors.Join(err, each(ctx, o.workers, alone, func(f fault) error { return tryAlone(ctx, f, o, lists, j) }),
		random.judgeRandom(random.total+equivalent, equivalent))
}
