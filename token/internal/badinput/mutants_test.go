package badinput_test

import (
	"bytes"
	"errors"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	v1 "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
	"github.com/zkatbench/zkatbench/token/internal/badinput"
	"github.com/zkatbench/zkatbench/token/internal/networktest"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// target is the requests of one network; their mutants are validated.
type target struct {
	network   *fixture.Network
	validator *validator.Validator
	originals [][]byte
	parts     [][]*v1.Part // by original
	actions   []actionRef  // of all originals
}

// actionRef refers to an action of an original.
type actionRef struct{ original, part int }

// TestSignedMutants validates random mutants of whole requests, and requests that all
// parties sign although one of the actions is a mutant. Only messages equal to an original
// may be accepted, and no message makes the validator panic; a version of the reference
// may accept more, if it names the rule. Networks are of each range-proof
// system, v2, and both native curves.
func TestSignedMutants(t *testing.T) {
	v1Only, v2Only := params.Protocols{V1: true}, params.Protocols{V2: true}
	hashed := params.Protocols{V2: true, HashedOwners: true}
	for i, c := range []struct {
		curve     string
		system    rangeproof.Kind
		protocols params.Protocols
		owners    identity.Type
		follow    request.Version
		parts     int // of 16 of the mutants
	}{
		{"BN254", rangeproof.CSP, v1Only, identity.X509, request.Strict, 2},
		{"BN254", rangeproof.Bulletproof, v1Only, identity.X509, request.Strict, 2},
		{"BLS12_381_BBS_GURVY", rangeproof.CSP, v1Only, identity.X509, request.Strict, 2},
		{"BN254", rangeproof.CSP, v1Only, identity.X509, request.V0_14, 1},
		{"BN254", rangeproof.CSP, v1Only, identity.X509, request.V0_15, 1},
		{"BN254", rangeproof.CSP, v2Only, identity.X509, request.Strict, 3},
		{"BLS12_381_BBS_GURVY", rangeproof.CSP, v2Only, identity.X509, request.Strict, 3},
		{"BN254", rangeproof.CSP, hashed, identity.X509, request.Strict, 1},
		{"BLS12_381_BBS_GURVY", rangeproof.CSP, hashed, identity.IdemixNym, request.Strict, 1},
	} {
		if testing.Short() && i%3 != 0 {
			continue // v1, a version, and v2 on the other curve are left
		}
		n := networktest.New(t, fixture.Config{Group: vectors.Curve(t, c.curve), TableBytes: 1 << 18,
			Systems: []rangeproof.Kind{c.system}, Protocols: c.protocols, Owners: c.owners})
		target := &target{network: n, validator: n.Validator(validator.Options{Follow: c.follow})}
		for i := range fixture.Kinds {
			target.add(t, i)
		}
		workers := runtime.GOMAXPROCS(0)
		each := nightly.Pick(320, 2000, 1_000_000) * c.parts / 16 / workers
		tallies := make([]tally, workers)
		require.NoError(t, executor.Unbounded{}.Run(workers, func(i int) error {
			var err error
			tallies[i], err = target.validate(uint64(i)+1, each)
			return err
		}))
		for _, tally := range tallies {
			require.Empty(t, tally.wrong, "%+v", c)
			require.Positive(t, tally.refused)
			require.True(t, tally.differing == 0 || c.follow != request.Strict)
		}
	}
}

// add makes the original of the kind with index i.
func (h *target) add(t *testing.T, i int) {
	t.Helper()
	parts := networktest.Parts(t, h.network, fixture.Kinds[i], 2, 2, uint64(i)+1)
	a, err := h.network.Signed(anchor, parts...)
	require.NoError(t, err)
	fixed := make([]*v1.Part, len(parts)) // with the bytes of the original
	for k := range parts {
		h.actions = append(h.actions, actionRef{i, k})
		part := *parts[k]
		part.Action = a.Request.Actions[k]
		fixed[k] = &part
	}
	h.originals, h.parts = append(h.originals, a.Request.Encode()), append(h.parts, fixed)
}

// tally counts the outcomes of mutants.
type tally struct {
	refused, differing int
	wrong              [][]byte // accepted without a reason, or cause of a panic
}

// validate validates n mutants.
func (h *target) validate(seed uint64, n int) (t tally, err error) {
	whole, actions := make([]*badinput.Node, len(h.originals)), make([]*badinput.Node, len(h.actions))
	for i, raw := range h.originals {
		if whole[i], err = badinput.Parse(raw); err != nil {
			return t, err
		}
	}
	for i, at := range h.actions {
		a := h.parts[at.original][at.part].Action
		if actions[i], err = badinput.ParseAction(a.Kind, a.Raw); err != nil {
			return t, err
		}
	}
	g := h.network.Params.Group()
	unsigned, signed := badinput.NewMutator(g, seed, badinput.Any, whole...),
		badinput.NewMutator(g, seed, badinput.Bound, actions...)
	for k := range n {
		raw := unsigned.Next()
		if k%2 == 1 {
			i := k / 2 % len(h.actions)
			if raw, err = h.sign(h.actions[i], signed.Of(i)); err != nil {
				return t, err
			}
		}
		switch accepted, err := h.validator.Validate(anchor, raw); {
		case errors.As(err, new(*executor.PanicError)):
			t.wrong = append(t.wrong, raw)
		case err != nil:
			t.refused++
		case h.isOriginal(raw):
		case len(accepted.Differences) > 0:
			t.differing++
		default:
			t.wrong = append(t.wrong, raw)
		}
	}
	return t, nil
}

// sign returns an original with another action, signed by all parties.
func (h *target) sign(at actionRef, raw []byte) ([]byte, error) {
	parts := slices.Clone(h.parts[at.original])
	changed := *parts[at.part]
	if bytes.Equal(raw, changed.Action.Raw) { // Idemix signatures differ each time
		return h.originals[at.original], nil
	}
	changed.Action.Raw = raw
	parts[at.part] = &changed
	r, err := h.network.SignedUnseen(anchor, parts...)
	if err != nil {
		return nil, err
	}
	return r.Encode(), nil
}

// isOriginal reports whether raw is an original, with signatures of auditors in any
// place of the list.
func (h *target) isOriginal(raw []byte) bool {
	if r, err := request.Decode(raw, request.DefaultLimits); err == nil {
		slices.SortStableFunc(r.Signatures, func(a, b request.Signature) int {
			return min(len(b.Auditor), 1) - min(len(a.Auditor), 1)
		})
		raw = r.Encode()
	}
	return slices.ContainsFunc(h.originals, func(original []byte) bool { return bytes.Equal(original, raw) })
}
