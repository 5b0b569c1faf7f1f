//go:build gone

package planted

const (
	cases       = 99
	rounds      = 100
	allocations = 20
)
