package proof_test

import (
	"bytes"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/issue"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/proof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	v2 "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v2"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/nonce"
	"github.com/zkatbench/zkatbench/token/crypto/round"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// TestNothingIsAcceptedWithoutARun: the verifier of v1 accepts no action if its tasks do
// not run.
func TestNothingIsAcceptedWithoutARun(t *testing.T) {
	p := setup(t, 16)
	actions := []proof.Placed{{Action: exchanged(t, issued(t, p, 2))}, {Action: issued(t, p, 2)}}
	for i, err := range proof.Composed.Verify(round.Round{Group: p.Group()}, p, actions) {
		require.ErrorIs(t, err, round.ErrNotRunning, i)
	}
}

func setup(t testing.TB, bits int, systems ...rangeproof.Kind) *params.Params {
	t.Helper()
	return setupOn(t, "BN254", bits, systems...)
}

// parameters are made once for each curve, length and list of systems.
var parameters sync.Map

func setupOn(t testing.TB, curve string, bits int, systems ...rangeproof.Kind) *params.Params {
	t.Helper()
	of := fmt.Sprint(curve, bits, systems)
	if made, ok := parameters.Load(of); ok {
		return made.(*params.Params)
	}
	p, err := params.Setup(params.Config{Group: vectors.Curve(t, curve), Bits: bits, Systems: systems,
		TableBytes: 1})
	require.NoError(t, err)
	parameters.Store(of, p)
	return p
}

// setupV2 returns parameters that accept v2 alone.
func setupV2(t testing.TB) *params.Params {
	t.Helper()
	p, err := params.Setup(params.Config{
		Group: vectors.Curve(t, "BN254"), Bits: 16, TableBytes: 1, Protocols: params.Protocols{V2: true},
	})
	require.NoError(t, err)
	return p
}

// issued returns an issue of the given number of tokens.
func issued(t testing.TB, p *params.Params, outputs int) *issue.Action {
	t.Helper()
	receives := make([]token.Receive, outputs)
	for j := range receives {
		receives[j] = token.Receive{Owner: []byte("bob"), Value: uint64(j)}
	}
	a, _, err := issue.Issuer{Params: p, Identity: []byte("bank")}.Issue("EUR", receives)
	require.NoError(t, err)
	return a
}

// exchanged returns a copy of a with the last two range proofs exchanged, so that only
// these are wrong.
func exchanged(t testing.TB, a *issue.Action) *issue.Action {
	t.Helper()
	same, ranges, err := a.Proof.Split("proof")
	require.NoError(t, err)
	list, err := wire.Container("list", ranges, 1, 1)
	require.NoError(t, err)
	proofs, err := wire.Container("list", list[0], 2, len(a.Outputs))
	require.NoError(t, err)
	n := len(proofs)
	proofs[n-2], proofs[n-1] = proofs[n-1], proofs[n-2]
	wrong := *a
	wrong.Proof.Raw = wire.AppendContainer(nil, same,
		wire.AppendContainer(nil, wire.AppendContainer(nil, proofs...)))
	return &wrong
}

// first returns the index of the first wrong action, in the verdicts of VerifyEach.
func first(errs []error) int {
	return slices.IndexFunc(errs, func(err error) bool { return err != nil })
}

// TestWrongActionsAreNamed: VerifyEach names every wrong action, VerifyBatch the only
// action, or one of at most eight range proofs.
func TestWrongActionsAreNamed(t *testing.T) {
	p := setup(t, 16)
	three, eleven := issued(t, p, 3), issued(t, p, 11)
	wrong, wrongEleven, malformed := exchanged(t, three), exchanged(t, eleven), *three
	malformed.Proof.Raw = malformed.Proof.Raw[1:]
	for name, c := range map[string]struct {
		actions         []*issue.Action
		search, bounded int
	}{
		"first of two":       {[]*issue.Action{wrong, three}, 0, 0},
		"second of two":      {[]*issue.Action{three, wrong}, 1, 1},
		"both":               {[]*issue.Action{wrong, wrong}, 0, 0},
		"second of three":    {[]*issue.Action{three, wrong, three}, 1, proof.Unknown},
		"last of three":      {[]*issue.Action{three, three, wrong}, 2, proof.Unknown},
		"one of many tokens": {[]*issue.Action{wrongEleven}, 0, 0},
		"the longer one":     {[]*issue.Action{three, wrongEleven}, 1, proof.Unknown},
		"of eight proofs":    {[]*issue.Action{issued(t, p, 5), wrong}, 1, 1},
		"before a malformed": {[]*issue.Action{three, wrong, &malformed}, 1, 1},
	} {
		t.Run(name, func(t *testing.T) {
			rejected := new(proof.RejectedError)
			placed := proof.PlaceAll(proof.Place{}, c.actions)
			errs := proof.VerifyEach(p, placed)
			require.Equal(t, c.search, first(errs))
			require.ErrorIs(t, errs[c.search], rangeproof.ErrRejected)
			output := new(rangeproof.RejectedError)
			require.ErrorAs(t, errs[c.search], &output)
			require.Equal(t, len(c.actions[c.search].Outputs)-2, output.Index)
			require.ErrorAs(t, proof.VerifyBatch(p, placed), &rejected)
			require.Equal(t, c.bounded, rejected.Index)
			require.ErrorIs(t, rejected, rangeproof.ErrRejected)
		})
	}
	rejected := new(proof.RejectedError) // behind it there are too many proofs for a search
	require.ErrorAs(t, proof.VerifyBatch(p, proof.PlaceAll(proof.Place{},
		[]*issue.Action{&malformed, three, wrong, three})), &rejected)
	require.Zero(t, rejected.Index)
	for _, right := range [][]*issue.Action{nil, {three}, {eleven}, {three, three, eleven}} {
		placed := proof.PlaceAll(proof.Place{}, right)
		require.NoError(t, proof.VerifyBatch(p, placed))
		require.Equal(t, -1, first(proof.VerifyEach(p, placed)))
	}
}

// TestOneWrongActionOfManyIsRefused: of more actions than VerifyBatch searches, one wrong one at
// every place. TestWrongPartsAtEveryPlace does the same with VerifyEach.
func TestOneWrongActionOfManyIsRefused(t *testing.T) {
	p := setup(t, 16)
	actions := make([]*issue.Action, 10)
	for i := range actions {
		actions[i] = issued(t, p, 2)
	}
	require.NoError(t, proof.VerifyBatch(p, proof.PlaceAll(proof.Place{}, actions)))
	for wrong, right := range actions {
		actions[wrong] = exchanged(t, right)
		var rejected *proof.RejectedError
		require.ErrorAs(t, proof.VerifyBatch(p, proof.PlaceAll(proof.Place{}, actions)), &rejected,
			"%d is wrong", wrong)
		actions[wrong] = right
	}
}

// TestWrongV2ActionsAreNamed: the search is short, so VerifyBatch names the wrong one
// of any number.
func TestWrongV2ActionsAreNamed(t *testing.T) {
	p, placed := setupV2(t), make([]proof.Placed, 9)
	for i := range placed {
		d, err := issue.Issuer{Params: p, Identity: []byte("bank")}.Draft("EUR",
			[]token.Receive{{Owner: []byte("bob"), Value: 1}})
		require.NoError(t, err)
		at := proof.Place{Anchor: "here", Index: i}
		require.NoError(t, d.Prove(at))
		placed[i] = proof.Placed{Action: d.Action, At: at}
	}
	require.NoError(t, proof.VerifyBatch(p, placed))
	require.Equal(t, -1, first(proof.VerifyEach(p, placed)))
	for _, wrong := range []int{0, 4, 8} {
		moved := slices.Clone(placed)
		moved[wrong].At.Index = len(placed)
		rejected := new(proof.RejectedError)
		require.ErrorAs(t, proof.VerifyBatch(p, moved), &rejected)
		require.Equal(t, wrong, rejected.Index)
		require.ErrorIs(t, rejected, v2.ErrRejected)
		require.Equal(t, wrong, first(proof.VerifyEach(p, moved)))
	}
}

// TestProofHasTwoMembers: the container of a sigma proof and a list of range
// proofs is the only member.
func TestProofHasTwoMembers(t *testing.T) {
	members := [][]byte{[]byte("sigma"), []byte("ranges"), []byte("more")}
	for n := range len(members) + 1 {
		sigma, ranges, err := proof.Proof{Raw: wire.AppendContainer(nil, members[:n]...)}.Split("proof")
		if n == 2 {
			require.NoError(t, err)
			require.Equal(t, members[:2], [][]byte{sigma, ranges})
			continue
		}
		require.ErrorAs(t, err, new(*wire.DecodeError), "%d members", n)
	}
}

// TestPartsAreFramed: the bytes of a part do not move to its neighbour.
func TestPartsAreFramed(t *testing.T) {
	zeros := string(make([]byte, 8))
	seen := map[string]bool{}
	parts := [][2]string{{"a", "b"}, {"ab", ""}, {"", "ab"}, {"a" + zeros, "b"}, {"a", zeros + "b"},
		{"a" + zeros + "b", ""}}
	for _, p := range parts {
		seen[string(proof.AppendPart(proof.AppendPart(nil, []byte(p[0])), []byte(p[1])))] = true
	}
	require.Len(t, seen, len(parts))
}

// zeros is the worst random source that returns no error.
type zeros struct{}

func (zeros) Read(b []byte) (int, error) { clear(b); return len(b), nil }

// TestHedgeDependsOnEverything: with a repeating source, nonces are equal only
// if the parameters, the public parts and each secret are.
func TestHedgeDependsOnEverything(t *testing.T) {
	p := setup(t, 16)
	g := p.Group()
	one, two := g.Uint64(1), g.Uint64(2)
	seen := map[group.Scalar]string{}
	for name, c := range map[string]struct {
		p       *params.Params
		public  string
		secrets []group.Scalar
	}{
		"as they are":           {p, "public", []group.Scalar{one, two}},
		"another bit length":    {setup(t, 32), "public", []group.Scalar{one, two}},
		"another system":        {setup(t, 16, rangeproof.Bulletproof), "public", []group.Scalar{one, two}},
		"another public part":   {p, "publik", []group.Scalar{one, two}},
		"another first secret":  {p, "public", []group.Scalar{two, two}},
		"another second secret": {p, "public", []group.Scalar{one, one}},
		"exchanged secrets":     {p, "public", []group.Scalar{two, one}},
		"a secret less":         {p, "public", []group.Scalar{one}},
	} {
		t.Run(name, func(t *testing.T) {
			var nonces [2][1]group.Scalar
			for i := range nonces {
				var h nonce.Hedge
				require.NoError(t, proof.SeedHedge(&h, c.p, zeros{}, []byte(c.public), c.secrets...))
				require.NoError(t, h.Stream("label", 0).Scalars(nonces[i][:]))
			}
			require.Equal(t, nonces[0], nonces[1])
			require.NotContains(t, seen, nonces[0][0])
			seen[nonces[0][0]] = name
		})
	}
}

// TestOutputsHaveTheirOwnNonces: two equal outputs of one action have range
// proofs without a common nonce, and thus different ones.
func TestOutputsHaveTheirOwnNonces(t *testing.T) {
	for _, kind := range kindsOfSystems() {
		p := setup(t, 16, kind)
		g := p.Group()
		blinding := g.Uint64(7)
		out := p.Pedersen().Commit(group.Scalar{}, g.Uint64(5), blinding)
		equal := proof.Outputs{
			Points: []group.Point{out, out}, Values: []uint64{5, 5},
			Blindings: []group.Scalar{blinding, blinding},
		}
		for _, ex := range []executor.Executor{executor.Serial{}, executor.Unbounded{}} { // one part, and two
			var h nonce.Hedge
			require.NoError(t, proof.SeedHedge(&h, p, zeros{}, nil))
			proofs, err := equal.Ranges(p, ex, &h, group.Point{}, group.Scalar{})
			require.NoError(t, err)
			require.False(t, bytes.Equal(proofs[0].Append(nil), proofs[1].Append(nil)), kind)
		}
	}
}

// TestErrorsOfRangesNameTheOutput.
func TestErrorsOfRangesNameTheOutput(t *testing.T) {
	p := setup(t, 16)
	g := p.Group()
	blinding := g.Uint64(7)
	outputs := func(values ...uint64) (o proof.Outputs) {
		for _, v := range values {
			o.Points = append(o.Points, p.Pedersen().Commit(group.Scalar{}, g.Uint64(v), blinding))
			o.Values, o.Blindings = append(o.Values, v), append(o.Blindings, blinding)
		}
		return o
	}
	var h nonce.Hedge
	require.NoError(t, proof.SeedHedge(&h, p, zeros{}, nil))
	for _, ex := range []executor.Executor{nil, executor.Pool{Workers: 2}} {
		_, err := outputs(1, p.MaxValue()).Ranges(p, ex, &h, group.Point{}, group.Scalar{})
		require.NoError(t, err)
		_, err = outputs(1, 2, p.MaxValue()+1).Ranges(p, ex, &h, group.Point{}, group.Scalar{})
		require.ErrorIs(t, err, rangeproof.ErrWitness)
		require.EqualError(t, err, "output 2: "+rangeproof.ErrWitness.Error())
	}
	_, err := outputs(1).Ranges(new(params.Params), nil, &h, group.Point{}, group.Scalar{})
	require.ErrorIs(t, err, params.ErrNoSystem)
}
