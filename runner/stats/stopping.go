package stats

// LookConfidence is the confidence that the look-th look, from 1, at a growing
// sample must use so that all looks together, however many, miss with at most
// 1-confidence: the k-th spends a share 1/(k(k+1)) of it, and these sum to 1
// (Bonferroni; see Lan and DeMets, Biometrika 70, 1983, on spending).
// Without it an interval that stops the run as soon as it is narrow is narrow
// because it stopped the run.
func LookConfidence(look int, confidence float64) float64 {
	k := float64(look)
	return 1 - (1-confidence)/(k*(k+1))
}

// NextLook is the sample size at which to look again: looks are so far apart
// that there are few of them.
func NextLook(n float64) float64 { return n * 1.3 }
