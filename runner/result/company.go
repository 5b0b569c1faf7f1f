package result

import "math/bits"

// Company is the service times of operations that began while about the same
// number of others were in progress.
type Company struct {
	N           uint64
	Others, Sum float64 // sums of the numbers of others, and of the times in ns
}

// Companies is the number of classes of others in progress: single numbers below
// 32, and then sixteen for each doubling up to maxWorkers.
const Companies = 160

// CompanyOf returns the class of a number of others in progress.
func CompanyOf(others int) int {
	shift := max(0, bits.Len(uint(others))-5)
	return min(shift*16+others>>shift, Companies-1)
}
