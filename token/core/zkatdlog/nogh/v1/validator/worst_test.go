package validator_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/count"
	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/multisig"
	"github.com/zkatbench/zkatbench/token/core/identity/x509"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	v1 "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/issue"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/proof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/transfer"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
	"github.com/zkatbench/zkatbench/token/crypto/group/opcount"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
	"github.com/zkatbench/zkatbench/token/internal/networktest"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

const megabyte = 1 << 20

// worst are requests of one megabyte that are valid and fully signed until
// almost all of the work allowed by the limits is done: everything is decoded,
// all signatures are valid, and so are all proofs of type and sum, and all
// range proofs except the last.
func worst(t testing.TB, n *fixture.Network) map[string][]byte {
	return map[string][]byte{
		"transfer": padded(t, n, wrongTransfer(t, n, 64, 64)),
		"issues":   padded(t, n, wrongIssues(t, n, 64)...),
		"multisig": padded(t, n, manySigners(t, n)),
	}
}

// padded signs parts with metadata in the last one that pads the request to one
// megabyte, not counting signatures.
func padded(t testing.TB, n *fixture.Network, parts ...func(pad int) *v1.Part) []byte {
	t.Helper()
	made := make([]*v1.Part, len(parts))
	size := 0
	for i, part := range parts {
		made[i] = part(0)
		size += len(made[i].Action.Raw)
	}
	made[len(parts)-1] = parts[len(parts)-1](megabyte - size)
	return networktest.Signed(t, n, made...).Encode()
}

func padding(pad int) map[string][]byte { return map[string][]byte{"pub.pad": make([]byte, pad)} }

// wrongTransfer is a transfer with a last range proof of another transfer. Each
// input has the most owners that the limits allow for all of them.
func wrongTransfer(t testing.TB, n *fixture.Network, inputs, outputs int) func(pad int) *v1.Part {
	t.Helper()
	good, other := transferPart(t, n, 1, inputs, outputs), transferPart(t, n, 2, inputs, outputs)
	g := n.Params.Group()
	a := networktest.Transfer(t, g, good.Action.Raw)
	b := networktest.Transfer(t, g, other.Action.Raw)
	a.Proof = lastOf(t, n, a.Proof, b.Proof, outputs)
	ownedBy(t, (request.DefaultLimits.Verifications-1)/inputs, a, good) // one signature is of an auditor
	return func(pad int) *v1.Part {
		a.Metadata = padding(pad)
		good.Action.Raw = a.Encode(g)
		return good
	}
}

func transferPart(t testing.TB, n *fixture.Network, seed uint64, inputs, outputs int) *v1.Part {
	t.Helper()
	return networktest.Parts(t, n, "transfers", inputs, outputs, seed)[0]
}

// lastOf returns p with the last range proof of q.
func lastOf(t testing.TB, n *fixture.Network, p, q proof.Proof, outputs int) proof.Proof {
	t.Helper()
	system, err := n.Params.RangeProof(p.Kind)
	require.NoError(t, err)
	ranges := func(p proof.Proof) (sigma []byte, ps []rangeproof.Proof) {
		sigma, raw, err := p.Split("proof")
		require.NoError(t, err)
		ps, err = rangeproof.DecodeList(wire.OneByOne(n.Params.Group()), system, raw, outputs)
		require.NoError(t, err)
		return sigma, ps
	}
	sigma, ps := ranges(p)
	_, others := ranges(q)
	ps[outputs-1] = others[outputs-1]
	return proof.Join(p.Kind, append([]byte(nil), sigma...), ps)
}

// wrongIssues are issues of one output each; the last has the range proof of
// another issue.
func wrongIssues(t testing.TB, n *fixture.Network, count int) (parts []func(pad int) *v1.Part) {
	t.Helper()
	g := n.Params.Group()
	var actions []*issue.Action
	for i := range count {
		made := networktest.Parts(t, n, "issues", 0, 1, uint64(i))
		a := networktest.Issue(t, g, made[0].Action.Raw)
		actions = append(actions, a)
		parts = append(parts, func(pad int) *v1.Part {
			a.Metadata = padding(pad)
			made[0].Action.Raw = a.Encode(g)
			return made[0]
		})
	}
	last := actions[count-1]
	last.Proof = lastOf(t, n, last.Proof, actions[0].Proof, 1)
	return parts
}

// several signs for a multisig owner.
type several []*x509.Wallet

func (s several) Identity() []byte {
	ids := make([][]byte, len(s))
	for i, w := range s {
		ids[i] = w.Identity()
	}
	return multisig.Encode(ids...)
}

func (s several) Sign(message []byte) ([]byte, error) {
	signatures := make([][]byte, len(s))
	for i, w := range s {
		var err error
		if signatures[i], err = w.Sign(message); err != nil {
			return nil, err
		}
	}
	return multisig.Join(signatures...), nil
}

// membersOfMany is the number of members of each owner of manySigners: for all 64 inputs
// more than the verification budget.
const membersOfMany = 64

