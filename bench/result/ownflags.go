package result

import (
	"bytes"
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// own returns the names of the flags that go test does not have.
func (f Flags) own() (names []string) {
	for _, arg := range f.Run {
		if strings.HasPrefix(arg, "-") && !strings.HasPrefix(arg, "-test.") {
			name, _, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
			names = append(names, name)
		}
	}
	return names
}

// UndefinedError reports a flag that a test binary does not define.
type UndefinedError struct{ Flag, Where string }

func (e *UndefinedError) Error() string {
	const text = "-%s %v: go test does not have it, and %s does not define it"
	return fmt.Sprintf(text, e.Flag, ErrFlag, e.Where)
}

func (e *UndefinedError) Unwrap() error { return ErrFlag }

// CheckFlags returns an error if the binary does not define a flag that go test does not have.
func (b Binary) CheckFlags(ctx context.Context, f Flags) error {
	if len(f.own()) == 0 {
		return nil
	}
	_, err := tool(ctx, b.Env, b.Dir, b.Path, append(slices.Clone(f.Run), "-h")...)
	if err == nil || ctx.Err() != nil {
		return ctx.Err()
	}
	if name := undefined.FindStringSubmatch(err.Error()); name != nil {
		return &UndefinedError{strings.TrimLeft(name[1], "-"), b.Path}
	}
	return nil
}

// CheckOwn returns an error if a test binary cannot define a flag that go test does not have: no file of its
// packages has the name in quotes. If one of them computes the name of a flag, each word of the name must
// be in some file.
func (s Source) CheckOwn(ctx context.Context, f Flags) error {
	own := f.own()
	if len(own) == 0 {
		return nil
	}
	const format = "{{.ImportPath}}\t{{.Dir}}\t{{if not .Standard}}own{{end}}\t{{join .Imports \" \"}}\t" +
		"{{join .GoFiles \" \"}} {{join .CgoFiles \" \"}} {{join .EmbedFiles \" \"}}\t" +
		"{{if eq .Name \"main\"}}{{join .Deps \"\\t\"}}{{end}}"
	out, err := s.list(ctx, "-deps", "-test", "-f", format)
	if err != nil {
		return nil // the build says why
	}
	all := map[string]flagTexts{}
	for line := range strings.Lines(out) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		path, isTest := strings.CutSuffix(fields[0], ".test")
		if !isTest {
			flags, standard := slices.Contains(strings.Fields(fields[3]), "flag"), fields[2] == ""
			if flags || !standard {
				t := textsOf(fields[1], strings.Fields(fields[4]), own, flags && !standard)
				if standard { // its names are strings
					t.words = nil
				}
				all[fields[0]] = t
			}
			continue
		}
		for _, name := range own {
			var has flagTexts
			for _, dep := range fields[5:] {
				has = has.and(all[dep])
			}
			if !has.define(name) {
				return &UndefinedError{name, "the test of " + path}
			}
		}
	}
	return nil
}

// flagTexts are the names of flags that the files of a package have.
type flagTexts struct {
	quoted, words []string // names in quotes, and words of names in any text
	computed      bool     // the package defines flags with computed names
}

func (t flagTexts) and(u flagTexts) flagTexts {
	return flagTexts{append(t.quoted, u.quoted...), append(t.words, u.words...), t.computed || u.computed}
}

// define reports whether a flag can be defined.
func (t flagTexts) define(name string) bool {
	return slices.Contains(t.quoted, name) || t.computed &&
		!slices.ContainsFunc(wordsOf(name), func(word string) bool { return !slices.Contains(t.words, word) })
}

// wordsOf returns the words of the name of a flag.
func wordsOf(name string) []string {
	return strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
		return strings.ContainsRune("-_.", r)
	})
}

// textsOf searches the files of a package for the names of flags. With defines set it also looks for
// definitions of flags whose names are not strings.
func textsOf(dir string, files, names []string, defines bool) (t flagTexts) {
	for _, file := range files {
		if !filepath.IsAbs(file) {
			file = filepath.Join(dir, file)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.computed = true // the build says why
			continue
		}
		lower := bytes.ToLower(text)
		for _, name := range names {
			for _, quote := range []string{`"`, "`"} {
				if bytes.Contains(text, []byte(quote+name+quote)) {
					t.quoted = append(t.quoted, name)
				}
			}
			for _, word := range wordsOf(name) {
				if bytes.Contains(lower, []byte(word)) {
					t.words = append(t.words, word)
				}
			}
		}
		t.computed = t.computed || defines && strings.HasSuffix(file, ".go") && computesFlag(text)
	}
	return t
}

// definesFlag matches the names of the functions and methods of package flag that define a flag.
var definesFlag = regexp.MustCompile(
	`^(Bool|BoolFunc|Duration|Float64|Func|Int|Int64|String|Uint|Uint64)$|Var$`)

// computesFlag reports whether a file defines a flag whose name is not a string.
func computesFlag(text []byte) (computed bool) {
	file, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
	if err != nil {
		return true
	}
	ast.Inspect(file, func(n ast.Node) bool {
		call, is := n.(*ast.CallExpr)
		if !is {
			return true
		}
		if f, is := call.Fun.(*ast.SelectorExpr); is && definesFlag.MatchString(f.Sel.Name) {
			at := 0
			if strings.HasSuffix(f.Sel.Name, "Var") {
				at = 1
			}
			if at < len(call.Args) {
				_, literal := call.Args[at].(*ast.BasicLit)
				computed = computed || !literal
			}
		}
		return true
	})
	return computed
}
