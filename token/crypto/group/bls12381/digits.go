// Code generated from bn254/digits.go by bls12381/generate. DO NOT EDIT.

package bls12381

import (
	curve "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fp"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// digitTable holds the multiples 1 to 16 of each point: digit d chooses
// (d+1)·P, so that no summand is the identity, which additions would branch on.
// offsets[n] takes the extra multiples of the first n points away again.
type digitTable struct {
	multiples [][group.DigitBase]curve.G1Affine
	offsets   []curve.G1Affine
}

func (t *digitTable) Len() int { return len(t.multiples) }
func (t *digitTable) Bytes() int {
	return (len(t.multiples)*group.DigitBase + len(t.offsets)) * pointBytes
}

// NewDigitTable prepares the multiples of each point.
func (g *Group) NewDigitTable(ps []group.Point) group.DigitTable {
	t := &digitTable{multiples: make([][group.DigitBase]curve.G1Affine, len(ps)),
		offsets: make([]curve.G1Affine, len(ps)+1)}
	var offset group.Point
	for i, p := range ps {
		var multiple group.Point
		for d := range t.multiples[i] {
			multiple = g.AddPoints(multiple, p)
			t.multiples[i][d] = affine(&multiple)
		}
		offset = g.SubPoints(offset, p)
		t.offsets[i+1] = affine(&offset)
	}
	return t
}

// AddDigits adds Σ rows[k][i]·P[i] to each dst[k], with one inversion for all.
func (g *Group) AddDigits(dst []group.Point, t group.DigitTable, rows [][]uint8) {
	ws := g.take()
	defer ws.put()
	table := t.(*digitTable)
	wipe(&ws.bases)
	whole := true // pieces do not cross rows
	for _, digits := range rows {
		whole = whole && len(digits)%digitsPiece == 0
		for i, d := range digits {
			ws.bases = append(ws.bases, selectPoint(&table.multiples[i], d))
		}
	}
	var pieces []curve.G1Affine
	if whole {
		pieces = ws.sumDigits()
	}
	jac, chosen := grow(&ws.totals, len(rows)), ws.bases
	for k, digits := range rows {
		start := affine(&dst[k])
		jac[k].FromAffine(&table.offsets[len(digits)])
		jac[k].AddMixed(&start)
		own := min(len(digits)/digitsPiece, len(pieces))
		addAll(&jac[k], pieces[:own])
		addAll(&jac[k], chosen[own*digitsPiece:len(digits)])
		pieces, chosen = pieces[own:], chosen[len(digits):]
	}
	for i := 0; i < len(rows); i += batchLen {
		end := min(i+batchLen, len(rows))
		sums := grow(&ws.sums, end-i)
		ws.normalize(sums, jac[i:end])
		for k := range sums {
			dst[i+k] = point(&sums[k])
		}
	}
}

// addAll adds the points to sum.
func addAll(sum *curve.G1Jac, ps []curve.G1Affine) {
	for i := range ps {
		sum.AddMixed(&ps[i])
	}
}

// digitsPiece is how many chosen points form a chain.
const digitsPiece = 8

// sumDigits returns the sums of digitsPiece neighbours of ws.bases each, in
// chains, and nil if chains are not used.
func (ws *workspace) sumDigits() []curve.G1Affine {
	rows := len(ws.bases) / digitsPiece
	c := ws.chains(rows, digitsPiece, entries{points: ws.bases}, func(first, terms int) int {
		refs := grow(&ws.refs, terms*rows)
		for i := range refs {
			refs[i] = uint32(i%rows*digitsPiece+first+i/rows) << 1
		}
		return 0
	})
	if c == nil || !c.affine(rows) {
		return nil
	}
	return ws.storePartial(rows)
}

// selectPoint returns multiples[digit]. It reads all of them.
func selectPoint(multiples *[group.DigitBase]curve.G1Affine, digit uint8) (p curve.G1Affine) {
	for i := range multiples {
		mask, m := group.EqualMask(uint8(i), digit), &multiples[i]
		for k := range fp.Limbs {
			p.X[k] |= mask & m.X[k]
			p.Y[k] |= mask & m.Y[k]
		}
	}
	return p
}
