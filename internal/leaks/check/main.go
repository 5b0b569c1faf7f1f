// Command check runs the short tests of packages and fails if one of them leaves
// goroutines. The files of the packages do not change: an overlay gives each a
// TestMain, or has the one that it has call leaks.Run.
//
//	go run ./internal/leaks/check ./...
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// pkg is the output of go list for a package with tests.
type pkg struct {
	Dir, ImportPath           string
	Name                      string
	GoFiles                   []string
	TestGoFiles, XTestGoFiles []string
}

// overlay is the replacements of go test -overlay.
type overlay struct {
	folder  string
	count   int
	Replace map[string]string
}

// add replaces a file by text.
func (o *overlay) add(file string, text []byte) error {
	o.count++
	name := filepath.Join(o.folder, fmt.Sprintf("%d.go", o.count))
	o.Replace[file] = name
	return os.WriteFile(name, text, 0o600)
}

const (
	call     = "m.Run()"
	replaced = "leaks.Run(m)"
	leaks    = "github.com/zkatbench/zkatbench/internal/leaks"
)

// rewrite has a file that calls m.Run call leaks.Run, and reports whether it does.
func (o *overlay) rewrite(file string) (bool, error) {
	text, err := os.ReadFile(file)
	if err != nil || !bytes.Contains(text, []byte(call)) || bytes.Contains(text, []byte(leaks)) {
		return false, err
	}
	clause := text[bytes.Index(text, []byte("\npackage "))+1:]
	if bytes.HasPrefix(text, []byte("package ")) {
		clause = text
	}
	line, _, _ := bytes.Cut(clause, []byte("\n"))
	text = bytes.Replace(text, line, append(bytes.Clone(line), "; import \""+leaks+"\""...), 1)
	return true, o.add(file, bytes.ReplaceAll(text, []byte(call), []byte(replaced)))
}

// cover has the tests of p check for goroutines. It returns false if p has a
// TestMain of a library, which cannot be changed.
func (o *overlay) cover(p pkg) (bool, error) {
	if p.ImportPath == leaks {
		return true, nil
	}
	for _, name := range p.GoFiles { // drivers of benchmarks
		if _, err := o.rewrite(filepath.Join(p.Dir, name)); err != nil {
			return false, err
		}
	}
	tests := append(p.TestGoFiles, p.XTestGoFiles...)
	if len(tests) == 0 {
		return true, nil
	}
	for _, name := range tests {
		file := filepath.Join(p.Dir, name)
		text, err := os.ReadFile(file)
		if err != nil {
			return false, err
		}
		if !bytes.Contains(text, []byte("func TestMain(")) {
			continue
		}
		changed, err := o.rewrite(file)
		driven := bytes.Contains(text, []byte(".Main(m) }")) // of bench/benchtest, which is rewritten
		return changed || driven || bytes.Contains(text, []byte(leaks)), err
	}
	name := p.Name
	if len(p.XTestGoFiles) > 0 {
		name += "_test"
	}
	text := fmt.Sprintf("package %s\n\nimport (\n\t\"os\"\n\t\"testing\"\n\n\t%q\n)\n\nfunc TestMain(m *testing.M) { os.Exit(%s) }\n", name, leaks, replaced)
	return true, o.add(filepath.Join(p.Dir, "zkatbench_leaks_test.go"), []byte(text))
}

func list(patterns []string) (ps []pkg, err error) {
	out, err := exec.Command("go", append([]string{"list", "-json=Dir,ImportPath,Name,GoFiles,TestGoFiles,XTestGoFiles"}, patterns...)...).Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	for d := json.NewDecoder(bytes.NewReader(out)); d.More(); {
		var p pkg
		if err := d.Decode(&p); err != nil {
			return nil, err
		}
		ps = append(ps, p)
	}
	return ps, nil
}

func run(patterns []string) error {
	ps, err := list(append(patterns, "./bench/benchtest")) // which runs the tests of benchmarks
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "leaks")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	o := &overlay{folder: folder, Replace: map[string]string{}}
	args := []string{"test", "-short", "-count=1", "-vet=off", "-timeout=1h", "-overlay=" + filepath.Join(folder, "overlay.json")}
	for _, p := range ps {
		covered, err := o.cover(p)
		if err != nil {
			return err
		}
		switch {
		case !covered:
			fmt.Println("not checked, a library runs its tests:", p.ImportPath)
		case len(p.TestGoFiles)+len(p.XTestGoFiles) > 0:
			args = append(args, p.ImportPath)
		}
	}
	text, err := json.Marshal(o)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(folder, "overlay.json"), text, 0o600); err != nil {
		return err
	}
	cmd := exec.Command("go", args...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	return cmd.Run()
}

func main() {
	patterns := os.Args[1:]
	if len(patterns) == 0 || strings.HasPrefix(patterns[0], "-") {
		fmt.Fprintln(os.Stderr, "usage: go run ./internal/leaks/check packages")
		os.Exit(2)
	}
	if err := run(patterns); err != nil {
		fmt.Fprintln(os.Stderr, "leaks:", err)
		os.Exit(1)
	}
}
