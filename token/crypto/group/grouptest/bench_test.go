package grouptest

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"
	"time"

	bls12381curve "github.com/consensys/gnark-crypto/ecc/bls12-381"
	bn254curve "github.com/consensys/gnark-crypto/ecc/bn254"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/curves"
)

// yardstick returns the time of one scalar multiplication of gnark-crypto in
// this process, with the endomorphism and a random scalar: the unit eq-mul.
func yardstick(name string) time.Duration {
	k, _ := new(big.Int).SetString("123456789abcdef0fedcba9876543210cafebabe0123456789abcdef01234567", 16)
	_, _, bn, _ := bn254curve.Generators()
	_, _, bls, _ := bls12381curve.Generators()
	best := time.Hour
	for range 9 {
		start := time.Now()
		const times = 100
		for range times {
			if name == "BN254" {
				bn.ScalarMultiplication(&bn, k)
			} else {
				bls.ScalarMultiplication(&bls, k)
			}
		}
		best = min(best, time.Since(start)/times)
	}
	return best
}

// material returns random input of n terms.
func material(g group.Group, n int) (ps []group.Point, ss []group.Scalar) {
	rnd := rand.New(rand.NewPCG(1, uint64(n)))
	for range n {
		b := make([]byte, 48)
		for i := range b {
			b[i] = byte(rnd.Uint32())
		}
		s := g.Reduce(b)
		ps, ss = append(ps, group.MulPoint(g, g.Generator(), s)), append(ss, g.Mul(s, s))
	}
	return ps, ss
}

var (
	sinkPoint  group.Point
	sinkScalar group.Scalar
	sinkBytes  []byte
)

// run measures f, which performs terms units of work.
func run(b *testing.B, name string, unit time.Duration, terms int, f func()) {
	b.Run(name, func(b *testing.B) {
		b.ReportAllocs()
		f()
		for b.Loop() {
			f()
		}
		perOp := float64(b.Elapsed().Nanoseconds()) / float64(b.N)
		b.ReportMetric(perOp/float64(unit.Nanoseconds()), "eq-mul/op")
		b.ReportMetric(perOp/float64(terms), "ns/term")
	})
}

func BenchmarkGroup(b *testing.B) {
	for _, name := range []string{"BN254", "BLS12_381_BBS_GURVY"} {
		for _, backend := range []string{"native", "mathlib"} {
			g, err := curves.Find(name, backend)
			if err != nil {
				b.Fatal(err)
			}
			b.Run(fmt.Sprintf("curve=%s/backend=%s", name, backend), func(b *testing.B) {
				benchPoints(b, g, yardstick(name))
				benchFixed(b, g, yardstick(name))
				benchScalars(b, g, yardstick(name))
			})
		}
	}
}

func benchPoints(b *testing.B, g group.Group, unit time.Duration) {
	ps, ss := material(g, 2048)
	short := make([]group.Scalar, len(ss))
	for i := range short {
		short[i] = g.Reduce(g.AppendScalar(nil, ss[i])[:16])
	}
	run(b, "op=MulPoint", unit, 1, func() { sinkPoint = group.MulPoint(g, ps[0], ss[0]) })
	for _, n := range []int{2, 4, 8, 14, 28, 34, 64, 96, 128, 256, 512, 2048} {
		run(b, fmt.Sprintf("op=MSM/bits=256/terms=%d", n), unit, n, func() { sinkPoint = group.MSM(g, ps[:n], ss[:n]) })
		run(b, fmt.Sprintf("op=MSM/bits=128/terms=%d", n), unit, n, func() { sinkPoint = group.MSM(g, ps[:n], short[:n]) })
	}
	rows, dst := make([]group.Terms, 128), make([]group.Point, 128)
	for i := range rows {
		rows[i] = group.Terms{Points: ps[2*i : 2*i+2], Scalars: ss[2*i : 2*i+2]}
	}
	for _, k := range []int{2, 8, 32, 128} {
		run(b, fmt.Sprintf("op=MSMs/rows=%d/terms=2", k), unit, 2*k, func() { g.MSMs(dst[:k], rows[:k]) })
	}
	run(b, "op=SumPow2/terms=64", unit, 64, func() { sinkPoint = group.SumPow2(g, ps[:64]) })
	run(b, "op=Sum/terms=64", unit, 64, func() { sinkPoint = group.Sum(g, ps[:64]) })
	bits := g.NewBitTable(ps[:64], ps[64:128])
	run(b, "op=SumBits/bits=64", unit, 64, func() { sinkPoint = g.SumBits(bits, 0x0123456789abcdef) })
	run(b, "op=HashToPoint", unit, 1, func() { sinkPoint = g.HashToPoint([]byte("message")) })
	code := g.AppendPoint(nil, ps[0])
	run(b, "op=AppendPoint", unit, 1, func() { sinkBytes = g.AppendPoint(code[:0], ps[0]) })
	run(b, "op=DecodePoint", unit, 1, func() { sinkPoint, _ = g.DecodePoint(code) })
}

func benchFixed(b *testing.B, g group.Group, unit time.Duration) {
	ps, ss := material(g, 135)
	dst := make([]group.Point, 64)
	for _, mb := range []int{10, 40} {
		t := g.NewTable(ps, mb<<20)
		for _, shape := range [][2]int{{1, 1}, {1, 3}, {5, 2}, {1, 65}, {2, 65}, {1, 129}, {64, 1}} {
			rows := make([]group.Row, shape[0])
			for i := range rows {
				rows[i] = group.Row{First: i, Scalars: ss[i : i+shape[1]]}
			}
			name := fmt.Sprintf("op=FixedMSM/table_mb=%d/rows=%d/terms=%d", mb, shape[0], shape[1])
			run(b, name, unit, shape[0]*shape[1], func() { g.FixedMSM(dst[:len(rows)], t, rows) })
		}
	}
	run(b, "op=NewTable/terms=135", unit, 135, func() { g.NewTable(ps, 40<<20) })
}

func benchScalars(b *testing.B, g group.Group, unit time.Duration) {
	const n = 64
	_, ss := material(g, 2*n)
	v, w, dst := ss[:n], ss[n:], make([]group.Scalar, n)
	wide := make([]byte, 48)
	run(b, "op=Reduce/bytes=48", unit, 1, func() { sinkScalar = g.Reduce(wide) })
	run(b, "op=Inv", unit, 1, func() { sinkScalar = g.Inv(v[0]) })
	run(b, "op=InvVec/terms=64", unit, n, func() { g.InvVec(dst, v) })
	run(b, "op=MulVec/terms=64", unit, n, func() { g.MulVec(dst, v, w) })
	run(b, "op=FoldVec/terms=64", unit, n, func() { g.FoldVec(dst, v, w, v[0], w[0]) })
	run(b, "op=Powers/terms=64", unit, n, func() { g.Powers(dst, v[0]) })
	run(b, "op=Inner/terms=64", unit, n, func() { sinkScalar = g.Inner(v, w) })
}
