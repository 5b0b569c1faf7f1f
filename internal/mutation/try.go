package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// kind is the verdict on a fault.
type kind string

const (
	killed   kind = "killed"
	survived kind = "SURVIVED"
	broken   kind = "BROKEN" // it does not compile
)

type verdict struct {
	kind
	detail string // the first test that failed, or why it is broken
}

var (
	failedTest = regexp.MustCompile(`(?m)^\s*--- FAIL: (\S+)`)
	notBuilt   = regexp.MustCompile(`\[(build|setup) failed\]`)
)

// try runs the tests of f, a package at a time until one fails.
func try(ctx context.Context, f fault, timeout time.Duration) verdict {
	return f.planted(func(overlay string) verdict {
		for _, pkg := range f.tests {
			out, err := test(ctx, overlay, pkg, timeout)
			switch {
			case err == nil:
				continue
			case notBuilt.Match(out):
				return verdict{broken, string(out)}
			}
			return verdict{killed, pkg + firstFailure(out)}
		}
		return verdict{kind: survived}
	})
}

// compiles builds the package of f with the fault.
func (f fault) compiles(ctx context.Context) verdict {
	return f.planted(func(overlay string) verdict {
		out, err := exec.CommandContext(ctx, "go", "build", "-overlay="+overlay, "./"+filepath.Dir(f.file)).CombinedOutput()
		if err != nil {
			return verdict{broken, string(out)}
		}
		return verdict{kind: survived}
	})
}

// planted calls judge with an overlay that has the fault.
func (f fault) planted(judge func(overlay string) verdict) verdict {
	dir, err := os.MkdirTemp("", "mutation")
	if err != nil {
		return verdict{broken, err.Error()}
	}
	defer os.RemoveAll(dir)
	overlay, err := f.overlay(dir)
	if err != nil {
		return verdict{broken, err.Error()}
	}
	return judge(overlay)
}

// firstFailure returns the name of the first test that failed.
func firstFailure(out []byte) string {
	if name := failedTest.FindSubmatch(out); name != nil {
		return " " + string(name[1])
	}
	if bytes.Contains(out, []byte("panic: test timed out")) || bytes.Contains(out, []byte("SIGXCPU")) {
		return " (time is over)"
	}
	return ""
}

// overlay writes the changed file and the overlay that go test reads.
func (f fault) overlay(dir string) (name string, err error) {
	e, err := f.place(".")
	if err != nil {
		return "", err
	}
	changed, err := e.applied(".")
	if err != nil {
		return "", err
	}
	place, err := filepath.Abs(e.file)
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, filepath.Base(e.file))
	if err := os.WriteFile(file, changed, 0o600); err != nil {
		return "", err
	}
	text, err := json.Marshal(map[string]any{"Replace": map[string]string{place: file}})
	if err != nil {
		return "", err
	}
	name = filepath.Join(dir, "overlay.json")
	return name, os.WriteFile(name, text, 0o600)
}

// test runs the short tests of a package over the overlay; after a colon, only
// the tests that match a regular expression.
func test(ctx context.Context, overlay, pkg string, timeout time.Duration) ([]byte, error) {
	pkg, only, _ := strings.Cut(pkg, ":")
	cmd := exec.CommandContext(ctx, "go", "test", "-overlay="+overlay, "-short", "-failfast", "-vet=off",
		"-run="+only, fmt.Sprintf("-timeout=%s", timeout), pkg)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = time.Minute
	return cmd.CombinedOutput()
}
