package stats

import (
	"maps"
	"math"
	"slices"

	"github.com/aclements/go-moremath/stats"
)

// Grouped returns the logarithms of values by their groups, in the order of the
// groups. All values must be positive.
func Grouped(values, groups []float64) (logs [][]float64) {
	by := map[float64][]float64{}
	for i, v := range values {
		by[groups[i]] = append(by[groups[i]], math.Log(v))
	}
	for _, g := range slices.Sorted(maps.Keys(by)) {
		logs = append(logs, by[g])
	}
	return logs
}

// Medians returns the median of each group.
func Medians(groups [][]float64) (ms []float64) {
	for _, g := range groups {
		ms = append(ms, Median(g))
	}
	return ms
}

// Difference is the difference of two means, b less a, by Student's t test with
// pooled variance.
type Difference struct {
	Value, Low, High float64
	P                float64 // two-sided
}

// DifferenceOf returns the difference with its interval of a confidence. The
// interval is infinite, and P is 1, if both samples have one value.
func DifferenceOf(a, b []float64, confidence float64) Difference {
	d := Difference{Value: Average(b) - Average(a), Low: math.Inf(-1), High: math.Inf(1), P: StudentP(a, b)}
	if free := float64(len(a) + len(b) - 2); free > 0 {
		wide := tQuantile(int(free), (1+confidence)/2) * scatter(a, b)
		d.Low, d.High = d.Value-wide, d.Value+wide
	}
	return d
}

// MeanDifference returns the mean of differences of pairs with its interval of a confidence, by Student's t
// test of one sample. The interval is infinite, and P is 1, for fewer than two differences.
func MeanDifference(differences []float64, confidence float64) Difference {
	mean, half := MeanOf(differences, confidence)
	d := Difference{Value: mean, Low: mean - half, High: mean + half, P: 1}
	if n := float64(len(differences)); n > 1 && mean != 0 {
		d.P = 2 * stats.TDist{V: n - 1}.CDF(-math.Abs(mean)/standardError(differences))
	}
	return d
}

// StudentP returns the two-sided p-value of Student's t test with pooled variance.
func StudentP(a, b []float64) float64 {
	free, d, s := float64(len(a)+len(b)-2), Average(b)-Average(a), scatter(a, b)
	switch {
	case free < 1 || d == 0:
		return 1
	case s == 0:
		return 0
	}
	return 2 * stats.TDist{V: free}.CDF(-math.Abs(d)/s)
}

// scatter is the standard error of the difference of two means.
func scatter(a, b []float64) float64 {
	n, m := float64(len(a)), float64(len(b))
	return math.Sqrt((squaredDistances(a) + squaredDistances(b)) / (n + m - 2) * (1/n + 1/m))
}

// squaredDistances is the sum of squared distances from the mean.
func squaredDistances(xs []float64) (sum float64) {
	mean := Average(xs)
	for _, x := range xs {
		sum += (x - mean) * (x - mean)
	}
	return sum
}

// MeanOf returns the mean of independent values, NaN without any, and the half width
// of its interval by Student's t, infinite for fewer than two values.
func MeanOf(values []float64, confidence float64) (mean, half float64) {
	if len(values) < 2 {
		return Average(values), math.Inf(1)
	}
	return Average(values), tQuantile(len(values)-1, (1+confidence)/2) * standardError(values)
}

// standardError is the standard error of a mean of independent values.
func standardError(values []float64) float64 {
	n := float64(len(values))
	return math.Sqrt(squaredDistances(values) / (n - 1) / n)
}

// Unequal returns the p-value of the hypothesis that all groups of all samples
// have the mean of their sample (analysis of variance). It is 1 if the scatter
// within groups is not known.
func Unequal(samples ...[][]float64) float64 {
	between, within := 0.0, 0.0
	free, rest := 0.0, 0.0
	for _, groups := range samples {
		mean := Average(slices.Concat(groups...))
		for _, g := range groups {
			distance := Average(g) - mean
			between += float64(len(g)) * distance * distance
			within += squaredDistances(g)
			rest += float64(len(g) - 1)
		}
		free += float64(len(groups) - 1)
	}
	switch {
	case free < 1 || rest < 1:
		return 1
	case within == 0:
		if between == 0 {
			return 1
		}
		return 0
	}
	f := (between / free) / (within / rest)
	return 1 - incompleteBeta(free*f/(free*f+rest), free/2, rest/2)
}

// RankScore returns the normal score of the Mann–Whitney test between a and b, without its
// sign and with the correction for ties; 0 if all values are equal.
func RankScore(a, b []float64) float64 {
	wins := 0.0
	for _, x := range a {
		for _, y := range b {
			switch {
			case y > x:
				wins++
			case y == x:
				wins += 0.5
			}
		}
	}
	all := slices.Concat(a, b)
	slices.Sort(all)
	ties := 0.0
	for i := 0; i < len(all); {
		same := i
		for same < len(all) && all[same] == all[i] {
			same++
		}
		t := float64(same - i)
		ties += t*t*t - t
		i = same
	}
	n, m := float64(len(a)), float64(len(b))
	variance := n * m / 12 * (n + m + 1 - ties/((n+m)*(n+m-1)))
	if !(variance > 0) {
		return 0
	}
	return math.Abs(wins-n*m/2) / math.Sqrt(variance)
}
