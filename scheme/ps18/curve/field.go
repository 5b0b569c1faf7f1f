package curve

// element is a field element as gnark-crypto declares it.
type element[E any] interface {
	*E
	Add(*E, *E) *E
	Sub(*E, *E) *E
	Double(*E) *E
	Mul(*E, *E) *E
	Square(*E) *E
	Inverse(*E) *E
	IsZero() bool
	Equal(*E) bool
}

// coordinates are pointers to the coordinates of a point, z being 1 for a point
// in affine coordinates.
type coordinates[E any] struct{ x, y, z *E }

// normalise divides out z for all points with one inversion: x/z² and y/z³ go to
// the coordinates in to. No z is 0.
func normalise[E any, P element[E]](from, to []coordinates[E]) {
	inverses := make([]E, len(from))
	for i := range from {
		inverses[i] = *from[i].z
	}
	invertAll[E, P](inverses, nil)
	var square E
	for i := range from {
		P(&square).Square(&inverses[i])
		P(to[i].x).Mul(from[i].x, &square)
		P(&square).Mul(&square, &inverses[i])
		P(to[i].y).Mul(from[i].y, &square)
	}
}
