package group

// Terms is one sum over points that are not known in advance:
//
//	Σ Scalars[i]·Points[i] + Σ Plus[j] + Σ 2ᵏ·Pow2[k]
//
// Points and Scalars have the same length.
type Terms struct {
	Points  []Point
	Scalars []Scalar
	Plus    []Point
	Pow2    []Point
}

// MSM returns Σ ss[i]·ps[i]; the lengths are equal.
func MSM(g Curve, ps []Point, ss []Scalar) Point { return sum(g, Terms{Points: ps, Scalars: ss}) }

// MulPoint returns s·P.
func MulPoint(g Curve, p Point, s Scalar) Point { return MSM(g, []Point{p}, []Scalar{s}) }

// Sum returns Σ ps[i].
func Sum(g Curve, ps []Point) Point { return sum(g, Terms{Plus: ps}) }

// SumPow2 returns Σ 2ⁱ·ps[i].
func SumPow2(g Curve, ps []Point) Point { return sum(g, Terms{Pow2: ps}) }

func sum(g Curve, row Terms) Point {
	var dst [1]Point
	g.MSMs(dst[:], []Terms{row})
	return dst[0]
}
