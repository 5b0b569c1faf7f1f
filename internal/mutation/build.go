package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// listed is a package as go list prints it.
type listed struct {
	Dir, ImportPath string
	GoFiles         []string
	TestGoFiles     []string
	XTestGoFiles    []string
	Deps            []string
	TestImports     []string
	XTestImports    []string
}

// list returns the packages that match the patterns.
func list(ctx context.Context, root string, patterns ...string) (all []listed, err error) {
	args := []string{"list", "-json=Dir,ImportPath,GoFiles,TestGoFiles,XTestGoFiles,Deps,TestImports,XTestImports"}
	cmd := exec.CommandContext(ctx, "go", append(args, patterns...)...)
	cmd.Dir, cmd.Stderr = root, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("mutation: go list %s: %w", strings.Join(patterns, " "), err)
	}
	d := json.NewDecoder(bytes.NewReader(out))
	for {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("mutation: go list: %w", err)
		}
		all = append(all, p)
	}
}

var compileError = regexp.MustCompile(`(?m)^(\S+\.go):(\d+):\d+: (.*)$`)

// compile builds all mutants together. It drops those that do not compile, which
// it marks as unusable, until the rest does, and returns the overlay of the rest.
func compile(ctx context.Context, root, dir string, mutants []*mutant) (overlay string, rest []*mutant, err error) {
	rest = mutants
	for len(rest) > 0 {
		if overlay, err = overlayOf(root, dir, rest); err != nil {
			return "", nil, err
		}
		packages := map[string]bool{}
		for _, m := range rest {
			packages["./"+filepath.Dir(m.file)] = true
		}
		cmd := exec.CommandContext(ctx, "go", append([]string{"build", "-overlay=" + overlay, "-gcflags=-e"}, sortedKeys(packages)...)...)
		cmd.Dir = root
		out, err := cmd.CombinedOutput()
		if err == nil {
			return overlay, rest, nil
		}
		if ctx.Err() != nil {
			return "", nil, ctx.Err()
		}
		dropped := false
		for _, found := range compileError.FindAllSubmatch(out, -1) {
			line, _ := strconv.Atoi(string(found[2]))
			for _, m := range rest {
				if m.copy == string(found[1]) && line >= m.lines[0] && line <= m.lines[1] {
					m.unusable, dropped = string(found[3]), true
				}
			}
		}
		if !dropped {
			return "", nil, fmt.Errorf("mutation: the changed tree does not build:\n%s", out)
		}
		rest = slices.DeleteFunc(slices.Clone(rest), func(m *mutant) bool { return m.unusable != "" })
	}
	return overlay, rest, nil
}
