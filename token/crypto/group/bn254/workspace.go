package bn254

import (
	"sync"

	curve "github.com/consensys/gnark-crypto/ecc/bn254"
	"github.com/consensys/gnark-crypto/ecc/bn254/fp"
)

// batchLen is how many additions share an inversion at most. The columns of
// one batch take 7·batchLen field elements, which stay in the second-level
// cache (PERFORMANCE figures: working set of a worker below 1 MiB).
const batchLen = 1024

// columns are points in two vectors, so that whole vectors are multiplied.
type columns struct{ x, y fp.Vector }

func newColumns(n int) columns { return columns{make(fp.Vector, n), make(fp.Vector, n)} }

// cut returns points i to j.
func (c columns) cut(i, j int) columns { return columns{c.x[i:j], c.y[i:j]} }

func (c columns) at(i int) curve.G1Affine { return curve.G1Affine{X: c.x[i], Y: c.y[i]} }

func (c columns) set(i int, p *curve.G1Affine) { c.x[i], c.y[i] = p.X, p.Y }

// workspace is the memory of one operation.
type workspace struct {
	acc, in columns   // of one batch: the sums, and what is added to them
	dx      fp.Vector // x₂ - x₁, then its inverses
	temp    fp.Vector
	tree    fp.Vector       // products of dx, pairwise, level by level
	twice   [2][]fp.Element // the doubles of bases
	used    int             // how much of the columns holds something

	special []special // additions of the batch that have no slope
	tainted bool      // the identity may be among the points of a batch
	gaps    bool      // the identity may be among the multiples of variable points

	at      []uint32         // entries to look up
	odd     []odd            // recoded scalars
	sums    []curve.G1Affine // results
	jac     []curve.G1Jac    // sums being finished
	totals  []curve.G1Jac    // results before they are affine
	class   []int            // rows of one length
	done    []bool           // rows that have been in a class
	entries []curve.G1Affine // multiples of variable points
	bases   []curve.G1Affine
	halves  []half
	digits  []int16  // of bucketed scalars
	pile    segments // points in buckets
	next    []int    // where the next point of a bucket goes
	full    []int    // buckets that hold something
}

var pool = sync.Pool{New: func() any {
	return &workspace{
		acc: newColumns(batchLen), in: newColumns(batchLen),
		dx: make(fp.Vector, batchLen), temp: make(fp.Vector, batchLen), tree: make(fp.Vector, 2*batchLen),
	}
}}

func take() *workspace { return pool.Get().(*workspace) }

// put forgets what the operation left behind, since it may depend on secrets,
// and gives the memory back.
func (ws *workspace) put() {
	for _, v := range []fp.Vector{ws.acc.x, ws.acc.y, ws.in.x, ws.in.y, ws.dx, ws.temp} {
		clear(v[:ws.used])
	}
	clear(ws.tree[:2*ws.used]) // levels of whole lanes may be longer than what is inverted
	ws.used, ws.tainted, ws.gaps = 0, false, false
	wipe(&ws.twice[0])
	wipe(&ws.twice[1])
	wipe(&ws.special)
	wipe(&ws.at)
	wipe(&ws.odd)
	wipe(&ws.sums)
	wipe(&ws.jac)
	wipe(&ws.totals)
	wipe(&ws.entries)
	wipe(&ws.bases)
	wipe(&ws.halves)
	wipe(&ws.digits)
	ws.pile.wipe()
	wipe(&ws.next)
	wipe(&ws.full)
	pool.Put(ws)
}

// wipe clears all elements of *s and makes it empty.
func wipe[T any](s *[]T) {
	clear(*s)
	*s = (*s)[:0]
}

// grow returns *s with exactly n elements, keeping the memory but not what is
// in it, which is wiped where the slice no longer holds it.
func grow[T any](s *[]T, n int) []T {
	if n < len(*s) {
		clear((*s)[n:])
	}
	if n > cap(*s) {
		clear(*s)
		*s = make([]T, n)
	}
	*s = (*s)[:n]
	return *s
}
