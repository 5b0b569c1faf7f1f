package main // a program has no exported names

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// crypto is the folder of package crypto.
var crypto = filepath.Join("..", "..", "..", "..")

func TestKernels(t *testing.T) {
	for _, r := range newBook(specifications, crypto).proveAll() {
		t.Run(r.file+" "+r.kernel, func(t *testing.T) {
			if r.err != nil {
				t.Error(r)
			}
		})
	}
}

// inspected are functions that compute nothing, with their text. fetch reads n words at, for n at least
// 1, and prefetches, which cannot fault.
var inspected = map[string]string{
	"fetch": `MOVQ entries+0(FP), DI; MOVQ at+8(FP), SI; MOVQ n+16(FP), CX; MOVQ size+24(FP), DX; loop:; ` +
		`MOVL (SI), AX; SHRL $1, AX; IMULQ DX, AX; ADDQ DI, AX; PREFETCHT0 (AX); PREFETCHT0 -1(AX)(DX*1); ` +
		`ADDQ $4, SI; DECQ CX; JNZ loop; RET`,
	"zeroUpper": "VZEROUPPER; RET",
}

// textOf returns the instructions from a line on, up to RET.
func textOf(lines []string) string {
	var all []string
	for _, line := range lines {
		if words := strings.Fields(line); len(words) > 0 {
			all = append(all, words...)
			all[len(all)-1] += ";"
		}
		if slices.Contains(all, "RET;") {
			break
		}
	}
	return strings.TrimSuffix(strings.Join(all, " "), ";")
}

// TestAllFunctions: each function of each file of assembly is proved, or is part of a proved
// kernel, or was inspected.
func TestAllFunctions(t *testing.T) {
	b, files := newBook(specifications, crypto), 0
	err := filepath.WalkDir(crypto, func(path string, _ os.DirEntry, err error) error {
		if filepath.Ext(path) != ".s" || filepath.Base(filepath.Dir(path)) == "processor" {
			return err
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		files++
		relative, err := filepath.Rel(crypto, path)
		for i, line := range strings.Split(string(raw), "\n") {
			name, isFunction := strings.CutPrefix(line, "TEXT ·")
			name, _, _ = strings.Cut(name, "(SB)")
			if want, isInspected := inspected[name]; !isFunction || isInspected {
				if got := textOf(strings.Split(string(raw), "\n")[i+1:]); isFunction && got != want {
					t.Errorf("%s: %s is %q, which nobody inspected", relative, name, got)
				}
				continue
			}
			// The first instruction is one line below, or two, after PCALIGN.
			file := filepath.ToSlash(relative)
			used := b.sources[file] != nil && len(b.users(file, line, i+2))+len(b.users(file, line, i+3)) > 0
			if !used {
				t.Errorf("%s: %s is not proved", file, name)
			}
		}
		return err
	})
	if err != nil || files < 8 {
		t.Errorf("%d files of assembly: %v", files, err)
	}
}

// TestArguments: the offsets of the specification equal the offsets of the structure in Go.
func TestArguments(t *testing.T) {
	b := newBook(specifications, crypto)
	for _, file := range b.files {
		path := filepath.Join(crypto, strings.TrimSuffix(file, ".s")+".go")
		tree, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		offsets, at := map[int64]string{}, int64(0)
		ast.Inspect(tree, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok || spec.Name.Name != "laneArgs" && spec.Name.Name != "recodeArgs" {
				return true
			}
			for _, f := range spec.Type.(*ast.StructType).Fields.List {
				words := int64(1)
				if array, ok := f.Type.(*ast.ArrayType); ok {
					fmt.Sscan(array.Len.(*ast.BasicLit).Value, &words)
				}
				for _, name := range f.Names {
					if offsets[at] = name.Name; name.Name == "_" {
						delete(offsets, at)
					}
					at += 8 * words
				}
			}
			return false
		})
		if !maps.Equal(offsets, b.arguments[file]) {
			t.Errorf("%s has %v, the specification %v", path, offsets, b.arguments[file])
		}
	}
}

