package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// program is one of the programs in peers/: a Go program, or a package of Rust.
type program struct {
	name string // of its library
	rust string // folder below peers/rust, empty for the Go program
}

// peerPrograms are those of gnark and of the five crates.
var peerPrograms = []program{
	{"gnark", ""}, {"bulletproofs", "dalek"}, {"tari_bulletproofs_plus", "tari"}, {"bp-pp", "bppp"},
	{"monero-bulletproofs", "monero"}, {"solana-zk-sdk", "solana"},
}

// rustFlags make crates use every instruction of this processor.
const rustFlags = "-C target-cpu=native"

// startPrograms builds and starts the programs. absent names, as configuration
// lines, those that cannot be had, with the reason. stop ends the others.
func startPrograms(ctx context.Context, cache, only string, progress io.Writer) (peers []peer, absent []string, stop func()) {
	var running []*peerProcess
	stop = func() {
		for _, p := range running {
			p.stop()
		}
	}
	sources, err := peersFolder()
	if err == nil && cache == "" {
		if cache, err = os.UserCacheDir(); err == nil {
			cache = filepath.Join(cache, "zkatbench", "peers")
		}
	}
	for _, p := range peerPrograms {
		if strings.Contains(only, "library=") && !strings.Contains(only, "library="+p.name) {
			continue
		}
		var own []peer
		why := err
		if why == nil {
			fmt.Fprintf(progress, "peers: building %s\n", p.name)
			var process *peerProcess
			if process, why = p.start(ctx, sources, cache, only); why == nil {
				running = append(running, process)
				own = process.peers
			}
		}
		if why != nil {
			line := fmt.Sprintf("peer-absent-%s: %s", p.name, strings.Join(strings.Fields(why.Error()), " "))
			fmt.Fprintln(progress, line)
			absent = append(absent, line)
		}
		for _, o := range own {
			if strings.Contains(o.name, only) {
				peers = append(peers, o)
			}
		}
	}
	return peers, absent, stop
}

// start builds the program in a folder of the cache and starts it.
func (p program) start(ctx context.Context, sources, cache, only string) (*peerProcess, error) {
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return nil, err
	}
	var build *exec.Cmd
	var binary string
	if p.rust == "" {
		binary = filepath.Join(cache, "gnark")
		build = exec.CommandContext(ctx, "go", "build", "-o", binary, ".")
		build.Dir = sources
	} else {
		target := filepath.Join(cache, p.rust)
		binary = filepath.Join(target, "release", "zkatbench-peer-"+p.rust)
		build = exec.CommandContext(ctx, "cargo", "build", "--release", "--locked", "--quiet", "--target-dir", target)
		build.Dir = filepath.Join(sources, "rust", p.rust)
		build.Env = append(os.Environ(), "RUSTFLAGS="+rustFlags)
	}
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s: %w %s", filepath.Base(build.Args[0]), err, lastLine(out))
	}
	var args []string
	if p.rust == "" && only != "" {
		args = []string{"-only", only}
	}
	return newPeerProcess(ctx, binary, args...)
}

// lastLine returns the last line of a build that says something.
func lastLine(out []byte) string {
	lines := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
	return string(lines[len(lines)-1])
}

// peerProcess is a running program.
type peerProcess struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	answers *bufio.Scanner
	peers   []peer
}

// newPeerProcess starts a program and waits until it has prepared its cases.
func newPeerProcess(ctx context.Context, binary string, args ...string) (*peerProcess, error) {
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
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
	p := &peerProcess{cmd: cmd, in: in, answers: bufio.NewScanner(out)}
	if err := p.prepare(); err != nil {
		p.stop()
		return nil, fmt.Errorf("%w: %s", err, lastLine(complaint.Bytes()))
	}
	return p, nil
}

// prepare reads the cases of the program.
func (p *peerProcess) prepare() error {
	for {
		answer, err := p.answer()
		if err != nil {
			return err
		}
		words := strings.Fields(answer)
		switch {
		case answer == "ready":
			return nil
		case len(words) < 2 || words[0] != "case":
			return fmt.Errorf("the program printed %q", answer)
		}
		own := peer{name: words[1], time: func(op string, count int) (time.Duration, error) { return p.time(op, count, words[1]) }}
		for _, fact := range words[2:] {
			unit, value, _ := strings.Cut(fact, "=")
			if unit == "batch" {
				own.batch = value == "yes"
				continue
			}
			own.facts = append(own.facts, value+" "+unit)
		}
		p.peers = append(p.peers, own)
	}
}

func (p *peerProcess) answer() (string, error) {
	if !p.answers.Scan() {
		return "", errors.Join(errors.New("the program ended"), p.answers.Err())
	}
	return strings.TrimSpace(p.answers.Text()), nil
}

// time asks for one sample.
func (p *peerProcess) time(op string, count int, name string) (time.Duration, error) {
	if _, err := fmt.Fprintln(p.in, op, count, name); err != nil {
		return 0, err
	}
	answer, err := p.answer()
	if err != nil {
		return 0, err
	}
	ns, err := strconv.ParseInt(answer, 10, 64)
	return time.Duration(ns), err
}

// stop ends the program: it ends with its input.
func (p *peerProcess) stop() {
	_ = p.in.Close()
	_ = p.cmd.Wait()
}

// peerVersions are configuration lines: versions from the lock files, and how the
// programs are built.
func peerVersions() (lines []string) {
	folder, err := peersFolder()
	if err != nil {
		return nil
	}
	for _, p := range peerPrograms {
		name, expr := filepath.Join(folder, "go.mod"), regexp.MustCompile(`consensys/gnark v(\S+)`)
		if p.rust != "" {
			name = filepath.Join(folder, "rust", p.rust, "Cargo.lock")
			expr = regexp.MustCompile(`name = "` + regexp.QuoteMeta(p.name) + `"\nversion = "([^"]+)"`)
		}
		text, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		if m := expr.FindSubmatch(text); m != nil {
			lines = append(lines, fmt.Sprintf("peer-%s: %s", p.name, m[1]))
		}
	}
	return append(lines, "peer-rust-flags: --release "+rustFlags, "peer-clock: processor time of one thread; gnark: of its program with GOMAXPROCS=1", "peer-cpus: "+strconv.Itoa(runtime.NumCPU()))
}
