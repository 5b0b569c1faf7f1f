package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/oneshot"
)

const ps18Vectors = "../../scheme/ps18/testdata/ps18.json"

func TestVerifySignatures(t *testing.T) {
	out, complaints, exit := try("ps18", "verify", ps18Vectors)
	require.Equal(t, "6 of 6 signatures verify\n", out)
	require.Empty(t, complaints)
	require.Zero(t, exit)

	good, err := os.ReadFile(ps18Vectors)
	require.NoError(t, err)
	bad := bytes.Replace(good, []byte("11a76d8d"), []byte("11a76d8e"), 1) // the first digits of a message
	require.NotEqual(t, good, bad)
	file := filepath.Join(t.TempDir(), "bad.json")
	require.NoError(t, os.WriteFile(file, bad, 0o600))
	out, complaints, exit = try("ps18", "verify", file)
	require.Equal(t, "5 of 6 signatures verify\n", out)
	require.Contains(t, complaints, "signature 1 (BN254, 1 messages): ps18: signature rejected")
	require.Equal(t, 1, exit)
}

// The native and the mathlib column of the specification, section 2.
func TestOpsOfPairingSignatures(t *testing.T) {
	for backend, want := range map[string][]string{
		"native": {
			"BenchmarkPS18Verify/curve=BN254/messages=1/phase=key-combination 1 1 G2-add/op 1 G2-msm/op 2 " +
				"G2-msm-terms/op\n",
			"BenchmarkPS18Verify/curve=BN254/messages=1/phase=pairings 1 1 neg/op 1 GT-pairing/op 2 " +
				"GT-pairing-terms/op 1 GT-final-exp/op\n",
			"BenchmarkPS18Verify/curve=BN254/messages=10/phase=key-combination 1 1 G2-add/op 1 G2-msm/op " +
				"11 G2-msm-terms/op\n",
		},
		"mathlib": {"1 neg/op 2 G2-add/op 2 G2-scalar-mul/op\n",
			"1 neg/op 11 G2-add/op 11 G2-scalar-mul/op\n",
			"1 GT-pairing/op 2 GT-pairing-terms/op 1 GT-final-exp/op\n"},
	} {
		t.Run(backend, func(t *testing.T) {
			out, complaints, exit := try("ops", "-format=bench", "-op=PS18Verify", "-curves=BN254",
				"-messages=1,10", "-backend="+backend)
			require.Zero(t, exit, complaints)
			for _, line := range want {
				require.Contains(t, out, line)
			}
			require.Equal(t, 4, strings.Count(out, "\nBenchmark"))
		})
	}
}

func TestCostsOfPairingSignatures(t *testing.T) {
	if testing.Short() {
		t.Skip("measures costs")
	}
	file := filepath.Join(t.TempDir(), "costs.json")
	out, complaints, exit := try("ops", "PS18Verify", "-nolock", "-curves=BN254", "-messages=1,10",
		"-duration=1us", "-costs="+file)
	require.Zero(t, exit, complaints)
	require.Contains(t, out, "ps18/BN254/native")
	require.Equal(t, 2, strings.Count(out, "\npredicted "), out)
	require.NotContains(t, out, "not predicted")
	out, complaints, exit = try("costs", "PS18Verify", "-nolock", "-curves=BN254", "-duration=1us",
		"-costs="+file)
	require.Zero(t, exit, complaints)
	require.Contains(t, out, "GT final-exp")
}

func TestScoreCommand(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "bench.txt")
	require.NoError(t,
		os.WriteFile(file,
			[]byte("BenchmarkA/k=1 1 1000000 ns/op\nBenchmarkA/k=1 1 3000000 ns/op\nBenchmarkA/k=2 1 "+
				"8000000 ns/op\n"), 0o600))
	out, complaints, exit := try("score", file)
	require.Zero(t, exit, complaints)
	require.Regexp(t,
		`^Benchmark  \(k\)  Mode  Cnt  Score +Error  Units\nA            1  avgt    2  2\.000  ± 636\.6`, out)
	require.Contains(t, out, "ratio k=2 / k=1: 4.00\n")
	out, _, _ = try("score", "-unit=thrpt", file)
	require.Contains(t, out, "thrpt    2  0.667")

	json := filepath.Join(dir, "scores.json")
	_, complaints, exit = try("score", "-format=json", "-o="+json, file)
	require.Zero(t, exit, complaints)
	written, err := os.ReadFile(json)
	require.NoError(t, err)
	require.Contains(t, string(written), `"scoreUnit": "ms/op"`)
	out, _, _ = try("score", file, file)
	require.Contains(t, out, "avgt    4")
}

// TestShotsChild is one fork as shots starts it.
func TestShotsChild(t *testing.T) {
	for _, inputs := range []string{"reuse", "fresh", "decode"} {
		t.Setenv(childPart, "1:0")
		out, complaints, exit := try("shots", "-warmup-shots=1", "-count=4", "-seed=7", "PS18Verify",
			"-curves=BN254", "-messages=1,2", "-inputs="+inputs)
		require.Zero(t, exit, complaints)
		require.Regexp(t, `^\[({"Wall":\d+,"CPU":\d+,"Threads":0},){3}`+
			`{"Wall":\d+,"CPU":\d+,"Threads":0}\]\n$`, out)
	}
	t.Setenv(childPart, "9:0")
	_, complaints, exit := try("shots", "PS18Verify", "-curves=BN254")
	require.Equal(t, 2, exit)
	require.Contains(t, complaints, "there are 2 cases, not 10")
	t.Setenv(childPart, "0:0")
	_, complaints, exit = try("shots", "PS18Sign", "-curves=BN254", "-inputs=decode")
	require.Equal(t, failed, exit)
	require.Contains(t, complaints, `-inputs: "decode" is not possible for PS18Sign`)
}

// The input mode is always a parameter of the results.
func TestShotLabels(t *testing.T) {
	req, err := requested("PS18Verify", "-curves=BN254", "-messages=1,10")
	require.NoError(t, err)
	require.Equal(t, "PS18Verify/curve=BN254/messages=10/inputs=",
		oneshot.Target{Op: req.ops[0], Case: req.cases(req.ops[0])[1]}.Label())
}