// A mutation changes one line of assembly, or returns "" if it does not apply.
type mutation struct {
	name   string
	change func(line string, next func(n int) int) string
}

var (
	registers  = regexp.MustCompile(`\b[ZK]\d+\b`)
	shifts     = regexp.MustCompile(`VPS(?:RA|RL|LL)Q +\$(0x[0-9a-f]+)`)
	offsets    = regexp.MustCompile(`\b(\d+)\((?:R|[A-D]X|[SD]I)`)
	immediates = regexp.MustCompile(`(?:ADDQ|SUBQ|CMPQ|ANDQ|IMUL3Q|MOVQ) +\$(0x[0-9a-f]+)`)
)

// replaceNumber adds to the number in the first group of a pattern.
func replaceNumber(line string, pattern *regexp.Regexp, add int64) string {
	at := pattern.FindStringSubmatchIndex(line)
	if at == nil {
		return ""
	}
	var v int64
	fmt.Sscan(line[at[2]:at[3]], &v)
	text := fmt.Sprint(v + add)
	if strings.HasPrefix(line[at[2]:at[3]], "0x") {
		text = fmt.Sprintf("0x%x", v+add)
	}
	return line[:at[2]] + text + line[at[3]:]
}

// swapped exchanges two words in a line.
func swapped(line string, pairs ...string) string {
	for i := 0; i < len(pairs); i += 2 {
		if strings.Contains(line, pairs[i]) {
			return strings.Replace(line, pairs[i], pairs[i+1], 1)
		}
	}
	return ""
}

var mutations = []mutation{
	{"drop", func(line string, _ func(int) int) string { return "\tPCALIGN $0x40" }},
	{"carry", func(string, func(int) int) string { return "\tPCALIGN $0x40" }}, // and the next line
	{"operands", func(line string, _ func(int) int) string {
		r := registers.FindAllStringIndex(line, -1)
		if len(r) < 3 || line[r[0][0]:r[0][1]] == line[r[1][0]:r[1][1]] {
			return ""
		}
		a, b := r[1], r[2]
		return line[:a[0]] + line[b[0]:b[1]] + line[a[1]:b[0]] + line[a[0]:a[1]] + line[b[1]:]
	}},
	{"register", func(line string, next func(int) int) string {
		r := registers.FindAllStringIndex(line, -1)
		if len(r) == 0 {
			return ""
		}
		at := r[next(len(r))]
		var n int
		fmt.Sscan(line[at[0]+1:at[1]], &n)
		return fmt.Sprintf("%s%c%d%s", line[:at[0]], line[at[0]], n^1, line[at[1]:])
	}},
	{"shift", func(line string, next func(int) int) string {
		return replaceNumber(line, shifts, int64(2*next(2)-1))
	}},
	{"half", func(line string, _ func(int) int) string { return swapped(line, "LUQ", "HUQ", "HUQ", "LUQ") }},
	{"signed", func(line string, _ func(int) int) string {
		return swapped(line, "VPSRAQ", "VPSRLQ", "VPSRLQ", "VPSRAQ")
	}},
	{"minus", func(line string, _ func(int) int) string {
		return swapped(line, "VPADDQ", "VPSUBQ", "VPSUBQ", "VPADDQ")
	}},
	{"offset", func(line string, next func(int) int) string {
		return replaceNumber(line, offsets, []int64{-64, 64, 8}[next(3)])
	}},
	{"immediate", func(line string, _ func(int) int) string { return replaceNumber(line, immediates, 1) }},
	{"jump", func(line string, _ func(int) int) string {
		return swapped(line, "\tJGE", "\tJG", "\tJG", "\tJGE", "\tJLE", "\tJG", "\tJE", "\tJNZ", "\tJNZ",
			"\tJE")
	}},
	{"constant", func(line string, _ func(int) int) string {
		if !strings.HasPrefix(line, "DATA") {
			return ""
		}
		digits := "1032547698badcfe"
		last := strings.IndexByte("0123456789abcdef", line[len(line)-1])
		return line[:len(line)-1] + digits[last:last+1]
	}},
	{"call", func(line string, _ func(int) int) string {
		return swapped(line, "·carry<>", "·clean<>", "·clean<>", "·carry<>", "·add_", "·sub_", "·sub_",
			"·add_", "·times4", "·times8")
	}},
}

