package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Mutants are built together: each is a copy of its function with the edit, and
// the function begins with a switch that calls the copy of the chosen mutant. The
// environment variable chosenEnv chooses it. With the value record, a copy runs that
// notes the numbers of its blocks with edits in the file reachedEnv. So one build of
// a test binary serves all mutants, and a mutant costs the tests that reach its block.
const (
	chosenEnv  = "ZKAT_MUTANT"
	reachedEnv = "ZKAT_MUTANT_REACHED"
	record     = "-1"
)

// mutant is an edit with a number from 1 on.
type mutant struct {
	edit
	number   int
	name     string
	place    int      // number of its block
	tests    []string // of a listed fault: packages, or empty for all that reach it
	copy     string   // changed file
	lines    [2]int   // of its copy in the changed file
	unusable string   // why it does not compile
}

// helper is added to each package that has mutants. Imports are renamed, since a
// package may declare their names.
const helper = `package %s

import (
	zzfmt "fmt"
	zzos "os"
	zzstrconv "strconv"
	zzatomic "sync/atomic"
)

var zzMutant = func() int { n, _ := zzstrconv.Atoi(zzos.Getenv(%q)); return n }()

var zzReached [1 << 14]zzatomic.Bool

func zzReach(place int) {
	if !zzReached[place].Load() && !zzReached[place].Swap(true) {
		if f, err := zzos.OpenFile(zzos.Getenv(%q), zzos.O_APPEND|zzos.O_CREATE|zzos.O_WRONLY, 0o600); err == nil {
			zzfmt.Fprintln(f, place)
			f.Close()
		}
	}
}
`

// added is the file that each changed package has in addition.
const added = "zz_mutants.go"

