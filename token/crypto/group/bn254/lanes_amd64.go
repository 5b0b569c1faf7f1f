//go:build !purego

package bn254

import (
	"math/big"
	"math/bits"

	curve "github.com/consensys/gnark-crypto/ecc/bn254"
	"github.com/consensys/gnark-crypto/ecc/bn254/fp"
	"golang.org/x/sys/cpu"
)

// hasLanes reports whether the processor has the instructions of the kernels.
var hasLanes = cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512IFMA && cpu.X86.HasBMI2

// Layout of the memory shared with the kernels (internal/kernels).
const (
	limbBits   = 52
	laneLimbs  = (64*fp.Limbs + limbBits - 1) / limbBits
	laneShift  = limbBits*laneLimbs - 64*fp.Limbs
	lanePlaces = batchLen + lanes // limb l of element i is word l·lanePlaces + i
	blockWords = laneLimbs * lanes
	chains     = 2
	tempBlocks = 16
	limbMask   = 1<<limbBits - 1
)

// laneCoords is a vector of coordinates in limbs of 52 bits, in Montgomery form
// with R = 2^(52·laneLimbs), below 2^laneShift·p.
type laneCoords []uint64

// lanePoints is the kernel on AVX-512 IFMA, which computes eight points at a
// time. The identity is (0, 0) modulo p.
type lanePoints struct {
	x, y     laneCoords
	identity bool
	used     int // how many places may hold a point
	scratch  *laneScratch
}

// laneScratch is the memory of one addition, which all points of a workspace
// share.
type laneScratch struct {
	d, p   []uint64         // denominators of slopes and their partial products
	words  []curve.G1Affine // points on their way out of lanes
	a, b   *columns         // operands of additions without a slope
	used   int              // how many places d and p may hold
	zz     laneCoords       // of chains, with X and Y in the batch of sums
	zzz    laneCoords
	chains int                   // how many places zz and zzz may hold
	jac    []*laneJacobian       // points in Jacobian coordinates, once they are needed
	temp   *kernelMemory         // in whole cache lines
	fold   [4][blockWords]uint64 // products of lanes
	tail   [lanes]curve.G1Affine
	padded [lanes]uint32
	digits digitMemory // of halves of scalars
}

// laneArgs is the argument of most kernels.
type laneArgs struct {
	ax, ay, bx, by *uint64
	d, p           *uint64
	n              int
	azz, azzz      *uint64
	bzz, bzzz      *uint64
	az             *uint64
	_              *uint64 // bz of the layout, which only kernels of P-256 read
	temp           *kernelMemory
	times          int // of doublings
}

// kernelMemory is scratch memory of the kernels.
type kernelMemory [tempBlocks * blockWords]uint64

//go:noescape
func laneProducts(a *laneArgs)

//go:noescape
func laneSums(a *laneArgs)

//go:noescape
func laneScale(a *laneArgs)

//go:noescape
func laneMultiply(a *laneArgs)

//go:noescape
func laneGather(x, y, entries *uint64, refs *uint32, n int)

// laneStore stores whole blocks: n places, rounded up to eight.
//
//go:noescape
func laneStore(dst, x, y *uint64, n int)

// newLanes returns the memory of two batches and their common part, or nil if the
// processor does not have the instructions. Additions without a slope take exactA and
// exactB.
func newLanes(exactA, exactB *columns) (a, b points, shared wiper) {
	if !hasLanes {
		return nil, nil, nil
	}
	blocks := batchLen/lanes + chains
	s := &laneScratch{
		d: make([]uint64, blocks*blockWords), p: make([]uint64, blocks*blockWords),
		words: make([]curve.G1Affine, batchLen), a: exactA, b: exactB,
		zz: make(laneCoords, laneLimbs*lanePlaces), zzz: make(laneCoords, laneLimbs*lanePlaces),
		temp: new(kernelMemory),
	}
	return newLanePoints(s), newLanePoints(s), s
}

func newLanePoints(s *laneScratch) *lanePoints {
	return &lanePoints{
		x: make(laneCoords, laneLimbs*lanePlaces), y: make(laneCoords, laneLimbs*lanePlaces), scratch: s,
	}
}

func (l *lanePoints) reset() { l.identity = false }

func (l *lanePoints) mayHaveIdentity() bool { return l.identity }

func (l *lanePoints) wipe() {
	l.x.wipe(l.used)
	l.y.wipe(l.used)
	l.used, l.identity = 0, false
}

func (v laneCoords) wipe(n int) {
	for limb := range laneLimbs {
		clear(v[limb*lanePlaces:][:n])
	}
}

