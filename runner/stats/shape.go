package stats

import "math"

// Fences are Tukey's: beyond Mild (1.5 interquartile ranges from the
// quartiles) a value is a mild outlier, beyond Severe (3) a severe one.
type Fences struct{ Mild, Severe Interval }

// FencesOf returns the fences for the quartiles q1 and q3.
func FencesOf(q1, q3 float64) Fences {
	iqr := q3 - q1
	return Fences{
		Mild:   Interval{q1 - 1.5*iqr, q3 + 1.5*iqr},
		Severe: Interval{q1 - 3*iqr, q3 + 3*iqr},
	}
}

// leastMode is the least share of all values that a mode is worth telling of.
const leastMode = 0.05

// Modes returns the positions of the peaks of a histogram of equal bins: after
// smoothing over five bins, one peak ends and another begins where the counts
// fall under half of the lower of the two by more than three standard
// deviations of counting. It hints; it does not test.
func Modes(counts []float64) (peaks []int) {
	smooth, total := smoothed(counts)
	if total == 0 {
		return nil
	}
	peak, valley := 0, math.Inf(1) // of the mode at hand; the least since its peak
	mass := 0.0
	for i, c := range smooth {
		switch {
		case valley < math.Inf(1) && deep(valley, min(smooth[peak], c)):
			if mass >= leastMode*total {
				peaks = append(peaks, peak)
			}
			peak, valley, mass = i, math.Inf(1), 0
		case c >= smooth[peak]:
			peak, valley = i, math.Inf(1)
		default:
			valley = min(valley, c)
		}
		mass += c
	}
	if mass >= leastMode*total {
		peaks = append(peaks, peak)
	}
	return peaks
}

func deep(valley, peak float64) bool {
	return valley < peak/2-3*math.Sqrt(peak)
}

// smoothed is the counts under a triangular kernel of five bins, and their sum.
func smoothed(counts []float64) (out []float64, total float64) {
	kernel := [5]float64{1. / 9, 2. / 9, 3. / 9, 2. / 9, 1. / 9}
	out = make([]float64, len(counts))
	for i, c := range counts {
		total += c
		for k, weight := range kernel {
			if j := i + k - 2; j >= 0 && j < len(out) {
				out[j] += weight * c
			}
		}
	}
	return out, total
}
