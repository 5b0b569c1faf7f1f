package csp // replay is private: which challenge an item changes does not show in a verdict

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/golden"
	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof/rangetest"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/round"
)

// bound holds everything that a challenge can depend on.
type bound struct {
	g group.Group
	c Config
	v group.Point
	p *Proof
	// Derived values of the inner transcript; changing one alone shows that it
	// is absorbed.
	w      group.Point
	f      []group.Scalar
	lambda group.Scalar
}

// binding states the first challenge that binds an item, and how many values it has. change
// changes the i-th of them. Those of rounds are bound by their rounds.
type binding struct {
	item, absorbed string
	from           int
	values         func(n, rounds int) int
	change         func(b *bound, i int)
}

// earlyRound is the challenge of the round of a value, and earlyNone is after all challenges.
const (
	earlyRound = -1
	earlyNone  = 100
)

func (b binding) first(i int) int {
	if b.from == earlyRound {
		return earlyC0 + i
	}
	return b.from
}

func one(int, int) int                { return 1 }
func two(int, int) int                { return 2 }
func perBit(n, _ int) int             { return n + 1 }
func perRound(_, rounds int) int      { return rounds }
func perTerm(_, rounds int) int       { return 1 << rounds }
func (b *bound) nudge(p *group.Point) { *p = b.g.AddPoints(*p, b.g.Generator()) }
func (b *bound) bump(s *group.Scalar) { *s = b.g.Add(*s, b.g.Uint64(1)) }

// bindings is the table of docs/protocol-v1-csp.md.
var bindings = []binding{
	{"g₀, the generator of the type", "header", earlyE, one, func(b *bound, _ int) { b.nudge(&b.c.G0) }},
	{"g₁, the generator of the value", "header", earlyE, one, func(b *bound, _ int) { b.nudge(&b.c.G1) }},
	{"h, the generator of the blinding factor", "header", earlyE, one, func(b *bound, _ int) {
		b.nudge(&b.c.H)
	}},
	{"A₀ … Aₙ", "header", earlyE, perBit, func(b *bound, i int) { b.nudge(&b.c.Left[i]) }},
	{"B₀ … Bₙ", "header", earlyE, perBit, func(b *bound, i int) { b.nudge(&b.c.Right[i]) }},
	{"n, the bit length", "header", earlyE, one, func(b *bound, _ int) { b.c.Bits++ }},
	{"V, the statement", "outer", earlyE, one, func(b *bound, _ int) { b.nudge(&b.v) }},
	{"A, nonces of the Schnorr proof", "outer", earlyE, one, func(b *bound, _ int) { b.nudge(&b.p.A) }},
	{"Pc, the vector commitment", "outer", earlyEta, one, func(b *bound, _ int) { b.nudge(&b.p.Pc) }},
	{"u = a(c)", "outer", earlyPhi, one, func(b *bound, _ int) { b.bump(&b.p.U) }},
	{"Sc, the masks", "outer", earlyRho, one, func(b *bound, _ int) { b.nudge(&b.p.Sc) }},
	{"σ, the form at the masks", "outer", earlyRho, one, func(b *bound, _ int) { b.bump(&b.p.Sigma) }},
	{"W, computed", "inner", earlyC0, one, func(b *bound, _ int) { b.nudge(&b.w) }},
	{"f₀ … f₍N₋₁₎, computed", "inner", earlyC0, perTerm, func(b *bound, i int) { b.bump(&b.f[i]) }},
	{"λ′, computed", "inner", earlyC0, one, func(b *bound, _ int) { b.bump(&b.lambda) }},
	{"Lcⱼ", "inner", earlyRound, perRound, func(b *bound, j int) { b.nudge(&b.p.LeftC[j]) }},
	{"Rcⱼ", "inner", earlyRound, perRound, func(b *bound, j int) { b.nudge(&b.p.RightC[j]) }},
	{"ℓⱼ", "inner", earlyRound, perRound, func(b *bound, j int) { b.bump(&b.p.Left[j]) }},
	{"rⱼ", "inner", earlyRound, perRound, func(b *bound, j int) { b.bump(&b.p.Right[j]) }},
	{"ζv, ζr, the responses to e", "nowhere", earlyNone, two, func(b *bound, i int) { b.bump(&b.p.Zeta[i]) }},
}

