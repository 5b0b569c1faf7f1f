package bn254

import curve "github.com/consensys/gnark-crypto/ecc/bn254"

// chained is memory for points that can also hold chains, sums in coordinates
// that take no inversion (internal/kernels). Short sums are faster in chains,
// long ones in batches.
type chained interface {
	// begin makes chains of the points in the first n places, which are not the
	// identity.
	begin(n int)
	// extend adds the point in place j+k of b to chain k for all k < n. b is of
	// the same kernel, without the identity; these places are undefined
	// afterwards.
	extend(b points, j, n int)
	// join adds chain i+k to chain k for all k < n. The chains from i on are
	// undefined afterwards.
	join(i, n int)
	// finish sets dst[k] to chain k. It returns false if an addition of a chain
	// had no slope; then the sums must be computed again in batches.
	finish(dst []curve.G1Jac) bool
}

const (
	// chainsFrom is the number of additions below which mixed additions one by
	// one are faster.
	chainsFrom = 48
	// chainsTo is the number of additions from which batches are faster.
	chainsTo = 4096
	// chainsWanted is how many chains a call makes at least if there are enough
	// terms, so that multiplications do not wait for each other.
	chainsWanted = 32
	// chainsAhead is how many points are looked up together. They stay in the
	// first-level cache.
	chainsAhead = 256
)

// chains computes the sums as lockstep does, and leaves sum r in chain r of
// ws.acc. It returns nil if batches are to be used instead.
func (ws *workspace) chains(rows, terms int, from entries, choose func(refs []uint32, term int)) chained {
	c, ok := ws.acc.points.(chained)
	if !ok || from.identity || rows*terms < chainsFrom || rows*terms >= chainsTo || rows > chainsAhead {
		return nil
	}
	height := 1
	for height*rows < chainsWanted && 4*height <= terms {
		height *= 2
	}
	ws.reset()
	ws.lookUp(ws.acc.cut(0, height*rows), 0, rows, from, choose)
	c.begin(height * rows)
	together := chainsAhead / (height * rows) * height
	for t := height; t < terms; t += together {
		n := min(together, terms-t)
		ws.lookUp(ws.in.cut(0, n*rows), t, rows, from, choose)
		for k := 0; k < n; k += height {
			c.extend(ws.in.points, k*rows, min(height, n-k)*rows)
		}
	}
	for ; height > 1; height /= 2 {
		c.join(height/2*rows, height/2*rows)
	}
	return c
}
