package main

import (
	"bufio"
	"context"
	_ "embed" // of the Rust program
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"time"

	"github.com/zkatbench/zkatbench/runner/flags"
)

// The Rust program with its pinned dependencies.
var (
	//go:embed peers/Cargo.toml
	peersManifest []byte
	//go:embed peers/Cargo.lock
	peersLock []byte
	//go:embed peers/src/main.rs
	peersMain []byte
)

// peerLibraries are the libraries of the Rust program by their names in it.
var peerLibraries = map[string]string{"dalek": "bulletproofs", "tari": "tari_bulletproofs_plus"}

// peerBatch is the number of proofs of a batch.
const peerBatch = 64

// contender is an implementation that is measured in peers.
type contender struct {
	name string
	// time does an operation count times and returns the processor time of the
	// thread, which other programs do not affect. All proofs are checked.
	time func(op string, values, count int) (time.Duration, error)
}

// peersLine measures the range proofs of two Rust libraries and ours in turns.
func peersLine(s streams) *commandLine {
	l := newLine("peers", "[flags]", "compare our proofs with two Rust libraries on this machine")
	l.help = "Builds a small Rust program on the crates bulletproofs and tari_bulletproofs_plus (pinned, with\n" +
		"target-cpu=native), and measures it in turns with our range proofs and v2: one and two values of 64\n" +
		"bits, proofs made, verified, and verified in batches of 64, with one thread each. Figures are processor\n" +
		"time. Every proof is checked. The output is in the format of Go benchmarks. It needs cargo, and the\n" +
		"network once."
	rounds := flags.One(&l.flags, "rounds", "10", "`samples` of each benchmark", flags.AtLeast(1))
	curve := flags.One(&l.flags, "curve", "BN254", "curve of our proofs", flags.Text("a curve"))
	folder := flags.One(&l.flags, "build", "", "`folder` in which to build the Rust program (default: in the user's cache)", flags.Text("a folder"))
	l.exec = func(ctx context.Context, _ []string) error {
		ours, err := ourContenders(*curve)
		if err != nil {
			return usageError("peers: -curve %w", err)
		}
		theirs, stop, err := startPeers(ctx, *folder, s.err)
		if err != nil {
			return err
		}
		defer stop()
		return race(ctx, s.out, *rounds, *curve, append(theirs, ours...))
	}
	return l
}

// peerCase is one benchmark: an operation, with the count that one sample does.
type peerCase struct {
	op     string
	values int
	count  int
}

var peerCases = []peerCase{
	{"prove", 1, 4}, {"prove", 2, 4}, {"verify", 1, 16}, {"verify", 2, 16}, {"batch", 1, peerBatch}, {"batch", 2, peerBatch},
}

// race writes rounds samples of every case and contender, which take turns.
func race(ctx context.Context, out io.Writer, rounds int, curve string, contenders []contender) error {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	fmt.Fprintf(out, "goos: %s\ngoarch: %s\npkg: github.com/zkatbench/zkatbench/cmd/zkatbench\n", runtime.GOOS, runtime.GOARCH)
	for _, crate := range []string{"bulletproofs", "tari_bulletproofs_plus"} {
		fmt.Fprintf(out, "peer-%s: %s\n", crate, crateVersion(crate))
	}
	fmt.Fprintf(out, "peer-flags: --release -C target-cpu=native\npeer-clock: processor time of the thread\npeer-go: %s\npeer-curve: %s\nUnit ns/proof better=lower\n", runtime.Version(), curve)
	for range rounds {
		for _, c := range peerCases {
			for _, who := range contenders {
				if ctx.Err() != nil {
					return errInterrupted
				}
				elapsed, err := who.time(c.op, c.values, c.count)
				if err != nil {
					return fmt.Errorf("zkatbench: peers: %s: %w", who.name, err)
				}
				fmt.Fprintf(out, "BenchmarkPeers/op=%s/values=%d/library=%s \t%8d\t%12.0f ns/proof\n",
					c.op, c.values, who.name, c.count, float64(elapsed.Nanoseconds())/float64(c.count))
			}
		}
	}
	return nil
}

