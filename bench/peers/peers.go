// Package peers measures other proof systems for confidential transfers and ours, in turns. Their programs
// are built from the folder peers/ of a clone; package peers/serve there describes their input and output.
package peers

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
	"runtime"
	"strconv"
	"strings"
	"time"
)

// batchSize is the number of proofs of a batch.
const batchSize = 64

// Measure builds the programs in a folder, and writes rounds samples of every benchmark with only in its
// name, in Go benchmark format.
func Measure(ctx context.Context, folder, only string, rounds int, out, progress io.Writer) error {
	peers, config, stop, err := start(ctx, folder, only, progress)
	defer stop()
	if err == nil {
		err = race(ctx, out, rounds, peers, config)
	}
	return err
}

// A peer is a proof system of a library with a statement, ready to be measured.
type peer struct {
	name  string   // statement=…/library=…/…
	facts []string // value and unit of figures that are not times
	batch bool     // the library verifies proofs together
	file  string   // the program
	// time does an operation count times and returns its processor time. All
	// proofs are checked.
	time func(op string, count int) (time.Duration, error)
}

func (p peer) operations() []string {
	if p.batch {
		return []string{"prove", "verify", "batch"}
	}
	return []string{"prove", "verify"}
}

// race writes rounds samples of every operation and peer, which take turns. config
// are configuration lines.
func race(ctx context.Context, out io.Writer, rounds int, peers []peer, config []string) error {
	if len(peers) == 0 {
		return errors.New("no benchmark matches -only")
	}
	fmt.Fprintf(out,
		"goos: %s\ngoarch: %s\npkg: github.com/zkatbench/zkatbench/cmd/zkatbench\npeer-go: %s\npeer-cpus: "+
			"%d\n",
		runtime.GOOS, runtime.GOARCH, runtime.Version(), runtime.NumCPU())
	fmt.Fprintln(out, strings.Join(config, "\n"))
	fmt.Fprintln(out,
		"Unit cpu-ns/op better=lower\nUnit proof-B assume=exact better=lower\nUnit constraints "+
			"assume=exact better=lower\nUnit key-B assume=exact better=lower\nUnit peak-B better=lower")
	for i := range peers {
		if err := peers[i].addMemory(ctx); err != nil {
			return fmt.Errorf("%s: %w", peers[i].name, err)
		}
	}
	counts := map[string]int{}
	for range rounds {
		for _, op := range []string{"prove", "verify", "batch"} {
			for _, p := range peers {
				if op == "batch" && !p.batch {
					continue
				}
				if ctx.Err() != nil {
					return ctx.Err()
				}
				if err := p.sample(out, op, counts); err != nil {
					return fmt.Errorf("%s: %w", p.name, err)
				}
			}
		}
	}
	return nil
}

// sample writes one sample. The first one of an operation runs it once before, to warm
// up and to choose the count.
func (p peer) sample(out io.Writer, op string, counts map[string]int) error {
	key := op + p.name
	if counts[key] == 0 {
		took, err := p.time(op, warmCount(op))
		if err != nil {
			return err
		}
		counts[key] = repeats(op, took)
	}
	took, err := p.time(op, counts[key])
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "BenchmarkPeers/op=%s/%s \t%8d\t%12.0f cpu-ns/op", op, p.name, counts[key],
		float64(took.Nanoseconds())/float64(counts[key]))
	if op == "prove" {
		fmt.Fprintf(out, "\t%s", strings.Join(p.facts, "\t"))
	}
	_, err = fmt.Fprintln(out)
	return err
}

func warmCount(op string) int {
	if op == "batch" {
		return batchSize
	}
	return 1
}

// repeats returns the number of operations of a sample, given the time of one: enough
// for 100 ms, but 10 to 64, and a single one if it takes a second.
func repeats(op string, one time.Duration) int {
	if op == "batch" {
		return batchSize
	}
	if one >= time.Second {
		return 1
	}
	return int(max(10, min(64, 100*time.Millisecond/max(one, 1))))
}

