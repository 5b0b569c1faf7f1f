// Command affected prints the packages that a change can break, nearest first: lines
// "distance package". It reads the changed files, one a line. A package whose own files
// changed has distance 0, and an importer one more than the nearest that it imports. An
// import of a test counts, and leads no further.
package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// pkg is a package as go list prints it.
type pkg struct {
	ImportPath, Dir                    string
	Imports, TestImports, XTestImports []string
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("affected: ")
	if err := run(os.Stdin, os.Stdout); err != nil {
		log.Fatal(err)
	}
}

// run reads the packages of the module in this folder.
func run(changed io.Reader, out io.Writer) error {
	names, err := io.ReadAll(changed)
	if err != nil {
		return err
	}
	root, err := os.Getwd()
	if err != nil {
		return err
	}
	folders := map[string]bool{}
	for name := range strings.Lines(string(names)) {
		folder, _, _ := strings.Cut(filepath.Dir(strings.TrimSpace(name)), "/testdata")
		folders[filepath.Join(root, folder)] = folder != "."
	}
	fields := "-json=ImportPath,Dir,Imports,TestImports,XTestImports"
	list, err := exec.Command("go", "list", fields, "./...").Output()
	if err != nil {
		return fmt.Errorf("go list: %w", err)
	}
	var all []pkg
	for d := json.NewDecoder(strings.NewReader(string(list))); ; {
		var p pkg
		err := d.Decode(&p)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		all = append(all, p)
	}
	reached := distances(all, folders)
	paths := slices.SortedFunc(maps.Keys(reached), func(a, b string) int {
		return cmp.Or(cmp.Compare(reached[a], reached[b]), cmp.Compare(a, b))
	})
	for _, path := range paths {
		if _, err := fmt.Fprintln(out, reached[path], path); err != nil {
			return err
		}
	}
	return nil
}

// distances returns the distance of each package that a change of the folders reaches.
func distances(all []pkg, changed map[string]bool) map[string]int {
	reached := map[string]int{} // leads further
	tested := map[string]int{}
	for _, p := range all {
		if changed[p.Dir] {
			reached[p.ImportPath] = 0
		}
	}
	for n, more := 1, true; more; n++ {
		more = false
		for _, p := range all {
			near := func(path string) bool { d, ok := reached[path]; return ok && d == n-1 }
			if _, ok := reached[p.ImportPath]; ok {
				continue
			}
			if slices.ContainsFunc(p.Imports, near) {
				reached[p.ImportPath], more = n, true
				continue
			}
			_, ok := tested[p.ImportPath]
			if !ok && slices.ContainsFunc(slices.Concat(p.TestImports, p.XTestImports), near) {
				tested[p.ImportPath] = n
			}
		}
	}
	for path, n := range tested {
		if d, ok := reached[path]; !ok || n < d {
			reached[path] = n
		}
	}
	return reached
}
