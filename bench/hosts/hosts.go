// Package hosts runs a program on other machines over the user's ssh. It needs no agent and no
// daemon there.
//
// A file names the hosts. The program, its test binaries and their testdata are copied to a
// folder of each host, and benchmarks are divided into shards: the shard of a host that goes
// away is given to another. A load is divided instead, and its parts are joined.
package hosts

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/runner/outfile"
	"github.com/zkatbench/zkatbench/runner/pin"
)

// everyCore is the value of Cores that binds no process.
const everyCore = "all"

// A Host is a machine that ssh reaches.
type Host struct {
	Destination string // for ssh, such as bench@node7
	Cores       string // for measured processes, as in -pin, or "all"
	Folder      string // for a folder of each run; relative to the user's home

	Platform Platform
	machine  string // different for different machines
	// Clock is the time there less the time here, within ± ClockError.
	Clock, ClockError time.Duration
}

// Platform is a target of the Go compiler.
type Platform struct{ OS, Arch string }

// String returns os/arch.
func (p Platform) String() string { return p.OS + "/" + p.Arch }

// Env returns the variables for go build.
func (p Platform) Env() []string { return []string{"GOOS=" + p.OS, "GOARCH=" + p.Arch} }

// errFile reports a file of hosts that cannot be read.
var errFile = errors.New("is not a line of hosts: ssh destination, cores (0-3, or all), folder")

// Read reads a file of hosts. Each line has the destination of ssh, the cores and the
// folder. Empty lines and lines that begin with # are skipped.
func Read(name string) (all []*Host, err error) {
	text, err := outfile.ReadFile(name)
	if err != nil {
		return nil, err
	}
	for n, line := range strings.Split(string(text), "\n") {
		f := strings.Fields(line)
		if len(f) == 0 || strings.HasPrefix(f[0], "#") {
			continue
		}
		if len(f) != 3 || strings.HasPrefix(f[0], "-") {
			return nil, fmt.Errorf("%s, line %d: %q %w", name, n+1, line, errFile)
		}
		h := &Host{Destination: f[0], Cores: f[1], Folder: f[2]}
		if _, err := pin.Parse(h.Cores); err != nil && h.Cores != everyCore {
			return nil, fmt.Errorf("%s, line %d: %w", name, n+1, err)
		}
		if slices.ContainsFunc(all, func(o *Host) bool {
			return o.Destination == h.Destination && o.overlaps(h)
		}) {
			return nil,
				fmt.Errorf("%s, line %d: %s stands there twice with the same cores", name, n+1, h.Destination)
		}
		all = append(all, h)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s has no hosts", name)
	}
	return all, nil
}

// overlaps reports whether two hosts would use a core in common if they were one machine.
func (h *Host) overlaps(o *Host) bool {
	mine, err1 := pin.Parse(h.Cores)
	others, err2 := pin.Parse(o.Cores)
	return err1 != nil || err2 != nil ||
		slices.ContainsFunc(mine, func(core int) bool { return slices.Contains(others, core) })
}

// probe prints the platform, the machine, and then the time for each line that it reads.
const probe = `uname -sm; cat /proc/sys/kernel/random/boot_id 2>/dev/null || hostname; ` +
	`while read -r _; do date +%s.%N; done`

// clockLooks is the number of readings of a clock. The reading with the shortest round trip
// counts.
const clockLooks = 8

// look reads the platform, the machine and the clock of all hosts. It refuses two that are
// one machine and share cores.
func look(ctx context.Context, all []*Host) error {
	err := each(all, func(_ int, h *Host) error { return h.look(ctx) })
	for i, h := range all {
		for _, o := range all[:i] {
			if h.machine != "" && h.machine == o.machine && h.overlaps(o) {
				err = errors.Join(err,
					fmt.Errorf("%s and %s are the same machine and share cores: give each its own, or "+
						"leave one out", o.Destination, h.Destination))
			}
		}
	}
	return err
}

// each calls work for all hosts at the same time and returns all errors.
func each(all []*Host, work func(i int, h *Host) error) error {
	errs := make([]error, len(all))
	var calls sync.WaitGroup
	for i, h := range all {
		calls.Go(func() { errs[i] = work(i, h) })
	}
	calls.Wait()
	return errors.Join(errs...)
}

// look starts the probe on the host, and reads its system, its machine and its clock. The
// clock is read several times over the same connection, with the time that each answer took.
func (h *Host) look(ctx context.Context) error {
	cmd := h.ssh(ctx, probe)
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	in, err1 := cmd.StdinPipe()
	out, err2 := cmd.StdoutPipe()
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return h.failed(err, "")
	}
	lines := bufio.NewScanner(out)
	lines.Scan()
	system := lines.Text()
	lines.Scan()
	h.machine = lines.Text()
	for range clockLooks {
		sent := time.Now()
		if _, err := in.Write([]byte("\n")); err != nil || !lines.Scan() {
			break
		}
		h.read(lines.Text(), sent, time.Now())
	}
	_ = in.Close() // the connection ends with it
	if err := cmd.Wait(); err != nil {
		return h.failed(err, complaints.String())
	}
	return h.setPlatform(system)
}

