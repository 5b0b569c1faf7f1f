// Code generated from bn254/chains.go by bls12381/generate. DO NOT EDIT.

package bls12381

// chained is memory for points that can also hold chains, sums in coordinates
// that take no inversion (internal/kernels). Short sums are faster in chains,
// long ones in batches until one batch is left.
type chained interface {
	// begin makes chains of the points in the first n places, which are not the
	// identity.
	begin(n int)
	// extend adds the point in place j+k of b to chain k for all k < n. b is of
	// the same kernel, without the identity; these places are undefined
	// afterwards.
	extend(b points, j, n int)
	// join adds chain from+k to chain to+k for all k < n. The chains from+k are
	// undefined afterwards.
	join(to, from, n int)
	// affine makes the first n chains affine points, with one inversion. It
	// returns false if an addition of a chain had no slope; then the sums must be
	// computed again in batches.
	affine(n int) bool
}

const (
	// chainsFrom is the number of additions below which mixed additions one by
	// one are faster.
	chainsFrom = 48
	// batchesFrom is the number of batches of terms from which on batches are faster.
	batchesFrom = 3
	// chainsWanted is how many chains a call makes at least if there are enough
	// terms, so that multiplications do not wait for each other.
	chainsWanted = 32
	// chainsAhead is how many points are looked up together. They stay in the
	// first-level cache.
	chainsAhead = 288
)

// filler puts the references of the given number of terms, from term first on, into
// refs of the workspace, and returns where they begin: for all sums and one
// term, then for the next.
type filler func(first, terms int) (at int)

// chains computes the sums as lockstep does, and leaves sum r in chain r of
// ws.acc. It returns nil if batches are to be used instead.
func (ws *workspace) chains(rows, terms int, from entries, fill filler) chained {
	c, ok := ws.acc.points.(chained)
	if !ok || from.identity || rows*terms < chainsFrom || rows > chainsAhead {
		return nil
	}
	height := chainHeight(rows, terms)
	first, added := height, height // places of each sum, and its terms in them
	if inBatches(rows, terms) {
		first, added = batchLen/rows, terms
	}
	ws.stack(rows, added, first, from, fill)
	if ws.acc.points.mayHaveIdentity() {
		return nil
	}
	c.begin(height * rows)
	extend := func(b points, k, n int) {
		for ; k < n; k += height {
			c.extend(b, k*rows, min(height, n-k)*rows)
		}
	}
	extend(ws.acc.points, height, first)
	ahead := chainsAhead / (height * rows) * height
	for t := added; t < terms; t += ahead {
		n := min(ahead, terms-t)
		ws.fill(ws.in, t, n, rows, from, fill)
		extend(ws.in.points, 0, n)
	}
	for ; height > 1; height /= 2 {
		c.join(0, height/2*rows, height/2*rows)
	}
	return c
}

// inBatches reports whether all terms are added in batches first, so that only one batch
// is left for chains.
func inBatches(rows, terms int) bool { return terms >= batchesFrom*(batchLen/rows) }

// chainHeight returns how many chains a sum gets: a power of two.
func chainHeight(rows, terms int) int {
	height := 1
	for height*rows < chainsWanted && 4*height <= terms {
		height *= 2
	}
	return height
}

// fill puts the terms of every sum from term first on into b.
func (ws *workspace) fill(b batch, first, terms, rows int, from entries, fill filler) {
	at := fill(first, terms)
	b.cut(0, terms*rows).gather(from, ws.refs[at:at+terms*rows])
}

// choose does as a filler, with a call for each term.
func (ws *workspace) choose(rows, first, terms int, choose func(refs []uint32, term int)) (at int) {
	refs := grow(&ws.refs, terms*rows)
	for k := range terms {
		choose(refs[k*rows:(k+1)*rows], first+k)
	}
	return 0
}
