package v2

import "sync"

// spaces is scratch memory for provers and verifiers.
type spaces struct {
	claims  pool[claim]
	sums    pool[weightedSum]
	provers pool[prover]
}

// pool is memory for later use.
type pool[T any] struct{ sync.Pool }

// take returns kept memory, or new memory.
func (p *pool[T]) take() *T {
	if kept, ok := p.Get().(*T); ok {
		return kept
	}
	return new(T)
}

func (s *spaces) putClaim(c *claim) {
	if c.m != nil {
		c.m.Wipe()
		c.m = nil
	}
	c.st = nil
	s.claims.Put(c)
}

// putProver wipes the prover, which contained the witness, and keeps its memory.
func (s *spaces) putProver(p *prover) {
	p.wipe()
	s.provers.Put(p)
}
