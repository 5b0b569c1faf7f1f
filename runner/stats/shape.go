package stats

import "math"

// minModeShare is the least share of all values for a mode to be reported.
const minModeShare = 0.05

// Modes returns the positions of the peaks of a histogram with equal bins.
// After smoothing over five bins, two peaks are separate if the counts between
// them fall below half of the lower peak by more than three standard deviations
// of counting. Modes is a hint, not a test.
func Modes(counts []float64) (peaks []int) {
	smooth, total := smoothed(counts)
	if total == 0 {
		return nil
	}
	peak, valley := 0, math.Inf(1) // of the current mode; the least count since its peak
	mass := 0.0
	for i, c := range smooth {
		switch {
		case separates(valley, min(smooth[peak], c)):
			if mass >= minModeShare*total {
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
	if mass >= minModeShare*total {
		peaks = append(peaks, peak)
	}
	return peaks
}

func separates(valley, peak float64) bool {
	return valley < peak/2-3*math.Sqrt(peak)
}

// smoothed returns the counts smoothed with a triangular kernel of five bins,
// and their sum.
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
