package hist

import "math/bits"

// Rows is the number of coarse rows: their bounds are 1, 2, 5, 10, ... ns.
const Rows = 3*13 + 1

// rowFrom is the lower bound of each row in nanoseconds.
var rowFrom = func() (r [Rows + 1]uint64) {
	step := [3]uint64{1, 2, 5}
	size := uint64(1)
	for i := range r {
		r[i] = step[i%3] * size
		if i%3 == 2 {
			size *= 10
		}
	}
	return r
}()

// rowOfLen is the row of the smallest number with a given bit length.
var rowOfLen = func() (r [65]uint8) {
	for n := 1; n <= 64; n++ {
		for r[n] < Rows-1 && rowFrom[r[n]+1] <= 1<<(n-1) {
			r[n]++
		}
	}
	return r
}()

// Row returns the row of ns nanoseconds, from 0.
func Row(ns uint64) int {
	i := int(rowOfLen[bits.Len64(ns)])
	for i < Rows-1 && ns >= rowFrom[i+1] {
		i++
	}
	return i
}

// RowBounds returns the lower bounds of row i and of the next row. The first
// row also contains 0, and the last one everything above its lower bound.
func RowBounds(i int) (low, high uint64) { return rowFrom[i], rowFrom[i+1] }
