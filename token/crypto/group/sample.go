package group

import (
	"fmt"
	"io"
)

// SampleLen is how many random bytes make one scalar: 128 bits more than the
// order of any group here, so that reducing is uniform to within 2⁻¹²⁸.
// Unlike rejection it always ends, also on a broken source.
const SampleLen = 48

// Sample fills dst with scalars drawn from r, the same ones on every backend
// of a curve. ErrRandom if r gives too few bytes.
func Sample(g Field, r io.Reader, dst []Scalar) error {
	var b [SampleLen]byte
	defer clear(b[:])
	for i := range dst {
		if _, err := io.ReadFull(r, b[:]); err != nil {
			clear(dst)
			return fmt.Errorf("%w: %w", ErrRandom, err)
		}
		dst[i] = g.Reduce(b[:])
	}
	return nil
}
