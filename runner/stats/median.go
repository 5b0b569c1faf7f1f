package stats

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Finite reports whether v is a number and not infinite.
func Finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// OfFinite returns the values that are finite; values stay as they are.
func OfFinite(values []float64) []float64 {
	return slices.DeleteFunc(slices.Clone(values), func(v float64) bool { return !Finite(v) })
}

// Median returns the middle value, or the mean of the two middle values. It
// agrees with benchstat up to rounding. values must not be empty; they stay as
// they are.
func Median[T ~float64 | ~int64](values []T) T {
	s := slices.Clone(values)
	slices.Sort(s)
	low, high := s[(len(s)-1)/2], s[len(s)/2]
	if low == high { // the difference of infinities is not a number
		return low
	}
	return low + (high-low)/2
}

// Quantile returns the q-quantile of values in ascending order, which must not be
// empty: the value of rank ⌈q·n⌉.
func Quantile[T cmp.Ordered](sorted []T, q float64) T {
	// Rounding can lift q·n above an integer: 0.99·100 exceeds 99.
	rank := int(math.Ceil(q * float64(len(sorted)) * (1 - 1e-12)))
	return sorted[min(max(rank, 1), len(sorted))-1]
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
