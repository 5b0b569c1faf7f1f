package cost_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/count"
	"github.com/zkatbench/zkatbench/count/cost"
	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
)

func TestCurve(t *testing.T) {
	c := cost.Curve{{1, 10}, {2, 12}, {4, 20}}
	for size, want := range map[int]float64{0: 0, 1: 10, 2: 12, 3: 16, 4: 20, 6: 28} {
		require.InDelta(t, want, c.At(size), 1e-9, "size %d", size)
	}
	require.InDelta(t, 35, cost.Curve{{2, 14}}.At(5), 1e-9)
	require.Zero(t, cost.Curve{}.At(3))
}

// linear simulates a machine on which a call over a table takes a for each term
// and b for each sum.
func linear(a, b float64) *cost.Costs {
	var f cost.Fixed
	f.Table = 134
	for _, n := range []int{1, 64, 256} {
		f.One = append(f.One, cost.Sample{Size: n, NS: a*float64(n) + b})
		f.Two = append(f.Two, cost.Sample{Size: n, NS: a*float64(n) + 2*b})
		f.Each = append(f.Each, cost.Sample{Size: n, NS: (a + b) * float64(n)})
	}
	return &cost.Costs{Fixed: []cost.Fixed{{Table: 3, One: cost.Curve{{1, 1e9}}, Two: cost.Curve{{1, 1e9}},
		Each: cost.Curve{{1, 1e9}}}, f},
		Ops: map[string]cost.Curve{"scalar-mul": {{1, 30}}, "msm": {{1, 30}, {2, 50}}},
		Lockstep: []cost.Lockstep{{Terms: 1, Calls: cost.Curve{{1, 30}, {2, 40}, {4, 60}}},
			{Terms: 3, Calls: cost.Curve{{1, 70}, {2, 100}}}}}
}

func row(size, call int) count.Event {
	return count.Event{Op: count.FixedMSM, Size: size, Together: count.Together{Call: call, Table: 130}}
}

// together is one sum of a call of Group.MSMs.
func together(size, call int) count.Event {
	return count.Event{Op: count.MSM, Size: size, Together: count.Together{Call: call}}
}

func TestPredict(t *testing.T) {
	for name, c := range map[string]struct {
		counts count.Counts
		want   float64
	}{
		"one sum":            {count.Counts{row(64, 64): 1}, 64*5 + 7},
		"two sums of a call": {count.Counts{row(65, 130): 2}, 130*5 + 2*7},
		"a call of ones":     {count.Counts{row(1, 64): 64}, 64 * (5 + 7)},
		"two calls":          {count.Counts{row(2, 2): 2}, 2 * (2*5 + 7)},
		"no terms":           {count.Counts{row(0, 5): 1}, 0},
		"scalar":             {count.Counts{count.One(count.ScalarMul): 3}, 90},
		"sums together":      {count.Counts{together(1, 3): 3}, 50},
		"between lengths":    {count.Counts{together(2, 4): 2}, 2 * (20 + 50) / 2},
		"never above alone":  {count.Counts{together(3, 3): 1}, 70},
		"sums of nothing":    {count.Counts{together(0, 0): 2}, 0},
		"inside is not time": {count.Counts{{Layer: count.Inside, Op: count.ScalarMul, Size: 1}: 3}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			ns, unknown := linear(5, 7).Predict(c.counts)
			require.InDelta(t, c.want, ns, 1e-6)
			require.Empty(t, unknown)
		})
	}
	_, unknown := linear(5,
		7).Predict(count.Counts{count.One(count.Pairing): 1, {Group: "G2", Op: count.ScalarMul, Size: 1}: 1})
	require.Len(t, unknown, 2)
	_, unknown = (&cost.Costs{}).Predict(count.Counts{row(1, 1): 1, together(1, 2): 2})
	require.Len(t, unknown, 2)
}

func TestMeterIsInterrupted(t *testing.T) {
	var m cost.Meter
	m.Curve([]int{1, 2}, func(int) func() { return func() {} })
	ctx, cancel := context.WithCancel(t.Context())
	require.ErrorIs(t, m.Run(ctx, cost.Options{Progress: func(int, int) { cancel() }}), context.Canceled)
}

// TestMeter uses a clock that only the calls advance, so figures are exact.
func TestMeter(t *testing.T) {
	var m cost.Meter
	var clock time.Duration
	c := m.Curve([]int{1, 4}, func(n int) func() {
		return func() { clock += time.Duration(n) * time.Microsecond }
	})
	require.NoError(t,
		m.Run(t.Context(),
			cost.Options{Sample: time.Millisecond, Now: func() time.Duration { return clock }}))
	require.Equal(t, cost.Curve{{1, 1000}, {4, 4000}}, c)
	require.Zero(t, m.Spread())
}