// manySigners is a transfer of 64 inputs with owners of many members.
func manySigners(t testing.TB, n *fixture.Network) func(pad int) *v1.Part {
	t.Helper()
	g := n.Params.Group()
	part := transferPart(t, n, 3, 64, 1)
	a := networktest.Transfer(t, g, part.Action.Raw)
	ownedBy(t, membersOfMany, a, part)
	return func(int) *v1.Part { // its size is a megabyte anyway
		part.Action.Raw = a.Encode(g)
		return part
	}
}

// ownedBy gives each input the given number of owners, who all sign.
func ownedBy(t testing.TB, members int, a *transfer.Action, part *v1.Part) {
	t.Helper()
	part.Signers = nil
	random := fixture.Random(4)
	for i := range a.Inputs {
		var s several
		for range members {
			w, err := x509.NewKeyWallet(random)
			require.NoError(t, err)
			s = append(s, w)
		}
		a.Inputs[i].Token.Owner = s.Identity()
		part.Signers = append(part.Signers, identity.Signer(s))
	}
}

// worstNetworks calls f with networks of 64 bits for systems.
func worstNetworks(t testing.TB, curve string, kinds []rangeproof.Kind,
	f func(kind rangeproof.Kind, n *fixture.Network)) {
	for _, kind := range kinds {
		n, err := fixture.NewNetwork(fixture.Config{Group: vectors.Curve(t, curve), Bits: 64,
			Systems: []rangeproof.Kind{kind}, Resources: large.Resources})
		require.NoError(t, err)
		f(kind, n)
	}
}

// most bounds the work that a request can cause, on any curve: decoded points,
// terms of multiplications, additions. Each of 64 outputs has a range proof of
// at most 19 points.
var most = map[rangeproof.Kind][3]uint64{
	rangeproof.CSP:         {64 + 64 + 64 + 64*19, 64 * 27, 64 * 8},
	rangeproof.Bulletproof: {64 + 64 + 64 + 64*16, 64 * 91, 64 * 137},
}

// owners is the number of keys of these requests: three owners of each input,
// or an issuer of each action, and an auditor.
var owners = map[string]int{"transfer": 64*3 + 1, "issues": 64 + 1}

// TestWorstMegabyte checks that the limits bound the work of a validator for
// any request; these requests come close to the bounds. BenchmarkWorstMegabyte
// measures the time.
func TestWorstMegabyte(t *testing.T) {
	if testing.Short() {
		t.Skip("makes 256 range proofs of 64 bits")
	}
	both := []rangeproof.Kind{rangeproof.CSP, rangeproof.Bulletproof}
	worstNetworks(t, "BN254", nightly.Pick(both[:1], both[:1], both), func(kind rangeproof.Kind,
		n *fixture.Network) {
		inputs := worst(t, n)
		var rec count.Recorder
		g, err := opcount.Wrap(n.Params.Group(), rec.Bucket(""), nil)
		require.NoError(t, err)
		var opened int
		v := validator.New(n.Params.On(g), validator.Options{
			AllowUnsoundV1Bulletproofs: true, Resources: large.Resources,
			Identities: identity.Registry{identity.X509: func(raw []byte) (identity.Verifier, error) {
				opened++
				return x509.NewVerifier(raw)
			}},
		})
		for name, raw := range inputs {
			rec.Reset()
			opened = 0
			_, err := v.Validate("tx", raw)
			require.ErrorAs(t, err, new(*validator.RefusedError))
			total := rec.Snapshot().Total()
			units := map[string]uint64{}
			for _, u := range total.Units() {
				units[u.Name] = u.Value
			}
			done := [3]uint64{total.Terms(count.Decode), units["msm-terms/op"] + units["scalar-mul/op"],
				units["point-add/op"]}
			for i := range done {
				require.LessOrEqual(t, done[i], most[kind][i], "%s %s", kind, name)
			}
			require.LessOrEqual(t, opened, request.DefaultLimits.Verifications)
			if name == "multisig" {
				require.ErrorIs(t, err, validator.ErrManySigners)
				require.Equal(t, opened, request.DefaultLimits.Verifications)
			} else {
				require.ErrorIs(t, err, rangeproof.ErrRejected)
				require.Greater(t, done[0], most[kind][0]*9/10, "the input is not the worst")
				require.Equal(t, owners[name], opened, "%s %s: keys", kind, name)
			}
		}
	})
}

func BenchmarkWorstMegabyte(b *testing.B) {
	for _, curve := range []string{"BN254", "BLS12_381_BBS_GURVY"} {
		kinds := []rangeproof.Kind{rangeproof.CSP, rangeproof.Bulletproof}
		worstNetworks(b, curve, kinds, func(kind rangeproof.Kind, n *fixture.Network) {
			n.Params.Precompute()
			v := n.Validator(large)
			for input, raw := range worst(b, n) {
				b.Run(fmt.Sprintf("curve=%s/proof=%s/input=%s", curve, kind, input), func(b *testing.B) {
					for b.Loop() {
						if _, err := v.Validate("tx", raw); err == nil {
							b.Fatal("accepted")
						}
					}
				})
			}
		})
	}
}
