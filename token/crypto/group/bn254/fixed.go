package bn254

import "github.com/zkatbench/zkatbench/token/crypto/group"

// FixedMSM sets dst[k] to the sum that rows[k] describes. Rows of equal length
// are computed in lockstep, in which short rows cost as little a term as long
// ones.
func (g *Group) FixedMSM(dst []group.Point, t group.Table, rows []group.Row) {
	ws := take()
	defer ws.put()
	sums := fixedSums{ws, t.(*table), rows}
	done := grow(&ws.done, len(rows))
	clear(done)
	for first := range rows {
		if done[first] {
			continue
		}
		ws.class = ws.class[:0]
		for i := first; i < len(rows) && len(ws.class) < maxRows; i++ {
			if !done[i] && len(rows[i].Scalars) == len(rows[first].Scalars) {
				ws.class = append(ws.class, i)
				done[i] = true
			}
		}
		sums.compute(dst, ws.class)
	}
}

// fixedSums is one call of FixedMSM.
type fixedSums struct {
	ws   *workspace
	t    *table
	rows []group.Row
}

// compute sets dst[i] for every i of class, rows of equal length. Each row is
// two sums in lockstep, one for each half of its scalars:
//
//	Σ kᵢ·Pᵢ = Σ kᵢ₁·Pᵢ + φ(Σ kᵢ₂·Pᵢ)
func (f fixedSums) compute(dst []group.Point, class []int) {
	ws, t, n, rows := f.ws, f.t, len(f.rows[class[0]].Scalars), 2*len(class)
	scalars := grow(&ws.odd, n*rows)
	for r, i := range class {
		f.recodeRow(scalars[2*r*n:2*(r+1)*n], f.rows[i])
	}
	height := ws.accumulate(rows, n*t.windows, t.entries, func(at []uint32, term int) {
		k, j := term/t.windows, term%t.windows
		window := uint32(j << t.width)
		for r := range at {
			o := &scalars[r*n+k]
			at[r] = o.first + window + o.digit(j, t.width)
		}
	})
	jac := grow(&ws.jac, len(class))
	for r := range jac {
		image := ws.columnSum(2*r+1, rows, height)
		image.X.Mul(&image.X, &glv.beta)
		jac[r] = ws.columnSum(2*r, rows, height)
		jac[r].AddAssign(&image)
	}
	sums := grow(&ws.sums, len(class))
	ws.normalize(sums, jac)
	for r, i := range class {
		dst[i] = point(&sums[r])
	}
}

// recodeRow writes the first halves of the scalars of the row, and then the
// second ones.
func (f fixedSums) recodeRow(dst []odd, row group.Row) {
	t, n := f.t, len(row.Scalars)
	for k, s := range row.Scalars {
		i := row.At(k)
		if t.identity != nil && t.identity[i] {
			s = group.Scalar{}
		}
		for h, o := range recodeScalar(element(&s), t.width, t.windows) {
			o.first = uint32(i * t.windows << t.width)
			dst[h*n+k] = o
		}
	}
}
