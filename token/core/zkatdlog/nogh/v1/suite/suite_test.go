package suite_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/bench/benchtest"
	"github.com/zkatbench/zkatbench/bench/step"
	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/suite"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/suite/suitetest"
)

func TestMain(m *testing.M) { suitetest.Main(m) }

// ops are all operations.
var ops = slices.Concat(suite.Operations, suite.Requests)

// selected parses args as a command line.
func selected(t *testing.T, args ...string) *bench.Selection {
	return benchtest.Select(t, suite.Subject, args...)
}

func TestDefaultsAre54Cases(t *testing.T) {
	sel := selected(t)
	cases := sel.Cases(bench.Serial)
	require.Len(t, cases, 54)
	require.Equal(t, "bits=32/curve=BN254/inputs=1/outputs=1", cases[0].Name())
	require.Equal(t, "bits=64/curve=BLS12_381_BBS_GURVY_FAST_RNG/inputs=3/outputs=3", cases[53].Name())
	load := selected(t, "-workers=1,10").Cases(bench.Load)
	require.Len(t, load, 2)
	require.Equal(t, "bits=32/curve=BN254/inputs=2/outputs=2/workers=10", load[1].Name())
	require.Len(t, sel.Cases(bench.Serial, suite.Issuer.Without...), 18, "an issue has no inputs")
	owned := selected(t, "-owner=x509,idemix")
	require.Len(t, owned.Cases(bench.Serial, suite.Sender.Without...), 54,
		"an action does not depend on its owners")
	require.Len(t, owned.Cases(bench.Serial, suite.ValidatorTransfer.Without...), 108)
}

// TestPresentationsAreFreshByDefault: only the validation of transfers depends on
// presentations, and a name shows them if they are chosen.
func TestPresentationsAreFreshByDefault(t *testing.T) {
	one := []string{"-bits=16", "-curves=BN254", "-num_inputs=2", "-num_outputs=1", "-owner=idemix"}
	names := func(op bench.Op, args ...string) (names []string) {
		sel := selected(t, append(one[:len(one):len(one)], args...)...)
		for _, c := range sel.Cases(bench.Serial, op.Without...) {
			names = append(names, c.Name())
			require.NotZero(t, benchtest.Figures(t, suite.Subject, op, c)["request-B"])
		}
		return names
	}
	const plain = "bits=16/curve=BN254/inputs=2/outputs=1/owner=idemix"
	require.Equal(t, []string{plain}, names(suite.ValidatorTransfer))
	require.Equal(t, []string{plain + "/presentations=same", plain + "/presentations=fresh"},
		names(suite.ValidatorTransfer, "-presentations=same,fresh"))
	require.Equal(t, []string{plain}, names(suite.AuditorServiceCheck, "-presentations=same"))
}

func TestEveryOperationWorks(t *testing.T) {
	matrices := [][]string{{"-curves=BN254", "-proof_type=csp", "-table-mb=1"}}
	if testing.Short() {
		matrices = append(matrices,
			[]string{"-curves=BN254", "-num_inputs=1,3", "-executor=pool"},
			[]string{"-curves=BLS12_381_BBS_GURVY", "-owner=idemix"})
	} else {
		matrices = append(matrices,
			[]string{"-curves=BN254", "-num_inputs=1,3", "-num_outputs=1,3",
				"-executor=serial,unbounded,pool"},
			[]string{"-curves=BN254,BLS12_381_BBS_GURVY", "-owner=idemix"},
			[]string{"-curves=BLS12_381_BBS", "-proof_type=csp"},
			[]string{"-curves=BN254", "-backend=native,mathlib", "-num_outputs=1"})
	}
	if nightly.On() {
		matrices = append(matrices, []string{
			"-curves=BLS12_381_BBS_GURVY,BLS12_381_BBS_GURVY_FAST_RNG,FP256BN_AMCL,FP256BN_AMCL_MIRACL",
			"-num_outputs=1",
		})
	}
	for _, args := range matrices {
		args = append([]string{"-bits=16", "-num_inputs=2", "-num_outputs=2", "-workers=1"}, args...)
		sel := selected(t, args...)
		for _, op := range ops {
			for _, c := range sel.Cases(bench.Serial, op.Without...) {
				fs := benchtest.Figures(t, suite.Subject, op, c)
				require.NotZero(t, fs["proof-B"]+fs["request-B"], "%s/%s", op.Name, c.Name())
			}
		}
	}
}

