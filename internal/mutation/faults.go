package main

import (
	"fmt"
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

// apply returns the file in which the text is, from the root, with the fault.
func (f fault) apply(root string) (file string, changed []byte, err error) {
	files, err := filepath.Glob(filepath.Join(root, f.file))
	if err != nil || len(files) == 0 {
		return "", nil, fmt.Errorf("mutation: %s: no file %s", f.name, f.file)
	}
	files = slices.DeleteFunc(files, func(name string) bool { return strings.HasSuffix(name, "_test.go") })
	err = fmt.Errorf("mutation: %s no longer applies: %s does not have its text once", f.name, f.file)
	found := 0
	for _, name := range files {
		text, readErr := os.ReadFile(name)
		if readErr != nil {
			return "", nil, readErr
		}
		if edited, ok := f.edit(text); ok {
			file, changed = name, edited
			found++
		}
	}
	if found != 1 {
		return "", nil, err
	}
	return file, changed, nil
}

// edit returns text with the fault, if it is there once.
func (f fault) edit(text []byte) (changed []byte, ok bool) {
	from, to, ok := f.scope(string(text))
	if !ok {
		return nil, false
	}
	places := f.pattern().FindAllIndex(text[from:to], -1)
	if len(places) != 1 {
		return nil, false
	}
	changed = slices.Clone(text[:from+places[0][0]])
	changed = append(changed, strings.Join(f.new, "\n")...)
	return append(changed, text[from+places[0][1]:]...), true
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
