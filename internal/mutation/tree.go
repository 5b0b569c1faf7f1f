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
	"maps"
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
	cmd := exec.CommandContext(ctx, "go", append([]string{"list", "-json"}, args...)...)
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

// pkg is a package that is edited, with the types of its expressions.
type pkg struct {
	*listed
	set     *token.FileSet // of all packages
	imports types.Importer
	folder  string // from the root of the module
	files   []*source
	info    types.Info
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
func load(ctx context.Context, patterns ...string) (packages []*pkg, err error) {
	all, err := list(ctx, slices.Concat([]string{"-export", "-deps"}, patterns, helperImports)...)
	if err != nil {
		return nil, err
	}
	root, err := os.Getwd()
	set, exports := token.NewFileSet(), map[string]string{}
	imports := importer.ForCompiler(set, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	for _, l := range all {
		exports[l.ImportPath] = l.Export
		if !l.DepOnly && !l.Standard && !unchecked.MatchString(l.ImportPath) {
			folder, _ := filepath.Rel(root, l.Dir)
			packages = append(packages, &pkg{listed: l, set: set, imports: imports, folder: filepath.ToSlash(folder)})
		}
	}
	failed := func(failure error, _ token.Position) { err = errors.Join(err, failure) }
	for _, p := range packages {
		p.info = types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}
		texts := map[string][]byte{}
		for _, name := range p.GoFiles { // in order
			s := &source{pkg: p, path: filepath.Join(p.Dir, name)}
			if s.text, err = os.ReadFile(s.path); err != nil {
				return nil, err
			}
			p.files, texts[s.path] = append(p.files, s), s.text
		}
		for i, f := range p.check(set, texts, &p.info, failed) {
			p.files[i].tree = f
		}
	}
	return packages, err
}

// check parses the files of p, or their changed texts, and those added, and checks their
// types. failed is called with each error.
func (p *pkg) check(set *token.FileSet, texts map[string][]byte, info *types.Info, failed func(error, token.Position)) (files []*ast.File) {
	for _, path := range slices.Sorted(maps.Keys(texts)) {
		f, err := parser.ParseFile(set, path, texts[path], parser.ParseComments|parser.SkipObjectResolution)
		var list scanner.ErrorList
		if errors.As(err, &list) {
			failed(err, list[0].Pos)
		}
		files = append(files, f)
	}
	conf := types.Config{Importer: p.imports, Error: func(err error) {
		var e types.Error
		errors.As(err, &e)
		failed(err, set.Position(e.Pos))
	}}
	_, _ = conf.Check(p.ImportPath, set, files, info) // failed has each error
	return files
}

// changed returns the files of p with the copies of its mutants, if there are any, and
// the mutants whose copies have errors of types.
func (p *pkg) changed(mutants []*edit) (texts map[string][]byte, wrong map[*edit]bool) {
	texts, wrong = map[string][]byte{}, map[*edit]bool{}
	own := slices.DeleteFunc(slices.Clone(mutants), func(e *edit) bool { return e.pkg != p })
	if len(own) == 0 {
		return nil, nil
	}
	for _, s := range p.files {
		texts[s.path] = s.withCopies(slices.DeleteFunc(slices.Clone(own), func(e *edit) bool { return e.source != s }))
	}
	texts[filepath.Join(p.Dir, added)] = fmt.Appendf(nil, helper, p.files[0].tree.Name.Name, chosenEnv, reachedEnv)
	p.check(token.NewFileSet(), texts, nil, func(failure error, at token.Position) {
		i := slices.IndexFunc(own, func(e *edit) bool {
			return e.path == at.Filename && e.lines[0] <= at.Line && at.Line <= e.lines[1]
		})
		if i >= 0 {
			wrong[own[i]] = true
		}
	})
	return texts, wrong // other errors follow from these, or are those of the build
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
