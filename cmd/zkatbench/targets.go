package main

import (
	"bytes"
	"context"
	"errors"
	"slices"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	v1 "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/badinput"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	v1request "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/suite"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
	"github.com/zkatbench/zkatbench/token/crypto/group/curves"
)

const mutateAnchor = "tx"

// mutationTarget is the requests of one network; their mutants are validated.
type mutationTarget struct {
	network   *fixture.Network
	validator *validator.Validator
	originals [][]byte
	parts     [][]*v1.Part // by original
	actions   []actionRef  // of all originals
}

// actionRef refers to an action of an original.
type actionRef struct{ original, part int }

// targetConfigs are the networks: each range-proof system, v2, and both native
// curves.
var targetConfigs = []struct {
	protocol  string
	curve     string
	system    rangeproof.Kind
	protocols params.Protocols
}{
	{"v1", "BN254", rangeproof.CSP, params.Protocols{V1: true}},
	{"v1", "BN254", rangeproof.Bulletproof, params.Protocols{V1: true}},
	{"v1", "BLS12_381_BBS_GURVY", rangeproof.CSP, params.Protocols{V1: true}},
	{"v2", "BN254", rangeproof.CSP, params.Protocols{V2: true}},
	{"v2", "BLS12_381_BBS_GURVY", rangeproof.CSP, params.Protocols{V2: true}},
}

// newTargets makes the networks of the given protocols and kinds of owners. Only v2 has
// owners by hash.
func newTargets(protocols []string, owners []bench.Case, rules v1request.Version) (hs []*mutationTarget, err error) {
	for _, config := range targetConfigs {
		if !slices.Contains(protocols, config.protocol) {
			continue
		}
		g, err := curves.ByName(config.curve)
		if err != nil {
			return nil, err
		}
		for _, c := range owners {
			config.protocols.HashedOwners = suite.ProtocolsOf(c).HashedOwners
			if config.protocols.HashedOwners && !config.protocols.V2 {
				continue
			}
			n, err := fixture.NewNetwork(fixture.Config{
				Group: g, Bits: 16, Systems: []rangeproof.Kind{config.system}, Protocols: config.protocols, Owners: suite.OwnerOf(c),
			})
			if err != nil {
				return nil, err
			}
			h := &mutationTarget{network: n, validator: n.Validator(validator.Options{Follow: rules})}
			for i := range fixture.Kinds {
				if err := h.add(i); err != nil {
					return nil, err
				}
			}
			hs = append(hs, h)
		}
	}
	if len(hs) == 0 {
		return nil, usageError("mutate: -%s: owners by hash need -protocol=v2", suite.Owner.Flag)
	}
	return hs, nil
}

// add makes the original of the kind with index i.
func (h *mutationTarget) add(i int) error {
	parts, err := h.network.Parts(fixture.Shape{Kind: fixture.Kinds[i], Inputs: 2, Outputs: 2}, uint64(i)+1)
	if err != nil {
		return err
	}
	a, err := h.network.Signed(mutateAnchor, parts...)
	if err != nil {
		return err
	}
	fixed := make([]*v1.Part, len(parts)) // with the bytes of the original
	for k := range parts {
		h.actions = append(h.actions, actionRef{i, k})
		part := *parts[k]
		part.Action = a.Request.Actions[k]
		fixed[k] = &part
	}
	h.originals, h.parts = append(h.originals, a.Request.Encode()), append(h.parts, fixed)
	return nil
}

// mutators generate the mutants of one worker.
type mutators struct {
	*mutationTarget
	whole, signed *badinput.Mutator
}

func (h *mutationTarget) mutators(seed uint64) (m mutators, err error) {
	whole, actions := make([]*badinput.Node, len(h.originals)), make([]*badinput.Node, len(h.actions))
	for i, raw := range h.originals {
		if whole[i], err = badinput.Parse(raw); err != nil {
			return m, err
		}
	}
	for i, at := range h.actions {
		a := h.parts[at.original][at.part].Action
		if actions[i], err = badinput.ParseAction(a.Kind, a.Raw); err != nil {
			return m, err
		}
	}
	return mutators{
		mutationTarget: h,
		whole:          badinput.NewMutator(h.network.Params.Group(), seed, badinput.Any, whole...), signed: badinput.NewMutator(h.network.Params.Group(), seed, badinput.Bound, actions...),
	}, nil
}

// next returns mutant number k.
func (m mutators) next(k int) ([]byte, error) {
	if k%2 == 0 {
		return m.whole.Next(), nil
	}
	i := k / 2 % len(m.actions)
	at := m.actions[i]
	parts := append([]*v1.Part(nil), m.parts[at.original]...)
	changed := *parts[at.part]
	changed.Action.Raw = m.signed.Of(i)
	if bytes.Equal(changed.Action.Raw, parts[at.part].Action.Raw) { // Idemix signatures differ each time
		return m.originals[at.original], nil
	}
	parts[at.part] = &changed
	r, err := m.network.SignedUnseen(mutateAnchor, parts...)
	if err != nil {
		return nil, err
	}
	return r.Encode(), nil
}

// validateMutants validates n mutants, alternating between the networks.
func validateMutants(ctx context.Context, hs []*mutationTarget, seed uint64, n int) (t tally, err error) {
	t.reasons = reasons{}
	ms := make([]mutators, len(hs))
	for i, h := range hs {
		if ms[i], err = h.mutators(seed); err != nil {
			return t, err
		}
	}
	for k := range n {
		if ctx.Err() != nil {
			return t, nil
		}
		m := ms[k%len(ms)]
		raw, err := m.next(k / len(ms))
		if err != nil {
			return t, err
		}
		m.validate(raw, &t)
	}
	return t, nil
}

func (h *mutationTarget) validate(raw []byte, t *tally) {
	accepted, err := h.validator.Validate(mutateAnchor, raw)
	switch {
	case err != nil && !errors.As(err, new(*executor.PanicError)):
		t.refused++
		t.reasons[reason(err)]++
		return
	case err != nil:
		t.panics++
	case h.isOriginal(raw):
		t.equal++
		return
	case len(accepted.Differences) > 0:
		t.differing++
		return
	default:
		t.accepted++
	}
	if len(t.examples) < maxExamples {
		t.examples = append(t.examples, raw)
	}
}

// isOriginal reports whether raw is an original, with signatures of auditors in any
// place of the list.
func (h *mutationTarget) isOriginal(raw []byte) bool {
	if r, err := v1request.Decode(raw, v1request.DefaultLimits); err == nil {
		slices.SortStableFunc(r.Signatures, func(a, b v1request.Signature) int { return min(len(b.Auditor), 1) - min(len(a.Auditor), 1) })
		raw = r.Encode()
	}
	for _, o := range h.originals {
		if bytes.Equal(o, raw) {
			return true
		}
	}
	return false
}
