package proof

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof/systems"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/sigma"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/round"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// composed is the protocol v1. The proof of an action is Cont(sigma proof,
// RangeList) (specification, section 9). The sigma proof shows that CT commits
// to the type and, for transfers, that sums are equal. The range proofs show that
// each Out - CT commits to a value in the range, without the generator of the type.
// The Kind of the proof is the kind of the range proofs.
type composed struct{}

func (composed) Format() Format { return Format{Version: 1} }

func (composed) Kind(p *params.Params) (rangeproof.Kind, error) { return p.Kind(), nil }

func (composed) Accepts(p *params.Params, kind rangeproof.Kind) error {
	if !p.Protocols().V1 {
		return fmt.Errorf("%w v1", params.ErrProtocol)
	}
	_, err := p.RangeProof(kind)
	return err
}

func (composed) Sound(kind rangeproof.Kind) bool { return systems.Sound(kind) }

func (composed) MaySpend(*params.Params, bool) bool { return true }

func (composed) Early(d *Draft) (made bool, err error) { return true, d.Prove(Place{}) }

func (composed) prove(d *Draft, _ Place) (Proof, error) { return d.witness.composed(d.maker) }

// Verify computes sums of all sigma proofs together, and of all range proofs. An error
// is the first one of an action: of its parts, sigma.ErrRejected, params.ErrNoSystem,
// *wire.DecodeError of its range proofs, *rangeproof.RejectedError.
func (composed) Verify(r round.Round, p *params.Params, actions []Placed) []error {
	m, v, n := round.NewMemory(), verifiers.Get().(*verifier), len(actions)
	defer m.Wipe()
	defer v.release()
	errs := make([]error, 2*n) // of sigma proofs, and then of range proofs
	v.params, v.errs, v.ranged = p, errs[:n], errs[n:]
	v.decode(r.Group, m, actions, errs)
	for i := range v.parts {
		switch parts := &v.parts[i]; {
		case v.errs[i] != nil:
		case parts.Sum != nil:
			claim := sigma.NewClaim(m, parts.Statement, *parts.Sum)
			v.sums.add(i, claim)
			parts.WithoutType = claim.Out[:len(parts.WithoutType)]
		case parts.Same != nil:
			parts.Same.AnyType = actions[i].AnyType
			v.same.add(i, *parts.Same)
			parts.WithoutType = withoutType(p.Group(), m.Points(2*len(parts.WithoutType)), parts.WithoutType,
				parts.Same.CT)
		}
	}
	sigma.Derive(r.Phase("type and sum"), v.sums.items) // sets the WithoutType of transfers
	for i, parts := range v.parts {
		if cmp.Or(v.errs[i], v.ranged[i]) == nil {
			for j, proof := range parts.proofs {
				v.rangesOf(parts.system).add(i, rangeproof.Item{V: parts.WithoutType[j], Proof: proof})
			}
		}
	}
	for kind := range v.ranges {
		v.kinds = append(v.kinds, kind)
	}
	if len(v.sums.items) > 0 {
		v.kinds = append(v.kinds, ofSums)
	}
	if len(v.same.items) > 0 {
		v.kinds = append(v.kinds, ofSame)
	}
	err := r.Each(len(v.kinds), v.checks) // an error is the error of every action
	for i := range actions {
		v.errs[i] = cmp.Or(v.errs[i], v.ranged[i], err)
	}
	return v.errs
}

// verifier is the parts of actions that are verified together. An error of the sigma
// proof comes before one of the range proofs.
type verifier struct {
	params       *params.Params
	errs, ranged []error        // by action
	parts        []Parts        // by action
	points       []*wire.Points // of sigma proofs, and then of range proofs
	sums         list[sigma.Claim]
	same         list[sigma.SameType]
	ranges       []ranges                     // by system
	kinds        []int                        // present: indices of ranges, ofSums, ofSame
	checks       func(round.Round, int) error // check
}

const (
	ofSums = -1 - iota
	ofSame
)

// verifiers keep their memory, and checks with it: a method value made for each call would
// be an allocation for each.
var verifiers = sync.Pool{New: func() any {
	v := new(verifier)
	v.checks = v.check
	return v
}}

// release keeps the memory for others.
func (v *verifier) release() {
	clear(v.parts)
	clear(v.points)
	v.sums.clear()
	v.same.clear()
	for i := range v.ranges {
		v.ranges[i].clear()
		v.ranges[i].system = nil
	}
	v.params, v.errs, v.ranged = nil, nil, nil
	v.parts, v.points = v.parts[:0], v.points[:0]
	v.ranges, v.kinds = v.ranges[:0], v.kinds[:0]
	verifiers.Put(v)
}

