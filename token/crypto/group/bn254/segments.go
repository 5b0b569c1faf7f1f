package bn254

import curve "github.com/consensys/gnark-crypto/ecc/bn254"

// segments sum lists of points of any lengths: neighbours are added in pairs,
// all pairs of a level in batches, until no list is longer than one.
type segments struct {
	refs    []uint32 // the lists one after the other, as lockstep's at
	lens    []int    // their lengths
	piles   [2][]curve.G1Affine
	a, b    []uint32 // the pairs of a batch
	targets []int    // where their sums go
}

func (s *segments) wipe() {
	wipe(&s.refs)
	wipe(&s.lens)
	wipe(&s.piles[0])
	wipe(&s.piles[1])
	wipe(&s.a)
	wipe(&s.b)
	wipe(&s.targets)
}

// reset begins new lists.
func (s *segments) reset() {
	wipe(&s.refs)
	wipe(&s.lens)
}

// reduce sums the lists of entries that are in ws.pile and returns the sums,
// one for each list that is not empty. Then all lengths are 0 or 1, and refs
// names the sums one by one. No entry is the identity; sums may be. Sums stand
// in piles[to] or in the other pile, and entries may be that other pile.
func (ws *workspace) reduce(entries []curve.G1Affine, to int) []curve.G1Affine {
	ws.tainted = false
	for {
		entries = ws.level(entries, to)
		if len(entries) == ws.pile.lists() {
			return entries
		}
		to = 1 - to
	}
}

// lists counts the lists that are not empty.
func (s *segments) lists() (n int) {
	for _, l := range s.lens {
		n += min(l, 1)
	}
	return n
}

// level adds neighbours and writes the shorter lists to piles[to].
func (ws *workspace) level(entries []curve.G1Affine, to int) []curve.G1Affine {
	s := &ws.pile
	dst := grow(&s.piles[to], len(s.refs))
	out, refs := 0, s.refs
	for i, n := range s.lens {
		for k := 0; k+1 < n; k += 2 {
			s.a, s.b = append(s.a, refs[k]), append(s.b, refs[k+1])
			s.targets = append(s.targets, out)
			out++
			if len(s.a) == batchLen {
				ws.addPairs(dst, entries)
			}
		}
		if n%2 == 1 {
			dst[out] = entries[refs[n-1]>>1]
			if refs[n-1]&1 == 1 {
				dst[out].Neg(&dst[out])
			}
			out++
		}
		refs = refs[n:]
		s.lens[i] = (n + 1) / 2
	}
	ws.addPairs(dst, entries)
	clear(s.refs[out:])
	s.refs = s.refs[:out]
	for i := range s.refs {
		s.refs[i] = uint32(i) << 1
	}
	return dst[:out]
}

// addPairs computes the collected sums.
func (ws *workspace) addPairs(dst, entries []curve.G1Affine) {
	s, n := &ws.pile, len(ws.pile.a)
	ws.used = max(ws.used, n)
	acc, in := ws.acc.cut(0, n), ws.in.cut(0, n)
	gather(acc, entries, s.a)
	gather(in, entries, s.b)
	if n > 0 {
		ws.add(acc, in)
	}
	for i, target := range s.targets {
		dst[target] = acc.at(i)
	}
	wipe(&s.a)
	wipe(&s.b)
	wipe(&s.targets)
}
