package limb // searcher is private: it knows which limbs an operand can have

import (
	"bytes"
	"context"
	"encoding/json"
	"go/parser"
	"go/token"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/zkatbench/zkatbench/scheme/p256/limb/proofcheck"
)

// proved returns the proof of 9×29 with one addition and two passes.
func proved(t testing.TB) *Proof {
	t.Helper()
	g, err := NewGeometry(p256, 29, 9)
	require.NoError(t, err)
	r, err := Headroom(context.Background(), Setting{Geometry: g, MaxAdds: 1, Passes: 2}, Search{})
	require.NoError(t, err)
	require.NotNil(t, r.Proof)
	return r.Proof
}

func encoded(t testing.TB, p *Proof) []byte {
	t.Helper()
	raw, err := p.Encode()
	require.NoError(t, err)
	return raw
}

// TestWiderBoundsAreAProofToo shows that the checker demands containment and
// not the analyser's own figures. The claim has the terms of the modulus.
func TestWiderBoundsAreAProofToo(t *testing.T) {
	p := proved(t)
	for _, s := range append(p.Product, p.Reduction...) {
		require.True(t, len(s.Set) > 1 || s.Op == "col", "%s %d: the accumulators that it changes", s.Op, s.I)
	}
	last := p.Reduction[len(p.Reduction)-1].Set[0]
	require.EqualValues(t, 1<<28-1, last[2])
	p.Reduction[len(p.Reduction)-1].Set[0][2]++ // to the end of the invariant
	claim, err := proofcheck.Check(encoded(t, p))
	require.NoError(t, err)
	require.Len(t, claim.Terms, len(p256.Terms))
	for i, term := range p256.Terms {
		require.Equal(t, [2]int64{term.Coef, int64(term.Exp)}, claim.Terms[i])
	}
}

// TestCheckerIsSmallAndSeparate holds the two promises of package proofcheck.
func TestCheckerIsSmallAndSeparate(t *testing.T) {
	src, err := os.ReadFile("proofcheck/check.go")
	require.NoError(t, err)
	lines := 0
	for line := range strings.Lines(string(src)) {
		if l := strings.TrimSpace(line); l != "" && !strings.HasPrefix(l, "//") {
			lines++
		}
	}
	require.LessOrEqual(t, lines, 155)
	f, err := parser.ParseFile(token.NewFileSet(), "", src, parser.ImportsOnly)
	require.NoError(t, err)
	require.NotEmpty(t, f.Imports)
	for _, i := range f.Imports {
		require.NotContains(t, i.Path.Value, ".", "the checker imports %s", i.Path.Value)
	}
}

// FuzzCheck requires that no input makes the checker panic, and that a proof
// which it accepts says the same when it is written again.
func FuzzCheck(f *testing.F) {
	raw := encoded(f, proved(f))
	small := new(bytes.Buffer)
	require.NoError(f, json.Compact(small, raw))
	f.Add(small.Bytes())
	f.Add([]byte(`{"modulusBits":8,"terms":[[1,0]],"bits":4,"limbs":2,"word":16,` +
		`"passes":1,"invariant":[[-8,8],[0,16]]}`))
	f.Add([]byte(`{"limbs":-1}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		claim, err := proofcheck.Check(b)
		if err == nil {
			require.Positive(t, claim.Limbs)
		}
	})
}

// holds reports whether w is a witness of s: limbs that operands of s can have,
// with a wrong product.
func (w *Witness) holds(s Setting) bool {
	sr := &searcher{Setting: s, mult: s.mult(), p: s.Modulus.P()}
	for _, l := range [][]int64{w.A, w.B} {
		if len(l) != s.Limbs || !sr.canonical(l) {
			return false
		}
		for i, x := range l {
			if lo, hi := sr.ends(i); x < lo || x > hi {
				return false
			}
		}
	}
	return sr.wrong(w.A, w.B)
}
