package curve

// element is a field element as gnark-crypto declares it.
type element[E any] interface {
	*E
	Set(*E) *E
	Mul(*E, *E) *E
	Square(*E) *E
	Inverse(*E) *E
}

// coordinates are pointers to the coordinates of a point, z being 1 for a point
// in affine coordinates.
type coordinates[E any] struct{ x, y, z *E }

// normalise divides out z for all points with one inversion (Montgomery's
// trick): x/z² and y/z³ go to the coordinates in to. No z is 0.
func normalise[E any, P element[E]](from, to []coordinates[E]) {
	if len(from) == 0 {
		return
	}
	products := make([]E, len(from)) // products[i] = z₀ ⋯ zᵢ
	products[0] = *from[0].z
	for i := 1; i < len(from); i++ {
		P(&products[i]).Mul(&products[i-1], from[i].z)
	}
	var inverse, z, square E
	P(&inverse).Inverse(&products[len(from)-1])
	for i := len(from) - 1; i >= 0; i-- {
		z = inverse // 1/zᵢ
		if i > 0 {
			P(&z).Mul(&inverse, &products[i-1])
			P(&inverse).Mul(&inverse, from[i].z)
		}
		P(&square).Square(&z)
		P(to[i].x).Mul(from[i].x, &square)
		P(&square).Mul(&square, &z)
		P(to[i].y).Mul(from[i].y, &square)
	}
}