// overlayOf writes the changed files to dir, and the overlay that the go command
// reads.
func overlayOf(root, dir string, all []*mutant) (overlay string, err error) {
	replace, err := changedFiles(root, dir, all)
	if err != nil {
		return "", err
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	overlay = filepath.Join(dir, "overlay.json")
	return overlay, os.WriteFile(overlay, list, 0o600)
}

// changedFiles writes the changed files to dir, and returns them by the names of
// the files that they replace. It sets place, lines and copy of the mutants.
func changedFiles(root, dir string, all []*mutant) (replace map[string]string, err error) {
	byFile := map[string][]*mutant{}
	for _, m := range all {
		byFile[m.file] = append(byFile[m.file], m)
	}
	replace = map[string]string{}
	places := map[string]int{}
	number := 0
	write := func(name string, text []byte) error {
		number++
		file := filepath.Join(dir, fmt.Sprintf("%d_%s", number, filepath.Base(name)))
		for _, m := range byFile[name] {
			m.copy = file
		}
		abs, err := filepath.Abs(filepath.Join(root, name))
		if err != nil {
			return err
		}
		replace[abs] = file
		return os.WriteFile(file, text, 0o600)
	}
	for _, name := range sortedKeys(byFile) {
		src, err := parseFile(root, name)
		if err != nil {
			return nil, err
		}
		text, err := src.withCopies(byFile[name], places)
		if err != nil {
			return nil, err
		}
		if err := write(name, text); err != nil {
			return nil, err
		}
		more := filepath.Join(filepath.Dir(name), added)
		if abs, _ := filepath.Abs(filepath.Join(root, more)); replace[abs] == "" {
			if err := write(more, fmt.Appendf(nil, helper, src.tree.Name.Name, chosenEnv, reachedEnv)); err != nil {
				return nil, err
			}
		}
	}
	return replace, nil
}

func sortedKeys[V any](m map[string]V) (keys []string) {
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// withCopies returns the text of s with a copy of a function for each mutant.
func (s *source) withCopies(mutants []*mutant, places map[string]int) ([]byte, error) {
	type change struct {
		start, end int
		text       string
	}
	var changes []change
	var copies []struct {
		m    *mutant // nil for the copy that notes its blocks
		text string
	}
	for _, f := range s.functions() {
		from, to := s.offset(f.Pos()), s.offset(f.End())
		body := s.offset(f.Body.Lbrace) + 1
		var inside []*mutant
		for _, m := range mutants {
			if m.start >= body && m.end < to {
				inside = append(inside, m)
			}
		}
		if len(inside) == 0 {
			continue
		}
		h := s.head(f)
		at := s.offset(f.Name.Pos())
		var cases strings.Builder
		branch := func(value, suffix string) (name string) {
			name = f.Name.Name + "_zz" + suffix
			if f.Type.Results != nil {
				fmt.Fprintf(&cases, "case %s: return %s;", value, h.call(name))
			} else {
				fmt.Fprintf(&cases, "case %s: %s; return;", value, h.call(name))
			}
			return string(s.text[from:at]) + name + string(s.text[at+len(f.Name.Name):body])
		}
		cases.WriteString(" switch zzMutant {")
		blocks := s.blocks(f)
		marks := map[int]int{} // from the beginning of a block to its number
		for _, m := range inside {
			block := body
			for _, b := range blocks {
				if b.start <= m.start && m.end <= b.end {
					block = b.start // the innermost is the last one
				}
			}
			key := fmt.Sprint(s.name, " ", block)
			if places[key] == 0 {
				places[key] = len(places) + 1
			}
			m.place, marks[block] = places[key], places[key]
			text := branch(strconv.Itoa(m.number), strconv.Itoa(m.number)) + string(s.text[body:m.start]) + m.text + string(s.text[m.end:to])
			copies = append(copies, struct {
				m    *mutant
				text string
			}{m, text})
		}
		noted, last := branch(record, "Noted"), body
		for _, b := range slices.Sorted(maps.Keys(marks)) {
			noted += string(s.text[last:b]) + fmt.Sprintf(" zzReach(%d);", marks[b])
			last = b
		}
		copies = append(copies, struct {
			m    *mutant
			text string
		}{nil, noted + string(s.text[last:to])})
		cases.WriteString("};")
		changes = append(changes, change{body, body, cases.String()})
		for _, p := range h.renamed {
			changes = append(changes, change{p.start, p.end, p.text})
		}
	}
	slices.SortStableFunc(changes, func(a, b change) int { return a.start - b.start })
	var out bytes.Buffer
	at := 0
	for _, c := range changes {
		out.Write(s.text[at:c.start])
		out.WriteString(c.text)
		at = c.end
	}
	out.Write(s.text[at:])
	line := bytes.Count(out.Bytes(), []byte("\n")) + 1
	for _, c := range copies {
		first := line + 1
		out.WriteString("\n" + c.text + "\n")
		line += strings.Count(c.text, "\n") + 2
		if c.m != nil {
			c.m.lines = [2]int{first, line}
		}
	}
	for _, m := range mutants {
		if m.place == 0 {
			return nil, fmt.Errorf("mutation: %s is not in the body of a function of %s", m.name, s.name)
		}
	}
	return out.Bytes(), nil
}

// blocks returns the lists of statements in f, each before those inside it.
func (s *source) blocks(f *ast.FuncDecl) (all []struct{ start, end int }) {
	ast.Inspect(f.Body, func(n ast.Node) bool {
		start, end := token.NoPos, token.NoPos
		switch x := n.(type) {
		case *ast.BlockStmt:
			if len(x.List) > 0 && !clauses(x.List[0]) {
				start, end = x.Lbrace, x.Rbrace
			}
		case *ast.CaseClause:
			start, end = x.Colon, x.End()
		case *ast.CommClause:
			start, end = x.Colon, x.End()
		}
		if start.IsValid() {
			all = append(all, struct{ start, end int }{s.offset(start) + 1, s.offset(end)})
		}
		return true
	})
	return all
}

// clauses reports whether a block with this first statement is that of a switch or select.
func clauses(first ast.Stmt) bool {
	switch first.(type) {
	case *ast.CaseClause, *ast.CommClause:
		return true
	}
	return false
}

// head is the part that a call of a copy needs: its parameters, with names for parameters
// that have none.
type head struct {
	receiver, types string
	arguments       []string
	renamed         []struct {
		start, end int
		text       string
	}
}

func (h head) call(name string) string {
	return h.receiver + name + h.types + "(" + strings.Join(h.arguments, ", ") + ")"
}

func (s *source) head(f *ast.FuncDecl) (h head) {
	rename := func(start, end token.Pos, text string) {
		h.renamed = append(h.renamed, struct {
			start, end int
			text       string
		}{s.offset(start), s.offset(end), text})
	}
	number := 0
	names := func(list *ast.FieldList) (all []string) {
		for _, field := range list.List {
			dots := ""
			if _, variadic := field.Type.(*ast.Ellipsis); variadic {
				dots = "..."
			}
			if len(field.Names) == 0 {
				number++
				name := fmt.Sprintf("zzP%d", number)
				rename(field.Type.Pos(), field.Type.Pos(), name+" ")
				all = append(all, name+dots)
			}
			for _, id := range field.Names {
				name := id.Name
				if name == "_" {
					number++
					name = fmt.Sprintf("zzP%d", number)
					rename(id.Pos(), id.End(), name)
				}
				all = append(all, name+dots)
			}
		}
		return all
	}
	if f.Recv != nil {
		h.receiver = names(f.Recv)[0] + "."
	}
	if f.Type.TypeParams != nil {
		var types []string
		for _, field := range f.Type.TypeParams.List {
			for _, id := range field.Names {
				types = append(types, id.Name)
			}
		}
		h.types = "[" + strings.Join(types, ", ") + "]"
	}
	h.arguments = names(f.Type.Params)
	return h
}
