package round

// firstWrong returns the index of the first wrong one of items that do not hold
// together. holds decides several at once; it is called for halves, which takes
// about the time for all.
func firstWrong[T any](items []T, holds func([]T) bool) (first int) {
	for len(items) > 1 {
		if half := len(items) / 2; holds(items[:half]) {
			first, items = first+half, items[half:]
		} else {
			items = items[:half]
		}
	}
	return first
}

// allWrong sets wrong[i] for each wrong one of items that do not hold together. If k
// of n items are wrong, holds is called for n·(2 + log₂ k) items at most.
func allWrong[T any](items []T, wrong []bool, holds func([]T) bool) {
	if len(items) <= 1 {
		for i := range items {
			wrong[i] = true
		}
		return
	}
	half := len(items) / 2
	left, right := items[:half], items[half:]
	if holds(left) { // so the other half does not
		allWrong(right, wrong[half:], holds)
		return
	}
	allWrong(left, wrong[:half], holds)
	if !holds(right) {
		allWrong(right, wrong[half:], holds)
	}
}
