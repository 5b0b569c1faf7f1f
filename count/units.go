package count

// Unit is an exact figure with its unit in benchmarks.
type Unit struct {
	Name  string
	Value uint64
}

// Units returns the outer view of one operation as six figures. Additions
// include doublings; sums over tables are multi-scalar multiplications.
func (c Counts) Units() []Unit {
	t := c.Outer()
	return []Unit{
		{"point-add/op", t.Adds + t.Doubles},
		{"scalar-mul/op", c.Calls(ScalarMul)},
		{"msm/op", c.Calls(MSM) + c.Calls(FixedMSM)},
		{"msm-terms/op", c.Terms(MSM) + c.Terms(FixedMSM)},
		{"hash-to-curve/op", c.Calls(HashToCurve)},
		{"verify/op", c.Terms(Verify) + c.Terms(VerifyKnown)},
	}
}
