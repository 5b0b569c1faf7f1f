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
	Imports, TestImports, XTestImports []string
}

// list runs go list with flags and patterns.
func list(ctx context.Context, args ...string) (all []*listed, err error) {
	fields := "-json=Dir,ImportPath,Export,DepOnly,Standard,GoFiles,TestGoFiles,XTestGoFiles,Imports,TestImports,XTestImports"
	cmd := exec.CommandContext(ctx, "go", append([]string{"list", fields}, args...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("mutation: go list %s: %w", strings.Join(args, " "), err)
	}
	for d := json.NewDecoder(bytes.NewReader(out)); d.More(); {
		p := new(listed)
		if err := d.Decode(p); err != nil {
			return nil, fmt.Errorf("mutation: go list: %w", err)
		}
		all = append(all, p)
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
		if l.DepOnly || l.Standard || unchecked.MatchString(l.ImportPath) {
			continue
		}
		folder, err := filepath.Rel(root, l.Dir)
		if err != nil {
			return nil, err
		}
		p := &pkg{listed: l, tree: t, folder: filepath.ToSlash(folder), info: &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}}}
		for _, name := range l.GoFiles {
			path := filepath.Join(l.Dir, name)
			text, err := os.ReadFile(path)
			if err != nil {
				return nil, err
			}
			p.files = append(p.files, &source{pkg: p, path: path, text: text})
		}
		t.packages = append(t.packages, p)
	}
	for _, p := range t.packages {
		var trees []*ast.File
		for _, s := range p.files {
			if s.tree, err = parser.ParseFile(t.set, s.path, s.text, parser.ParseComments|parser.SkipObjectResolution); err != nil {
				return nil, err
			}
			trees = append(trees, s.tree)
		}
		conf := types.Config{Importer: t.imports}
		if _, err := conf.Check(p.ImportPath, t.set, trees, p.info); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// edits returns every edit of the package, in the order of the text.
func (p *pkg) edits() (all []*edit) {
	for _, s := range p.files {
		if head, _, _ := bytes.Cut(s.text, []byte("\npackage ")); !bytes.Contains(head, []byte("Code generated")) {
			all = append(all, s.edits()...)
		}
	}
	named := map[string][]*edit{}
	for _, e := range all {
		named[e.name] = append(named[e.name], e)
	}
	for _, same := range named { // equal lines are told apart by the line before
		for _, e := range same {
			if len(same) > 1 {
				e.name = e.describe(1)
			}
		}
	}
	return all
}

// withErrors returns the edits among mutants whose copies have errors of types. texts
// are the changed files of p and those added to it.
func (p *pkg) withErrors(texts map[string][]byte, mutants []*edit) (wrong map[*edit]bool, err error) {
	set := token.NewFileSet()
	var trees []*ast.File
	wrong = map[*edit]bool{}
	note := func(failure error, at token.Position) {
		i := slices.IndexFunc(mutants, func(e *edit) bool {
			return e.path == at.Filename && e.lines[0] <= at.Line && at.Line <= e.lines[1]
		})
		if i >= 0 {
			wrong[mutants[i]] = true
		} else if err == nil {
			err = fmt.Errorf("mutation: the changed files do not compile: %w", failure)
		}
	}
	for _, name := range append(slices.Clone(p.GoFiles), added) {
		path := filepath.Join(p.Dir, name)
		var text any
		if changed, ok := texts[path]; ok {
			text = changed
		}
		f, failure := parser.ParseFile(set, path, text, parser.SkipObjectResolution|parser.AllErrors)
		var list scanner.ErrorList
		if errors.As(failure, &list) {
			for _, e := range list {
				note(e, e.Pos)
			}
		}
		trees = append(trees, f)
	}
	if len(wrong) > 0 || err != nil {
		return wrong, err
	}
	conf := types.Config{Importer: p.tree.imports, Error: func(failure error) {
		if e, ok := failure.(types.Error); ok {
			note(failure, set.Position(e.Pos))
		}
	}}
	_, _ = conf.Check(p.ImportPath, set, trees, nil) // Error has each error
	return wrong, err
}