// rows renders the table.
func rows() string {
	names := []string{"e", "η", "c", "φ", "ρ", "c₀"}
	var out strings.Builder
	out.WriteString("| item | transcript | first challenge that depends on it |\n| --- | --- | --- |\n")
	for _, b := range bindings {
		name := "none"
		switch {
		case b.from == earlyRound:
			name = "cⱼ"
		case b.from < len(names):
			name = names[b.from]
		}
		fmt.Fprintf(&out, "| %s | %s | %s |\n", b.item, b.absorbed, name)
	}
	return out.String()
}

// challengesOf replays all of b. The derived values come from the replay unless
// alone is set.
func challengesOf(t *testing.T, b *bound, bits int, alone bool) []group.Scalar {
	of := *system(t, b.g, bits)
	s := &of
	s.header = newTranscript(b.g).parameters(b.c)
	c := replayed(s, b.v, b.p)
	all := append([]group.Scalar{c.e, c.eta, c.c, c.phi, c.rho}, c.rounds[:s.rounds]...)
	if !alone {
		b.w, b.lambda = c.w, c.lambda
		m := round.NewMemory()
		b.f = make([]group.Scalar, s.padded)
		l := s.basis.newLagrange(m)
		s.basis.evaluate(b.g, &l, c.c)
		s.form(b.g, b.f, &l, c.challenges, b.p.U)
		return all
	}
	tr := newTranscript(b.g)
	tr.argument(s.header, b.w, b.f, b.lambda)
	for j := range s.rounds {
		all[earlyC0+j] = tr.round(b.p.message(j))
	}
	return all
}

// TestEveryMessageIsBound changes each item and checks that every later
// challenge changes and every earlier one does not.
func TestEveryMessageIsBound(t *testing.T) {
	const n = 4
	p := rangetest.NewProver(t, maker, "BN254", n)
	it := p.Prove(t, 9)
	encoded := it.Proof.Append(nil)
	fresh := func() *bound {
		proof, err := p.Decode(encoded)
		require.NoError(t, err)
		c := system(t, p.Group, n).config
		c.Left, c.Right = slices.Clone(c.Left), slices.Clone(c.Right)
		return &bound{g: p.Group, c: c, v: it.V, p: proof.(*Proof)}
	}
	honest := challengesOf(t, fresh(), n, false)
	rounds := len(honest) - earlyC0
	for _, bind := range bindings {
		for i := range bind.values(n, rounds) {
			b := fresh()
			derived := strings.HasSuffix(bind.item, "computed")
			if derived {
				require.Equal(t, honest, challengesOf(t, b, n, false))
			}
			bind.change(b, i)
			for k, got := range challengesOf(t, b, n, derived) {
				require.Equal(t, k >= bind.first(i), got != honest[k], "%s %d, challenge %d", bind.item, i, k)
			}
		}
	}
}

// TestDocumentedBindingsAreTheTestedOnes compares the table of the page with
// the table tested above.
func TestDocumentedBindingsAreTheTestedOnes(t *testing.T) {
	const begin, end = "<!-- transcript table: go test -run Documented -update -->\n",
		"<!-- end of transcript table -->"
	path := filepath.Join("..", "..", "..", "..", "..", "..", "docs", "protocol-v1-csp.md")
	page, err := os.ReadFile(path)
	require.NoError(t, err)
	before, rest, ok := strings.Cut(string(page), begin)
	require.True(t, ok)
	table, after, ok := strings.Cut(rest, end)
	require.True(t, ok)
	if golden.Updating() {
		require.NoError(t, os.WriteFile(path, []byte(before+begin+rows()+end+after), 0o644))
		return
	}
	require.Equal(t, rows(), table)
}

// replayed computes all challenges of one proof.
func replayed(s *scheme, v group.Point, p *Proof) claim {
	claims := []claim{{v: v, p: p}}
	_ = round.Run(s.Group, func(r round.Round) error {
		s.replay(r, claims)
		return nil
	})
	return claims[0]
}