// crateVersion is the version of a crate in the lock file.
func crateVersion(crate string) string {
	m := regexp.MustCompile(`name = "` + crate + `"\nversion = "([^"]+)"`).FindSubmatch(peersLock)
	if m == nil {
		return "unknown"
	}
	return string(m[1])
}

// startPeers builds the Rust program and starts it. stop ends it.
func startPeers(ctx context.Context, folder string, progress io.Writer) (theirs []contender, stop func(), err error) {
	cargo, err := exec.LookPath("cargo")
	if err != nil {
		return nil, nil, usageError("peers needs cargo, the package manager of Rust, which is not in PATH")
	}
	if folder == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return nil, nil, fmt.Errorf("zkatbench: peers: -build: %w", err)
		}
		folder = filepath.Join(cache, "zkatbench", "peers")
	}
	program, err := buildPeers(ctx, cargo, folder, progress)
	if err != nil {
		return nil, nil, err
	}
	p, err := newPeerProcess(ctx, program)
	if err != nil {
		return nil, nil, fmt.Errorf("zkatbench: peers: %w", err)
	}
	for _, name := range []string{"dalek", "tari"} {
		theirs = append(theirs, contender{peerLibraries[name], func(op string, values, count int) (time.Duration, error) {
			return p.time(name, op, values, count)
		}})
	}
	return theirs, p.stop, nil
}

// buildPeers writes the program into the folder, builds it, and returns its
// path.
func buildPeers(ctx context.Context, cargo, folder string, progress io.Writer) (string, error) {
	if err := os.MkdirAll(filepath.Join(folder, "src"), 0o755); err != nil {
		return "", fmt.Errorf("zkatbench: peers: -build: %w", err)
	}
	for name, text := range map[string][]byte{"Cargo.toml": peersManifest, "Cargo.lock": peersLock, "src/main.rs": peersMain} {
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o644); err != nil {
			return "", fmt.Errorf("zkatbench: peers: -build: %w", err)
		}
	}
	target := filepath.Join(folder, "target")
	cmd := exec.CommandContext(ctx, cargo, "build", "--release", "--locked", "--quiet", "--target-dir", target)
	cmd.Dir, cmd.Stderr = folder, progress
	cmd.Env = append(os.Environ(), "RUSTFLAGS=-C target-cpu=native")
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("zkatbench: peers: cargo build in %s: %w", folder, err)
	}
	return filepath.Join(target, "release", "zkatbench-peers"), nil
}

// peerProcess is the running Rust program.
type peerProcess struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	answers *bufio.Scanner
}

// newPeerProcess starts the program and waits until it has prepared all
// statements.
func newPeerProcess(ctx context.Context, program string) (*peerProcess, error) {
	cmd := exec.CommandContext(ctx, program)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &peerProcess{cmd, in, bufio.NewScanner(out)}
	if answer, err := p.answer(); err != nil || answer != "ready" {
		p.stop()
		return nil, errors.Join(errors.New("the Rust program did not start"), err)
	}
	return p, nil
}

func (p *peerProcess) answer() (string, error) {
	if !p.answers.Scan() {
		return "", errors.Join(errors.New("the Rust program ended"), p.answers.Err())
	}
	return strings.TrimSpace(p.answers.Text()), nil
}

// time asks for one sample.
func (p *peerProcess) time(library, op string, values, count int) (elapsed time.Duration, err error) {
	if _, err := fmt.Fprintf(p.in, "%s %s %d %d\n", library, op, values, count); err != nil {
		return 0, err
	}
	answer, err := p.answer()
	if err != nil {
		return 0, err
	}
	_, err = fmt.Sscan(answer, &elapsed)
	return elapsed, err
}

// stop ends the program: it ends with its input.
func (p *peerProcess) stop() {
	_ = p.in.Close()
	_ = p.cmd.Wait()
}
