package rangeproof

import (
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
	inner := wire.WrapContainer(dst, start)
	return wire.WrapContainer(wire.WrapOctets(inner, start), start)
}

// DecodeList reads a RangeList of exactly n proofs of system s, counted and
// measured before the first one is decoded. Errors are *wire.DecodeError.
func DecodeList(s System, b []byte, n int) ([]Proof, error) {
	const what = "range proof list"
	var room [1][]byte
	outer, err := wire.ContainerInto(room[:0], what, b, 1, 1)
	if err != nil {
		return nil, err
	}
	members, err := wire.Container(what, outer[0], n, n)
	if err != nil {
		return nil, err
	}
	for _, m := range members {
		if len(m) != s.ProofLen() {
			return nil, wire.Bad(what, "proof", wire.ErrLength)
		}
	}
	return s.DecodeAll(members)
}
