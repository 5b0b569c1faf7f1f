package limb // multWrapping is private: generated code is compared with the interpreter

import (
	"bytes"
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/scheme/p256/field/g10x26"
	"github.com/zkatbench/zkatbench/scheme/p256/field/g10x28"
	"github.com/zkatbench/zkatbench/scheme/p256/field/g9x29"
	"github.com/zkatbench/zkatbench/scheme/p256/field/g9x29once"
	"github.com/zkatbench/zkatbench/scheme/p256/field/g9x29top"
	"github.com/zkatbench/zkatbench/scheme/p256/field/g9x29unsafe"
)

// element is the method set of generated packages.
type element[E any] interface {
	*E
	Mul(x, y *E)
	Square(x *E)
	Add(x, y *E)
	Sub(x, y *E)
	Neg(x *E)
	Reduce()
	FromBytes(b []byte) error
	Bytes() [32]byte
	Equal(x *E) bool
}

// generated is a generated package as functions on limbs.
type generated struct {
	Setting
	safe                bool
	mul, add, sub       func(a, b []int64) []int64
	square, neg, reduce func(a []int64) []int64
	fromBytes           func(b []byte) ([]int64, error)
	bytes               func(a []int64) [32]byte
	equal               func(a, b []int64) bool
}

// of returns the package of E, with the setting that it was generated for.
func of[E ~[9]int64 | ~[10]int64, F element[E]](bits, passes, maxAdds, maxSum int) generated {
	in := func(l []int64) *E {
		e := new(E)
		for i := range len(*e) {
			(*e)[i] = l[i]
		}
		return e
	}
	out := func(e *E) (l []int64) {
		for i := range len(*e) {
			l = append(l, (*e)[i])
		}
		return l
	}
	g := generated{safe: true, Setting: Setting{Geometry: Geometry{p256, bits, len(*new(E)), 64},
		MaxAdds: maxAdds, Passes: passes}}
	if maxSum != g.maxSum() {
		panic(fmt.Sprint("MaxSum of ", g.Name()))
	}
	binary := func(f func(z F, x, y *E)) func(a, b []int64) []int64 {
		return func(a, b []int64) []int64 { z := new(E); f(z, in(a), in(b)); return out(z) }
	}
	unary := func(f func(z F, x *E)) func(a []int64) []int64 {
		return func(a []int64) []int64 { z := new(E); f(z, in(a)); return out(z) }
	}
	g.mul, g.add, g.sub = binary(F.Mul), binary(F.Add), binary(F.Sub)
	g.square, g.neg = unary(F.Square), unary(F.Neg)
	g.reduce = func(a []int64) []int64 { z := in(a); F(z).Reduce(); return out(z) }
	g.fromBytes = func(b []byte) ([]int64, error) {
		z := new(E)
		err := F(z).FromBytes(b)
		return out(z), err
	}
	g.bytes = func(a []int64) [32]byte { return F(in(a)).Bytes() }
	g.equal = func(a, b []int64) bool { return F(in(a)).Equal(in(b)) }
	return g
}

// fields returns all generated packages.
func fields() []generated {
	top := of[g9x29top.Element](29, 1, g9x29top.MaxAdds, g9x29top.MaxSum)
	top.ExtraTop = true
	unsafe := of[g9x29unsafe.Element](29, 1, g9x29unsafe.MaxAdds, g9x29unsafe.MaxSum)
	unsafe.safe = false
	return []generated{
		of[g10x26.Element](26, 1, g10x26.MaxAdds, g10x26.MaxSum),
		of[g10x28.Element](28, 2, g10x28.MaxAdds, g10x28.MaxSum),
		of[g9x29.Element](29, 2, g9x29.MaxAdds, g9x29.MaxSum),
		of[g9x29once.Element](29, 1, g9x29once.MaxAdds, g9x29once.MaxSum),
		top, unsafe,
	}
}

// name says which setting it is.
func (g generated) name() string { return fmt.Sprintf("%s, %v", g.Name(), g.Setting) }

// proved returns the proof of the setting.
func (g generated) proved(t *testing.T) *Result {
	t.Helper()
	r, err := Headroom(context.Background(), g.Setting, Search{Pairs: 1})
	require.NoError(t, err)
	require.Equal(t, g.safe, r.Verdict == ProvedSafe, g.name())
	return r
}

// TestGeneratedCodeIsTheProgram compares generated code with the interpreter on any limbs,
// also where they overflow.
func TestGeneratedCodeIsTheProgram(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	for _, g := range fields() {
		mult, square, small := g.mult(), g.Setting.square(), g.small()
		for i := range nightly.Pick(500, 2000, 2000) {
			a, b := make([]int64, g.Limbs), make([]int64, g.Limbs)
			for k := range a {
				shift := uint(rng.IntN(64))
				a[k], b[k] = int64(rng.Uint64())>>shift, int64(rng.Uint64())>>shift
			}
			if i%2 == 0 { // limbs of values
				a, b = g.doubled(g.decode(g.random(rng))), g.doubled(g.decode(g.random(rng)))
			}
			require.Equal(t, g.multWrapping(mult, a, b), g.mul(a, b), g.name())
			require.Equal(t, g.multWrapping(square, a, nil), g.square(a), g.name())
			require.Equal(t, g.smallWrapping(small, a), g.reduce(a), g.name())
		}
	}
}