func (s *laneScratch) wipe() {
	n := (blocksOf(s.used) + chains) * blockWords
	clear(s.d[:n])
	clear(s.p[:n])
	clear(s.words[:s.used])
	clear(s.fold[:])
	clear(s.tail[:])
	clear(s.padded[:])
	clear(s.digits[:])
	s.zz.wipe(s.chains)
	s.zzz.wipe(s.chains)
	for _, j := range s.jac {
		j.wipe()
	}
	clear(s.temp[:])
	s.a.wipe()
	s.b.wipe()
	s.used, s.chains = 0, 0
}

func (l *lanePoints) load(i int, p curve.G1Affine) {
	l.used = max(l.used, i+1)
	l.identity = l.identity || p.Y.IsZero()
	setLane(l.x, lanePlaces, i, &p.X)
	setLane(l.y, lanePlaces, i, &p.Y)
}

// setLane writes e, in limbs that are stride words apart, from word i on.
func setLane(v []uint64, stride, i int, e *fp.Element) {
	v[i] = e[0] << laneShift & limbMask
	for limb := 1; limb < laneLimbs; limb++ {
		v[limb*stride+i] = wordAt((*[fp.Limbs]uint64)(e), uint(limb*limbBits-laneShift)) & limbMask
	}
}

func (l *lanePoints) gather(i int, from entries, refs []uint32) {
	l.used = max(l.used, i+len(refs))
	l.identity = l.identity || from.identity
	prefetch(from.points, refs[:min(ahead, len(refs))])
	for k := 0; k < len(refs); k += ahead {
		words, end := &from.points[0].X[0], min(k+ahead, len(refs))
		prefetch(from.points, refs[end:min(end+ahead, len(refs))])
		whole := (end - k) / lanes * lanes
		if whole > 0 {
			laneGather(&l.x[i+k], &l.y[i+k], words, &refs[k], whole)
		}
		if rest := refs[k+whole : end]; len(rest) > 0 {
			padded := &l.scratch.padded
			clear(padded[copy(padded[:], rest):])
			laneGather(&l.x[i+k+whole], &l.y[i+k+whole], words, &padded[0], len(rest))
		}
	}
}

func (l *lanePoints) store(dst []curve.G1Affine, i int) { storeLanes(dst, l.x[i:], l.y[i:], l.scratch) }

// storeLanes sets dst[k] to (x, y) in place k.
func storeLanes(dst []curve.G1Affine, x, y laneCoords, s *laneScratch) {
	whole := len(dst) / lanes * lanes
	if whole > 0 {
		laneStore(&dst[0].X[0], &x[0], &y[0], whole)
	}
	if rest := dst[whole:]; len(rest) > 0 {
		laneStore(&s.tail[0].X[0], &x[whole], &y[whole], lanes)
		copy(rest, s.tail[:])
	}
}

// laneBeta is β in the form of the kernels, in one block.
var laneBeta = func() []uint64 {
	var toLanes fp.Element
	toLanes.SetBigInt(new(big.Int).Lsh(big.NewInt(1), laneShift))
	beta := reducedLanes(toLanes.Mul(&toLanes, &glv.beta))
	return beta
}()

// reducedLanes returns a block with the words of e, which are below p, in every
// lane: the integer itself, not shifted.
func reducedLanes(e *fp.Element) []uint64 {
	block := make([]uint64, blockWords)
	for i := range block {
		block[i] = wordAt((*[fp.Limbs]uint64)(e), uint(i/lanes*limbBits)) & limbMask
	}
	return block
}

func (l *lanePoints) endomorphism(i, n int) {
	laneScale(&laneArgs{ax: &l.x[i], d: &laneBeta[0], temp: l.scratch.temp, n: n})
}

// add adds with one inversion. Places without a slope, doublings, and the identity
// are left to the portable kernel together with all others: tables and exceptions
// need them, sums do not.
func (l *lanePoints) add(i int, b points, j, sums, n int) {
	if n == 0 {
		return
	}
	in, s := b.(*lanePoints), l.scratch
	l.used, s.used = max(l.used, i+n), max(s.used, n)
	l.identity = l.identity || in.identity
	if sums < n || l.identity || !l.addSlopes(i, in, j, n) {
		l.addExactly(i, in, j, sums, n)
	}
}

