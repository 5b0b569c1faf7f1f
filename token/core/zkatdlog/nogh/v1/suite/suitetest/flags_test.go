package suitetest_test

import (
	"bytes"
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/suite/suitetest"
)

func TestMain(m *testing.M) { suitetest.Main(m) }

// again runs this test binary with args and env.
func again(t *testing.T, env []string, args ...string) (complaints string, exit int) {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(self, append(args, "-test.run=^$")...)
	cmd.Env = append(os.Environ(), env...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err = cmd.Run(); err != nil {
		require.ErrorAs(t, err, new(*exec.ExitError))
	}
	return stderr.String(), cmd.ProcessState.ExitCode()
}

func TestABadFlagIsOneLineAndStatusTwo(t *testing.T) {
	const curves = "one of BN254, BLS12_381_BBS_GURVY, BLS12_381_BBS_GURVY_FAST_RNG, BLS12_381_BBS, " +
		"FP256BN_AMCL, FP256BN_AMCL_MIRACL\n"
	const workers = "is not a number from 1 to 4096, a range such as 1..8, " +
		"NumCPU or a part of it such as NumCPU/2\n"
	const rate = "is not a number of operations a second, from one a day to 1e9, or 0 for back to back\n"
	for arg, want := range map[string]string{
		"-curves=P384":     `zkatbench: -curves: "P384" is not ` + curves,
		"-bits=0":          `zkatbench: -bits: "0" is not one of 16, 32, 64` + "\n",
		"-bits=abc":        `zkatbench: -bits: "abc" is not one of 16, 32, 64` + "\n",
		"-num_inputs=-1":   `zkatbench: -num_inputs: "-1" is not a number from 1 to 64` + "\n",
		"-num_outputs=65":  `zkatbench: -num_outputs: "65" is not a number from 1 to 64` + "\n",
		"-workers=x":       `zkatbench: -workers: "x" ` + workers,
		"-proof_type=none": `zkatbench: -proof_type: "none" is not one of bulletproof, csp` + "\n",
		"-executor=many":   `zkatbench: -executor: "many" is not one of serial, unbounded, pool` + "\n",
		"-backend=gpu":     `zkatbench: -backend: "gpu" is not one of native, portable, mathlib` + "\n",
		"-repeat=0":        `zkatbench: -repeat: "0" is not a number of at least 1` + "\n",
		"-rate=fast":       `zkatbench: -rate: "fast" ` + rate,
		"-table-mb=all":    `zkatbench: -table-mb: "all" is not a number from 0 to 4096` + "\n",
	} {
		t.Run(arg, func(t *testing.T) {
			complaints, exit := again(t, nil, arg)
			require.Equal(t, want, complaints)
			require.Equal(t, 2, exit)
		})
	}
	complaints, exit := again(t, []string{"ZKAT_CURVES=P384"})
	require.Equal(t, `zkatbench: ZKAT_CURVES: "P384" is not `+curves, complaints)
	require.Equal(t, 2, exit)
}

// TestPackagesBehindFlagsAreNoSurprise checks the error for packages after
// flags: go test would silently run the package of the current folder.
func TestPackagesBehindFlagsAreNoSurprise(t *testing.T) {
	complaints, exit := again(t, nil, "-bits=32", "./token/...")
	require.Equal(t,
		`zkatbench: "./token/..." is not a flag; packages stand before flags, as in go test ./pkg -bits=32`+
			"\n", complaints)
	require.Equal(t, 2, exit)
}

func TestGoodFlagsPass(t *testing.T) {
	complaints, exit := again(t, []string{"ZKAT_BITS=16"}, "-curves=BN254", "-workers=1..8", "-profile")
	require.NotContains(t, complaints, "zkatbench:")
	require.Zero(t, exit)
}

// TestBenchmarksOfOtherPackages: a pattern for another package is answered with it.
func TestBenchmarksOfOtherPackages(t *testing.T) {
	complaints, exit := again(t, nil, "-test.bench=BenchmarkIssuer")
	require.Equal(t,
		"zkatbench: -bench=BenchmarkIssuer matches no benchmark of this package; BenchmarkIssuer is in "+
			"./token/core/zkatdlog/nogh/v1/issue\n", complaints)
	require.Zero(t, exit)
	complaints, _ = again(t, nil, "-test.bench=BenchmarkTransferS")
	require.Contains(t, complaints, "; BenchmarkTransferServiceTransfer is in ./token/core/zkatdlog/nogh/v1")
	complaints, _ = again(t, nil, "-test.bench=NoSuchBenchmark")
	require.Contains(t, complaints, "matches no benchmark of this package; it has none\n")
}
