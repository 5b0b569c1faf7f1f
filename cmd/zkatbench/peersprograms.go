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
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// program is one of the programs in peers/: a Go program, or a package of Rust.
type program struct {
	name string // of its library
	rust string // folder below peers/rust, empty for the Go program
}

// ours is the library of this command, which serves its own cases.
const ours = "zkatbench"

// peerPrograms are the ones of gnark and of the five crates.
var peerPrograms = []program{
	{"gnark", ""}, {"bulletproofs", "dalek"}, {"tari_bulletproofs_plus", "tari"}, {"bp-pp", "bppp"},
	{"monero-bulletproofs", "monero"}, {"solana-zk-sdk", "solana"},
}

// cargo is the compiler of the Rust programs: nightly if rustup has it, since
// curve25519-dalek 4.1.3 uses AVX-512 with nightly only.
var cargo = sync.OnceValues(func() (args []string, version string) {
	for _, args := range [][]string{{"cargo", "+nightly"}, {"cargo"}} {
		if out, err := exec.Command(args[0], append(args[1:], "--version")...).Output(); err == nil {
			return args, strings.TrimSpace(string(out))
		}
	}
	return []string{"cargo"}, ""
})

// rustFlags make crates use every instruction of this processor.
const rustFlags = "-C target-cpu=native"

// startPrograms builds the programs in folder cache, of the user if empty, and
// starts them. absent names, as configuration
// lines, those that cannot be had, with the reason. stop ends the others.
func startPrograms(ctx context.Context, programs []program, cache, only string, progress io.Writer) (peers []peer, absent []string, stop func()) {
	var running []*peerProcess
	stop = func() {
		for _, p := range running {
			p.stop()
		}
	}
	for _, p := range programs {
		if strings.Contains(only, "library=") && !strings.Contains(only, "library="+p.name) {
			continue
		}
		fmt.Fprintf(progress, "peers: preparing %s\n", p.name)
		process, why := p.start(ctx, cache, only)
		if why == nil {
			running = append(running, process)
			peers = append(peers, process.peers...)
		} else {
			line := fmt.Sprintf("peer-absent-%s: %s", p.name, strings.Join(strings.Fields(why.Error()), " "))
			fmt.Fprintln(progress, line)
			absent = append(absent, line)
		}
	}
	return peers, absent, stop
}

// start builds and starts the program.
func (p program) start(ctx context.Context, cache, only string) (*peerProcess, error) {
	binary, args, err := p.build(ctx, cache)
	if err != nil {
		return nil, err
	}
	return newPeerProcess(ctx, binary, args, only)
}

// build returns the program and its first arguments.
func (p program) build(ctx context.Context, cache string) (binary string, args []string, err error) {
	if p.name == ours {
		binary, err = os.Executable()
		return binary, []string{"peers", "-serve"}, err
	}
	sources, err := peersFolder()
	if err != nil {
		return "", nil, err
	}
	if cache == "" {
		if cache, err = os.UserCacheDir(); err != nil {
			return "", nil, err
		}
		cache = filepath.Join(cache, "zkatbench", "peers")
	}
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return "", nil, err
	}
	var build *exec.Cmd
	if p.rust == "" {
		binary = filepath.Join(cache, "gnark")
		build = exec.CommandContext(ctx, "go", "build", "-o", binary, ".")
		build.Dir = sources
	} else {
		target := filepath.Join(cache, p.rust)
		binary = filepath.Join(target, "release", "zkatbench-peer-"+p.rust)
		command, _ := cargo()
		build = exec.CommandContext(ctx, command[0], append(command[1:], "build", "--release", "--locked", "--quiet", "--target-dir", target)...)
		build.Dir = filepath.Join(sources, "rust", p.rust)
		build.Env = append(os.Environ(), "RUSTFLAGS="+rustFlags)
	}
	if out, err := build.CombinedOutput(); err != nil {
		return "", nil, fmt.Errorf("%s: %w %s", filepath.Base(build.Args[0]), err, lastLine(out))
	}
	return binary, nil, nil
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

// newPeerProcess starts a program and waits until it has prepared its cases whose
// names contain only.
func newPeerProcess(ctx context.Context, binary string, args []string, only string) (*peerProcess, error) {
	cmd := exec.CommandContext(ctx, binary, append(slices.Clone(args), "-only", only)...)
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
	alone := func(name string) (*peerProcess, error) { return newPeerProcess(ctx, binary, args, name) }
	if err := p.prepare(alone); err != nil {
		p.stop()
		return nil, fmt.Errorf("%w: %s", err, lastLine(complaint.Bytes()))
	}
	return p, nil
}

// prepare reads the cases of the program. alone starts the program with one case.
func (p *peerProcess) prepare(alone func(name string) (*peerProcess, error)) error {
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
		own := peer{
			name:    words[1],
			time:    func(op string, count int) (time.Duration, error) { return p.time(op, count, words[1]) },
			program: func() (*peerProcess, error) { return alone(words[1]) },
		}
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

// forgetPeak makes peak begin anew, and reports whether the system can do that:
// proc_pid_clear_refs(5), value 5.
func (p *peerProcess) forgetPeak() bool {
	return os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", p.cmd.Process.Pid), []byte("5"), 0) == nil
}

// peak returns the largest resident memory in bytes: VmHWM of proc_pid_status(5).
func (p *peerProcess) peak() (bytes int64, ok bool) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		return 0, false
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	words := strings.Fields(rest)
	if len(words) == 0 {
		return 0, false
	}
	kB, err := strconv.ParseInt(words[0], 10, 64)
	return kB << 10, err == nil
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
	if _, version := cargo(); version != "" {
		lines = append(lines, "peer-rust: "+version)
	}
	return append(lines, "peer-rust-flags: --release "+rustFlags, "peer-clock: processor time of one thread; gnark: of its program with GOMAXPROCS=1", "peer-cpus: "+strconv.Itoa(runtime.NumCPU()))
}