// random returns an integer from 0 to p − 1 that has runs of ones and zeros more
// often than uniform ones do.
func (g generated) random(rng *rand.Rand) *big.Int {
	v := new(big.Int)
	for v.BitLen() < 256 {
		run := uint(1 + rng.IntN(40))
		v.Lsh(v, run)
		switch rng.IntN(3) {
		case 0:
			v.Add(v, new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), run), big.NewInt(1)))
		case 1:
			v.Add(v, big.NewInt(rng.Int64N(1<<run)))
		default:
			v.Add(v, big.NewInt(1))
		}
	}
	return v.Mod(v, p256.P())
}

// edges are values where carries and reductions change their course.
func edges() []*big.Int {
	p := p256.P()
	return []*big.Int{
		big.NewInt(0), big.NewInt(1), big.NewInt(2), new(big.Int).Sub(p, big.NewInt(1)),
		new(big.Int).Sub(p, big.NewInt(2)),
		new(big.Int).Rsh(p, 1),
		new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 256), new(big.Int).Add(p, big.NewInt(1))),
		new(big.Int).Lsh(big.NewInt(1), 255), new(big.Int).Lsh(big.NewInt(1), 224),
		new(big.Int).Lsh(big.NewInt(1), 96),
	}
}

// TestRandomWalks does random operations under the counting rule, on random values and
// edges, and compares every value with math/big and with the proved bounds.
func TestRandomWalks(t *testing.T) {
	p := p256.P()
	steps := nightly.Pick(5000, 30_000, 100_000)
	for _, g := range fields() {
		if !g.safe {
			continue
		}
		proof, rng := g.proved(t).Proof, rand.New(rand.NewPCG(13, uint64(g.Bits)))
		w := walk{g, rng, make([]walker, 6)}
		for i := range w.at {
			v := g.random(rng)
			w.at[i] = walker{g.decode(v), v, 0}
		}
		for i := range steps {
			if i%5 == 0 {
				v := slices.Concat(edges(), []*big.Int{g.random(rng)})[rng.IntN(len(edges())+1)]
				w.at[rng.IntN(len(w.at))] = walker{g.decode(v), v, 0}
			}
			x := w.step()
			x.value.Mod(x.value, p)
			if got := g.bytes(x.limbs); !bytes.Equal(got[:], x.value.FillBytes(make([]byte, 32))) {
				t.Fatalf("%s: limbs %v with count %d are not 0x%x", g.name(), x.limbs, x.count, x.value)
			}
			for i, l := range x.limbs {
				lo, hi := proof.Invariant[i][0], proof.Invariant[i][1]
				if m := max(-lo, hi) << x.count; l > m || l < -m {
					t.Fatalf("%s: limb %d of %v with count %d is outside the proved bounds", g.name(), i,
						x.limbs, x.count)
				}
			}
		}
	}
}

// walker is a value with its limbs and its addition count.
type walker struct {
	limbs []int64
	value *big.Int
	count int
}

// walk holds values that operations go on from.
type walk struct {
	generated
	rng *rand.Rand
	at  []walker
}

// operand returns a random value with a count of at most limit: larger ones are
// reduced in place.
func (w *walk) operand(limit int) *walker {
	x := &w.at[w.rng.IntN(len(w.at))]
	if x.count > limit {
		x.limbs, x.count = w.reduce(x.limbs), 0
	}
	return x
}

// step replaces a random value by the result of a random operation.
func (w *walk) step() *walker {
	z := walker{value: new(big.Int)}
	switch w.rng.IntN(6) {
	case 0:
		x, y := w.operand(w.MaxAdds), w.operand(w.MaxAdds)
		z.limbs = w.mul(x.limbs, y.limbs)
		z.value.Mul(x.value, y.value)
	case 1:
		x := w.operand(w.MaxAdds)
		z.limbs = w.square(x.limbs)
		z.value.Mul(x.value, x.value)
	case 2:
		x, y := w.operand(w.maxSum()), w.operand(w.maxSum())
		z = walker{w.add(x.limbs, y.limbs), z.value.Add(x.value, y.value), max(x.count, y.count) + 1}
	case 3:
		x, y := w.operand(w.maxSum()), w.operand(w.maxSum())
		z = walker{w.sub(x.limbs, y.limbs), z.value.Sub(x.value, y.value), max(x.count, y.count) + 1}
	case 4:
		x := w.operand(w.maxSum())
		z = walker{w.neg(x.limbs), z.value.Neg(x.value), x.count + 1}
	default:
		x := w.operand(w.maxSum() + 1)
		z = walker{w.reduce(x.limbs), z.value.Set(x.value), 0}
	}
	x := &w.at[w.rng.IntN(len(w.at))]
	*x = z
	return x
}

