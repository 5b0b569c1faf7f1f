package suite_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/bench/benchtest"
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
	benchtest.Conform(t, suite.Subject, "-curves=BN254", "-messages=1,3", "-backend=native,mathlib",
		"-verify=product,plain", "-key=plain,prepared", "-batch=2", "-ops")
	benchtest.Conform(t, suite.Subject, "-messages=1", "-batch=2", "-curves=BLS12_381_BBS,FP256BN_AMCL")
	benchtest.Conform(t, suite.Subject, "-messages=1", "-batch=2", "-curves=BLS12_381_BBS_GURVY")
}

func TestDefaultNames(t *testing.T) {
	sel := benchtest.Select(t, suite.Subject)
	var names []string
	for _, c := range sel.Cases(bench.Serial, suite.VerifySignature.Without...) {
		names = append(names, c.Name())
	}
	require.Equal(t, []string{
		"curve=BN254/messages=1", "curve=BN254/messages=10",
		"curve=BLS12_381_BBS_GURVY/messages=1", "curve=BLS12_381_BBS_GURVY/messages=10",
	}, names)
	chosen := benchtest.Select(t, suite.Subject, "-curves=BN254", "-messages=10", "-inputs=decode",
		"-verify=plain", "-key=prepared")
	require.Equal(t, "curve=BN254/messages=10/verify=plain/key=prepared/input-use=decode",
		chosen.Cases(bench.Serial, suite.VerifySignature.Without...)[0].Name())
}

// Figures of the specification, section 2, by the units of -ops.
func TestFigures(t *testing.T) {
	for _, want := range []struct {
		op   bench.Op
		args []string
		fs   map[string]float64
	}{
		{suite.VerifySignature, []string{"-messages=1"}, map[string]float64{
			"G2-msm/op": 1, "G2-msm-terms/op": 2, "G2-add/op": 1, "neg/op": 1, "GT-pairing/op": 1,
			"GT-pairing-terms/op": 2, "GT-final-exp/op": 1,
			"sig-B": 96, "pk-B": 258}},
		{suite.VerifySignature, []string{"-messages=10", "-backend=mathlib"}, map[string]float64{
			"G2-scalar-mul/op": 11, "G2-add/op": 11, "neg/op": 1, "GT-pairing/op": 1,
			"GT-pairing-terms/op": 2, "GT-final-exp/op": 1,
			"sig-B": 96, "pk-B": 834}},
		{suite.VerifySignature, []string{"-messages=1", "-verify=plain"}, map[string]float64{
			"G2-msm/op": 1, "G2-msm-terms/op": 2, "G2-add/op": 1, "GT-pairing/op": 2,
			"GT-pairing-terms/op": 2, "GT-final-exp/op": 2,
			"sig-B": 96, "pk-B": 258}},
		{suite.VerifySignature, []string{"-messages=1", "-inputs=decode"}, map[string]float64{
			"decode/op": 2, "G2-decode/op": 4,
			"G2-msm/op": 1, "G2-msm-terms/op": 2, "G2-add/op": 1, "neg/op": 1, "GT-pairing/op": 1,
			"GT-pairing-terms/op": 2, "GT-final-exp/op": 1,
			"sig-B": 96, "pk-B": 258}},
		{suite.Decode, []string{"-messages=10"},
			map[string]float64{"decode/op": 2, "G2-decode/op": 13, "sig-B": 96, "pk-B": 834}},
	} {
		c := benchtest.Select(t, suite.Subject,
			append(want.args, "-curves=BN254", "-ops")...).Cases(bench.Serial, want.op.Without...)[0]
		require.Equal(t, want.fs, benchtest.Figures(t, suite.Subject, want.op, c), c.Name())
	}
}

// A library that normalises its arguments in place is found, and others are not
// suspected.
func TestMemoryOfInputs(t *testing.T) {
	for args, want := range map[[2]string]bool{
		{"-curves=BLS12_381_BBS", "-backend=native"}:                     false,
		{"-curves=FP256BN_AMCL", "-backend=native"}:                      true,
		{"-curves=BN254", "-backend=native"}:                             false,
		{"-curves=BN254", "-backend=mathlib"}:                            false,
		{"-curves=BLS12_381_BBS_GURVY", "-backend=mathlib"}:              false,
		{"-curves=FP256BN_AMCL_MIRACL", "-backend=mathlib"}:              false,
		{"-curves=BLS12_381_BBS_GURVY", "-backend=native,-key=prepared"}: false,
	} {
		if args[1] == "-backend=native,-key=prepared" {
			args[1] = "-key=prepared"
		}
		c := benchtest.Select(t, suite.Subject, append(args[:], "-messages=1")...).Cases(bench.Serial,
			suite.VerifySignature.Without...)[0]
		r, err := suite.VerifySignature.Examine(c, func() time.Duration { return 0 })
		require.NoError(t, err)
		found := false
		for _, f := range r.Findings {
			found = found || strings.HasPrefix(f, "input rewritten: ")
		}
		require.Equal(t, want, found, args)
	}
}

// Inputs that cannot be decoded are errors.
func TestReadRefuses(t *testing.T) {
	for _, op := range []bench.Op{suite.VerifySignature, suite.Decode} {
		c := benchtest.Select(t, suite.Subject, "-curves=BN254", "-messages=1").Cases(bench.Serial,
			op.Without...)[0]
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