// equivalent are mutants without an effect on the result, by the reason. The mutants of a function
// depend on its text alone. After a change of a function, inspect its new mutants that are proved.
var equivalent = map[string][]string{
	"the register holds the same already, or is set again before it is read": {
		"group/bn254/lanes_amd64.s laneChain+1393 drop",
		"group/bn254/lanes_amd64.s laneSums+34 register",
		"group/bn254/lanes_amd64.s laneJoin+130 drop",
		"group/bls12381/lanes_amd64.s laneJacobianDoubles+46 drop",
	},
	"the value is from 0 to 2^63 - 1, so that both shifts are the same": {
		"group/bn254/lanes_amd64.s laneSums+628 signed",
		"ecdsap256/lanes_amd64.s laneTwistedDoubles+48 signed",
		"ecdsap256/lanes_amd64.s laneStore+182 signed",
		"group/bn254/recode_amd64.s laneRecode+47 signed",
		"group/bls12381/recode_amd64.s laneRecode+147 signed",
	},
	"clean also clears the bits above 52, which may be anything": {
		"group/bn254/lanes_amd64.s laneAffines+49 call",
		"group/bn254/lanes_amd64.s laneChainProducts+47 call",
		"group/bls12381/lanes_amd64.s laneAffines+49 call",
		"group/bls12381/lanes_amd64.s laneChainProducts+47 call",
	},
	"a factor is 0: a limb of a constant, or a quotient below 1": {
		"group/bls12381/recode_amd64.s laneRecode+219 operands",
		"group/bls12381/recode_amd64.s laneRecode+297 half",
	},
	"the limb of the multiple of p is 0": {"ecdsap256/lanes_amd64.s add_constant<>+2 drop"},
}

// everyNth is how many lines have one mutant. All together are more than 300.
const everyNth = 40

// site is a line that belongs to a proof.
type site struct {
	file, function string
	number, line   int // in the function, and in the file
	users          []*kernelSpec
}

func (s site) String() string { return fmt.Sprintf("%s %s+%d", s.file, s.function, s.number) }

// TestMutants changes one line at a time, and expects that the kernels with that line are not
// proved any longer.
func TestMutants(t *testing.T) {
	b, total, seen := newBook(specifications, crypto), 0, 0
	reasons := map[string]string{}
	for reason, keys := range equivalent {
		for _, key := range keys {
			reasons[key] = reason
		}
	}
	for _, file := range b.files {
		text, err := os.ReadFile(filepath.Join(crypto, file))
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(string(text), "\n")
		for _, sites := range b.sites(file, lines) {
			h := fnv.New64a()
			h.Write([]byte(sites[0].function))
			random := rand.New(rand.NewPCG(67, h.Sum64()))
			for range 1 + len(sites)/everyNth {
				key, refused, changed := b.mutate(lines, sites, random)
				if reasons[key] != "" {
					seen++
				}
				if total++; refused == (reasons[key] != "") {
					t.Errorf("%q, // refused: %v %s", key, refused, changed)
				}
			}
		}
	}
	t.Logf("%d mutants, %d of them equivalent", total, seen)
	if seen != len(reasons) {
		t.Errorf("%d of %d equivalent mutants were tried", seen, len(reasons))
	}
	if total < 300 {
		t.Errorf("%d mutants are too few", total)
	}
}

