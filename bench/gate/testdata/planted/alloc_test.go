//go:build alloc

package planted

const (
	cases       = 100
	rounds      = 100
	allocations = 21
)
