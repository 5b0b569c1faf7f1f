// Command check verifies the certificates of prove. It shares no code with it, and works the
// other way round: each instruction is one equation for one new unknown, and a number is bounded
// and reduced modulo p by eliminating the unknowns from the last to the first. It executes kernels
// for given numbers of elements, from the first instruction to the last, follows one lane, and
// compares all of memory with the specification.
package main

import (
	"crypto/sha512"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"strings"
)

// certificate has bounds of the numbers that a kernel multiplies, by the lines of the calls and of
// the instruction that multiplies first.
type certificate map[string][2]*big.Int

func main() {
	err := errors.New("usage: check CERTIFICATES")
	if len(os.Args) == 2 {
		err = check(filepath.Join("..", "..", ".."), filepath.Join("prove", "spec.txt"), os.Args[1])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "check:", err)
		os.Exit(1)
	}
	fmt.Println("all certificates hold")
}

func fail(format string, args ...any) { panic(fmt.Errorf(format, args...)) }

func read(path string) string {
	raw, err := os.ReadFile(path)
	if err != nil {
		fail("%v", err)
	}
	return string(raw)
}

// elements are the numbers of elements that kernels are executed for: one to five blocks, full or
// not. Loops that do the same for all other numbers are the business of prove.
var elements = []int64{1, 15, 24, 8, 16, 17, 33}

// check verifies the certificates of all kernels of the specification.
func check(crypto, specification, certificates string) (err error) {
	at := certificates
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%s: %v", at, r)
		}
	}()
	var given map[string]certificate
	if err := json.Unmarshal([]byte(read(certificates)), &given); err != nil {
		return err
	}
	for _, k := range readKernels(read(specification)) {
		at = k.file + " " + k.name
		c := given[at]
		if c == nil {
			fail("no certificate")
		}
		t := parse(read(filepath.Join(crypto, k.file)))
		for _, n := range elements {
			for lane := range int64(8) {
				at = fmt.Sprintf("%s %s, lane %d of %d elements", k.file, k.name, lane, n)
				if k.hasParameters || lane%7 == 0 { // the first and the last do, unless words move
					newRun(k, t, c, n, lane).all()
				}
			}
		}
	}
	return nil
}

// text is a file of assembly: instructions of all functions in one list.
type text struct {
	code   []line
	labels map[string]int   // by function and label
	words  map[string]int64 // constants, by name and offset
	hash   [64]byte
}

// line is an instruction and its operands, as they are written.
type line struct {
	op, function string
	args         []string
	number       int
}

func parse(assembly string) *text {
	t, function := &text{labels: map[string]int{}, words: map[string]int64{}}, ""
	t.hash = sha512.Sum512([]byte(assembly))
	for i, l := range strings.Split(assembly, "\n") {
		l, _, _ = strings.Cut(l, "//")
		switch f := strings.Fields(strings.ReplaceAll(l, ",", " ")); {
		case len(f) == 0 || f[0] == "#include" || f[0] == "GLOBL":
		case f[0] == "TEXT":
			function = f[1]
			t.labels[function] = len(t.code)
		case f[0] == "DATA":
			t.words[strings.TrimSuffix(f[1], "/8")] = integer(f[2])
		case strings.HasSuffix(f[0], ":"):
			t.labels[function+f[0]] = len(t.code)
		default:
			t.code = append(t.code, line{op: f[0], function: function, args: f[1:], number: i + 1})
		}
	}
	return t
}

// number reads a number of any size.
func number(s string) *big.Int {
	v, ok := new(big.Int).SetString(strings.TrimPrefix(s, "$"), 0)
	if !ok {
		fail("%q is not a number", s)
	}
	return v
}

// integer reads an immediate of 64 bits.
func integer(s string) int64 {
	v := number(s)
	if v.BitLen() > 64 {
		fail("%q has more than 64 bits", s)
	}
	return int64(new(big.Int).And(v, below(64)).Uint64())
}
