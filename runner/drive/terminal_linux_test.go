package drive_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"unicode/utf8"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// pseudoTerminal returns both ends of a terminal of the given width.
func pseudoTerminal(t *testing.T, columns uint16) (screen, program *os.File) {
	t.Helper()
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	require.NoError(t, err)
	var locked, n int32
	ioctl(t, screen, syscall.TIOCSPTLCK, unsafe.Pointer(&locked))
	ioctl(t, screen, syscall.TIOCGPTN, unsafe.Pointer(&n))
	program, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0)
	require.NoError(t, err)
	size := struct{ rows, columns, x, y uint16 }{50, columns, 0, 0}
	ioctl(t, program, syscall.TIOCSWINSZ, unsafe.Pointer(&size))
	return screen, program
}

func ioctl(t *testing.T, f *os.File, request uintptr, argument unsafe.Pointer) {
	t.Helper()
	_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), request, uintptr(argument))
	require.Zero(t, errno)
}

// shown returns the output of a child on a terminal of the given width.
func shown(t *testing.T, columns uint16, env ...string) string {
	t.Helper()
	screen, program := pseudoTerminal(t, columns)
	c := child("progress", t.TempDir())
	c.Env = append(c.Env, "NO_COLOR=", "TERM=xterm")
	c.Env = append(c.Env, env...)
	c.Stdout, c.Stderr = program, program
	require.NoError(t, c.Start())
	require.NoError(t, program.Close())
	var out bytes.Buffer
	_, _ = io.Copy(&out, screen) // returns an error when the child closes its end
	require.NoError(t, c.Wait())
	require.NoError(t, screen.Close())
	return strings.ReplaceAll(out.String(), "\r\n", "\n")
}

func TestTerminalHasColourProgressAndItsWidth(t *testing.T) {
	out := shown(t, 60)
	require.Contains(t, out, "\x1b[1mBenchmark report: child")
	require.Contains(t, out, "\rwindow: ")
	_, report, _ := strings.Cut(out, "\r\x1b[K")
	for line := range strings.Lines(report) {
		plain := escapes.ReplaceAllString(strings.TrimSuffix(line, "\n"), "")
		require.LessOrEqual(t, utf8.RuneCountInString(plain), 60, line)
	}
	require.Contains(t, shown(t, 200), strings.Repeat("█", 120), "bars use the width")
}

var escapes = regexp.MustCompile(`\x1b\[[0-9]*[mK]`)

func TestNoColourMeansNoColour(t *testing.T) {
	for _, env := range []string{"NO_COLOR=1", "TERM=dumb"} {
		t.Run(env, func(t *testing.T) {
			out := shown(t, 80, env)
			require.Contains(t, out, "Benchmark report: child")
			require.NotContains(t, strings.NewReplacer("\r\x1b[K", "", "\x1b[K", "").Replace(out), "\x1b")
		})
	}
}

func TestPipeIsQuiet(t *testing.T) {
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), "DRIVE_CHILD=progress", "DRIVE_AT="+t.TempDir(), "TERM=xterm")
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	require.NoError(t, c.Run())
	require.Empty(t, errs.String())
	require.NotContains(t, out.String(), "\x1b")
	require.NotContains(t, out.String(), "\r")
}
