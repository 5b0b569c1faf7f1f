package bls12381

import (
	curve "github.com/consensys/gnark-crypto/ecc/bls12-381"
)

// curveX is -x for the curve parameter x.
const curveX = 0xd201000000010000

// subgroupLen is how many points are checked together. Their coordinates stay in
// the first-level cache.
const subgroupLen = 64

// firstOutside returns the index of the first point outside the group, or
// their number. Points that the check in lanes does not show to be in the group,
// for example of small order, are checked alone: the verdict equals the one of
// inSubgroup.
func (ws *workspace) firstOutside(ps []curve.G1Affine) int {
	for i := 0; i < len(ps); i += subgroupLen {
		part := ps[i:min(i+subgroupLen, len(ps))]
		var shown [subgroupLen]bool
		ws.showSubgroup(shown[:len(part)], part)
		for k := range part {
			if !shown[k] && !part[k].IsInfinity() && !inSubgroup(&part[k]) {
				return i + k
			}
		}
	}
	return len(ps)
}
