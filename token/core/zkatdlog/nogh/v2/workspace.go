package v2

import "sync"

// spaces is scratch memory for provers and verifiers.
type spaces struct {
	claims, sums, provers sync.Pool
}

func (s *spaces) claim() *claim {
	if c, ok := s.claims.Get().(*claim); ok {
		return c
	}
	return new(claim)
}

func (s *spaces) putClaim(c *claim) {
	if c.m != nil {
		c.m.Wipe()
		c.m = nil
	}
	s.claims.Put(c)
}

func (s *spaces) sum() *weightedSum {
	if w, ok := s.sums.Get().(*weightedSum); ok {
		return w
	}
	return new(weightedSum)
}

func (s *spaces) putSum(w *weightedSum) { s.sums.Put(w) }

func (s *spaces) prover() *prover {
	if p, ok := s.provers.Get().(*prover); ok {
		return p
	}
	return new(prover)
}

// putProver wipes the prover, which contained the witness, and keeps its
// memory.
func (s *spaces) putProver(p *prover) {
	p.wipe()
	s.provers.Put(p)
}
