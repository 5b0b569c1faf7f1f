package hist

import "math/bits"

// Rows is how many coarse rows there are: from 1 ns up at 1, 2, 5, 10, ...
const Rows = 3*13 + 1

// rowFrom is the least nanosecond of each row.
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

// rowOfLen is the row of the least number of so many bits.
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

// RowBounds returns the least nanosecond of row i and that of the next one. The
// first row also holds 0, the last one everything above.
func RowBounds(i int) (low, high uint64) { return rowFrom[i], rowFrom[i+1] }
