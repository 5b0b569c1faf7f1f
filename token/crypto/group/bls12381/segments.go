// Code generated from bn254/segments.go by bls12381/generate. DO NOT EDIT.

package bls12381

import curve "github.com/consensys/gnark-crypto/ecc/bls12-381"

// segments sum lists of points of any lengths together. Each list is cut into
// columns. A batch has one place for each column and adds to all places the next
// point of their columns, so that sums stay where they are computed. Then the
// sums of the columns are shorter lists.
type segments struct {
	refs    []uint32 // the lists one after the other, in the form of lockstep
	lens    []uint32 // their lengths
	columns []column
	starts  []uint32 // where the columns of each height begin
	named   []uint32 // the next refs
	piles   [2][]curve.G1Affine
}

// column is consecutive refs of one list.
type column struct{ first, height uint32 }

func (s *segments) wipe() {
	wipe(&s.refs)
	wipe(&s.lens)
	wipe(&s.columns)
	wipe(&s.starts)
	wipe(&s.named)
	wipe(&s.piles[0])
	wipe(&s.piles[1])
}

// reduce sums the lists of entries in ws.lists and returns the sums, one for
// each non-empty list, and the index of the pile that holds them. Then
// all lengths are 0 or 1, and refs names the sums one by one. The first sums go
// to piles[to]; the entries may be in the other pile.
func (ws *workspace) reduce(from entries, to int) (sums entries, pile int) {
	for {
		from = ws.shorten(from, to)
		if len(from.points) == ws.lists.count() {
			return from, to
		}
		to = 1 - to
	}
}

// count returns how many lists are not empty.
func (s *segments) count() (n int) {
	for _, l := range s.lens {
		n += int(min(l, 1))
	}
	return n
}

// shorten replaces each list by the list of the sums of its columns, which go to
// piles[to]. Columns are so short that they fill a batch.
func (ws *workspace) shorten(from entries, to int) entries {
	s := &ws.lists
	several := s.cut(max(2, len(s.refs)/batchLen))
	sums := entries{points: grow(&s.piles[to], len(s.columns)), identity: from.identity}
	parts := max(1, (several+batchLen-1)/batchLen)
	for i := range parts {
		first, end := i*several/parts, (i+1)*several/parts
		ws.addColumns(sums.points[first:end], s.columns[first:end], from)
		sums.identity = sums.identity || ws.acc.points.mayHaveIdentity()
	}
	for i, c := range s.columns[several:] {
		ref, p := s.refs[c.first], &sums.points[several+i]
		*p = from.points[ref>>1]
		if ref&1 == 1 {
			p.Neg(p)
		}
	}
	s.refs, s.named = s.named, s.refs
	return sums
}

// cut cuts the lists into columns of at most the given height, the highest
// first, and returns how many have more than one point. named and lens become
// the lists of columns.
func (s *segments) cut(most int) (several int) {
	height := uint32(most)
	starts := grow(&s.starts, most+1)
	clear(starts)
	for _, n := range s.lens {
		starts[height] += n / height
		starts[n%height]++
	}
	total := uint32(0)
	for h := most; h > 0; h-- {
		if h == 1 {
			several = int(total)
		}
		starts[h], total = total, total+starts[h]
	}
	columns, named := grow(&s.columns, int(total)), grow(&s.named, int(total))
	first, next := uint32(0), 0
	for i, n := range s.lens {
		s.lens[i] = (n + height - 1) / height
		for n > 0 {
			h := min(n, height)
			at := &starts[h]
			columns[*at] = column{first, h}
			named[next] = *at << 1
			*at++
			next++
			first += h
			n -= h
		}
	}
	return several
}

// addColumns sets dst to the sums of the columns, at most batchLen and the
// highest first.
func (ws *workspace) addColumns(dst []curve.G1Affine, columns []column, from entries) {
	ws.reset()
	n := len(columns)
	if n == 0 {
		return
	}
	all := ws.lists.refs
	into := ws.acc
	for t := range columns[0].height {
		for columns[n-1].height <= t {
			n--
		}
		refs := grow(&ws.refs, n)
		for k := range refs {
			refs[k] = all[columns[k].first+t]
		}
		into.cut(0, n).gather(from, refs)
		if t > 0 {
			ws.acc.cut(0, n).add(into.cut(0, n))
		}
		into = ws.in
	}
	ws.acc.cut(0, len(dst)).store(dst)
}
