package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
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
	Dir, ImportPath, Export            string
	GoFiles, TestGoFiles, XTestGoFiles []string
	Deps                               []string
	Imports, TestImports, XTestImports []string
}

// list returns the packages that match the patterns. Flags of go list can stand
// before the patterns.
func list(ctx context.Context, root string, patterns ...string) (all []listed, err error) {
	args := []string{"list", "-json=Dir,ImportPath,Export,GoFiles,TestGoFiles,XTestGoFiles,Deps,Imports,TestImports,XTestImports"}
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

// typed drops the mutants that have errors of types, which it marks as unusable.
func typed(ctx context.Context, root, dir string, mutants []*mutant) ([]*mutant, error) {
	folders := map[string]bool{}
	for _, m := range mutants {
		folders["./"+filepath.ToSlash(filepath.Dir(m.file))] = true
	}
	all, err := list(ctx, root, append([]string{"-export", "-deps"}, sortedKeys(folders)...)...)
	if err != nil {
		return nil, err
	}
	exports := map[string]string{}
	for _, p := range all {
		exports[p.ImportPath] = p.Export
	}
	set := token.NewFileSet()
	imports := importer.ForCompiler(set, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	for {
		replace, err := changedFiles(root, dir, mutants)
		if err != nil {
			return nil, err
		}
		dropped := false
		for _, p := range all {
			var files []*ast.File
			changed := false
			for _, name := range append(slices.Clone(p.GoFiles), added) {
				name = filepath.Join(p.Dir, name)
				copy, ok := replace[name]
				changed = changed || ok
				if !ok {
					copy = name
				}
				if filepath.Base(name) == added && !ok {
					continue
				}
				f, err := parser.ParseFile(set, copy, nil, parser.SkipObjectResolution)
				if f == nil {
					return nil, err
				}
				var list scanner.ErrorList
				if errors.As(err, &list) {
					dropped = drop(mutants, list[0].Pos, list[0].Msg) || dropped
				}
				files = append(files, f)
			}
			if !changed {
				continue
			}
			conf := types.Config{Importer: imports, Error: func(err error) {
				var e types.Error
				if errors.As(err, &e) {
					dropped = drop(mutants, set.Position(e.Pos), e.Msg) || dropped
				}
			}}
			conf.Check(p.ImportPath, set, files, nil) // Error has each error
		}
		mutants = usable(mutants)
		if !dropped {
			return mutants, nil
		}
	}
}

// drop marks the mutant that contains a position in a changed file as unusable.
func drop(mutants []*mutant, at token.Position, why string) bool {
	for _, m := range mutants {
		if m.copy == at.Filename && at.Line >= m.lines[0] && at.Line <= m.lines[1] {
			m.unusable = why
			return true
		}
	}
	return false
}

func usable(mutants []*mutant) []*mutant {
	return slices.DeleteFunc(slices.Clone(mutants), func(m *mutant) bool { return m.unusable != "" })
}

var compileError = regexp.MustCompile(`(?m)^(\S+\.go):(\d+):\d+: (.*)$`)

// compile builds all mutants together. It drops those that do not compile, which
// it marks as unusable, until the rest does, and returns the overlay of the rest.
func compile(ctx context.Context, root, dir string, mutants []*mutant) (overlay string, rest []*mutant, err error) {
	if rest, err = typed(ctx, root, dir, mutants); err != nil {
		return "", nil, err
	}
	for len(rest) > 0 {
		if overlay, err = overlayOf(root, dir, rest); err != nil {
			return "", nil, err
		}
		packages := map[string]bool{}
		for _, m := range rest {
			packages["./"+filepath.Dir(m.file)] = true
		}
		cmd := exec.CommandContext(ctx, "go", append([]string{"build", "-overlay=" + overlay}, sortedKeys(packages)...)...)
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
			dropped = drop(rest, token.Position{Filename: string(found[1]), Line: line}, string(found[3])) || dropped
		}
		if !dropped {
			return "", nil, fmt.Errorf("mutation: the changed tree does not build:\n%s", out)
		}
		rest = usable(rest)
	}
	return overlay, rest, nil
}
