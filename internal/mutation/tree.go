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
	"slices"
	"strings"
)

// listed is a package as go list prints it.
type listed struct {
	Dir, ImportPath, Export            string
	DepOnly, Standard                  bool
	GoFiles, TestGoFiles, XTestGoFiles []string
}

// list runs go list with flags and patterns.
func list(ctx context.Context, args ...string) (all []*listed, err error) {
	fields := "-json=Dir,ImportPath,Export,DepOnly,Standard,GoFiles,TestGoFiles,XTestGoFiles"
	cmd := exec.CommandContext(ctx, "go", append([]string{"list", fields}, args...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	for d := json.NewDecoder(bytes.NewReader(out)); err == nil && d.More(); {
		all = append(all, new(listed))
		err = d.Decode(all[len(all)-1])
	}
	if err != nil {
		return nil, fmt.Errorf("mutation: go list %s: %w", strings.Join(args, " "), err)
	}
	return all, nil
}

// tree is the packages that are edited, with the types of their expressions.
type tree struct {
	set      *token.FileSet
	imports  types.Importer
	packages []*pkg
	places   map[string]int // numbers of the blocks with edits, by file and offset
}

type pkg struct {
	*listed
	tree   *tree
	folder string // from the root of the module
	files  []*source
	info   *types.Info
}

// source is a file of a package.
type source struct {
	pkg  *pkg
	path string
	text []byte
	tree *ast.File
}

// load reads the packages that match the patterns, but for those that make inputs of
// tests and benchmarks, or write code.
func load(ctx context.Context, patterns ...string) (*tree, error) {
	all, err := list(ctx, slices.Concat([]string{"-export", "-deps"}, patterns, helperImports)...)
	if err != nil {
		return nil, err
	}
	root, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	exports := map[string]string{}
	t := &tree{set: token.NewFileSet(), places: map[string]int{}}
	t.imports = importer.ForCompiler(t.set, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	for _, l := range all {
		exports[l.ImportPath] = l.Export
		if !l.DepOnly && !l.Standard && !unchecked.MatchString(l.ImportPath) {
			folder, _ := filepath.Rel(root, l.Dir)
			t.packages = append(t.packages, &pkg{listed: l, tree: t, folder: filepath.ToSlash(folder)})
		}
	}
	for _, p := range t.packages {
		p.info = &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}
		texts := map[string][]byte{}
		for _, name := range p.GoFiles {
			s := &source{pkg: p, path: filepath.Join(p.Dir, name)}
			if s.text, err = os.ReadFile(s.path); err != nil {
				return nil, err
			}
			p.files, texts[s.path] = append(p.files, s), s.text
		}
		for i, f := range p.check(t.set, texts, p.info, func(failure error, _ token.Position) { err = failure }) {
			p.files[i].tree = f
		}
		if err != nil {
			return nil, err
		}
	}
	return t, nil
}

// check parses the files of p, and those added to it, and checks their types. failed is
// called with each error.
func (p *pkg) check(set *token.FileSet, texts map[string][]byte, info *types.Info, failed func(error, token.Position)) (files []*ast.File) {
	for _, name := range append(slices.Clone(p.GoFiles), added) {
		var text any // nil: the file as it is
		if changed := texts[filepath.Join(p.Dir, name)]; changed != nil {
			text = changed
		} else if name == added {
			continue
		}
		f, err := parser.ParseFile(set, filepath.Join(p.Dir, name), text, parser.ParseComments|parser.SkipObjectResolution)
		var list scanner.ErrorList
		if errors.As(err, &list) {
			failed(err, list[0].Pos)
		}
		files = append(files, f)
	}
	conf := types.Config{Importer: p.tree.imports, Error: func(err error) {
		var e types.Error
		errors.As(err, &e)
		failed(err, set.Position(e.Pos))
	}}
	_, _ = conf.Check(p.ImportPath, set, files, info) // failed has each error
	return files
}

// withErrors returns the edits among mutants whose copies in the changed files have
// errors of types.
func (p *pkg) withErrors(texts map[string][]byte, mutants []*edit) (wrong map[*edit]bool, err error) {
	wrong = map[*edit]bool{}
	p.check(token.NewFileSet(), texts, nil, func(failure error, at token.Position) {
		i := slices.IndexFunc(mutants, func(e *edit) bool {
			return e.path == at.Filename && e.lines[0] <= at.Line && at.Line <= e.lines[1]
		})
		if i < 0 {
			err = fmt.Errorf("mutation: the changed files do not compile: %w", failure)
		} else {
			wrong[mutants[i]] = true
		}
	})
	if len(wrong) > 0 {
		return wrong, nil // an error of syntax can have others
	}
	return nil, err
}

// edits returns every edit of the package, in the order of the text.
func (p *pkg) edits() (all []*edit) {
	for _, s := range p.files {
		if !ast.IsGenerated(s.tree) {
			all = append(all, s.edits()...)
		}
	}
	named := map[string][]*edit{}
	for _, e := range all {
		named[e.name] = append(named[e.name], e)
	}
	for _, same := range named { // equal lines are told apart by the line before
		for _, e := range same {
			e.name = e.describe(min(len(same)-1, 1))
		}
	}
	return all
}
