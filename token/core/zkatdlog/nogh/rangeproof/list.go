package rangeproof

import (
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// AppendList appends RangeList = Cont(Cont(proof₀, …)): a container with
// exactly one member, the container of the proofs in the order of the outputs
// (specification, section 7.4).
func AppendList(dst []byte, proofs []Proof) []byte {
	start := len(dst)
	for _, p := range proofs {
		at := len(dst)
		dst = wire.WrapOctets(p.Append(dst), at)
	}
	return wire.Wrap(dst, start, wire.TagSequence, wire.TagSequence, wire.TagOctetString, wire.TagSequence,
		wire.TagSequence)
}

// DecodeList reads a RangeList of exactly n proofs of system s, counted and
// measured before the first one is decoded. ps decodes their points. Errors are
// *wire.DecodeError.
func DecodeList(ps *wire.Points, s System, b []byte, n int) ([]Proof, error) {
	const messageName wire.Name = "range proof list"
	var room [1][]byte
	outer, err := wire.ContainerInto(room[:0], messageName, b, 1, 1)
	if err != nil {
		return nil, err
	}
	var inner [16][]byte
	members, err := wire.ContainerInto(inner[:0], messageName, outer[0], n, n)
	if err != nil {
		return nil, err
	}
	for _, m := range members {
		if len(m) != s.ProofLen() {
			return nil, messageName.Bad("proof", wire.ErrLength)
		}
	}
	proofs := make([]Proof, n)
	for i, m := range members {
		proofs[i], err = s.Decode(ps, m)
		if err != nil {
			return nil, err
		}
	}
	return proofs, nil
}

// Decode reads exactly one proof of system s. Errors are *wire.DecodeError.
func Decode(g group.Group, s System, b []byte) (Proof, error) {
	return wire.Together(g, func(ps *wire.Points) (Proof, error) { return s.Decode(ps, b) })
}
