//go:build amd64 && !purego

package lead254

// prefetch asks for the cache lines of *p without waiting.
//
//go:noescape
func prefetch(p *affine)
