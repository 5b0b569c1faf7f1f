//go:build !purego

package bn254

//go:noescape
func laneChainBegin(a *laneArgs)

//go:noescape
func laneChain(a *laneArgs)

//go:noescape
func laneJoin(a *laneArgs)

//go:noescape
func laneChainProducts(a *laneArgs)

//go:noescape
func laneAffines(a *laneArgs)

// chainArgs returns the arguments for the chains from place i on.
func (l *lanePoints) chainArgs(i, n int) laneArgs {
	s := l.scratch
	return laneArgs{ax: &l.x[i], ay: &l.y[i], azz: &s.zz[i], azzz: &s.zzz[i], temp: s.temp, n: n}
}

func (l *lanePoints) begin(n int) {
	s := l.scratch
	s.chains = max(s.chains, n)
	if n > 0 {
		a := l.chainArgs(0, n)
		laneChainBegin(&a)
	}
}

func (l *lanePoints) extend(b points, j, n int) {
	in := b.(*lanePoints)
	l.demandApart(0, in, j, n)
	a := l.chainArgs(0, n)
	a.bx, a.by = &in.x[j], &in.y[j]
	laneChain(&a)
}

func (l *lanePoints) join(to, from, n int) {
	l.demandApart(to, l, from, n)
	a, b := l.chainArgs(to, n), l.chainArgs(from, n)
	a.bx, a.by = b.ax, b.ay
	a.bzz, a.bzzz = b.azz, b.azzz
	laneJoin(&a)
}

func (l *lanePoints) affine(n int) bool {
	s := l.scratch
	s.used = max(s.used, n)
	a := l.chainArgs(0, n)
	a.d, a.p = &s.d[0], &s.p[0]
	copy(s.p, laneOnes)
	laneChainProducts(&a)
	if !s.invertProducts(s.p[blocksOf(n)*blockWords:]) {
		return false
	}
	laneAffines(&a)
	return true
}
