package opcount_test

import (
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	math "github.com/IBM/mathlib"
	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/metric"
	"github.com/zkatbench/zkatbench/count"
	"github.com/zkatbench/zkatbench/count/mathlib"
	"github.com/zkatbench/zkatbench/count/zn"
	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// counter is a clock that advances by one for each group operation, so its
// measurements are exact.
func counter(rec *count.Recorder) func() time.Duration {
	return func() time.Duration {
		t := rec.Snapshot().Total().Total()
		return time.Duration(t.Adds + t.Doubles + t.Negs)
	}
}

func lazyGroup(t testing.TB) (*zn.Group, *count.Recorder) {
	order, _ := new(big.Int).SetString("21888242871839275222246405745257275088548364400416034343698204186575808495617", 10)
	rec := new(count.Recorder)
	g, err := zn.NewInsecure("", order, zn.Same(zn.WNAF, 4), rec.Bucket(""))
	require.NoError(t, err)
	return g, rec
}

func kinds(t *testing.T, now func() time.Duration, fresh func() metric.Instance) (kinds []string) {
	report, err := metric.Examine(func() (metric.Instance, error) { return fresh(), nil }, now)
	if err != nil {
		return []string{err.Error()}
	}
	for _, f := range report.Findings {
		kind, _, _ := strings.Cut(f, ": ")
		kinds = append(kinds, kind)
	}
	return kinds
}

func right([]byte) error { return nil }

// TestWorkLeftOverFromSetUpIsFound uses an element that set-up left as an
// expression: the first operation that uses it computes it within its measured
// time.
func TestWorkLeftOverFromSetUpIsFound(t *testing.T) {
	g, rec := lazyGroup(t)
	k := big.NewInt(1<<60 - 1)
	instance := func(compute bool) metric.Instance {
		x, err := g.Random(rand.NewChaCha8([32]byte{1}))
		require.NoError(t, err)
		input := x.Pow(k)
		if compute {
			g.Compute(input)
		}
		return metric.Instance{
			Work:   func() ([]byte, error) { g.Compute(input.Mul(x)); return nil, nil },
			Check:  right,
			Inputs: func() [][]byte { return [][]byte{g.Encode(input), g.Encode(x)} },
		}
	}
	require.Equal(t, []string{"first use costs more"}, kinds(t, counter(rec), func() metric.Instance { return instance(false) }))
	require.Empty(t, kinds(t, counter(rec), func() metric.Instance { return instance(true) }))
}

// TestPrecomputationOnABaseIsFound uses a base that keeps its multiples: a
// benchmark of a single base measures a cost that a system with many bases
// never has.
func TestPrecomputationOnABaseIsFound(t *testing.T) {
	g, rec := lazyGroup(t)
	k := big.NewInt(1<<40 + 1)
	instance := func(precompute bool) metric.Instance {
		x, err := g.Random(rand.NewChaCha8([32]byte{2}))
		require.NoError(t, err)
		if precompute {
			g.Precompute(x)
		}
		return metric.Instance{
			Work:   func() ([]byte, error) { g.Compute(x.Pow(k)); return nil, nil },
			Check:  right,
			Inputs: func() [][]byte { return [][]byte{g.Encode(x)} },
		}
	}
	require.Equal(t, []string{"first use costs more"}, kinds(t, counter(rec), func() metric.Instance { return instance(false) }))
	require.Empty(t, kinds(t, counter(rec), func() metric.Instance { return instance(true) }))
}

// TestInputThatIsOverwrittenIsFound uses mathlib, which adds in place: an
// operation that forgets to copy computes a different result each time.
func TestInputThatIsOverwrittenIsFound(t *testing.T) {
	rec := new(count.Recorder)
	c := mathlib.Wrap(math.Curves[math.BN254], rec.Bucket(""))
	instance := func(forget bool) metric.Instance {
		p := c.HashToG1([]byte("p"))
		return metric.Instance{
			Work: func() ([]byte, error) {
				sum := p
				if !forget {
					sum = p.Copy()
				}
				sum.Add(c.GenG1)
				return nil, nil
			},
			Check:  right,
			Inputs: func() [][]byte { return [][]byte{p.Bytes()} },
		}
	}
	require.Equal(t, []string{"operation changes its inputs: input 1 of 1 has another encoding after the operation"}, kinds(t, counter(rec), func() metric.Instance { return instance(true) }))
	require.Empty(t, kinds(t, counter(rec), func() metric.Instance { return instance(false) }))
}

// TestWrongOperationIsNeverTimed checks that a verifier that rejects, which is
// fast, is not timed.
func TestWrongOperationIsNeverTimed(t *testing.T) {
	_, err := metric.Examine(func() (metric.Instance, error) {
		return metric.Instance{
			Work: func() ([]byte, error) { return []byte("rejected"), nil },
			Check: func(out []byte) error {
				if string(out) != "accepted" {
					return errors.New("proof was rejected")
				}
				return nil
			},
			Inputs: func() [][]byte { return nil },
		}, nil
	}, func() time.Duration { return 0 })
	require.ErrorIs(t, err, metric.ErrFails)
}

// The examples of docs/measuring.md where the timed code is at fault.

// BenchmarkSelfNormalising encodes a point that a sum left in projective
// coordinates: the first encoding inverts, and on some curves it rewrites the
// point, so that later encodings do not invert.
func BenchmarkSelfNormalising(b *testing.B) {
	for _, id := range []math.CurveID{math.FP256BN_AMCL, math.BN254, math.BLS12_381} {
		c := math.Curves[id]
		sum := func() *math.G1 { p := c.HashToG1([]byte("p")); p.Add(c.GenG1); return p }
		b.Run(fmt.Sprintf("curve=%s/use=first", math.CurveIDToString(id)), func(b *testing.B) {
			b.StopTimer()
			for range b.N {
				p := sum()
				b.StartTimer()
				encoded = p.Bytes()
				b.StopTimer()
			}
		})
		b.Run(fmt.Sprintf("curve=%s/use=again", math.CurveIDToString(id)), func(b *testing.B) {
			for p := sum(); b.Loop(); {
				encoded = p.Bytes()
			}
		})
	}
}

// BenchmarkLeftOver computes one product in ℤ/n with a power left by set-up.
func BenchmarkLeftOver(b *testing.B) {
	g, _ := lazyGroup(b)
	x, err := g.Random(rand.NewChaCha8([32]byte{3}))
	require.NoError(b, err)
	k := new(big.Int).Sub(g.Order(), big.NewInt(2))
	for _, computed := range []bool{false, true} {
		b.Run(fmt.Sprintf("computed=%t", computed), func(b *testing.B) {
			b.StopTimer()
			for range b.N {
				input := x.Pow(k)
				if computed {
					g.Compute(input)
				}
				b.StartTimer()
				g.Compute(input.Mul(x))
				b.StopTimer()
			}
		})
	}
}

// BenchmarkReuse repeats one operation on the same operands, and on different
// ones.
func BenchmarkReuse(b *testing.B) {
	g := curve(b, "BN254")
	const many = 1 << 12
	ss, ps, msgs := make([]group.Scalar, many), make([]group.Point, many), make([][]byte, many)
	require.NoError(b, group.Sample(g, rand.NewChaCha8([32]byte{4}), ss))
	for i := range ps {
		msgs[i] = []byte{byte(i), byte(i >> 8)}
		ps[i] = g.HashToPoint(msgs[i])
	}
	table := g.NewTable(ps[:70], 0)
	for name, do := range map[string]func(i int){
		"MulPoint":    func(i int) { group.MulPoint(g, ps[i], ss[i]) },
		"Inv":         func(i int) { g.Inv(ss[i]) },
		"HashToPoint": func(i int) { g.HashToPoint(msgs[i]) },
		"FixedMSM":    func(i int) { group.FixedSum(g, table, 0, ss[i:][:65]...) },
	} {
		for operands, n := range map[string]int{"same": 1, "other": many - 70} {
			b.Run("op="+name+"/operands="+operands, func(b *testing.B) {
				for i := 0; b.Loop(); i++ {
					do(i * 70 % n)
				}
			})
		}
	}
}

var encoded []byte