// addSlopes adds n points. If an addition lacks a slope, it returns false and
// changes no point.
func (l *lanePoints) addSlopes(i int, in *lanePoints, j, n int) bool {
	l.demandApart(i, in, j, n)
	s := l.scratch
	adds := laneArgs{ax: &l.x[i], ay: &l.y[i], bx: &in.x[j], by: &in.y[j], d: &s.d[0], p: &s.p[0],
		temp: s.temp, n: n}
	copy(s.p, laneOnes)
	laneProducts(&adds)
	if !s.invertProducts(s.p[blocksOf(n)*blockWords:]) {
		return false
	}
	laneSums(&adds)
	return true
}

// demandApart panics if n places from i on and n places of in from j on have a place in common.
// Kernels are proved for operands in different memory.
func (l *lanePoints) demandApart(i int, in *lanePoints, j, n int) {
	if l == in && i < j+n && j < i+n {
		panic("bn254: operands of a kernel overlap")
	}
}

// laneOnes is 1 in the form of the kernels, in all blocks that begin a chain.
var laneOnes = func() (blocks []uint64) {
	var one fp.Element
	one.SetOne()
	var shift fp.Element
	shift.SetBigInt(new(big.Int).Lsh(big.NewInt(1), laneShift))
	one.Mul(&one, &shift)
	for range chains {
		blocks = append(blocks, reducedLanes(&one)...)
	}
	return blocks
}()

// invertProducts inverts all elements of the two blocks, with one inversion in
// the field. If an element is zero, it returns false. Three exchanges of lanes
// multiply the eight products of both blocks with each other.
func (s *laneScratch) invertProducts(p []uint64) bool {
	first, second := p[:blockWords], p[blockWords:2*blockWords]
	total, exchanged := s.fold[0][:], s.fold[1:4]
	copy(total, first)
	multiplyBlock(total, second)
	for i := range exchanged {
		exchangeLanes(exchanged[i][:], total, lanes>>(i+1))
		multiplyBlock(total, exchanged[i][:])
	}
	e := fromLane(&s.fold[0], 0)
	if e.IsZero() {
		return false
	}
	invertElement(&e, &e)
	e.Mul(&e, &inverseToLanes)
	setLane(total, lanes, 0, &e)
	for i := range total {
		total[i] = total[i/lanes*lanes]
	}
	for i := range exchanged {
		multiplyBlock(total, exchanged[i][:])
	}
	ofFirst := s.fold[1][:]
	copy(ofFirst, total)
	multiplyBlock(ofFirst, second)
	multiplyBlock(total, first)
	copy(first, ofFirst)
	copy(second, total)
	return true
}

// multiplyBlock sets d = d·p.
func multiplyBlock(d, p []uint64) { laneMultiply(&laneArgs{d: &d[0], p: &p[0], n: lanes}) }

// exchangeLanes sets dst to src with the lanes i and i+distance exchanged.
func exchangeLanes(dst, src []uint64, distance int) {
	for i := range src {
		dst[i] = src[i^distance]
	}
}

// fromLane returns the integer in one lane of a block, below 2p, modulo p in
// words.
func fromLane(block *[blockWords]uint64, lane int) (e fp.Element) {
	for limb := laneLimbs - 1; limb >= 0; limb-- {
		carry := block[limb*lanes+lane]
		for i, word := range e {
			e[i], carry = word<<limbBits|carry, word>>(64-limbBits)
		}
	}
	var less fp.Element
	var borrow uint64
	for i := range e {
		less[i], borrow = bits.Sub64(e[i], fieldP[i], borrow)
	}
	if borrow == 0 {
		return less
	}
	return e
}

// inverseToLanes is 2^shift. Let Rw = 2^(64·words) and R = 2^shift·Rw. Words
// invert an integer v to Rw²/v, lanes need R²/v = 2^(2·shift)·Rw²/v. This factor
// contributes 2^shift, and setLane the other 2^shift.
var inverseToLanes = func() (e fp.Element) {
	e.SetBigInt(new(big.Int).Lsh(big.NewInt(1), laneShift))
	return e
}()

// addExactly is add on the portable kernel.
func (l *lanePoints) addExactly(i int, in *lanePoints, j, sums, n int) {
	s := l.scratch
	s.a.reset()
	s.b.reset()
	words := s.words[:n]
	l.store(words, i)
	for k := range words {
		s.a.load(k, words[k])
	}
	in.store(words[:sums], j)
	for k := range words[:sums] {
		s.b.load(k, words[k])
	}
	s.a.add(0, s.b, 0, sums, n)
	l.identity = l.identity || s.a.identity
	s.a.store(words, 0)
	for k := range words {
		l.load(i+k, words[k])
	}
}
