// Command donothing writes two modules for .ci/donothing to compare, as FOLDER/base and
// FOLDER/head, and prints the package and the benchmark to measure:
//
//	donothing nothing|slow NUMBER FOLDER
//
// Head is base with functions that nobody calls, in files before and behind the others. In
// slow cases, its loop also makes 5 % more rounds. The number selects the module and the
// files.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/build"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// target is a benchmark of a package, in a version of a module of the module proxy.
type target struct{ module, folder, benchmark string }

// loop is the target whose files are below. The others are the work of other people.
var (
	loop    = target{"", ".", "^BenchmarkLoop$"}
	targets = []target{
		{"golang.org/x/text@v0.42.0", "./language", "^BenchmarkParse$"},
		{"golang.org/x/net@v0.62.0", "./html", "^BenchmarkRawLevelTokenizer$"},
		{"github.com/klauspost/compress@v1.20.3", "./fse", "^BenchmarkDecompress$"},
		loop,
	}
)

const (
	loopModule = "module example.com/loop\n\ngo 1.24\n"
	loopCode   = `package loop

//go:noinline
func step(x uint64) uint64 { return x*6364136223846793005 + 1442695040888963407 }

// Work calls step n times.
func Work(n int) (x uint64) {
	for range n {
		x ^= step(x)
	}
	return x
}
`
	loopTest = `package loop

import "testing"

var sink uint64

const rounds = 10000

func BenchmarkLoop(b *testing.B) {
	for b.Loop() {
		sink = Work(rounds)
	}
}
`
	unused = `package %[1]s

//go:noinline
func zkatUnused%[2]d(a, b int) int { return a*b + %[3]d }

var _ = zkatUnused%[2]d(%[3]d, 1)
`
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("donothing: ")
	if err := run(os.Args[1:], os.Stdout); err != nil {
		log.Fatal(err)
	}
}

// run writes both modules. Those of an earlier run are removed.
func run(args []string, out io.Writer) error {
	if len(args) != 3 || args[0] != "nothing" && args[0] != "slow" {
		return errors.New("arguments: nothing|slow NUMBER FOLDER")
	}
	number, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	slow, t := args[0] == "slow", loop
	if !slow {
		t = targets[number%len(targets)]
	}
	head := filepath.Join(args[2], "head")
	for _, module := range []string{filepath.Join(args[2], "base"), head} {
		if err := t.write(module, slow && module == head); err != nil {
			return err
		}
	}
	if err := addUnused(filepath.Join(head, t.folder), number); err != nil {
		return err
	}
	_, err = fmt.Fprintln(out, t.folder, t.benchmark)
	return err
}

// write writes the module to a new folder.
func (t target) write(folder string, slow bool) error {
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	if t != loop {
		module, err := download(t.module)
		if err != nil {
			return err
		}
		return os.CopyFS(folder, os.DirFS(module))
	}
	test := loopTest
	if slow {
		test = strings.Replace(test, "10000", "10500", 1)
	}
	err := os.Mkdir(folder, 0o777)
	for name, text := range map[string]string{"go.mod": loopModule, "a.go": loopCode, "a_test.go": test} {
		err = errors.Join(err, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666))
	}
	return err
}

// download returns the folder of a version in the module cache.
func download(version string) (string, error) {
	text, failed := exec.Command("go", "mod", "download", "-json", version).Output()
	var module struct{ Dir, Error string }
	if err := json.Unmarshal(text, &module); err != nil || module.Dir == "" {
		return "", fmt.Errorf("go mod download %s: %w: %s", version, errors.Join(failed, err), module.Error)
	}
	return module.Dir, nil
}

// addUnused adds one to five files to a package, by the number. The linker orders functions
// by files, so that a file before the others moves them.
func addUnused(folder string, number int) error {
	p, err := build.ImportDir(folder, 0)
	if err != nil {
		return err
	}
	for i := 1; i <= number%5+1; i++ {
		place := "aaa"
		if (number+i)%2 == 1 {
			place = "zzz"
		}
		name := filepath.Join(folder, fmt.Sprintf("%s_zkat%d.go", place, i))
		if err := os.WriteFile(name, fmt.Appendf(nil, unused, p.Name, i, number), 0o666); err != nil {
			return err
		}
	}
	return nil
}
