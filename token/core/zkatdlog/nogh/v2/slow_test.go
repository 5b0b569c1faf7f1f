package v2 // claim is private: its scalars are compared one by one

import (
	"crypto/sha256"
	"encoding/binary"
	"math/big"
	"slices"
	"strconv"
	"sync"
	"testing"

	math "github.com/IBM/mathlib"
	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/transcript"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// The slow verifier is a second implementation of the specification, on
// math/big and mathlib: affine point arithmetic on math/big, forms by their
// definition, both group equations separately, and the cofactor cleared by
// repeated addition. mathlib hashes the generators, and evaluates each equation
// in place of math/big if all of its points are in the subgroup; at night both do.
// The slow verifier shares only the bytes of tokens and the expansion of hashes with the engine.

// slowCurve is y² = x³ + b over the integers modulo p.
type slowCurve struct {
	p, b, q *big.Int
	clear   *big.Int // effective cofactor
	wide    int      // bytes of a coordinate
	lib     *math.Curve
	hashed  func() [][]byte // the generators
}

// slowPoint is an affine point; nil is the identity.
type slowPoint struct{ x, y *big.Int }

func bigOf(text string) *big.Int {
	v, ok := new(big.Int).SetString(text, 0)
	if !ok {
		panic(text)
	}
	return v
}

var slowCurves = map[string]slowCurve{
	"BN254": {
		p:     bigOf("21888242871839275222246405745257275088696311157297823662689037894645226208583"),
		b:     big.NewInt(3),
		q:     bigOf("21888242871839275222246405745257275088548364400416034343698204186575808495617"),
		clear: big.NewInt(1), wide: 32,
		lib: math.Curves[math.BN254], hashed: hashGenerators(math.BN254),
	},
	"BLS12_381_BBS_GURVY": {
		p: bigOf("0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf" +
			"6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab"),
		b:     big.NewInt(4),
		q:     bigOf("0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001"),
		clear: bigOf("0xd201000000010001"), wide: 48,
		lib: math.Curves[math.BLS12_381_BBS_GURVY], hashed: hashGenerators(math.BLS12_381_BBS_GURVY),
	},
}

// hashGenerators returns a function that hashes the generators of section 2 once.
func hashGenerators(id math.CurveID) func() [][]byte {
	return sync.OnceValue(func() (all [][]byte) {
		for _, list := range []struct {
			name  string
			count int
		}{{"lfdt-panurus.zkatdlognogh.1.PedersenGenerators.", 3}, {"zkatdlog-nogh-v2.G.", 16},
			{"zkatdlog-nogh-v2.H.", 66}} {
			for i := range list.count {
				all = append(all, math.Curves[id].HashToG1([]byte(list.name+strconv.Itoa(i))).Bytes())
			}
		}
		return all
	})
}

// digest is pd of section 2.
func (c slowCurve) digest(name string, bits int) []byte {
	h := sha256.New()
	h.Write(slowLabel("zkatdlog-nogh-v2/parameters"))
	h.Write(slowLabel(name))
	h.Write([]byte{0, byte(bits), 0, 85})
	for _, generator := range c.hashed() {
		h.Write(generator)
	}
	return h.Sum(nil)
}

// encode returns the coordinates of p, which is not the identity.
func (c slowCurve) encode(p *slowPoint) []byte {
	return append(p.x.FillBytes(make([]byte, c.wide)), p.y.FillBytes(make([]byte, c.wide))...)
}

// vanishes reports whether a sum is the identity up to torsion.
func (c slowCurve) vanishes(terms []slowTerm) bool {
	total, inSubgroup := c.lib.NewG1(), true
	for _, t := range terms {
		point, err := c.lib.NewG1FromBytes(c.encode(t.point))
		if err != nil {
			inSubgroup = false
			break
		}
		scalar := new(big.Int).Mod(t.scalar, c.q)
		total.Add(point.Mul(c.lib.NewZrFromBytes(scalar.FillBytes(make([]byte, 32)))))
	}
	if inSubgroup && !nightly.On() {
		return total.IsInfinity()
	}
	verdict := c.times(c.sum(terms), c.clear) == nil
	if inSubgroup && total.IsInfinity() != verdict {
		panic("mathlib and math/big disagree about an equation")
	}
	return verdict
}

func (c slowCurve) decode(b []byte) *slowPoint {
	x, y := new(big.Int).SetBytes(b[:c.wide]), new(big.Int).SetBytes(b[c.wide:])
	if x.Cmp(c.p) >= 0 || y.Cmp(c.p) >= 0 {
		return nil
	}
	left, right := new(big.Int).Mul(y, y), new(big.Int).Exp(x, big.NewInt(3), nil)
	if left.Sub(left, right.Add(right, c.b)).Mod(left, c.p).Sign() != 0 {
		return nil
	}
	return &slowPoint{x, y}
}

// add returns p + q by case distinction.
func (c slowCurve) add(p, q *slowPoint) *slowPoint {
	if p == nil {
		return q
	}
	if q == nil {
		return p
	}
	top, bottom := new(big.Int), new(big.Int)
	switch {
	case p.x.Cmp(q.x) != 0:
		top.Sub(q.y, p.y)
		bottom.Sub(q.x, p.x)
	case p.y.Cmp(q.y) != 0 || p.y.Sign() == 0:
		return nil
	default:
		top.Mul(p.x, p.x)
		top.Mul(top, big.NewInt(3))
		bottom.Lsh(p.y, 1)
	}
	bottom.ModInverse(bottom.Mod(bottom, c.p), c.p)
	slope := top.Mul(top, bottom)
	slope.Mod(slope, c.p)
	x := new(big.Int).Mul(slope, slope)
	x.Sub(x, p.x).Sub(x, q.x).Mod(x, c.p)
	y := new(big.Int).Sub(p.x, x)
	y.Mul(y, slope).Sub(y, p.y).Mod(y, c.p)
	return &slowPoint{x, y}
}

type slowTerm struct {
	point  *slowPoint
	scalar *big.Int
}

// sum is Σ scalar·point, with one chain of doublings.
func (c slowCurve) sum(terms []slowTerm) (total *slowPoint) {
	for _, t := range terms {
		t.scalar.Mod(t.scalar, c.q)
	}
	for bit := c.q.BitLen() - 1; bit >= 0; bit-- {
		total = c.add(total, total)
		for _, t := range terms {
			if t.scalar.Bit(bit) == 1 {
				total = c.add(total, t.point)
			}
		}
	}
	return total
}

// times is v·p.
func (c slowCurve) times(p *slowPoint, v *big.Int) (total *slowPoint) {
	for bit := v.BitLen() - 1; bit >= 0; bit-- {
		total = c.add(total, total)
		if v.Bit(bit) == 1 {
			total = c.add(total, p)
		}
	}
	return total
}

// slow is one verification.
type slow struct {
	slowCurve
	n, m, k, top, perOutput, perBlock int
	state                             []byte
}

func (s *slow) mod(v *big.Int) *big.Int      { return v.Mod(v, s.q) }
func (s *slow) mul(a, b *big.Int) *big.Int   { return s.mod(new(big.Int).Mul(a, b)) }
func (s *slow) plus(a, b *big.Int) *big.Int  { return s.mod(new(big.Int).Add(a, b)) }
func (s *slow) minus(a, b *big.Int) *big.Int { return s.mod(new(big.Int).Sub(a, b)) }
func (s *slow) power(a *big.Int, e int) *big.Int {
	return new(big.Int).Exp(a, big.NewInt(int64(e)), s.q)
}
func (s *slow) inverse(a *big.Int) *big.Int { return new(big.Int).ModInverse(a, s.q) }

func slowLabel(text string) []byte {
	return append(binary.BigEndian.AppendUint32(nil, uint32(len(text))), text...)
}

func (s *slow) link(label string, parts ...[]byte) {
	state := sha256.Sum256(slices.Concat(slowLabel("zkatdlog-nogh-v2/"+label), s.state,
		slices.Concat(parts...)))
	s.state = state[:]
}

// challenge is H2F, with the expansion of package transcript, whose tests state it again.
func (s *slow) challenge(count int) (cs []*big.Int) {
	out := make([]byte, 48*count)
	transcript.ExpandXMD(out, s.state, "zkatdlog-nogh-v2/challenge")
	for i := range count {
		cs = append(cs, s.mod(new(big.Int).SetBytes(out[48*i:][:48])))
	}
	return cs
}

func slowBytes(g group.Group, st *Statement) (tokens [][]byte) {
	for _, in := range st.Inputs {
		tokens = append(tokens, group.AppendCurvePoint(g, nil, in))
	}
	for _, out := range st.Outputs {
		tokens = append(tokens, g.AppendPoint(nil, out))
	}
	return tokens
}

// slowProof is a proof as the slow verifier reads it, with the scalars of both
// equations.
type slowProof struct {
	slow
	tokens, raw   [][]byte // encoded points
	points        []*slowPoint
	z             []*big.Int // the responses
	main, typ     slowEquation
	isExceptional bool
}

// slowEquation has the scalars of one equation: on the left for the
// generators, on the right for the tokens and M, D, R, S, Q.
type slowEquation struct{ left, right []*big.Int }

// verifySlowly is Verify, on math/big and mathlib.
func (p *Params) verifySlowly(st *Statement, proof []byte) error {
	s, err := p.readSlowly(st, proof)
	if err != nil {
		return err
	}
	if s.isExceptional || !s.holds(s.main) || !s.holds(s.typ) {
		return ErrRejected
	}
	return nil
}

// readSlowly decodes a proof and computes the scalars of both equations.
func (p *Params) readSlowly(st *Statement, proof []byte) (*slowProof, error) {
	s := &slowProof{slow: slow{slowCurve: slowCurves[p.group.Name()], n: len(st.Inputs), m: len(st.Outputs)}}
	s.perOutput, s.perBlock = p.bits/4, 64/p.bits
	s.k = (s.m + s.perBlock - 1) / s.perBlock
	s.top = 2*s.k + 3
	transfer := st.Kind == 1
	if !transfer && st.Kind != 2 || transfer == (s.n == 0) || s.n > 64 || s.m < 1 || s.m > 64 || s.k > 16 ||
		!transfer && st.PublicValue > 0 || len(st.Context) > 65536 {
		return nil, ErrStatement
	}
	length := 1 + (2*s.k+3)*2*s.wide + (4*s.k+22)*32
	if st.PublicType {
		length -= 32
	}
	malformed := wire.Name("slow").Bad("proof", wire.ErrMalformed)
	if len(proof) != length || proof[0] != 2 {
		return nil, malformed
	}
	at := 1
	for range 2*s.k + 3 {
		raw := proof[at : at+2*s.wide]
		point := s.decode(raw)
		if point == nil {
			return nil, malformed
		}
		s.raw, s.points = append(s.raw, raw), append(s.points, point)
		at += 2 * s.wide
	}
	for b := proof[at:]; len(b) > 0; b = b[32:] {
		z := new(big.Int).SetBytes(b[:32])
		if z.Cmp(s.q) >= 0 {
			return nil, malformed
		}
		s.z = append(s.z, z)
	}
	s.scalars(p, st)
	return s, nil
}

// holds reports whether the right side of an equation is its left side.
func (s *slowProof) holds(eq slowEquation) bool {
	var terms []slowTerm
	for i, scalar := range eq.left {
		terms = append(terms, slowTerm{s.decode(s.hashed()[i]), s.minus(new(big.Int), scalar)})
	}
	for i, scalar := range eq.right {
		if scalar.Sign() == 0 {
			continue
		}
		point := (*slowPoint)(nil)
		if i < len(s.tokens) {
			point = s.decode(s.tokens[i])
		} else {
			point = s.points[i-len(s.tokens)]
		}
		terms = append(terms, slowTerm{point, new(big.Int).Set(scalar)})
	}
	return s.vanishes(terms)
}

// statement is the first link of the transcript.
func (s *slowProof) statement(p *Params, st *Statement) {
	s.tokens = slowBytes(p.group, st)
	bytes16 := func(v int) []byte { return binary.BigEndian.AppendUint16(nil, uint16(v)) }
	flag := byte(0)
	if st.PublicType {
		flag = 1
	}
	parts := [][]byte{s.digest(p.group.Name(), p.bits), {byte(st.Kind), flag}, bytes16(p.bits),
		bytes16(len(st.Inputs)), bytes16(len(st.Outputs)),
		binary.BigEndian.AppendUint64(nil, st.PublicValue), p.group.AppendScalar(nil, st.Type),
		binary.BigEndian.AppendUint32(nil, uint32(len(st.Context))), st.Context}
	s.link("statement", append(parts, s.tokens...)...)
}

// scalars sets the scalars of both equations.
func (s *slowProof) scalars(p *Params, st *Statement) {
	s.statement(p, st)
	typ := new(big.Int).SetBytes(p.group.AppendScalar(nil, st.Type))
	s.link("digits", s.raw[:s.k+1]...)
	e := s.challenge(1)[0]
	s.link("reciprocals", s.raw[s.k+1:2*s.k+1]...)
	five := s.challenge(5)
	chi, zeta, lambda, y, omega := five[0], five[1], five[2], five[3], five[4]
	s.link("masks", s.raw[2*s.k+1:]...)
	x := s.challenge(1)[0]
	for _, c := range append(five, x) {
		s.isExceptional = s.isExceptional || c.Sign() == 0
	}
	for d := range int64(16) {
		s.isExceptional = s.isExceptional || s.plus(e, big.NewInt(d)).Sign() == 0
	}
	if s.isExceptional {
		return
	}

	z := s.z
	w, l := z[:16], append([]*big.Int{nil}, z[16:16+4*s.k+1]...)
	z = z[16+4*s.k+1:]
	zv, zh, z := z[0], z[1], z[2:]
	zt := typ
	if !st.PublicType {
		zt, z = z[0], z[1:]
	}
	qv, qr := z[0], z[1]

	forms := s.forms(e, chi, zeta, lambda)
	phi := new(big.Int)
	for i := range 16 {
		a := new(big.Int)
		for exponent, form := range forms {
			a = s.plus(a, s.mul(s.power(x, exponent), form[i]))
		}
		phi = s.plus(phi, s.mul(w[i], s.plus(s.mul(s.power(chi, i), w[i]), a)))
	}
	for u := range 16 * s.k {
		phi = s.minus(phi, s.mul(big.NewInt(2), s.mul(s.power(chi, u), s.power(x, s.top))))
	}
	phi = s.minus(phi, s.mul(s.power(x, s.top), zv))
	l0 := s.mul(s.mul(y, s.power(x, s.top-3)), phi)
	for exponent := 4; exponent < 2*s.top; exponent++ {
		if exponent == s.top {
			continue
		}
		slot := exponent - 3
		if exponent > s.top {
			slot--
		}
		l0 = s.plus(l0, s.mul(s.power(x, exponent-3), l[slot]))
	}
	l[0] = s.minus(new(big.Int), l0)

	// The group equations, right side minus left side.
	theta := func(j int) *big.Int { return s.power(chi, 16*(j-1)) }
	sigma := func(o int) *big.Int { return s.mul(s.power(lambda, o), theta(1+(o-1)/s.perBlock)) }
	beta, sums, omegas := new(big.Int), new(big.Int), new(big.Int)
	if st.Kind == 1 {
		beta = s.power(lambda, s.m+1)
	}
	main, types := &s.main, &s.typ
	for a := range s.n + s.m {
		u := beta
		if o := a - s.n + 1; o >= 1 {
			sums = s.plus(sums, sigma(o))
			u = s.minus(sigma(o), beta)
		}
		main.right = append(main.right, u)
		types.right = append(types.right, s.power(omega, a+1))
		omegas = s.plus(omegas, s.power(omega, a+1))
	}
	sums = s.plus(sums, s.mul(beta, big.NewInt(int64(s.n-s.m))))
	main.right = append(main.right, s.power(x, s.top-1))
	for j := 1; j <= s.k; j++ {
		main.right = append(main.right, s.mul(theta(j), s.power(x, s.top-1-j)))
	}
	for j := 1; j <= s.k; j++ {
		main.right = append(main.right, s.power(x, 1+j))
	}
	none := new(big.Int)
	main.right = append(main.right, s.power(x, s.top), none)
	for range 2*s.k + 2 {
		types.right = append(types.right, none)
	}
	types.right = append(types.right, s.power(x, s.top))
	value := new(big.Int).SetUint64(st.PublicValue)
	main.left = slices.Concat([]*big.Int{s.mul(sums, zt), s.plus(zv, s.mul(beta, value)), zh}, w, l)
	types.left = []*big.Int{s.mul(omegas, zt), qv, qr}
}

// sameScalars requires that the verifier uses the points and the scalars of the
// slow verifier, term by term.
func (in instance) sameScalars(t testing.TB, proof []byte) {
	t.Helper()
	g := in.p.group
	s, err := in.p.readSlowly(in.st, proof)
	require.NoError(t, err)
	c := new(claim)
	require.NoError(t, c.read(in.p, in.st, proof))
	in.p.prepare(c)
	var points [][]byte
	for i := range c.variable {
		points = append(points, group.AppendCurvePoint(g, nil, c.variable[i]))
	}
	require.Equal(t, slices.Concat(s.tokens, s.raw), points)
	same := func(want []*big.Int, got []group.Scalar, what string) {
		t.Helper()
		require.Len(t, got, len(want), what)
		for i := range want {
			require.Equal(t, want[i].FillBytes(make([]byte, 32)), g.AppendScalar(nil, got[i]), "%s %d", what,
				i)
		}
	}
	same(s.main.left, c.fixed, "main equation, generator")
	same(s.main.right, c.mainVariable, "main equation, point")
	same(s.typ.left, c.typeFixed[:], "type equation, generator")
	same(s.typ.right, c.typeVariable, "type equation, point")
}

// forms returns the vectors a_F by exponent.
func (s *slow) forms(e, chi, zeta, lambda *big.Int) map[int][]*big.Int {
	forms := map[int][]*big.Int{1: make([]*big.Int, 16)}
	for i := range 16 {
		pole := s.plus(e, big.NewInt(int64(i)))
		forms[1][i] = s.minus(new(big.Int), s.mul(zeta, s.inverse(pole)))
	}
	for j := 1; j <= s.k; j++ {
		sums, products := make([]*big.Int, 16), make([]*big.Int, 16)
		for i := range 16 {
			sums[i] = new(big.Int)
			if o := (j-1)*s.perBlock + i/s.perOutput + 1; o <= s.m {
				sums[i] = s.mul(s.power(lambda, o), s.power(big.NewInt(16), i%s.perOutput))
			}
			products[i] = s.plus(s.mul(s.mul(big.NewInt(2), e), s.power(chi, 16*(j-1)+i)), zeta)
		}
		forms[1+j], forms[s.top-1-j] = sums, products
	}
	return forms
}
