package result

import (
	"bytes"
	"context"
	"debug/buildinfo"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
)

// ErrTool says that a program that is needed is missing.
var ErrTool = errors.New("needs")

// Binary is a built test binary. It runs in Dir, the folder of its package, so
// that it finds its testdata.
type Binary struct {
	Package, Dir, Path string
}

// Source is packages of a module, as go test would be told.
type Source struct {
	Dir      string // that go runs in
	Packages []string
	Flags    []string // of go build, such as -tags=x
}

// Build compiles the test binary of each package into the folder into. Packages
// without tests have none; that no package has one is an error.
func (s Source) Build(ctx context.Context, into string) (bs []Binary, err error) {
	list := []string{"list", "-f", "{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}\t{{.Dir}}{{end}}"}
	out, err := tool(ctx, s.Dir, "go", append(append(list, s.Flags...), s.Packages...)...)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(out) {
		path, dir, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok {
			continue
		}
		b := Binary{Package: path, Dir: dir, Path: filepath.Join(into, fmt.Sprintf("%d.test", len(bs)))}
		compile := append([]string{"test", "-c", "-o", b.Path}, s.Flags...)
		if _, err := tool(ctx, s.Dir, "go", append(compile, path)...); err != nil {
			return nil, err
		}
		bs = append(bs, b)
	}
	if len(bs) == 0 {
		return nil, fmt.Errorf("no package of %s has tests", strings.Join(s.Packages, " "))
	}
	return bs, nil
}

// Prebuilt is a test binary that somebody built (go test -c). It runs in dir.
func Prebuilt(path, dir string) (Binary, error) {
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		return Binary{}, err
	}
	pkg, isTest := strings.CutSuffix(info.Path, ".test")
	if path, err = filepath.Abs(path); err == nil && !isTest {
		err = fmt.Errorf("%s: %s is no test binary; go test -c makes them", path, info.Path)
	}
	return Binary{Package: pkg, Dir: dir, Path: path}, err
}

// tool runs a program in dir and returns what it prints. The error has its
// complaints, in one line.
func tool(ctx context.Context, dir, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	var out, complaints bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaints
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case errors.Is(err, exec.ErrNotFound):
		return "", fmt.Errorf("%w %s: %w", ErrTool, name, err)
	case err != nil:
		return "", fmt.Errorf("%s %s: %w", name, args[0], saying(err, complaints.String()+out.String()))
	}
	return out.String(), nil
}

// saying is the error of a program with what it said, in one line. What a
// program says of its usage after a complaint is left out.
func saying(err error, said string) error {
	said, _, _ = strings.Cut(said, "\nUsage of ")
	if said = strings.TrimSpace(said); said == "" {
		return err
	}
	return fmt.Errorf("%w: %s", err, strings.ReplaceAll(said, "\n", "; "))
}
