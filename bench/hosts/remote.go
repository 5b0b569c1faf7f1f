package hosts

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"strings"
	"time"
)

// errGone reports a host whose connection ended or could not be made.
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
	script := "cd " + shell(path.Join(h.Folder, name)) + " && exec 3<&0 && { " + shell(args...) + " </dev/null 3<&- & p=$!; " +
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
