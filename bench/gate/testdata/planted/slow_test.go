//go:build slow

package planted

const (
	cases       = 100
	rounds      = 130
	allocations = 20
)