// list is items of actions, one after the other.
type list[T any] struct {
	items []T
	of    []int // the action of each
}

func (l *list[T]) add(of int, item T) { l.items, l.of = append(l.items, item), append(l.of, of) }

func (l *list[T]) clear() {
	clear(l.items)
	l.items, l.of = l.items[:0], l.of[:0]
}

// ranges are range proofs of one system.
type ranges struct {
	system rangeproof.System
	list[rangeproof.Item]
}

// decode reads all proofs, and decodes their points together. It sets the errors.
func (v *verifier) decode(g group.Group, m *round.Memory, actions []Placed, errs []error) {
	for range errs {
		v.points = append(v.points, wire.Later(g))
	}
	for i, a := range actions {
		parts, err := a.Action.Parts(v.params, v.points[i], m)
		if err == nil && (parts.Sum != nil || parts.Same != nil) {
			v.ranged[i] = parts.readRanges(v.params, v.points[len(actions)+i])
		}
		v.parts, v.errs[i] = append(v.parts, parts), err
	}
	wire.DecodeAll(v.points, errs)
}

// readRanges reads the range proofs. ps decodes their points.
func (parts *Parts) readRanges(p *params.Params, ps *wire.Points) (err error) {
	if len(parts.WithoutType) == 0 && len(parts.Ranges) > 0 {
		return fmt.Errorf("one input and one output: %w",
			wire.Name("transfer proof").Bad("range proofs", wire.ErrTrailing))
	}
	parts.system, err = p.RangeProof(parts.Kind)
	if err == nil && len(parts.WithoutType) > 0 {
		parts.proofs, err = rangeproof.DecodeList(ps, parts.system, parts.Ranges, len(parts.WithoutType))
	}
	return err
}

// rangesOf returns the list of a system.
func (v *verifier) rangesOf(system rangeproof.System) *ranges {
	for i := range v.ranges {
		if v.ranges[i].system == system {
			return &v.ranges[i]
		}
	}
	n := len(v.ranges)
	v.ranges = slices.Grow(v.ranges, 1)[:n+1] // with the memory of a former list
	v.ranges[n].system = system
	return &v.ranges[n]
}

// check is a task that verifies the parts of one kind.
func (v *verifier) check(r round.Round, k int) error {
	switch kind := v.kinds[k]; kind {
	default:
		v.checkRanges(r, v.ranges[kind])
	case ofSums:
		for k, err := range sigma.VerifyTypeAndSum(r.Phase("type and sum"), v.params.Pedersen(),
			v.sums.items) {
			v.errs[v.sums.of[k]] = err
		}
	case ofSame:
		for k, err := range sigma.VerifySameType(r.Phase("same type"), v.params.Pedersen(), v.same.items) {
			v.errs[v.same.of[k]] = err
		}
	}
	return nil
}

// checkRanges verifies the range proofs of one system.
func (v *verifier) checkRanges(r round.Round, l ranges) {
	first := 0 // of the action
	for k, err := range l.system.Verify(r, l.items) {
		i := l.of[k]
		if l.of[first] != i {
			first = k
		}
		if err != nil && v.ranged[i] == nil {
			v.ranged[i] = &rangeproof.RejectedError{Index: k - first, Err: err}
		}
	}
}

func (composed) variants() []variant { return systemVariants }

var systemVariants = func() (vs []variant) {
	for _, f := range systems.All {
		vs = append(vs, variant{f.Kind, protowire.Number(f.Variant)})
	}
	return vs
}()

// Join returns the container of an encoded sigma proof, in its memory, and of the range
// proofs, which may be empty for a transfer.
func Join(kind rangeproof.Kind, sigma []byte, ranges []rangeproof.Proof) Proof {
	raw := wire.WrapOctets(sigma, 0)
	at := len(raw)
	if len(ranges) > 0 {
		raw = rangeproof.AppendList(raw, ranges)
	}
	return Proof{Kind: kind, Raw: wire.WrapContainer(wire.WrapOctets(raw, at), 0)}
}

// The memory to reserve for a sigma proof alone, and with range proofs. They fit the proof
// of two inputs and outputs of 64 bits for all systems and curves.
const (
	sigmaHint = 1 << 10
	sizeHint  = 8 << 10
)

// Split returns views of the two members of the container: the sigma proof and
// the list of range proofs. Errors contain messageName.
func (p Proof) Split(messageName wire.Name) (sigma, ranges []byte, err error) {
	var room [2][]byte
	parts, err := wire.ContainerInto(room[:0], messageName, p.Raw, 2, 2)
	if err != nil {
		return nil, nil, err
	}
	return parts[0], parts[1], nil
}
