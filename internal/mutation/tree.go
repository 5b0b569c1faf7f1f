package main

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/tools/go/packages"
)

// pkg is a package that is edited, with the types of its expressions.
type pkg struct {
	*packages.Package
	folder  string // from the root of the module
	imports importer
	files   []*source
	edits   []*edit // every one, in the order of the text
}

// source is a file of a package.
type source struct {
	pkg  *pkg
	path string
	text []byte
	tree *ast.File
}

// importer finds the loaded packages, and those that they import.
type importer map[string]*types.Package

func (i importer) Import(path string) (*types.Package, error) { return i[path], nil }

// load reads the packages that match the patterns, but for those that make inputs of
// tests and benchmarks, or write code.
func load(ctx context.Context, patterns ...string) (all []*pkg, err error) {
	const mode = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles |
		packages.NeedImports |
		packages.NeedTypes | packages.NeedTypesSizes | packages.NeedSyntax | packages.NeedTypesInfo
	loaded, err := packages.Load(&packages.Config{Context: ctx, Mode: mode},
		slices.Concat(patterns, helperImports)...)
	if err != nil {
		return nil, err
	}
	root, err := os.Getwd()
	imports := importer{}
	for _, l := range loaded {
		for _, failure := range l.Errors {
			err = errors.Join(err, failure)
		}
		imports[l.PkgPath] = l.Types
		for path, i := range l.Imports {
			imports[path] = i.Types
		}
		if slices.Contains(helperImports, l.PkgPath) || unchecked.MatchString(l.PkgPath) {
			continue
		}
		folder, _ := filepath.Rel(root, l.Dir)
		p := &pkg{Package: l, folder: filepath.ToSlash(folder), imports: imports}
		for i, path := range l.CompiledGoFiles {
			text, failure := os.ReadFile(path)
			err = errors.Join(err, failure)
			p.files = append(p.files, &source{pkg: p, path: path, text: text, tree: l.Syntax[i]})
		}
		all = append(all, p)
	}
	if err != nil {
		return nil, err
	}
	for _, p := range all {
		p.edits = p.list()
	}
	return all, nil
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
		texts[s.path] = s.withCopies(slices.DeleteFunc(slices.Clone(own), func(e *edit) bool {
			return e.source != s
		}))
	}
	texts[filepath.Join(p.Dir, added)] = fmt.Appendf(nil, helper, p.Name, chosenEnv, reachedEnv)
	failed := func(at token.Position) { // errors elsewhere follow from these, or come from the build
		i := slices.IndexFunc(own, func(e *edit) bool {
			return e.path == at.Filename && e.lines[0] <= at.Line && at.Line <= e.lines[1]
		})
		if i >= 0 {
			wrong[own[i]] = true
		}
	}
	set, files := token.NewFileSet(), []*ast.File{}
	for _, path := range slices.Sorted(maps.Keys(texts)) {
		f, err := parser.ParseFile(set, path, texts[path], parser.SkipObjectResolution)
		var list scanner.ErrorList
		if errors.As(err, &list) {
			failed(list[0].Pos)
		}
		files = append(files, f)
	}
	conf := types.Config{Importer: p.imports, Error: func(err error) {
		var e types.Error
		errors.As(err, &e)
		failed(set.Position(e.Pos))
	}}
	_, _ = conf.Check(p.PkgPath, set, files, nil) // failed has each error
	return texts, wrong
}

// list returns every edit of the package, in the order of the text.
func (p *pkg) list() (all []*edit) {
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
