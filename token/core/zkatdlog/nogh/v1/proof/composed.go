package proof

import (
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof/systems"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/round"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// composed is the protocol v1. The proof of an action is Cont(sigma proof,
// RangeList) (specification, section 9). The sigma proof shows that the type is
// the one committed to in CT and, for transfers, that sums are equal; the range
// proofs show that each Out - CT commits to a value in the range, without the
// generator of the type. Its kind is that of the range proofs.
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

func (composed) Bound(Place) Place { return Place{} }

func (composed) Early(d Draft) (made bool, err error) { return true, d.Prove(Place{}) }

func (composed) Verify(p *params.Params, a Placed) error {
	return round.Run(p.Group(), func(r round.Round) error { return a.Action.Verify(r, p) })
}

func (composed) VerifyBatch(p *params.Params, actions []Placed, bounded bool) error {
	verify := VerifyBatch
	if bounded {
		verify = VerifyBounded
	}
	return verify(p, len(actions), func(r round.Round, i int) error { return actions[i].Action.Verify(r, p) })
}

func (composed) VerifyEach(p *params.Params, actions []Placed) []error {
	return VerifyEach(p, len(actions), func(r round.Round, i int) error { return actions[i].Action.Verify(r, p) })
}

func (composed) variants() []variant { return systemVariants }

var systemVariants = func() (vs []variant) {
	for _, f := range systems.All {
		vs = append(vs, variant{f.Kind, protowire.Number(f.Variant)})
	}
	return vs
}()

// Join returns the container of a sigma proof, appended by sigma, and of the
// range proofs, which may be empty for a transfer.
func Join(kind rangeproof.Kind, sigma func(dst []byte) []byte, ranges []rangeproof.Proof) Proof {
	raw := wire.WrapOctets(sigma(make([]byte, 0, sizeHint)), 0)
	at := len(raw)
	if len(ranges) > 0 {
		raw = rangeproof.AppendList(raw, ranges)
	}
	return Proof{Kind: kind, Raw: wire.WrapContainer(wire.WrapOctets(raw, at), 0)}
}

// sizeHint fits the proof of two inputs and outputs of 64 bits for all systems
// and curves.
const sizeHint = 6 << 10

// Split returns views of the two members of the container: the sigma proof and
// the list of range proofs. what names the message in errors.
func (p Proof) Split(what string) (sigma, ranges []byte, err error) {
	var room [2][]byte
	parts, err := wire.ContainerInto(room[:0], what, p.Raw, 2, 2)
	if err != nil {
		return nil, nil, err
	}
	return parts[0], parts[1], nil
}

// Verify is a task that verifies both parts of a proof together: the sigma proof,
// and the encoded range proofs for the outputs without their type. Errors are the
// first one of sigma, params.ErrNoSystem if p lacks the kind of range proof,
// *wire.DecodeError, and *rangeproof.RejectedError, in this order.
func Verify(r round.Round, p *params.Params, kind rangeproof.Kind, sigma func(round.Round) error, withoutType []group.Point, ranges []byte) error {
	system, err := p.RangeProof(kind)
	var proofs []rangeproof.Proof
	if err == nil {
		proofs, err = rangeproof.DecodeList(r.Group, system, ranges, len(withoutType))
	}
	rejected := r.Each(1+len(proofs), func(r round.Round, i int) error {
		if i == 0 {
			return sigma(r)
		}
		if err := system.Verify(r, withoutType[i-1], proofs[i-1]); err != nil {
			return &rangeproof.RejectedError{Index: i - 1, Err: err}
		}
		return nil
	})
	if rejected != nil {
		return rejected
	}
	return err
}
