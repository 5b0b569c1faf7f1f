package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
)

// keptGo is a program go that links each test binary once, whatever the order of its functions:
// tests of this package look at what the command does with binaries. Their modules have no deeper
// folders than it reads.
const keptGo = `#!/bin/sh
case "$*" in
*-overlay*|*-pgo*) exec '%[1]s' "$@" ;;
"test -c -o "*) out=$4; shift 4 ;;
*) exec '%[1]s' "$@" ;;
esac
n=$#
for a; do
	case $a in -ldflags=-randlayout=*) ;; *) set -- "$@" "$a" ;; esac
done
shift $n
sources=$(echo go.mod *.go */*.go */*/*.go)
settings="$GOFLAGS $GOAMD64 $GOEXPERIMENT"
kept=%[2]s/$({ echo "$@" "$sources" "$settings"; cat $sources; } 2>/dev/null | cksum)
[ -e "$kept" ] || { '%[1]s' test -c -o "$kept.$$" -ldflags=-w "$@" && mv "$kept.$$" "$kept"; } || exit
ln -f "$kept" "$out" 2>/dev/null || cp "$kept" "$out"
`

// tests are the tests of this package, in their usual size with keptGo.
type tests struct{ *testing.M }

func (m tests) Run() int {
	flag.Parse()
	found, err := exec.LookPath("go")
	if nightly.On() || err != nil || runtime.GOOS == "windows" {
		return m.M.Run()
	}
	dir, err := os.MkdirTemp("", "zkatbench-go")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	err = os.WriteFile(filepath.Join(dir, "go"), fmt.Appendf(nil, keptGo, found, dir), 0o700)
	if err != nil {
		log.Fatal(err)
	}
	os.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	return m.M.Run()
}

func TestMain(m *testing.M) {
	testscript.Main(tests{m}, map[string]func(){"zkatbench": main})
}

// TestScripts runs the sessions of testdata/script, which include the
// documented examples.
func TestScripts(t *testing.T) {
	cache, err := exec.Command("go", "env", "GOCACHE").Output()
	require.NoError(t, err)
	synthetic, err := filepath.Abs("../../bench/result/testdata/synthetic")
	require.NoError(t, err)
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(e *testscript.Env) error {
			e.Setenv("GOCACHE", strings.TrimSpace(string(cache)))
			e.Setenv("GOFLAGS", os.Getenv("GOFLAGS")) // what is compiled is kept for these
			return os.CopyFS(filepath.Join(e.WorkDir, "synthetic"), os.DirFS(synthetic))
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits, "interrupts": interrupts, "refuses": refused,
		},
	})
}

// exits runs a command that must end with a status: exits status command …
func exits(ts *testscript.TestScript, _ bool, args []string) {
	err := ts.Exec(args[1], args[2:]...)
	exit := new(exec.ExitError)
	if err != nil && !errors.As(err, &exit) {
		ts.Fatalf("%v", err)
	}
	got := 0
	if err != nil {
		got = exit.ExitCode()
	}
	if strconv.Itoa(got) != args[0] {
		ts.Fatalf("exit status %d, not %s", got, args[0])
	}
}

// refused runs a command that must refuse its arguments, whatever its folder: refuses zkatbench …
// It runs in this process, which takes a tenth of the time.
func refused(ts *testscript.TestScript, _ bool, args []string) {
	s := streams{in: strings.NewReader(""), out: ts.Stdout(), err: ts.Stderr()}
	if got := run(context.Background(), args[1:], s); got != failed {
		ts.Fatalf("exit status %d, not %d", got, failed)
	}
}

// interrupts runs a command, sends it SIGINT once a file contains a text, and
// requires status 130: interrupts file text command …
func interrupts(ts *testscript.TestScript, _ bool, args []string) {
	cmd := exec.Command(args[2], args[3:]...)
	cmd.Dir = ts.MkAbs(".")
	ts.Check(cmd.Start())
	for deadline := time.Now().Add(10 * time.Minute); ; time.Sleep(10 * time.Millisecond) {
		if b, _ := os.ReadFile(ts.MkAbs(args[0])); strings.Contains(string(b), args[1]) {
			break
		}
		if time.Now().After(deadline) {
			_ = cmd.Process.Kill()
			ts.Fatalf("%s never contained %q", args[0], args[1])
		}
	}
	ts.Check(cmd.Process.Signal(os.Interrupt))
	if _ = cmd.Wait(); cmd.ProcessState.ExitCode() != interrupted {
		ts.Fatalf("%v, not exit status %d", cmd.ProcessState, interrupted)
	}
}