func TestHeaderSaysWhatIsUnsound(t *testing.T) {
	header := func(args ...string) bench.Header { return suite.Subject.Suite(selected(t, args...)).Header }
	h := header("-proof_type=bulletproof,csp")
	require.Equal(t,
		[][2]string{{"proof-type", "bulletproof (unsound against a malicious prover; for measurement), csp"}},
		h.Config)
	require.Equal(t,
		[]string{"proof-B", "action-B", "request-B", "metadata-B", "written-B", "removed-B", "reads",
			"writes"}, h.Exact)
	require.Contains(t, header("-ops").Exact, "msm-terms/op")
}

// TestOperationsConform checks that operations leave their inputs unchanged and
// that set-up leaves no work to them; otherwise figures would be too low
// (docs/measuring.md).
func TestOperationsConform(t *testing.T) {
	benchtest.Conform(t, suite.Subject, "-bits=16", "-curves=BN254", "-num_inputs=2", "-num_outputs=2",
		"-batch=2")
}

// TestTheBaselineWorks: operations on tokens in the clear work, and operations without a
// counterpart say so in one line.
func TestTheBaselineWorks(t *testing.T) {
	none := []string{
		"TransferProofGeneration", "VerifyBatch", "AuditorServiceCheck",
		"AuditorEndorseTransfer", "AuditorEndorseIssue", "AuditorEndorseRedeem",
	}
	sel := selected(t, "-protocol=clear", "-bits=16", "-curves=BN254", "-num_inputs=2", "-num_outputs=2",
		"-batch=2", "-owner=x509")
	for _, op := range suite.Subject.Ops {
		for _, c := range sel.Cases(bench.Serial, op.Without...) {
			if slices.Contains(none, op.Name) {
				_, err := op.New(c, 0)
				require.ErrorContains(t, err, `-protocol: "clear" has no proof, opening or audit`, op.Name)
				continue
			}
			require.NotEmpty(t, benchtest.Figures(t, suite.Subject, op, c), op.Name)
		}
	}
}

// TestPartsOfAValidation: the steps of a validated request are its parts.
func TestPartsOfAValidation(t *testing.T) {
	for protocol, sums := range map[string][]string{"v1": {"type-and-sum", "replay", "equation"},
		"v2": {"scalars", "equation"}} {
		t.Run(protocol, func(t *testing.T) {
			sel := selected(t, "-bits=16", "-curves=BN254", "-num_inputs=2", "-num_outputs=2",
				"-proof_type=csp",
				"-protocol="+protocol)
			run, root := step.NewRun("validate", 0, nil)
			instance, err := suite.ValidatorTransfer.On(sel.Cases(bench.Serial,
				suite.ValidatorTransfer.Without...)[0], 1, bench.Tools{Steps: root})
			require.NoError(t, err)
			run.Start(root)
			_, err = instance.Work()
			require.NoError(t, err)
			table := run.Stop()
			want := []string{"decoding", "hashing", "certificates", "signatures", "proof"}
			for _, part := range append(want, sums...) {
				require.Contains(t, table, "validate/"+part)
				require.Positive(t, table["validate/"+part][step.Calls], part)
			}
			require.EqualValues(t, 3, table["validate/certificates"][step.Calls], "two owners and an auditor")
			require.Len(t, table, 1+len(want)+len(sums), "and the rest")
		})
	}
}
