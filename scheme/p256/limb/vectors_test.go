package limb // multWrapping is private: known products are of limbs, and some are wrong

import (
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var vectorDir = flag.String("vectors", "",
	"directory of further files of products, in the form of testdata/limb-products.json")

// hexInt reads "0x…" and decimal JSON strings.
type hexInt struct{ Int *big.Int }

func (h *hexInt) UnmarshalText(text []byte) error {
	v, ok := new(big.Int).SetString(string(text), 0)
	if !ok {
		return fmt.Errorf("%q is not a number", text)
	}
	h.Int = v
	return nil
}

type productFile struct {
	P     hexInt
	Terms [][2]int64 // exponent, coefficient of p
	Cases []productCase
}

type productCase struct {
	Bits, Limbs, Passes int
	A, B                hexInt
	AName               string `json:"a_name"`
	BName               string `json:"b_name"`
	Times               int64
	ALimbs              []int64 `json:"a_limbs"`
	BLimbs              []int64 `json:"b_limbs"`
	OutLimbs            []int64 `json:"out_limbs"`
	Right               bool
}

// modulus returns the modulus of the file's terms, which must give its p.
func (f productFile) modulus(t *testing.T) Modulus {
	text := ""
	for i, term := range f.Terms {
		if i == 0 {
			text = fmt.Sprintf("2^%d", f.P.Int.BitLen())
		}
		text += fmt.Sprintf("%+d*2^%d", term[1], term[0])
	}
	m, err := ParseModulus(text)
	require.NoError(t, err)
	require.Equal(t, f.P.Int, m.P(), "the terms of the file are not its p")
	return m
}

func loadProducts(t *testing.T, path string) productFile {
	t.Helper()
	raw, err := os.ReadFile(path)
	require.NoError(t, err)
	var f productFile
	require.NoError(t, json.Unmarshal(raw, &f), path)
	require.NotEmpty(t, f.Cases, path)
	return f
}

func times(l []int64, k int64) []int64 {
	out := make([]int64, len(l))
	for i, x := range l {
		out[i] = k * x
	}
	return out
}

// TestVectorsOfProducts reproduces products in wrapping arithmetic to the bit.
func TestVectorsOfProducts(t *testing.T) {
	files := []string{"testdata/limb-products.json"}
	if *vectorDir != "" {
		more, err := filepath.Glob(filepath.Join(*vectorDir, "*.json"))
		require.NoError(t, err)
		require.NotEmpty(t, more, "-vectors: no .json files in %s", *vectorDir)
		files = append(files, more...)
	}
	for _, path := range files {
		f := loadProducts(t, path)
		m, wrong := f.modulus(t), 0
		for i, c := range f.Cases {
			g, err := NewGeometry(m, c.Bits, c.Limbs)
			require.NoError(t, err)
			program := Setting{Geometry: g, Passes: c.Passes}
			name := fmt.Sprintf("%s %d: %s, %d passes, %s times %s, factor %d", path, i, g.Name(), c.Passes,
				c.AName, c.BName, c.Times)
			require.Equal(t, c.ALimbs, g.decode(c.A.Int), name)
			require.Equal(t, c.BLimbs, g.decode(c.B.Int), name)
			a, b := times(c.ALimbs, c.Times), times(c.BLimbs, c.Times)
			out := g.multWrapping(program.mult(), a, b)
			require.Equal(t, c.OutLimbs, out, name)
			if c.A.Int.Cmp(c.B.Int) == 0 {
				require.Equal(t, c.OutLimbs, g.multWrapping(program.square(), a, nil), "square: "+name)
			}
			want := new(big.Int).Mul(g.Value(a), g.Value(b))
			right := want.Sub(want, g.Value(out)).Mod(want, m.P()).Sign() == 0
			require.Equal(t, c.Right, right, name)
			if !right {
				wrong++
			}
		}
		t.Logf("%s: %d products, %d of them wrong in 64 bits", path, len(f.Cases), wrong)
	}
	require.Len(t, loadProducts(t, files[0]).Cases, 376)
}

type verdictCase struct {
	Bits, Limbs, Passes int
	MaxAdds             int `json:"max_adds"`
	Verdict             string
	TopLimb             int64 `json:"top_limb"`
	Peak                json.Number
	Where               string
	FirstBoundOver      string `json:"first_bound_over"`
	Bound               string
	Witness             *struct{ A, B hexInt }
}

type headroomFile struct {
	C8           hexInt
	C8Bits       int    `json:"c8_bits"`
	C8Low        hexInt `json:"c8_mod_2_64"`
	C8AsInt64    int64  `json:"c8_as_int64"`
	I1x7, I0x8   hexInt
	TrueDoubled  hexInt        `json:"true_doubled_limb"`
	C8True       hexInt        `json:"c8_true"`
	VerdictCases []verdictCase `json:"verdicts"`
}

func loadHeadroom(t *testing.T) (f headroomFile) {
	t.Helper()
	raw, err := os.ReadFile("testdata/headroom.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(raw, &f))
	require.Len(t, f.VerdictCases, 36)
	return f
}

func (v verdictCase) setting(t *testing.T) Setting {
	t.Helper()
	g, err := NewGeometry(p256, v.Bits, v.Limbs)
	require.NoError(t, err)
	return Setting{Geometry: g, MaxAdds: v.MaxAdds, Passes: v.Passes}
}

// TestVectorsOfVerdicts holds verdicts, bounds and places to the vectors, and
// shows that both their witnesses and ours are real.
func TestVectorsOfVerdicts(t *testing.T) {
	for _, v := range loadHeadroom(t).VerdictCases {
		s := v.setting(t)
		t.Run(fmt.Sprintf("%s/passes=%d/adds=%d", s.Name(), v.Passes, v.MaxAdds), func(t *testing.T) {
			r, err := Headroom(t.Context(), s, Search{Seed: 1, Pairs: 5000})
			require.NoError(t, err)
			require.Equal(t, v.Verdict, r.Verdict.String())
			report := r.String()
			require.Contains(t, report, "verdict: "+v.Verdict+"\n")
			require.Equal(t, r.Verdict == Unknown, strings.Contains(report, "search: "))
			require.Equal(t, r.Verdict == HasWitness, strings.Contains(report, "witness: a = 0x"))
			if r.Verdict == ProvedSafe {
				require.Equal(t, v.Peak.String(), r.Peak.Size.String())
				peak, err := v.Peak.Float64()
				require.NoError(t, err)
				require.Contains(t, report, fmt.Sprintf("bounds: %s reaches %v, 2^63 is %.4g times as much\n",
					v.Where, v.Peak, math.Exp2(63)/peak))
				top := r.Proof.Invariant[v.Limbs-1]
				require.Equal(t, v.TopLimb, max(-top[0], top[1]))
				require.Contains(t, report,
					fmt.Sprintf("the top limb of a result is from %d to %d\n", top[0], top[1]))
				return
			}
			require.Contains(t, report, "bounds: "+v.FirstBoundOver+" reaches "+v.Bound+" > 2^63 - 1\n")
			if r.Verdict == HasWitness {
				require.True(t, r.Witness.holds(s))
				theirs := Witness{s.decode(v.Witness.A.Int), s.decode(v.Witness.B.Int)}
				require.True(t, theirs.holds(s))
			}
		})
	}
}

// TestVectorsOfThread recomputes the figures of the review thread.
func TestVectorsOfThread(t *testing.T) {
	f, got := loadHeadroom(t), ReviewThread()
	require.Equal(t, f.C8.Int, got.C8)
	require.Equal(t, f.C8Bits, got.C8.BitLen())
	require.Equal(t, f.C8Low.Int, got.Low)
	require.Equal(t, f.C8AsInt64, got.AsInt64)
	require.Equal(t, f.C8.Int, new(big.Int).Add(f.I1x7.Int, f.I0x8.Int))
	require.Equal(t, "thread: c8 = 0x1C3FFFFF7F8000009, 65 bits: does not fit 64\n"+
		"thread: 0xC3FFFFF7F8000009 is c8 modulo 2^64, as int64 -4323455676769632247", got.String())
}
