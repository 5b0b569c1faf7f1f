package bn254

import (
	"unsafe"

	curve "github.com/consensys/gnark-crypto/ecc/bn254"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// Widths of the windows of a table. Below minWidth a table saves little over
// computing without one, above maxWidth memory grows faster than time falls.
const (
	minWidth = 4
	maxWidth = 10
)

const pointBytes = int(unsafe.Sizeof(curve.G1Affine{}))

// table holds d·2^(width·j)·P for every odd d below 2^width, every window j
// and every point P, in this order of places, the last first. The windows are
// those of half a scalar: the other half takes the image of the sum under φ.
type table struct {
	points   []group.Point
	entries  []curve.G1Affine
	identity []bool // points that are the identity, or nil if none is
	width    int
	windows  int
}

func (t *table) Len() int                { return len(t.points) }
func (t *table) Point(i int) group.Point { return t.points[i] }
func (t *table) Bytes() int              { return len(t.entries) * pointBytes }

// windowsOf returns how many windows of the width hold half a scalar.
func windowsOf(width int) int { return (halfBits + width - 1) / width }

// widthFor returns the widest windows for which a table of n points takes at
// most budget bytes.
func widthFor(n, budget int) int {
	width := minWidth
	for width < maxWidth && n*windowsOf(width+1)<<width*pointBytes <= budget {
		width++
	}
	return width
}

// NewTable prepares ps.
func (g *Group) NewTable(ps []group.Point, budget int) group.Table {
	if budget == 0 {
		budget = group.DefaultTableBytes / 64 * pointBytes
	}
	t := &table{points: append([]group.Point(nil), ps...), width: widthFor(len(ps), budget)}
	t.windows = windowsOf(t.width)
	t.entries = make([]curve.G1Affine, len(ps)*t.windows<<(t.width-1))
	ws := take()
	defer ws.put()
	bases := t.bases(ws)
	for i := 0; i < len(bases); i += batchLen {
		end := min(i+batchLen, len(bases))
		ws.oddMultiples(t.entries[i<<(t.width-1):end<<(t.width-1)], bases[i:end], 1<<(t.width-1))
	}
	return t
}

// bases returns 2^(width·j)·P for every point and window. The identity, whose
// multiples would be exceptions everywhere, gives way to the generator; its
// scalars are taken for 0.
func (t *table) bases(ws *workspace) []curve.G1Affine {
	jac := make([]curve.G1Jac, 0, len(t.points)*t.windows)
	for i := range t.points {
		p := affine(&t.points[i])
		if p.IsInfinity() {
			if t.identity == nil {
				t.identity = make([]bool, len(t.points))
			}
			t.identity[i] = true
			p = affine(&generator)
		}
		var j curve.G1Jac
		j.FromAffine(&p)
		for range t.windows {
			jac = append(jac, j)
			for range t.width {
				double(&j)
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

// oddMultiples sets entries[i·n+m] to (2m+1)·bases[i], for m < n. There are at
// most batchLen bases, none of them the identity.
func (ws *workspace) oddMultiples(entries, bases []curve.G1Affine, n int) {
	acc, in := ws.acc.cut(0, len(bases)), ws.in.cut(0, len(bases))
	twice := columns{grow(&ws.twice[0], len(bases)), grow(&ws.twice[1], len(bases))}
	for i := range bases {
		acc.set(i, &bases[i])
		twice.set(i, &bases[i])
		in.set(i, &bases[i])
	}
	ws.tainted = false
	ws.add(twice, in)
	for m := range n {
		if m > 0 {
			copy(in.x, twice.x)
			copy(in.y, twice.y)
			ws.add(acc, in)
		}
		for i := range bases {
			entries[i*n+m] = acc.at(i)
		}
	}
}
