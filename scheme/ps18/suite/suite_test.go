package suite_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/bench/benchtest"
	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/scheme/ps18/suite"
)

var drive = benchtest.New(suite.Subject)

func TestMain(m *testing.M) { drive.Main(m) }

func BenchmarkPS18KeyGen(b *testing.B)      { drive.Benchmark(b) }
func BenchmarkPS18Sign(b *testing.B)        { drive.Benchmark(b) }
func BenchmarkPS18Verify(b *testing.B)      { drive.Benchmark(b) }
func BenchmarkPS18Decode(b *testing.B)      { drive.Benchmark(b) }
func BenchmarkPS18VerifyBatch(b *testing.B) { drive.Benchmark(b) }

func BenchmarkParallelPS18Sign(b *testing.B)   { drive.BenchmarkParallel(b) }
func BenchmarkParallelPS18Verify(b *testing.B) { drive.BenchmarkParallel(b) }

func TestParallelBenchmarkPS18Sign(t *testing.T)   { drive.Load(t) }
func TestParallelBenchmarkPS18Verify(t *testing.T) { drive.Load(t) }

func TestOperationsConform(t *testing.T) {
	benchtest.Conform(t, suite.Subject, "-curves=BN254", "-messages="+nightly.Pick("2", "1,3", "1,3"),
		"-backend=native,mathlib", "-verify=product,plain", "-key=plain,prepared", "-batch=2", "-ops")
	const others = "BLS12_381_BBS,BLS12_381_BBS_GURVY,FP256BN_AMCL"
	benchtest.Conform(t, suite.Subject, "-messages=1", "-batch=2",
		"-curves="+nightly.Pick("BLS12_381_BBS_GURVY", others, others))
}

func TestDefaultNames(t *testing.T) {
	var names []string
	sel := benchtest.Select(t, suite.Subject)
	for _, c := range sel.Cases(bench.Serial, suite.VerifySignature.Without...) {
		names = append(names, c.Name())
	}
	require.Equal(t, []string{
		"curve=BN254/messages=1", "curve=BN254/messages=10",
		"curve=BLS12_381_BBS_GURVY/messages=1", "curve=BLS12_381_BBS_GURVY/messages=10",
	}, names)
}

// one returns the only case of op that flags select.
func one(t *testing.T, op bench.Op, args ...string) bench.Case {
	cases := benchtest.Select(t, suite.Subject, args...).Cases(bench.Serial, op.Without...)
	require.Len(t, cases, 1)
	return cases[0]
}

// Figures of the specification, section 2, by the units of -ops. The encoding of a signature has 96
// bytes, and the one of a key 2 and 64 for each of its r + 3 points.
func TestFigures(t *testing.T) {
	for name, want := range map[string]struct {
		op   bench.Op
		args []string
		fs   map[string]float64
	}{
		"curve=BN254/messages=10/backend=mathlib": {suite.VerifySignature,
			[]string{"-messages=10", "-backend=mathlib"}, map[string]float64{
				"G2-scalar-mul/op": 11, "G2-add/op": 11, "neg/op": 1, "GT-pairing/op": 1,
				"GT-pairing-terms/op": 2, "GT-final-exp/op": 1, "sig-B": 96, "pk-B": 834}},
		"curve=BN254/messages=1/verify=plain/key=prepared": {suite.VerifySignature,
			[]string{"-messages=1", "-verify=plain", "-key=prepared"}, map[string]float64{
				"G2-msm/op": 1, "G2-msm-terms/op": 2, "G2-add/op": 1, "GT-pairing/op": 2,
				"GT-pairing-terms/op": 2, "GT-final-exp/op": 2, "sig-B": 96, "pk-B": 258}},
		"curve=BN254/messages=1/input-use=decode": {suite.VerifySignature,
			[]string{"-messages=1", "-inputs=decode"}, map[string]float64{
				"decode/op": 2, "G2-decode/op": 4, "G2-msm/op": 1, "G2-msm-terms/op": 2, "G2-add/op": 1,
				"neg/op": 1, "GT-pairing/op": 1, "GT-pairing-terms/op": 2, "GT-final-exp/op": 1,
				"sig-B": 96, "pk-B": 258}},
		"curve=BN254/messages=10": {suite.Decode, []string{"-messages=10"},
			map[string]float64{"decode/op": 2, "G2-decode/op": 13, "sig-B": 96, "pk-B": 834}},
	} {
		t.Run(name, func(t *testing.T) {
			c := one(t, want.op, append(want.args, "-curves=BN254", "-ops")...)
			require.Equal(t, name, c.Name())
			require.Equal(t, want.fs, benchtest.Figures(t, suite.Subject, want.op, c))
		})
	}
}

// A library that normalises its arguments in place is found, and others are not
// suspected.
func TestMemoryOfInputs(t *testing.T) {
	selections := []string{"-curves=FP256BN_AMCL", "-curves=BN254"}
	if !testing.Short() {
		selections = append(selections, "-curves=BLS12_381_BBS", "-curves=BN254 -backend=mathlib",
			"-curves=BLS12_381_BBS_GURVY -backend=mathlib", "-curves=BLS12_381_BBS_GURVY -key=prepared",
			"-curves=FP256BN_AMCL_MIRACL -backend=mathlib")
	}
	for _, selection := range selections {
		t.Run(selection, func(t *testing.T) {
			c := one(t, suite.VerifySignature, strings.Fields("-messages=1 "+selection)...)
			r, err := suite.VerifySignature.Examine(c, func() time.Duration { return 0 })
			require.NoError(t, err)
			found := slices.ContainsFunc(r.Findings, func(finding string) bool {
				return strings.HasPrefix(finding, "input rewritten: ")
			})
			require.Equal(t, selection == "-curves=FP256BN_AMCL", found)
		})
	}
}

// Inputs that cannot be decoded are errors.
func TestReadRefuses(t *testing.T) {
	for _, op := range []bench.Op{suite.VerifySignature, suite.Decode} {
		c := one(t, op, "-curves=BN254", "-messages=1")
		in, err := op.Setup(c, 1)
		require.NoError(t, err)
		inputs := in.Inputs()
		for i := range 2 {
			wrong := slices.Clone(inputs)
			wrong[i] = wrong[i][1:]
			read, err := op.Read(c, 1, bench.Tools{}, wrong)
			if err == nil { // it decodes inside its work
				_, err = read.Work()
			}
			require.Error(t, err, "%s, input %d", op.Name, i)
		}
	}
}
