// Code generated from bn254/table.go by bls12381/generate. DO NOT EDIT.

package bls12381

import (
	"unsafe"

	curve "github.com/consensys/gnark-crypto/ecc/bls12-381"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/internal/hugepages"
)

// Numbers of windows of a table. With more than maxWindows it saves little over
// computing without one, with fewer than minWindows memory grows faster than
// time falls.
const (
	maxWindows = 32 // of 4 bits
	minWindows = 13 // of 9 and 10 bits
)

const pointBytes = int(unsafe.Sizeof(curve.G1Affine{}))

// table holds d·2^bit·P for every odd d below 2^width, every window and every
// point P. The digit changes fastest, the window slowest. The windows cover half a
// scalar: the other half takes the image of the sum under φ.
type table struct {
	points   []group.Point
	entries  []curve.G1Affine
	identity []bool // which points are the identity; nil without such points
	windows  []window
}

// window is one digit of a recoded integer. The vector kernel reads it.
type window struct {
	bit, width uint32
	first      uint32 // twice the first of its places in a table
	// The digit in words of 32 bits: from bit right of word number word on, with
	// left = 32 - right, up = 32 - width and mask = 2^width - 1.
	word, right, left, up, mask uint32
}

func (t *table) Len() int                { return len(t.points) }
func (t *table) Point(i int) group.Point { return t.points[i] }
func (t *table) Bytes() int              { return len(t.entries) * pointBytes }

// windowsOf cuts half a scalar into count windows, the wider ones first.
func windowsOf(count int) []window {
	ws := make([]window, count)
	const wordBits = 32
	bit := uint32(0)
	for j := range ws {
		left := uint32(count - j)
		width := (halfBits - bit + left - 1) / left
		ws[j] = window{
			bit: bit, width: width,
			word: bit / wordBits, right: bit % wordBits, left: wordBits - bit%wordBits,
			up: wordBits - width, mask: 1<<width - 1,
		}
		bit += width
	}
	return ws
}

// multiplesOf is how many multiples of a point the windows need.
func multiplesOf(ws []window) (n int) {
	for _, w := range ws {
		n += 1 << (w.width - 1)
	}
	return n
}

// windowsFor returns the fewest windows for which a table of n points takes at
// most budget bytes.
func windowsFor(n, budget int) []window {
	count := minWindows
	for count < maxWindows && n*multiplesOf(windowsOf(count))*pointBytes > budget {
		count++
	}
	return windowsOf(count)
}

// NewTable prepares ps.
func (g *Group) NewTable(ps []group.Point, budget int) group.Table {
	if budget == 0 {
		budget = group.DefaultTableBytes / 64 * pointBytes
	}
	t := &table{points: append([]group.Point(nil), ps...), windows: windowsFor(len(ps), budget)}
	t.entries = make([]curve.G1Affine, len(ps)*multiplesOf(t.windows))
	hugepages.Advise(t.entries)
	ws := g.take()
	defer ws.put()
	entries, bases := t.entries, t.bases(ws)
	for j := range t.windows {
		w := &t.windows[j]
		w.first = uint32(2 * (len(t.entries) - len(entries)))
		n := 1 << (w.width - 1)
		for own := bases[j*len(ps) : (j+1)*len(ps)]; len(own) > 0; {
			batch := min(batchLen, len(own))
			ws.oddMultiples(entries[:n*batch], own[:batch], n)
			entries, own = entries[n*batch:], own[batch:]
		}
	}
	return t
}

// bases returns 2^bit·P for every window and point. It replaces the identity,
// because its multiples would be exceptions everywhere, by the generator; sums
// take its scalars as 0.
func (t *table) bases(ws *workspace) []curve.G1Affine {
	n := len(t.points)
	jac := make([]curve.G1Jac, n*len(t.windows))
	for i := range t.points {
		p := affine(&t.points[i])
		if p.IsInfinity() {
			if t.identity == nil {
				t.identity = make([]bool, n)
			}
			t.identity[i] = true
			p = affine(&generator)
		}
		var multiple curve.G1Jac
		multiple.FromAffine(&p)
		for j, w := range t.windows {
			jac[j*n+i] = multiple
			for range w.width {
				double(&multiple)
			}
		}
	}
	bases := make([]curve.G1Affine, len(jac))
	for i := 0; i < len(jac); i += batchLen {
		end := min(i+batchLen, len(jac))
		ws.normalize(bases[i:end], jac[i:end])
	}
	return bases
}

// oddMultiples sets dst[i·n+m] to (2m+1)·bases[i], for m < n. There are at
// most batchLen bases. No base is the identity.
func (ws *workspace) oddMultiples(dst, bases []curve.G1Affine, n int) {
	refs := ws.inOrder(len(bases))
	acc, in := ws.acc.cut(0, len(bases)), ws.in.cut(0, len(bases))
	ws.reset()
	own := entries{points: bases}
	acc.gather(own, refs)
	acc.double(in)
	twice := grow(&ws.twice, len(bases))
	acc.store(twice)
	acc.gather(own, refs)
	for m := range n {
		if m > 0 {
			in.gather(entries{points: twice}, refs)
			acc.add(in)
		}
		for i, p := range ws.storePartial(len(bases)) {
			dst[i*n+m] = p
		}
	}
}
