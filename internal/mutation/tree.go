package main

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	goimporter "go/importer"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"io"
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
		packages.NeedImports | packages.NeedTypesSizes | packages.NeedExportFile
	loaded, err := packages.Load(&packages.Config{Context: ctx, Mode: mode},
		slices.Concat(patterns, helperImports)...)
	if err != nil {
		return nil, err
	}
	root, err := os.Getwd()
	imports, failure := compiled(loaded)
	set := token.NewFileSet()
	err = errors.Join(err, failure)
	for _, l := range loaded {
		for _, failure := range l.Errors {
			err = errors.Join(err, failure)
		}
		if slices.Contains(helperImports, l.PkgPath) || unchecked.MatchString(l.PkgPath) {
			continue
		}
		folder, _ := filepath.Rel(root, l.Dir)
		l.Fset = set
		p := &pkg{Package: l, folder: filepath.ToSlash(folder), imports: imports}
		for _, path := range l.CompiledGoFiles {
			text, failure := os.ReadFile(path)
			tree, wrong := parser.ParseFile(set, path, text, parser.ParseComments|parser.SkipObjectResolution)
			err = errors.Join(err, failure, wrong)
			p.files = append(p.files, &source{pkg: p, path: path, text: text, tree: tree})
		}
		all = append(all, p)
	}
	if err != nil {
		return nil, err
	}
	for _, p := range all {
		if err := p.check(); err != nil {
			return nil, err
		}
		p.edits = p.list()
	}
	return all, nil
}

// compiled returns the types of packages and of their imports, from the files of the compiler.
func compiled(loaded []*packages.Package) (importer, error) {
	files := map[string]string{}
	for _, l := range loaded {
		files[l.PkgPath] = l.ExportFile
		for path, i := range l.Imports {
			files[path] = i.ExportFile
		}
	}
	gc := goimporter.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(files[path])
	})
	imports := importer{}
	for path, file := range files {
		if file == "" {
			continue // unsafe, and programs with errors
		}
		of, err := gc.Import(path)
		if err != nil {
			return nil, err
		}
		imports[path] = of
	}
	imports["unsafe"] = types.Unsafe
	return imports, nil
}

// check finds the types of the expressions of p. Only the packages that are edited are read from their
// sources.
func (p *pkg) check() (err error) {
	var trees []*ast.File
	for _, s := range p.files {
		trees = append(trees, s.tree)
	}
	p.TypesInfo = &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{},
		Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
		Implicits: map[ast.Node]types.Object{}, Scopes: map[ast.Node]*types.Scope{},
		Instances: map[*ast.Ident]types.Instance{},
	}
	conf := types.Config{Importer: p.imports, Sizes: p.TypesSizes}
	p.Types, err = conf.Check(p.PkgPath, p.Fset, trees, p.TypesInfo)
	return err
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
