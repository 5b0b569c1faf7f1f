// Command generate writes package bls12381 from package bn254: the same code
// over other fields. curve.go and its test are written by hand in each, as are the
// files of one curve alone, such as the example, and internal/kernels writes the assembly.
package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	if err := run("../bn254", "."); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

// run writes the files that package bls12381 in folder to has in common with
// package bn254 in folder from.
func run(from, to string) error {
	files, err := generate(from)
	if err != nil {
		return err
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(to, name), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// generate returns the generated files by name.
func generate(from string) (map[string][]byte, error) {
	paths, err := filepath.Glob(filepath.Join(from, "*"))
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, path := range paths {
		name := filepath.Base(path)
		if !isCommon(name) {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		files[name] = translate(name, text)
	}
	return files, nil
}

// isCommon reports whether the file is one for both curves.
func isCommon(name string) bool {
	code := strings.HasSuffix(name, ".go") || strings.HasSuffix(name, ".s")
	own := []string{"curve.go", "curve_test.go", "cost_test.go", "example_test.go",
		"lanes_amd64.s", "recode_amd64.s"}
	return code && !slices.Contains(own, name)
}

// header begins the generated files.
const header = "// Code generated from bn254/"

func translate(name string, text []byte) []byte {
	text = bytes.ReplaceAll(text, []byte("ecc/bn254"), []byte("ecc/bls12-381"))
	text = bytes.ReplaceAll(text, []byte("bn254"), []byte("bls12381"))
	return append([]byte(header+name+" by bls12381/generate. DO NOT EDIT.\n\n"), text...)
}