// TestBytesOfUnreducedValues encodes limbs at the ends of the allowed range.
func TestBytesOfUnreducedValues(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 17))
	for _, g := range fields() {
		if !g.safe {
			continue
		}
		proof := g.proved(t).Proof
		for range nightly.Pick(500, 20_000, 20_000) {
			l := make([]int64, g.Limbs)
			for i := range l {
				m := max(-proof.Invariant[i][0], proof.Invariant[i][1]) << (g.maxSum() + 1)
				l[i] = []int64{-m, m, 0, rng.Int64N(2*m+1) - m}[rng.IntN(4)]
			}
			want := g.Value(l)
			want.Mod(want, p256.P())
			got := g.bytes(l)
			require.Equal(t, want.FillBytes(make([]byte, 32)), got[:], "%s: %v", g.name(), l)
			require.True(t, g.equal(l, g.decode(want)))
		}
	}
}

// FuzzFromBytes requires one encoding for each number below p, and an error for all other bytes.
func FuzzFromBytes(f *testing.F) {
	p := p256.P()
	for _, v := range append(edges(), p, new(big.Int).Add(p, big.NewInt(1))) {
		f.Add(v.FillBytes(make([]byte, 32)))
	}
	for _, b := range [][]byte{nil, make([]byte, 31), make([]byte, 33), bytes.Repeat([]byte{0xff}, 32)} {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		v := new(big.Int).SetBytes(b)
		for _, g := range fields() {
			l, err := g.fromBytes(b)
			if len(b) != 32 || v.Cmp(p) >= 0 {
				require.ErrorContains(t, err, "not 32 bytes of a number below p", g.name())
				continue
			}
			require.NoError(t, err)
			require.Equal(t, g.decode(v), l, g.name())
			again := g.bytes(l)
			require.Equal(t, b, again[:], g.name())
		}
	})
}

// TestFilesAreGenerated writes each file of package field again.
func TestFilesAreGenerated(t *testing.T) {
	names, err := filepath.Glob("../field/*/field.go")
	require.NoError(t, err)
	require.Len(t, names, len(fields()))
	for _, g := range fields() {
		r, found := g.proved(t), 0
		for _, name := range names {
			want, err := os.ReadFile(name)
			require.NoError(t, err)
			first, _, _ := strings.Cut(string(want), "\n")
			command := strings.TrimSuffix(strings.TrimPrefix(first, "// Code generated by "),
				". DO NOT EDIT.")
			code, err := Generate(Source{Package: filepath.Base(filepath.Dir(name)), Command: command,
				Proved: r, Unsafe: !g.safe})
			require.NoError(t, err)
			if string(code) == string(want) {
				found++
			}
		}
		require.Equal(t, 1, found, g.name())
	}
}

// TestUnprovedSettingsAreRefused shows both reasons, and that Unsafe says so in
// the package comment.
func TestUnprovedSettingsAreRefused(t *testing.T) {
	for adds, reason := range map[int]string{
		1: "9 limbs of 29 bits, maxAdds 1: unknown: column 16 can reach 9502248519916340644; -unsafe " +
			"generates it for timing only",
		2: "9 limbs of 29 bits, maxAdds 2: witness a = 0x",
	} {
		g, err := NewGeometry(p256, 29, 9)
		require.NoError(t, err)
		r, err := Headroom(context.Background(), Setting{Geometry: g, MaxAdds: adds, Passes: 1},
			Search{Seed: 1, Pairs: 1000})
		require.NoError(t, err)
		_, err = Generate(Source{Package: "p", Proved: r})
		var unproved *UnprovedError
		require.ErrorAs(t, err, &unproved)
		require.ErrorContains(t, err, reason)
		if w := r.Witness; w != nil {
			require.EqualError(t, err,
				fmt.Sprintf("9 limbs of 29 bits, maxAdds 2: witness a = 0x%x b = 0x%x; -unsafe generates "+
					"it for timing only", r.Value(w.A), r.Value(w.B)))
		}
		code, err := Generate(Source{Package: "p", Proved: r, Unsafe: true})
		require.NoError(t, err)
		require.Contains(t, string(code), "NOT PROVED, FOR TIMING ONLY")
	}
}

// TestOnlyTestsImportUnprovedCode holds that no program links the unproved field.
func TestOnlyTestsImportUnprovedCode(t *testing.T) {
	const module = "github.com/zkatbench/zkatbench/"
	cmd := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./...")
	cmd.Dir = "../../.."
	out, err := cmd.Output()
	require.NoError(t, err)
	var users []string
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		if slices.Contains(fields[1:], module+"scheme/p256/field/g9x29unsafe") {
			users = append(users, strings.TrimPrefix(fields[0], module))
		}
	}
	require.Empty(t, users)
}
