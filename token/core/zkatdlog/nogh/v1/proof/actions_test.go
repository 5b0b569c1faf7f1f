package proof_test

import (
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof/systems"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/issue"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/proof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/transfer"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/curves"
	"github.com/zkatbench/zkatbench/token/crypto/nonce"
	"github.com/zkatbench/zkatbench/token/crypto/pedersen"
	"github.com/zkatbench/zkatbench/token/crypto/round"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
	"github.com/zkatbench/zkatbench/token/internal/pb"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// action is an issue or a transfer, with the parts that both have.
type action struct {
	proof.Action
	outputs *[]token.Token
	proof   *proof.Proof
}

func ofIssue(a *issue.Action) action { return action{a, &a.Outputs, &a.Proof} }

func ofTransfer(a *transfer.Action) action { return action{a, &a.Outputs, &a.Proof} }

// kind is a kind of action, for tests of everything that issues and transfers have in
// common. A transfer spends tokens of the same values as its outputs, in the other order.
type kind struct {
	message string // its name in package pb
	make    func(t testing.TB, m proof.Maker, values ...uint64) (action, []token.Opening, error)
	draft   func(t testing.TB, m proof.Maker, values ...uint64) (*proof.Draft, action, error)
	decode  func(g group.Group, b []byte, l token.Limits) (action, error)
	entries func(a action) int // of the metadata
	// given proves and verify verifies commitments of the caller.
	given  func(m proof.Maker, inputs, outputs []proof.Given) (proof.Proof, error)
	verify func(p *params.Params, made proof.Proof, inputs, outputs [][]byte) error
	// everything is an action with all fields set and an invalid proof; sizes are the
	// lengths of its lists, and fields its fields, of which the required ones may not be
	// absent.
	everything func(g group.Group, system rangeproof.Kind) action
	sizes      token.Limits
	fields     func(g group.Group, a action) pb.Fields
	required   []string
}

var kinds = []kind{{
	message: "IssueAction",
	make: func(_ testing.TB, m proof.Maker, values ...uint64) (action, []token.Opening, error) {
		a, openings, err := issuer(m).Issue("EUR", receives(values...))
		if err != nil {
			return action{}, nil, err
		}
		return ofIssue(a), openings, nil
	},
	draft: func(_ testing.TB, m proof.Maker, values ...uint64) (*proof.Draft, action, error) {
		d, err := issuer(m).Draft("EUR", receives(values...))
		if err != nil {
			return nil, action{}, err
		}
		return &d.Draft, ofIssue(d.Action), nil
	},
	decode: func(g group.Group, b []byte, l token.Limits) (action, error) {
		a, err := issue.Decode(g, b, l)
		if err != nil {
			return action{}, err
		}
		return ofIssue(a), nil
	},
	entries: func(a action) int { return len(a.Action.(*issue.Action).Metadata) },
	given: func(m proof.Maker, _, outputs []proof.Given) (proof.Proof, error) {
		return issuer(m).ProveGiven(outputs)
	},
	verify: func(p *params.Params, made proof.Proof, _, outputs [][]byte) error {
		return issue.VerifyGiven(p, made, outputs)
	},
	everything: wholeIssue, sizes: token.Limits{Inputs: 10, Outputs: 11, Metadata: 2}, fields: issueFields,
	required: []string{
		"version", "issuer", "issuer.raw", "inputs.0.id", "inputs.0.id.tx_id", "inputs.0.token", "outputs",
		"outputs.0.token", "outputs.0.token.data", "outputs.0.token.owner", "outputs.1.token.owner",
		"proof", "proof.csp_based_proof",
	},
}, {
	message: "TransferAction",
	make: func(t testing.TB, m proof.Maker, values ...uint64) (action, []token.Opening, error) {
		a, openings, err := transfer.Sender(m).Transfer(reversed(t, m, values), receives(values...))
		if err != nil {
			return action{}, nil, err
		}
		return ofTransfer(a), openings, nil
	},
	draft: func(t testing.TB, m proof.Maker, values ...uint64) (*proof.Draft, action, error) {
		d, err := transfer.Sender(m).Draft(reversed(t, m, values), receives(values...))
		if err != nil {
			return nil, action{}, err
		}
		return &d.Draft, ofTransfer(d.Action), nil
	},
	decode: func(g group.Group, b []byte, l token.Limits) (action, error) {
		a, err := transfer.Decode(g, b, l)
		if err != nil {
			return action{}, err
		}
		return ofTransfer(a), nil
	},
	entries: func(a action) int { return len(a.Action.(*transfer.Action).Metadata) },
	given: func(m proof.Maker, inputs, outputs []proof.Given) (proof.Proof, error) {
		return transfer.Sender(m).ProveGiven(inputs, outputs)
	},
	verify:     transfer.VerifyGiven,
	everything: wholeTransfer, fields: transferFields,
	sizes: token.Limits{Inputs: 10, Outputs: 2, Metadata: 3},
	required: []string{
		"version", "inputs", "inputs.0.token_id", "inputs.0.token_id.tx_id", "inputs.1.input",
		"inputs.1.input.owner", "inputs.1.input.data", "inputs.1.input.data.raw",
		"inputs.1.upgrade_witness.output", "inputs.1.upgrade_witness.output.owner",
		"inputs.1.upgrade_witness.output.type", "inputs.1.upgrade_witness.output.quantity",
		"inputs.1.upgrade_witness.blinding_factor", "inputs.1.upgrade_witness.blinding_factor.raw", "outputs",
		"outputs.0.token", "outputs.0.token.data", "proof", "proof.csp_based_proof", "issuer.raw",
	},
}}

func issuer(m proof.Maker) issue.Issuer {
	return issue.Issuer{Params: m.Params, Executor: m.Executor, Random: m.Random, Identity: []byte("bank")}
}

func receives(values ...uint64) (rs []token.Receive) {
	for _, v := range values {
		rs = append(rs, token.Receive{Owner: []byte("bob"), Value: v})
	}
	return rs
}

// spends makes tokens with the given values.
func spends(t testing.TB, p *params.Params, typ string, values ...uint64) (ss []transfer.Spend) {
	t.Helper()
	g := p.Group()
	for i, v := range values {
		var r [1]group.Scalar
		require.NoError(t, group.Sample(g, rand.Reader, r[:]))
		ss = append(ss, transfer.Spend{
			ID:      token.ID{TxID: "tx", Index: uint64(i)},
			Token:   token.Token{Owner: []byte("alice"), Data: token.Commit(p.Pedersen(), typ, v, r[0])},
			Opening: token.Opening{Type: typ, Value: g.Uint64(v), Blinding: r[0]},
		})
	}
	return ss
}

// reversed makes tokens of the values in the other order, of any network if m has none.
func reversed(t testing.TB, m proof.Maker, values []uint64) []transfer.Spend {
	t.Helper()
	if m.Params.Check() != nil {
		m.Params = setup(t, 16)
	}
	ss := spends(t, m.Params, "EUR", values...)
	slices.Reverse(ss)
	return ss
}

// made makes an action, encodes it and decodes it again.
func (k kind) made(t testing.TB, p *params.Params, values ...uint64) action {
	t.Helper()
	a, openings, err := k.make(t, proof.Maker{Params: p}, values...)
	require.NoError(t, err)
	for j, o := range openings {
		require.NoError(t, o.Open(p.Pedersen(), (*a.outputs)[j]))
	}
	b := a.Encode(p.Group())
	again, err := k.decode(p.Group(), b, token.DefaultLimits)
	require.NoError(t, err)
	require.Equal(t, b, again.Encode(p.Group()))
	return again
}

var twoCurves = []string{"BN254", "BLS12_381_BBS_GURVY"}

// kindsOfSystems are those of all range-proof systems.
func kindsOfSystems() (kinds []rangeproof.Kind) {
	for _, f := range systems.All {
		kinds = append(kinds, f.Kind)
	}
	return kinds
}

// eachKind calls f for each kind of action.
func eachKind(t *testing.T, f func(t *testing.T, k kind)) {
	for _, k := range kinds {
		t.Run(k.message, func(t *testing.T) { f(t, k) })
	}
}

// eachNetwork calls f for each kind of action, on each curve with each system of range proofs.
func eachNetwork(t *testing.T, curves []string, f func(t *testing.T, k kind, p *params.Params)) {
	for _, curve := range curves {
		for _, system := range kindsOfSystems() {
			p := setupOn(t, curve, 16, system)
			for _, k := range kinds {
				t.Run(fmt.Sprint(k.message, " ", curve, " ", system), func(t *testing.T) { f(t, k, p) })
			}
		}
	}
}

func verified(p *params.Params, a action) error { return proof.Verify(p, a, proof.Place{}) }

// TestActionsOfEveryShapeAreAccepted; TestLiesAtEveryPosition has transfers with other
// numbers of inputs than outputs. Package badinput exchanges and changes parts of actions.
func TestActionsOfEveryShapeAreAccepted(t *testing.T) {
	eachNetwork(t, nightly.Pick(twoCurves[1:], twoCurves, curves.Names),
		func(t *testing.T, k kind, p *params.Params) {
			for _, values := range [][]uint64{{7}, {0}, {0, 65535}, {65535, 65535}, {6, 0, 0}} {
				require.NoError(t, verified(p, k.made(t, p, values...)), "%v", values)
			}
		})
}

var errLost = errors.New("lost")

// failing is an executor that fails.
type failing struct{ executor.Serial }

func (failing) Run(int, func(int) error) error { return errLost }

// TestMakersRefuseWhatTheyCannotProve, and a draft keeps its proof if it cannot make
// another one.
func TestMakersRefuseWhatTheyCannotProve(t *testing.T) {
	p := setup(t, 16)
	eachKind(t, func(t *testing.T, k kind) {
		for want, values := range map[error][]uint64{proof.ErrNothing: nil, proof.ErrValue: {1, 65536}} {
			_, _, err := k.make(t, proof.Maker{Params: p}, values...)
			require.ErrorIs(t, err, want)
			vectors.Formatted(t, err)
		}
		_, _, err := k.make(t, proof.Maker{Params: p, Random: iotest.ErrReader(errLost)}, 1)
		require.ErrorIs(t, err, group.ErrRandom)
		lost := proof.Maker{Params: p, Executor: failing{}}
		_, _, err = k.make(t, lost, 1, 2)
		require.ErrorIs(t, err, errLost)
		draft, a, err := k.draft(t, lost, 1, 2)
		require.NoError(t, err)
		kept := *a.proof
		require.ErrorIs(t, draft.Prove(proof.Place{}), errLost)
		require.Equal(t, kept, *a.proof)
	})
	require.ErrorIs(t, new(issue.Draft).Prove(proof.Place{}), params.ErrInvalid)
	require.ErrorIs(t, new(transfer.Draft).Prove(proof.Place{}), params.ErrInvalid)
	_, err := issuer(proof.Maker{Params: p}).Draft("EUR", []token.Receive{{Value: 1}})
	require.ErrorIs(t, err, proof.ErrNothing, "no owner")
}

// TestParametersThatNobodyMade checks that the zero value gives an error
// instead of a panic.
func TestParametersThatNobodyMade(t *testing.T) {
	eachKind(t, func(t *testing.T, k kind) {
		a := k.made(t, setup(t, 16), 7)
		for _, none := range []*params.Params{nil, {}} {
			require.ErrorIs(t, verified(none, a), params.ErrInvalid)
			require.ErrorIs(t, proof.VerifyBatch(none, []proof.Placed{{Action: a}}), params.ErrInvalid)
			_, _, err := k.make(t, proof.Maker{Params: none}, 7)
			require.ErrorIs(t, err, params.ErrInvalid)
			_, _, err = k.draft(t, proof.Maker{Params: none}, 7)
			require.ErrorIs(t, err, params.ErrInvalid)
		}
	})
}

// TestTypeHasItsOwnBlinding: CT hides the type, and Out - CT the value, with the
// difference of two blinding factors that are independent.
func TestTypeHasItsOwnBlinding(t *testing.T) {
	p := setup(t, 16)
	g, values := p.Group(), []uint64{7, 8}
	eachKind(t, func(t *testing.T, k kind) {
		a := k.made(t, p, values...)
		parts, err := a.Parts(p, wire.OneByOne(g), round.NewMemory())
		require.NoError(t, err)
		ct := group.Point{}
		if parts.Sum != nil {
			ct = parts.Sum.CT
		} else {
			ct = parts.Same.CT
		}
		require.False(t, g.Equal(token.Commit(p.Pedersen(), "EUR", 0, group.Scalar{}), ct))
		for j, out := range *a.outputs {
			bare := p.Pedersen().Commit(group.Scalar{}, g.Uint64(values[j]), group.Scalar{})
			require.False(t, g.Equal(bare, g.SubPoints(out.Data, ct)), "output %d", j)
		}
	})
}

// requireBlindings restates how blinding factors of outputs follow from the public bytes and
// the secrets of an action.
func requireBlindings(t *testing.T, p *params.Params, openings []token.Opening, public []byte,
	secrets ...group.Scalar) {
	t.Helper()
	var h nonce.Hedge
	require.NoError(t, proof.SeedHedge(&h, p, zeros{}, public, secrets...))
	want := make([]group.Scalar, len(openings))
	require.NoError(t, h.Stream("output", 0).Scalars(want))
	for j, o := range openings {
		require.Equal(t, want[j], o.Blinding)
	}
}

// TestBlindingsAreThoseOfAllParts restates which parts of an action the nonces depend on: of an
// issue parameters, issuer, type, owners and values; of a transfer the inputs and their openings
// in addition.
func TestBlindingsAreThoseOfAllParts(t *testing.T) {
	p := setup(t, 16)
	g, m, rs := p.Group(), proof.Maker{Params: p, Random: zeros{}}, receives(4, 11)
	_, openings, err := issuer(m).Issue("EUR", rs)
	require.NoError(t, err)
	public := proof.AppendPart(proof.AppendPart(nil, []byte("bank")), []byte("EUR"))
	public = proof.AppendPart(proof.AppendPart(public, rs[0].Owner), rs[1].Owner)
	requireBlindings(t, p, openings, public, g.Uint64(4), g.Uint64(11))

	ss := spends(t, p, "EUR", 7, 8)
	_, openings, err = transfer.Sender(m).Transfer(ss, rs)
	require.NoError(t, err)
	public = g.AppendPoint(g.AppendPoint(nil, ss[0].Token.Data), ss[1].Token.Data)
	public = proof.AppendPart(proof.AppendPart(public, rs[0].Owner), rs[1].Owner)
	requireBlindings(t, p, openings, public, token.TypeScalar(g, "EUR"), g.Uint64(7), g.Uint64(8),
		g.Uint64(4), g.Uint64(11), ss[0].Opening.Blinding, ss[1].Opening.Blinding)
}

// commitments returns commitments of a caller to values.
func commitments(t testing.TB, p *params.Params, values ...uint64) (gs []proof.Given, points [][]byte) {
	t.Helper()
	for _, s := range spends(t, p, "EUR", values...) {
		point := p.Group().AppendPoint(nil, s.Token.Data)
		gs, points = append(gs, proof.Given{Point: point, Opening: s.Opening}), append(points, point)
	}
	return gs, points
}

// TestGivenCommitments proves actions of commitments of the caller and verifies them from
// bytes. The largest value is proved.
func TestGivenCommitments(t *testing.T) {
	curves := nightly.Pick(twoCurves[:1], twoCurves, twoCurves)
	eachNetwork(t, curves, func(t *testing.T, k kind, p *params.Params) {
		for _, shape := range [][2][]uint64{{{5}, {5}}, {{5, 65535}, {65535, 5}}, {{9}, {0, 4, 5}}} {
			in, inPoints := commitments(t, p, shape[0]...)
			out, outPoints := commitments(t, p, shape[1]...)
			made, err := k.given(proof.Maker{Params: p}, in, out)
			require.NoError(t, err)
			require.NoError(t, k.verify(p, made, inPoints, outPoints))
			_, other := commitments(t, p, shape[1]...)
			require.Error(t, k.verify(p, made, inPoints, other))
			require.ErrorIs(t, k.verify(p, made, inPoints, nil), proof.ErrNothing)
			last := len(outPoints) - 1
			other[last] = outPoints[last][1:]
			require.ErrorContains(t, k.verify(p, made, inPoints, other), fmt.Sprintf("output %d: ", last))
			for _, none := range []*params.Params{nil, {}} {
				require.ErrorIs(t, k.verify(none, made, inPoints, outPoints), params.ErrInvalid)
			}
			made.Raw[len(made.Raw)-1] ^= 1
			require.Error(t, k.verify(p, made, inPoints, outPoints))
		}
	})
	p := setup(t, 16)
	in, inPoints := commitments(t, p, 5, 6)
	made, err := transfer.Sender{Params: p}.ProveGiven(in, in)
	require.NoError(t, err)
	require.ErrorIs(t, transfer.VerifyGiven(p, made, nil, inPoints), proof.ErrNothing)
	require.Error(t, transfer.VerifyGiven(p, made, append(inPoints, inPoints[0]), inPoints))
	short := [][]byte{inPoints[0], inPoints[1][1:]}
	require.ErrorContains(t, transfer.VerifyGiven(p, made, short, inPoints), "input 1: ")
}

// TestGivenCommitmentsAreChecked: no proof is made of a false statement. The error names the
// input or the output.
func TestGivenCommitmentsAreChecked(t *testing.T) {
	p := setup(t, 16)
	m := proof.Maker{Params: p}
	edits := map[string]func(c *proof.Given){
		" 1: ": func(c *proof.Given) { c.Point = c.Point[1:] },
		" 1: " + proof.ErrValue.Error(): func(c *proof.Given) {
			c.Opening.Value = p.Group().Uint64(p.MaxValue() + 1)
		},
		" 1: " + pedersen.ErrOpening.Error(): func(c *proof.Given) {
			c.Opening.Blinding = p.Group().Uint64(1)
		},
		proof.ErrTypes.Error(): func(c *proof.Given) { c.Opening.Type = "USD" },
	}
	eachKind(t, func(t *testing.T, k kind) {
		in, _ := commitments(t, p, 5, 6)
		for want, edit := range edits {
			t.Run(want, func(t *testing.T) {
				out, _ := commitments(t, p, 4, 7)
				edit(&out[1])
				_, err := k.given(m, in, out)
				require.ErrorContains(t, err, want)
				require.Equal(t, want[0] == ' ', strings.HasPrefix(err.Error(), "output 1: "), err)
			})
		}
		_, err := k.given(m, in, nil)
		require.ErrorIs(t, err, proof.ErrNothing)
		_, err = k.given(proof.Maker{}, in, in)
		require.ErrorIs(t, err, params.ErrInvalid)
		_, err = k.given(proof.Maker{Params: p, Random: iotest.ErrReader(errLost)}, in, in)
		require.ErrorIs(t, err, errLost)
	})
	out, _ := commitments(t, p, 4, 7)
	for want, edit := range edits {
		t.Run(want, func(t *testing.T) {
			in, _ := commitments(t, p, 5, 6)
			edit(&in[1])
			_, err := transfer.Sender(m).ProveGiven(in, out)
			require.ErrorContains(t, err, want)
			require.Equal(t, want[0] == ' ', strings.HasPrefix(err.Error(), "input 1: "), err)
		})
	}
	_, err := transfer.Sender(m).ProveGiven(nil, out)
	require.ErrorIs(t, err, proof.ErrNothing)
	_, err = transfer.Sender(m).ProveGiven(out, out[:1])
	require.ErrorIs(t, err, proof.ErrSum)
}