// read takes a reading of the clock that was asked for at sent and arrived at got.
func (h *Host) read(text string, sent, got time.Time) {
	seconds, err := strconv.ParseFloat(text, 64)
	half := got.Sub(sent) / 2
	if err == nil && (h.ClockError == 0 || half < h.ClockError) {
		there := time.Unix(0, int64(seconds*1e6)*1e3) // to a microsecond, which a float64 holds
		h.Clock, h.ClockError = there.Sub(sent.Add(half)), half
	}
}

// architectures are Go's names by those of uname -m.
var architectures = map[string]string{
	"x86_64": "amd64", "amd64": "amd64", "aarch64": "arm64", "arm64": "arm64",
	"riscv64": "riscv64", "ppc64le": "ppc64le", "s390x": "s390x",
}

// setPlatform reads a line of uname -sm.
func (h *Host) setPlatform(uname string) error {
	system, machine, _ := strings.Cut(strings.ToLower(uname), " ")
	arch := architectures[machine]
	if !slices.Contains([]string{"linux", "darwin", "freebsd"}, system) || arch == "" {
		return fmt.Errorf("%s: no program is built for %q", h.Destination, uname)
	}
	h.Platform = Platform{system, arch}
	return nil
}

// shell quotes a command for the shell of a host.
func shell(args ...string) string { return result.CommandLine(args) }

// errGone reports a host with a connection that ended or could not be made.
var errGone = errors.New("cannot be reached")

// sshFailed is the exit status of ssh for its own errors, and killed of a killed ssh.
const (
	sshFailed = 255
	killed    = -1
)

// ending is the time that a program has to write its results after an interrupt.
const ending = 20 * time.Second

// ssh prepares a script for the shell of the host. It asks for no password, and notices within
// twenty seconds that the host went away.
func (h *Host) ssh(ctx context.Context, script string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "ssh", "-o", "BatchMode=yes", "-o", "ConnectTimeout=10",
		"-o", "ServerAliveInterval=5", "-o", "ServerAliveCountMax=3", "--", h.Destination, script)
	cmd.WaitDelay = time.Second // a program that survives ssh here holds no pipe
	return cmd
}

// failed names the host in an error of ssh, with the last line of complaints.
func (h *Host) failed(err error, complaints string) error {
	lines := strings.Split(strings.TrimSpace(complaints), "\n")
	last := strings.TrimSpace(lines[len(lines)-1])
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit) && (exit.ExitCode() == sshFailed || exit.ExitCode() == killed):
		err = errGone
	case last != "":
		return fmt.Errorf("%s: %s", h.Destination, last)
	}
	if last != "" {
		err = fmt.Errorf("%w: %s", err, last)
	}
	return fmt.Errorf("%s: %w", h.Destination, err)
}

// send unpacks an archive on the host, as Folder/name.
func (h *Host) send(ctx context.Context, archive, name string) error {
	packed, err := os.Open(archive)
	if err != nil {
		return err
	}
	defer packed.Close()
	there := path.Join(h.Folder, name)
	cmd := h.ssh(ctx, "umask 077; mkdir -p "+shell(there)+" && tar -xzf - -C "+shell(there))
	var complaints bytes.Buffer
	cmd.Stdin, cmd.Stderr = packed, &complaints
	if err := cmd.Run(); err != nil {
		return h.failed(err, complaints.String())
	}
	return nil
}

// run runs a program in Folder/name. When ctx or the connection ends, the program is
// terminated (SIGTERM) and has time to write its last results. It returns errGone if the
// connection failed; other errors have the last line that the program wrote to complaints.
func (h *Host) run(ctx context.Context, name string, args []string, out, complaints io.Writer) error {
	// The loop at the end of the standard input sees the end of the connection.
	script := "cd " + shell(path.Join(h.Folder, name)) + " && exec 3<&0 && { " + shell(args...) +
		" </dev/null 3<&- & p=$!; " +
		"{ cat <&3; kill $p; } >/dev/null 2>&1 & wait $p; exit $?; }"
	cmd := h.ssh(context.WithoutCancel(ctx), script)
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	var last bytes.Buffer
	cmd.Stdout, cmd.Stderr = out, io.MultiWriter(complaints, &last)
	if err := cmd.Start(); err != nil {
		return h.failed(err, "")
	}
	stop := context.AfterFunc(ctx, func() {
		_ = in.Close() // interrupts the program
		time.AfterFunc(ending, func() { _ = cmd.Process.Kill() })
	})
	defer stop()
	if err := cmd.Wait(); ctx.Err() != nil {
		return ctx.Err()
	} else if err != nil {
		return h.failed(err, last.String())
	}
	return nil
}