func TestWriteTree(t *testing.T) {
	op := cost.Operation{Name: "Sender", Measured: 1200, Spread: 0.031, Counts: count.Phases{
		"prove/commit": {row(64, 64): 1, count.One(count.HashToCurve): 1,
			{Layer: count.Inside, Op: count.Add, Size: 1}: 9},
		"prove": {count.One(count.ScalarMul): 10},
	}}
	var b strings.Builder
	require.NoError(t, cost.WriteTree(&b, op, linear(5, 7)))
	require.Equal(t, `phase       scalar-mul  fixed-msm     hash-to-curve  total add  predicted  share
Sender      10          1 (64 terms)  1              9          627 ns     100.0%
  prove     10          1 (64 terms)  1              9          627 ns     100.0%
    commit  .           1 (64 terms)  1              9          327 ns     52.2%
not predicted: 1 × hash-to-curve
predicted 627 ns, measured 1.20 µs, ratio 1.91; half of the measurements are within 3.1% of each other
`, b.String())
}

// Groups stand apart, with negations, pairings and their last step.
func TestWriteTreeOfAPairing(t *testing.T) {
	op := cost.Operation{Name: "Verify", Measured: 1, Counts: count.Phases{"": {
		count.One(count.Neg): 1, {Group: "G2", Op: count.Add, Size: 1}: 2,
		{Group: "GT", Op: count.Pairing, Size: 2}: 1, {Group: "GT", Op: count.FinalExp, Size: 1}: 1,
	}}}
	var b strings.Builder
	require.NoError(t, cost.WriteTree(&b, op, linear(5, 7)))
	require.Regexp(t,
		`^phase +G1 neg +G2 add +GT pairing +GT final-exp +predicted +share\nVerify +1 +2 +1 \(2 terms\) +1 `,
		b.String())
	require.Contains(t, op.Counts.Text(), "  G2\n    total: 2 additions")
}

func TestWriteCosts(t *testing.T) {
	c := &cost.Costs{
		Ops:      map[string]cost.Curve{"msm": {{1, 30e3}, {64, 2e6}}, "add": {{1, 227}}},
		Inside:   map[string]cost.Curve{"mixed-add": {{128, 12.8e3}}},
		Lockstep: []cost.Lockstep{{Terms: 2, Calls: cost.Curve{{4, 160e3}}}},
		Fixed: []cost.Fixed{{Table: 3, Bytes: 2 << 20, One: cost.Curve{{1, 1500}},
			Two: cost.Curve{{2, 3000}}, Each: cost.Curve{{2, 3000}}}},
		Spread: 0.0123,
	}
	var b strings.Builder
	require.NoError(t, cost.WriteCosts(&b, "BN254", c))
	require.Equal(t, `BN254                                             terms  a call   a term
add                                               1      227 ns   227 ns
msm                                               1      30 µs    30 µs
                                                  64     2 ms     31.2 µs
inside: mixed-add                                 128    12.8 µs  100 ns
msms, sums of 2                                   8      160 µs   20 µs
fixed-msm, table of 3 points, 2048 kB, one sum    1      1.50 µs  1.50 µs
fixed-msm, table of 3 points, 2048 kB, two sums   2      3 µs     1.50 µs
fixed-msm, table of 3 points, 2048 kB, sums of 1  2      3 µs     1.50 µs
half of the samples of a figure are within 1.2% of each other
`, b.String())
}

func TestFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "costs.json")
	_, err := cost.Load(path)
	require.ErrorIs(t, err, os.ErrNotExist)
	of := linear(1, 2)
	of.Machine = "m"
	f := &cost.File{Curves: map[string]*cost.Costs{"BN254": of}}
	require.NoError(t, f.Save(path))
	back, err := cost.Load(path)
	require.NoError(t, err)
	require.Equal(t, f, back)
	got, err := back.Of("BN254", "m")
	require.NoError(t, err)
	require.Equal(t, of, got)
	for curve, machine := range map[string]string{"BLS12_381_BBS": "m", "BN254": "another"} {
		t.Run(curve, func(t *testing.T) {
			_, err = back.Of(curve, machine)
			require.ErrorIs(t, err, cost.ErrNoCosts)
		})
	}

	require.NoError(t, os.WriteFile(path, []byte(`{"curves": {"BN254": {}}}`), 0o600)) // an old format
	back, err = cost.Load(path)
	require.NoError(t, err)
	require.Empty(t, back.Curves)
	for _, wrong := range []string{"]", "{}", `{"benchmarks": []}`} {
		require.NoError(t, os.WriteFile(path, []byte(wrong), 0o600))
		_, err = cost.Load(path)
		require.ErrorContains(t, err, path)
	}
}

// TestEveryOperationHasAColumn follows the enumeration of package count.
func TestEveryOperationHasAColumn(t *testing.T) {
	for _, counted := range count.Ops()[count.Neg+1:] { // the first ones are outer additions
		var b strings.Builder
		op := cost.Operation{Name: "Op", Counts: count.Phases{"": {count.Of(counted, 3): 2}}, Measured: 1}
		require.NoError(t, cost.WriteTree(&b, op, linear(5, 7)))
		head, _, _ := strings.Cut(b.String(), "\n")
		require.Equal(t, !counted.IsSum(), strings.Contains(head, " "+counted.String()+" "), "%v: %s",
			counted, head)
	}
}
