package bn254

import curve "github.com/consensys/gnark-crypto/ecc/bn254"

// segments sum lists of points of any lengths: neighbours are added in pairs,
// all pairs of a level in batches, until no list is longer than one.
type segments struct {
	refs    []uint32 // the lists one after the other, in the form of lockstep
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

// reduce sums the lists of entries in ws.lists and returns the sums, one
// for each list that is not empty, and the index of the pile that holds them.
// Then all lengths are 0 or 1, and refs names the sums one by one. The
// first sums go to piles[to]; the entries may be in the other pile.
func (ws *workspace) reduce(from entries, to int) (sums []curve.G1Affine, pile int) {
	ws.reset()
	for {
		sums = ws.level(from, to)
		if len(sums) == ws.lists.count() {
			return sums, to
		}
		from = entries{points: sums, identity: ws.acc.points.mayHaveIdentity()}
		to = 1 - to
	}
}

// count returns how many lists are not empty.
func (s *segments) count() (n int) {
	for _, l := range s.lens {
		n += min(l, 1)
	}
	return n
}

// level adds neighbours and writes the shorter lists to piles[to].
func (ws *workspace) level(from entries, to int) []curve.G1Affine {
	s := &ws.lists
	dst := grow(&s.piles[to], len(s.refs))
	out, refs := 0, s.refs
	for i, n := range s.lens {
		for k := 0; k+1 < n; k += 2 {
			s.a, s.b = append(s.a, refs[k]), append(s.b, refs[k+1])
			s.targets = append(s.targets, out)
			out++
			if len(s.a) == batchLen {
				ws.addPairs(dst, from)
			}
		}
		if n%2 == 1 {
			dst[out] = from.points[refs[n-1]>>1]
			if refs[n-1]&1 == 1 {
				dst[out].Neg(&dst[out])
			}
			out++
		}
		refs = refs[n:]
		s.lens[i] = (n + 1) / 2
	}
	ws.addPairs(dst, from)
	clear(s.refs[out:])
	s.refs = s.refs[:out]
	for i := range s.refs {
		s.refs[i] = uint32(i) << 1
	}
	return dst[:out]
}

// addPairs computes the collected sums.
func (ws *workspace) addPairs(dst []curve.G1Affine, from entries) {
	s, n := &ws.lists, len(ws.lists.a)
	if n == 0 {
		return
	}
	acc, in := ws.acc.cut(0, n), ws.in.cut(0, n)
	acc.gather(from, s.a)
	in.gather(from, s.b)
	acc.add(in)
	results := ws.storePartial(n)
	for i, target := range s.targets {
		dst[target] = results[i]
	}
	wipe(&s.a)
	wipe(&s.b)
	wipe(&s.targets)
}
