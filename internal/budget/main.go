// Command budget measures how much there is to maintain, and fails above the limits of a
// table: AST nodes of Go code by folder, lines of shell and JavaScript, bytes and lines of
// recorded test data, and words of pages. A change of layout, of names or of comments does
// not change the counts of nodes.
//
// It reads the names of the files, one a line. -set writes the table, with 3 % of slack.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"log"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

const (
	table = ".ci/budgets"
	slack = 1.03
)

var (
	generators = regexp.MustCompile(`(^|/)internal/kernels/`)
	vectors    = regexp.MustCompile(`^(token|scheme)/`)
	shell      = regexp.MustCompile(`^#!\S*[/ ](ba)?sh\b`)
	pages      = regexp.MustCompile(`^(README|CONTRIBUTING|SECURITY|docs/[^/]+)\.md$`)
)

func main() {
	set := flag.Bool("set", false, "write the table instead of comparing with it")
	flag.Parse()
	log.SetFlags(0)
	log.SetPrefix("budget: ")
	if err := run(os.Stdin, os.Stdout, *set); err != nil {
		log.Fatal(err)
	}
}

// run counts the files, and writes the table or compares the counts with it.
func run(files io.Reader, out io.Writer, set bool) error {
	counts := map[string]int{}
	names, err := io.ReadAll(files)
	if err != nil {
		return err
	}
	for file := range strings.Lines(string(names)) {
		file = strings.TrimSpace(file)
		content, err := os.ReadFile(file)
		if errors.Is(err, fs.ErrNotExist) {
			continue // git still lists it
		}
		if err != nil {
			return err
		}
		if err := add(counts, file, content); err != nil {
			return err
		}
	}
	if set {
		return os.WriteFile(table, []byte(written(counts)), 0o644)
	}
	limits, err := os.ReadFile(table)
	if err != nil {
		return err
	}
	return compare(out, counts, string(limits))
}

// add counts one file in every place that it belongs to.
func add(counts map[string]int, file string, content []byte) error {
	top, _, _ := strings.Cut(filepath.ToSlash(file), "/")
	lines := bytes.Count(content, []byte("\n"))
	switch {
	case strings.Contains(file, "/testdata/"):
		if !vectors.MatchString(file) {
			counts["testdata.bytes"] += len(content)
			if filepath.Ext(file) != ".json" {
				counts["testdata.lines"] += lines
				counts["testdata.longest"] = max(counts["testdata.longest"], lines)
			}
		}
	case filepath.Ext(file) == ".go":
		kind := "product"
		switch {
		case strings.HasSuffix(file, "_test.go"):
			kind = "tests"
		case generators.MatchString(file):
			kind = "generators"
		}
		n, err := nodes(file, content)
		counts[kind+".all"] += n
		if top == file {
			top = "root"
		}
		counts[kind+"."+top] += n
		return err
	case filepath.Ext(file) == ".js":
		counts["javascript.lines"] += lines
	case shell.Match(content):
		counts["shell.lines"] += lines
	case pages.MatchString(filepath.ToSlash(file)):
		counts["pages.words"] += len(bytes.Fields(content))
	case file == "CHANGELOG.md": // its current section
		_, current, _ := bytes.Cut(content, []byte("\n## "))
		current, _, _ = bytes.Cut(current, []byte("\n## "))
		counts["pages.words"] += len(bytes.Fields(current))
	}
	return nil
}

// nodes returns the number of AST nodes of a file without its comments, and 0 for a
// file that a program wrote.
func nodes(file string, content []byte) (n int, err error) {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, content,
		parser.ParseComments|parser.SkipObjectResolution)
	if err != nil || ast.IsGenerated(parsed) {
		return 0, err
	}
	ast.Inspect(parsed, func(node ast.Node) bool {
		switch node.(type) {
		case nil, *ast.CommentGroup:
			return false
		default:
			n++
			return true
		}
	})
	return n, nil
}

const head = `# Limits of what there is to maintain: AST nodes of Go by folder, lines of shell and
# JavaScript, test data outside vectors, words of pages. ".ci/budget -set" writes today's
# figures with 3 % of slack.
`

func written(counts map[string]int) string {
	var b strings.Builder
	b.WriteString(head)
	for _, place := range slices.Sorted(maps.Keys(counts)) {
		fmt.Fprintf(&b, "%-20s %8d\n", place, int(slack*float64(counts[place])))
	}
	return b.String()
}

// compare prints every count with its limit. It names counts above their limit and
// counts without a limit.
func compare(out io.Writer, counts map[string]int, limits string) error {
	left := maps.Clone(counts)
	var above []string
	for line := range strings.Lines(limits) {
		var place string
		var limit int
		if strings.HasPrefix(line, "#") {
			continue
		}
		if _, err := fmt.Sscan(line, &place, &limit); err != nil {
			return fmt.Errorf("%s: %q: %w", table, line, err)
		}
		fmt.Fprintf(out, "%-20s %8d of %8d\n", place, counts[place], limit)
		if counts[place] > limit {
			above = append(above, place)
		}
		delete(left, place)
	}
	above = slices.Concat(above, slices.Sorted(maps.Keys(left)))
	if len(above) > 0 {
		return fmt.Errorf("%s: above the limits in %s: remove something, "+
			"or raise a limit with a line in CHANGELOG that says what it buys", strings.Join(above, ", "),
			table)
	}
	return nil
}