// sites returns the lines that may be changed, by function. Constants belong to the function
// before.
func (b *book) sites(file string, lines []string) (functions [][]site) {
	name := ""
	for i, line := range lines {
		if m := textLine.FindStringSubmatch(line); m != nil {
			name, functions = m[1], append(functions, nil)
		}
		isCode := strings.HasPrefix(line, "\t") && !strings.HasPrefix(line, "\t//") &&
			!strings.Contains(line, "PCALIGN")
		if n := len(functions) - 1; n >= 0 && (isCode || dataLine.MatchString(line)) {
			if used := b.users(file, line, i+1); len(used) > 0 {
				functions[n] = append(functions[n], site{file, name, len(functions[n]), i, used})
			}
		}
	}
	return slices.DeleteFunc(functions, func(f []site) bool { return len(f) == 0 })
}

// mutate tries a mutation of one site.
func (b *book) mutate(lines []string, sites []site, random *rand.Rand) (key string, refused bool,
	changed string) {
	for {
		s, m := sites[random.IntN(len(sites))], mutations[random.IntN(len(mutations))]
		changed = m.change(lines[s.line], random.IntN)
		isCarry := strings.Contains(lines[s.line], "$0x34") && strings.Contains(lines[s.line+1], "VPADDQ")
		if changed == "" || changed == lines[s.line] || m.name == "carry" && !isCarry {
			continue
		}
		mutant := slices.Clone(lines)
		mutant[s.line] = changed
		if m.name == "carry" {
			mutant[s.line+1] = changed
		}
		refused = b.refuses(s.file, strings.Join(mutant, "\n"), s.users)
		return s.String() + " " + m.name, refused, lines[s.line] + " -> " + changed
	}
}

// users returns the kernels that a line belongs to, directly or by calls.
func (b *book) users(file, text string, line int) (used []*kernelSpec) {
	constant := ""
	if m := dataLine.FindStringSubmatch(text); m != nil {
		constant = m[1]
	}
	for _, k := range b.kernels {
		for _, f := range k.files {
			if f == file && b.sources[file].reaches(k.name, line, constant, map[string]bool{}) {
				used = append(used, k)
			}
		}
	}
	return used
}

// reaches reports whether a function has a line or uses a constant.
func (s *source) reaches(name string, line int, constant string, seen map[string]bool) bool {
	f := s.functions[name]
	if f == nil || seen[name] {
		return false
	}
	seen[name] = true
	for _, in := range f.body {
		if in.line == line {
			return true
		}
		for _, o := range in.operands {
			if o.kind != symbol {
				continue
			}
			if o.name == constant || s.reaches(o.name+"<>", line, constant, seen) {
				return true
			}
		}
	}
	return false
}

// refuses reports whether one of some kernels is not proved.
func (b *book) refuses(file, text string, used []*kernelSpec) bool {
	var s *source
	if err := try(func() { s = parseFile(file, text) }); err != nil {
		return true
	}
	mutant := &book{b.spec, map[string]*source{file: s}}
	for _, k := range used {
		if mutant.prove(k, file).err != nil {
			return true
		}
	}
	return false
}

// TestMargins raises bounds without a margin by one.
func TestMargins(t *testing.T) {
	for _, c := range []struct{ name, kernel, old, new string }{
		{"ax may be too large to subtract", "laneProducts", "ax bx: plane clean room*p",
			"ax bx: plane clean room*p+1"},
		{"a denominator is smaller", "laneProducts", "factor 2*room*p", "factor 2*room*p-1"},
		{"a point with more than its room", "laneScale", "-> clean room*p", "-> clean p"},
		{"an entry that is larger than p", "laneGather", "clean p-1", "clean p+1"},
		{"an entry that is not negated", "laneGather", "y' = sign*v", "y' = v"},
		{"a reference's other sign", "laneGather", "y' = sign*v", "y' = 0 - sign*v"},
		{"x and y exchanged", "laneStore", "u' = x", "u' = y"},
		{"a second half without the endomorphism", "laneRecode", "lambda*(2", "(2"},
		{"a scalar as if it was not in Montgomery form", "laneRecode", "= k", "= 2*k"},
		{"a smaller entry", "laneStore", "-> clean p-1", "-> clean p-2"},
		{"z is not below p", "laneJacobianDoubles", "az: plane factor room*p -> factor room*p",
			"az: plane factor room*p -> factor p"},
	} {
		t.Run(c.name, func(t *testing.T) { refusesSpec(t, c.kernel, c.old, c.new) })
	}
}

