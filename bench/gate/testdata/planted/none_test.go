//go:build !slow && !alloc && !gone

package planted

const (
	cases       = 100
	rounds      = 100
	allocations = 20
)
