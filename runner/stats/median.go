package stats

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Median returns the middle value, or the mean of the two middle values. It
// agrees with benchstat up to rounding. values must not be empty; they stay as
// they are.
func Median[T ~float64 | ~int64](values []T) T {
	s := slices.Sorted(slices.Values(values))
	low, high := s[(len(s)-1)/2], s[len(s)/2]
	if low == high { // the difference of infinities is not a number
		return low
	}
	return low + (high-low)/2
}

// ParseShare reads a share such as 3% or 0.03.
func ParseShare(text string) (float64, error) {
	number, percent := strings.CutSuffix(text, "%")
	v, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is not a share such as 3%%", text)
	}
	if percent {
		v /= 100
	}
	return v, nil
}