// refusesSpec changes the specification of a kernel in all files.
func refusesSpec(t *testing.T, kernel, old, new string) {
	t.Helper()
	head, rest, found := strings.Cut(specifications, "kernel "+kernel)
	changed := head + "kernel " + kernel + strings.Replace(rest, old, new, 1)
	if !found || changed == specifications {
		t.Fatal("the specification has no such text")
	}
	b := newBook(changed, crypto)
	for _, k := range b.kernels {
		if k.name == kernel {
			for _, file := range k.files {
				if b.prove(k, file).err == nil {
					t.Errorf("%s of %s is proved", kernel, file)
				}
			}
			return
		}
	}
}

// TestRoots: lambda is a cube root of 1, and the constant of the endomorphism in Go.
func TestRoots(t *testing.T) {
	b := newBook(specifications, crypto)
	for _, c := range []struct{ field, file string }{
		{"bn254scalars", "group/bn254/curve.go"}, {"bls12381scalars", "group/bls12381/curve.go"},
	} {
		f := b.fields[c.field]
		l := f.constants["lambda"]
		if v := plus(times(l, l), plus(l, num(1))); v.Mod(v, f.p).Sign() != 0 {
			t.Errorf("lambda of %s is not a cube root of 1", c.field)
		}
		text, err := os.ReadFile(filepath.Join(crypto, c.file))
		if err != nil || !strings.Contains(string(text), `"`+l.String()+`"`) {
			t.Errorf("%s does not have %v: %v", c.file, l, err)
		}
	}
}

// TestSigns changes each sign of each equation.
func TestSigns(t *testing.T) {
	lines := strings.Split(specifications, "\n")
	kernel := -1
	for i, line := range lines {
		if strings.HasPrefix(line, "kernel ") {
			kernel++
		}
		if !strings.HasPrefix(line, "\t") || !strings.Contains(line, "=") {
			continue
		}
		for at, c := range line {
			other := map[rune]string{'+': "-", '-': "+"}[c]
			if other == "" {
				continue
			}
			t.Run(fmt.Sprint(i+1, " ", at), func(t *testing.T) {
				changed := slices.Clone(lines)
				changed[i] = line[:at] + other + line[at+1:]
				b := newBook(strings.Join(changed, "\n"), crypto)
				k := b.kernels[kernel]
				if r := b.prove(k, k.files[0]); r.err == nil {
					t.Errorf("%q is proved", changed[i])
				}
			})
		}
	}
}

// TestUnknown: lines that the parser does not know are refused with file and line.
func TestUnknown(t *testing.T) {
	for _, line := range []string{
		"VPMULLQ Z0, Z1, Z2", "VPADDQ Z0, Z1", "VPADDQ Z0, Z1, Z32", "VPADDQ Y0, Y1, Y2",
		"VPADDQ.Z Z0, Z1, K1, Z2",
		"VPADDQ.BCST (R8)(BX*8), Z1, Z2", "MOVQ AX, BP", "MOVQ AX, 8(SP)", "JMP AX", "CALL AX", "JC loop",
		"VPERMQ $1, Z0, Z1",
	} {
		t.Run(line, func(t *testing.T) {
			text := "TEXT ·f(SB), NOSPLIT, $0-8\n\tPCALIGN $0x40\n\t" + line + "\n\tRET\n"
			err := try(func() { parseFile("file.s", text) })
			if err == nil || !strings.HasPrefix(err.Error(), "file.s:3: ") {
				t.Error(err)
			}
		})
	}
}
