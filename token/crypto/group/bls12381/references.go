// Code generated from bn254/references.go by bls12381/generate. DO NOT EDIT.

package bls12381

import "github.com/consensys/gnark-crypto/ecc/bls12-381/fr"

// fixedTerms are equally long sums over a table: two for each piece, one for each
// half of its scalars,
//
//	Σ kᵢ·Pᵢ = Σ kᵢ₁·Pᵢ + φ(Σ kᵢ₂·Pᵢ)
//
// first the sums of all first halves, then of all second halves. The terms
// of a sum are the windows of its first scalar, then of the next.
type fixedTerms struct {
	fixedSums
	pieces []piece
	length int // of a piece; the last one of a row is filled up with zeros
	// ws.refs begins with the references of scalars from ≤ k < to of each piece.
	from, to int
}

// piece is a part of a row, from scalar number first on.
type piece struct{ row, first int }

// terms returns the sums of the pieces, which have length scalars each.
func (f fixedSums) terms(pieces []piece, length int) fixedTerms {
	t := fixedTerms{fixedSums: f, pieces: pieces, length: length}
	grow(&f.ws.refs, min(length, batchLen/t.perScalar()+2)*t.perScalar())
	return t
}

// sums returns the number of sums.
func (f *fixedTerms) sums() int { return 2 * len(f.pieces) }

// count returns the number of terms of each sum.
func (f *fixedTerms) count() int { return f.length * len(f.t.windows) }

// perScalar returns how many references one scalar of each piece has.
func (f *fixedTerms) perScalar() int { return len(f.t.windows) * f.sums() }

// references is a filler of at most batchLen references. Each call continues the
// call before, or begins at term 0 again.
func (f *fixedTerms) references(first, terms int) (at int) {
	windows, size, refs := len(f.t.windows), f.perScalar(), f.ws.refs
	k, end := first/windows, (first+terms+windows-1)/windows
	if k < f.from {
		f.from, f.to = k, k
	}
	if end > f.to {
		copy(refs, refs[(k-f.from)*size:(f.to-f.from)*size])
		for next := f.to; next < end; next++ {
			f.recode(refs[(next-k)*size:][:size], next)
		}
		f.from, f.to = k, end
	}
	return (first - f.from*windows) * f.sums()
}

// recode writes the references of scalar k of each piece. Zeros that fill up are
// multiples of different points, since equal ones would be added to each other,
// which takes the slow path.
func (f *fixedTerms) recode(refs []uint32, k int) {
	ws, t, n := f.ws, f.t, len(f.pieces)
	whole := blocksOf(n) * lanes
	scalars, bases := grow(&ws.column, whole), grow(&ws.numbers, whole)
	for r := range f.pieces {
		row, at := &f.rows[f.pieces[r].row], f.pieces[r].first+k
		i, s := k%len(t.points), &fr.Element{}
		if at < len(row.Scalars) {
			i, s = row.At(at), element(&row.Scalars[at])
		}
		if t.identity != nil && t.identity[i] {
			s = &fr.Element{}
		}
		scalars[r], bases[r] = *s, uint32(i)
	}
	if l, ok := ws.acc.points.(recoder); ok {
		l.recode(refs, scalars[:n], bases[:n], t.windows)
	} else {
		recodeOneByOne(refs, scalars[:n], bases[:n], t.windows)
	}
}

// recoder is memory for kernels that recode many scalars together.
type recoder interface {
	// recode does the same as recodeOneByOne. The memory of scalars and bases goes
	// on to a multiple of lanes.
	recode(refs []uint32, scalars []fr.Element, bases []uint32, windows []window)
}

// recodeOneByOne writes the references of the windows of one scalar of each of
// n pieces: for each window, n first halves and then n second
// halves.
func recodeOneByOne(refs []uint32, scalars []fr.Element, bases []uint32, windows []window) {
	n := len(scalars)
	for r := range scalars {
		first, second := recodeScalar(&scalars[r])
		for j := range windows {
			w, digit := &windows[j], uint32(0)
			place := w.first + bases[r]<<(w.width%32)
			digit, first = first.nextDigit(w.width)
			refs[2*j*n+r] = place + digit
			digit, second = second.nextDigit(w.width)
			refs[2*j*n+n+r] = place + digit
		}
	}
}
