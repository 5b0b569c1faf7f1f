package stats

import "math"

// A Weighted value occurs N times.
type Weighted struct{ Value, N float64 }

// TailIndex returns the estimate of Hill (Annals of Statistics 3, 1975) of the
// tail index α of a distribution with P(X > x) ≈ x^-α: the reciprocal mean of
// log(X/x) over the k largest values. From α = 2 down, the variance is infinite.
// values are in descending order; a value that occurs several times counts as
// often. TailIndex is +Inf if the k largest values are equal, and NaN if there
// are at most k.
func TailIndex(values []Weighted, k float64) float64 {
	n := 0.0
	for i, threshold := range values {
		n += threshold.N
		if n <= k {
			continue
		}
		logs := 0.0
		for _, v := range values[:i] {
			logs += v.N * math.Log(v.Value/threshold.Value)
		}
		return k / logs
	}
	return math.NaN()
}

// Skewness returns the standardised third central moment.
func Skewness(values []Weighted) float64 {
	var n, sum, squares, cubes float64
	for _, v := range values {
		n, sum = n+v.N, sum+v.N*v.Value
	}
	mean := sum / n
	for _, v := range values {
		d := v.Value - mean
		squares, cubes = squares+v.N*d*d, cubes+v.N*d*d*d
	}
	if squares == 0 {
		return 0
	}
	return cubes / n / math.Pow(squares/n, 1.5)
}
