package bn254

// segments are lists of points to be summed.
type segments struct {
	points columns
	lens   []int
}

func (s *segments) wipe() {}