// addMemory adds the largest resident memory of a program that does each operation
// once, where the system tells: proc_pid_clear_refs(5), value 5, and VmHWM of
// proc_pid_status(5).
func (p *peer) addMemory(ctx context.Context) error {
	if p.file == "" {
		return nil
	}
	program, err := newProgram(ctx, p.file, p.name)
	if err != nil {
		return err
	}
	defer program.stop()
	proc := fmt.Sprintf("/proc/%d/", program.cmd.Process.Pid)
	if os.WriteFile(proc+"clear_refs", []byte("5"), 0) != nil {
		return nil
	}
	for _, op := range p.operations() {
		if _, err := program.time(op, warmCount(op), p.name); err != nil {
			return err
		}
	}
	status, _ := os.ReadFile(proc + "status") // if it is empty, the peak is missing
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	var kB int64
	if _, err := fmt.Sscan(rest, &kB); err == nil {
		p.facts = append(p.facts, fmt.Sprintf("%d peak-B", kB<<10))
	}
	return nil
}

// start builds the programs of peers/ in a folder, and starts them. config are configuration
// lines: versions, and programs that cannot be had, with the reason. stop ends the programs.
func start(ctx context.Context, folder, only string, progress io.Writer) (peers []peer, config []string,
	stop func(), err error) {
	var running []*program
	stop = func() {
		for _, p := range running {
			p.stop()
		}
	}
	sources, err := sourceFolder()
	if err == nil {
		folder, err = filepath.Abs(folder)
	}
	if err != nil {
		return nil, nil, stop, err
	}
	build := exec.CommandContext(ctx, filepath.Join(sources, "build"), folder, only)
	build.Stderr = progress
	out, err := build.Output()
	if err != nil {
		return nil, nil, stop, err
	}
	for line := range strings.Lines(string(out)) {
		line = strings.TrimSpace(line)
		words := strings.SplitN(line, " ", 3)
		if words[0] != "program" {
			config = append(config, line)
			continue
		}
		fmt.Fprintf(progress, "peers: preparing %s\n", words[1])
		p, err := newProgram(ctx, words[2], only)
		if err != nil {
			line = fmt.Sprintf("peer-absent-%s: %s", words[1], strings.Join(strings.Fields(err.Error()), " "))
			fmt.Fprintln(progress, line)
			config = append(config, line)
			continue
		}
		running, peers = append(running, p), append(peers, p.peers...)
	}
	return peers, config, stop, nil
}

// ErrNoClone says that the programs are not there.
var ErrNoClone = errors.New("no folder peers/ with go.mod here or above: run it in a clone of zkatbench")

// sourceFolder returns the folder with the programs: peers/ in the root of a clone,
// at or above the working directory.
func sourceFolder() (string, error) {
	dir, err := os.Getwd()
	for ; err == nil; dir = filepath.Dir(dir) {
		folder := filepath.Join(dir, "peers")
		if _, absent := os.Stat(filepath.Join(folder, "go.mod")); absent == nil {
			return folder, nil
		}
		if dir == filepath.Dir(dir) {
			err = ErrNoClone
		}
	}
	return "", err
}

// program is a running program. Package peers/serve describes its input and output.
type program struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	answers *bufio.Scanner
	peers   []peer
}

// newProgram starts a program and waits until it has prepared its cases with only in
// their names.
func newProgram(ctx context.Context, file, only string) (*program, error) {
	cmd := exec.CommandContext(ctx, file, "-only", only)
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
	p := &program{cmd: cmd, in: in, answers: bufio.NewScanner(out)}
	if err := p.prepare(); err != nil {
		p.stop()
		lines := strings.Split(strings.TrimSpace(complaint.String()), "\n")
		return nil, fmt.Errorf("%w: %s", err, lines[len(lines)-1])
	}
	return p, nil
}

// prepare reads the cases of the program.
func (p *program) prepare() error {
	for {
		answer, err := p.answer()
		if err != nil || answer == "ready" {
			return err
		}
		words := strings.Fields(answer)
		if len(words) < 2 || words[0] != "case" {
			return fmt.Errorf("the program printed %q", answer)
		}
		own := peer{name: words[1], file: p.cmd.Path,
			time: func(op string, count int) (time.Duration, error) { return p.time(op, count, words[1]) }}
		for _, fact := range words[2:] {
			unit, value, _ := strings.Cut(fact, "=")
			if unit == "batch" {
				own.batch = value == "yes"
			} else {
				own.facts = append(own.facts, value+" "+unit)
			}
		}
		p.peers = append(p.peers, own)
	}
}

func (p *program) answer() (string, error) {
	if !p.answers.Scan() {
		return "", errors.Join(errors.New("the program ended"), p.answers.Err())
	}
	return strings.TrimSpace(p.answers.Text()), nil
}

// time asks for one sample.
func (p *program) time(op string, count int, name string) (time.Duration, error) {
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
func (p *program) stop() {
	_ = p.in.Close()
	_ = p.cmd.Wait()
}
