package stats

// LookConfidence returns the confidence for look number look, counted from 1,
// at a growing sample, such that the error of all looks together is at most
// 1-confidence, regardless of their number: look k spends a share 1/(k(k+1)) of
// it, and these shares sum to 1 (Bonferroni; see Lan and DeMets, Biometrika 70,
// 1983, on spending). Without this correction a run would stop at a look where
// the interval is narrow by chance.
func LookConfidence(look int, confidence float64) float64 {
	k := float64(look)
	return 1 - (1-confidence)/(k*(k+1))
}

// NextLook returns the sample size of the next look. Sizes grow geometrically,
// so there are few looks.
func NextLook(n float64) float64 { return n * 1.3 }
