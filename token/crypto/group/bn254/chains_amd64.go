//go:build !purego

package bn254

//go:noescape
func laneChain(a *laneArgs)

//go:noescape
func laneJoin(a *laneArgs)

//go:noescape
func laneChainDenominators(a *laneArgs)

//go:noescape
func laneAffines(a *laneArgs)

// chainArgs returns the arguments for the chains from place i on.
func (l *lanePoints) chainArgs(i, n int) laneArgs {
	s := l.scratch
	return laneArgs{ax: &l.x[i], ay: &l.y[i], azz: &s.zz[i], azzz: &s.zzz[i], n: n}
}

func (l *lanePoints) begin(n int) {
	s := l.scratch
	s.chains = max(s.chains, n)
	for limb := range laneLimbs {
		one := laneOnes[limb*lanes]
		for i := range n {
			s.zz[limb*lanePlaces+i], s.zzz[limb*lanePlaces+i] = one, one
		}
	}
}

func (l *lanePoints) extend(b points, j, n int) {
	in := b.(*lanePoints)
	a := l.chainArgs(0, n)
	a.bx, a.by = &in.x[j], &in.y[j]
	laneChain(&a)
}

func (l *lanePoints) join(to, from, n int) {
	a, b := l.chainArgs(to, n), l.chainArgs(from, n)
	a.bx, a.by, a.bzz, a.bzzz = b.ax, b.ay, b.azz, b.azzz
	laneJoin(&a)
}

func (l *lanePoints) affine(n int) bool {
	s, blocks := l.scratch, blocksOf(n)
	s.used = max(s.used, n)
	a := l.chainArgs(0, n)
	a.d, a.p = &s.d[0], &s.p[0]
	laneChainDenominators(&a)
	if !s.invert(blocks) {
		return false
	}
	laneAffines(&a)
	return true
}
