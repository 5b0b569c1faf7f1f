package main

import (
	"fmt"
	"go/ast"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// fault is an edit that breaks the code, with the packages whose tests should
// detect it.
type fault struct {
	name     string
	file     string // relative to the root of the module
	function string // function that contains the edit; empty if the text is unique in the file
	old, new []string
	tests    []string // packages, the cheapest first
}

// load reads all lists of a folder. A list has one item on each line:
//
//	# a comment
//	file token/crypto/nonce/nonce.go   the file of the following faults, or several,
//	                                   as in token/crypto/nonce/*.go
//	test ./token/crypto/nonce[:run] …  the packages to test, in this order, or
//	                                   only the tests that match run
//	fault name [in [Type.]function]    a new fault
//	- old text                         removed by the edit
//	+ new text                         written in its place
//
// Lines of old text are consecutive in the file; leading white space is
// ignored. Without new text, the old text is removed.
func load(folder string) (all []fault, err error) {
	names, err := filepath.Glob(filepath.Join(folder, "*.txt"))
	if err != nil || len(names) == 0 {
		return nil, fmt.Errorf("mutation: no lists of faults in %s", folder)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		faults, err := read(string(text))
		if err != nil {
			return nil, fmt.Errorf("mutation: %s: %w", name, err)
		}
		all = append(all, faults...)
	}
	seen := map[string]bool{}
	for _, f := range all {
		if seen[f.name] || len(f.old) == 0 || len(f.tests) == 0 || f.file == "" {
			return nil, fmt.Errorf("mutation: fault %s is there twice, or has no file, no old text or no test", f.name)
		}
		seen[f.name] = true
	}
	return all, nil
}

func read(text string) (all []fault, err error) {
	var file string
	var tests []string
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimRight(line, "\n")
		word, rest, _ := strings.Cut(line, " ")
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case word == "file":
			file, tests = rest, []string{"./" + filepath.Dir(rest)}
		case word == "test":
			tests = strings.Fields(rest)
		case word == "fault":
			name, function, _ := strings.Cut(rest, " in ")
			all = append(all, fault{name: name, function: function, file: file, tests: slices.Clone(tests)})
		case word == "-" && len(all) > 0:
			all[len(all)-1].old = append(all[len(all)-1].old, rest)
		case word == "+" && len(all) > 0:
			all[len(all)-1].new = append(all[len(all)-1].new, rest)
		default:
			return nil, fmt.Errorf("line %d is not understood: %q", number, line)
		}
	}
	return all, nil
}

// place returns the edit of f: the bytes of its old text, which stand once in its
// files.
func (f fault) place(root string) (e edit, err error) {
	files, err := filepath.Glob(filepath.Join(root, f.file))
	if err != nil || len(files) == 0 {
		return e, fmt.Errorf("mutation: %s: no file %s", f.name, f.file)
	}
	found := 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return e, err
		}
		from, to, ok := f.scope(string(text))
		if !ok {
			continue
		}
		places := f.pattern().FindAllIndex(text[from:to], -1)
		found += len(places)
		if len(places) == 1 {
			start, end := from+places[0][0], from+places[0][1]
			if e.file, err = filepath.Rel(root, name); err != nil {
				return e, err
			}
			e.start, e.end, e.old, e.text = start, end, string(text[start:end]), strings.Join(f.new, "\n")
			e.line = 1 + strings.Count(string(text[:start]), "\n")
		}
	}
	if found != 1 {
		return e, fmt.Errorf("mutation: %s no longer applies: %s does not have its text once", f.name, f.file)
	}
	return e, nil
}

// applied returns the text of the file with the edit.
func (e edit) applied(root string) ([]byte, error) {
	text, err := os.ReadFile(filepath.Join(root, e.file))
	if err != nil {
		return nil, err
	}
	return slices.Concat(text[:e.start], []byte(e.text), text[e.end:]), nil
}

// inFunction reports whether e lies in the body of one function that can be copied.
func (e edit) inFunction(root string) bool {
	s, err := parseFile(root, e.file)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(s.functions(), func(f *ast.FuncDecl) bool {
		return e.start > s.offset(f.Body.Lbrace) && e.end < s.offset(f.Body.Rbrace)
	})
}

// scope returns where the function of f begins and ends; without one it is the
// file. A name without type is that of a function, or of the first method.
func (f fault) scope(text string) (from, to int, found bool) {
	if f.function == "" {
		return 0, len(text), true
	}
	receiver, name, isMethod := strings.Cut(f.function, ".")
	heads := []string{regexp.QuoteMeta(f.function), `\([^)]*\) ` + regexp.QuoteMeta(f.function)}
	if isMethod {
		heads = []string{`\(\w* ?\*?` + regexp.QuoteMeta(receiver) + `(\[[^\]]*\])?\) ` + regexp.QuoteMeta(name)}
	}
	for _, head := range heads {
		place := regexp.MustCompile(`(?m)^func ` + head + `[\[(].*$`).FindStringIndex(text)
		if place == nil {
			continue
		}
		if strings.HasSuffix(text[:place[1]], "}") {
			return place[0], place[1], true
		}
		end := strings.Index(text[place[0]:], "\n}\n")
		return place[0], place[0] + end + len("\n}\n"), true
	}
	return 0, 0, false
}

// pattern matches the old text.
func (f fault) pattern() *regexp.Regexp {
	lines := make([]string, len(f.old))
	for i, line := range f.old {
		lines[i] = regexp.QuoteMeta(strings.TrimLeft(line, " \t"))
	}
	return regexp.MustCompile(strings.Join(lines, `\n\s*`))
}
