package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/zkatbench/zkatbench/runner/flags"
)

// peerBatch is the number of proofs of a batch.
const peerBatch = 64

// A peer is a proof system of a library with a statement, ready to be measured.
type peer struct {
	name  string   // statement=…/library=…/…
	facts []string // value and unit of figures that are not times
	batch bool     // the library verifies proofs together
	// program starts a program that has prepared only this case.
	program func() (*peerProcess, error)
	// time does an operation count times and returns its processor time. All
	// proofs are checked.
	time func(op string, count int) (time.Duration, error)
}

const peersHelp = `Measures proof systems for confidential transfers on this machine, in turns: ours, Groth16 and PLONK
of gnark, and range proofs and a transfer of five Rust libraries. Folder peers/ of a clone has the programs; they
are built with their versions pinned, for this processor. A program that cannot be built is named with the reason,
and the others are measured. Figures are processor time of one thread for one proof; statements, generators and
keys are made before; every proof is checked. peak-B is the largest resident memory of a program that does each
operation of one case, on Linux. The output is in the format of Go benchmarks.

With -from, nothing is measured: the tables of docs/alternatives.md are written from a file of results, and with -o
also its pictures, into that folder.`

// peersLine measures other proof systems and ours.
func peersLine(s streams) *commandLine {
	l := newLine("peers", "[flags]", "compare proof systems for confidential transfers on this machine")
	l.help = peersHelp
	rounds := flags.One(&l.flags, "rounds", "10", "`samples` of each benchmark", flags.AtLeast(1))
	only := flags.One(&l.flags, "only", "", "measure only names that contain this `text`, such as library=gnark", flags.Text("a part of a name"))
	folder := flags.One(&l.flags, "build", "", "`folder` in which to build the programs (default: in the user's cache)", flags.Text("a folder"))
	from := flags.One(&l.flags, "from", "", "write tables from this `file` of results", flags.Text("a file"))
	serving := flags.One(&l.flags, "serve", "false", "answer on standard output as the programs in peers/ do; peers starts itself so", flags.Switch())
	pictures := flags.One(&l.flags, "o", "", "with -from: `folder` of the pictures", flags.Text("a folder"))
	l.exec = func(ctx context.Context, _ []string) error {
		if *from != "" {
			return peerPage(s.out, *from, *pictures)
		}
		if *serving {
			return inside("peers -serve", servePeers(s.in, s.out, *only))
		}
		peers, absent, stop := startPrograms(ctx, append([]program{{name: ours}}, peerPrograms...), *folder, *only, s.err)
		defer stop()
		return race(ctx, s.out, *rounds, peers, absent)
	}
	return l
}

// sample is the processor time that one sample should take. A sample has between
// leastCount and mostCount operations; one of slow is done once.
const (
	sample     = 100 * time.Millisecond
	slow       = time.Second
	leastCount = 10
	mostCount  = 64
)

// race writes rounds samples of every operation and peer, which take turns. absent
// are configuration lines.
func race(ctx context.Context, out io.Writer, rounds int, peers []peer, absent []string) error {
	if len(peers) == 0 {
		return usageError("peers: no benchmark matches -only")
	}
	fmt.Fprintf(out, "goos: %s\ngoarch: %s\npkg: github.com/zkatbench/zkatbench/cmd/zkatbench\npeer-go: %s\n", runtime.GOOS, runtime.GOARCH, runtime.Version())
	for _, line := range append(peerVersions(), absent...) {
		fmt.Fprintln(out, line)
	}
	fmt.Fprintln(out, "Unit cpu-ns/op better=lower\nUnit proof-B assume=exact better=lower\nUnit constraints assume=exact better=lower\nUnit key-B assume=exact better=lower\nUnit peak-B better=lower")
	counts := map[string]int{}
	for i := range peers {
		if err := peers[i].addMemory(); err != nil {
			return fmt.Errorf("zkatbench: peers: %s: %w", peers[i].name, err)
		}
	}
	for round := range rounds {
		for _, op := range []string{"prove", "verify", "batch"} {
			for _, p := range peers {
				if op == "batch" && !p.batch {
					continue
				}
				if ctx.Err() != nil {
					return errInterrupted
				}
				if round == 0 { // a first run, to warm up and to choose the count
					took, err := p.time(op, warmCount(op))
					if err != nil {
						return fmt.Errorf("zkatbench: peers: %s: %w", p.name, err)
					}
					counts[op+p.name] = peerCount(op, took)
				}
				count := counts[op+p.name]
				took, err := p.time(op, count)
				if err != nil {
					return fmt.Errorf("zkatbench: peers: %s: %w", p.name, err)
				}
				fmt.Fprintf(out, "BenchmarkPeers/op=%s/%s \t%8d\t%12.0f cpu-ns/op", op, p.name, count, float64(took.Nanoseconds())/float64(count))
				if op == "prove" {
					fmt.Fprintf(out, "\t%s", strings.Join(p.facts, "\t"))
				}
				fmt.Fprintln(out)
			}
		}
	}
	return nil
}

// addMemory adds the largest resident memory of a program that proves, verifies and
// verifies a batch once, where the system tells.
func (p *peer) addMemory() error {
	if p.program == nil {
		return nil
	}
	alone, err := p.program()
	if err != nil {
		return err
	}
	defer alone.stop()
	if !alone.forgetPeak() {
		return nil
	}
	for _, op := range []string{"prove", "verify", "batch"} {
		if op == "batch" && !p.batch {
			continue
		}
		if _, err := alone.time(op, warmCount(op), p.name); err != nil {
			return err
		}
	}
	if peak, ok := alone.peak(); ok {
		p.facts = append(p.facts, fmt.Sprintf("%d peak-B", peak))
	}
	return nil
}

func warmCount(op string) int {
	if op == "batch" {
		return peerBatch
	}
	return 1
}

// peerCount returns how many operations a sample does, if one took so long.
func peerCount(op string, one time.Duration) int {
	if op == "batch" {
		return peerBatch
	}
	if one >= slow {
		return 1
	}
	return int(max(leastCount, min(mostCount, sample/max(one, 1))))
}

// errNoClone says that the programs are not there.
var errNoClone = errors.New("no folder peers/ with go.mod here or above: run it in a clone of zkatbench")

// peersFolder returns the folder with the programs: peers/ in the root of a clone,
// at or above the working directory.
func peersFolder() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		folder := filepath.Join(dir, "peers")
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
			return folder, nil
		}
		above := filepath.Dir(dir)
		if above == dir {
			return "", errNoClone
		}
		dir = above
	}
}
