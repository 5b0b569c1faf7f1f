package main

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/bench/step"
)

func TestNamesOfOperationsAreUnique(t *testing.T) {
	seen := map[string]string{}
	for _, s := range subjects {
		require.NotEmpty(t, s.Name)
		require.NotEmpty(t, s.Summary)
		require.NotEmpty(t, s.Ops)
		for _, op := range s.Ops {
			require.Empty(t, seen[op.Name], "%s of %s", op.Name, s.Name)
			seen[op.Name] = s.Name
		}
	}
}

// TestEveryOperationHasABenchmark checks that the package named by an operation
// contains its benchmark.
func TestEveryOperationHasABenchmark(t *testing.T) {
	for _, s := range subjects {
		for _, op := range s.Ops {
			require.Contains(t, benchmarks(t, s.PackageOf(op)), "Benchmark"+op.Name, "%s of %s", op.Name,
				s.Name)
		}
	}
}

// TestEveryOperationIsCounted counts the first case of each operation, except a service
// that refills its pool beside its work.
func TestEveryOperationIsCounted(t *testing.T) {
	if testing.Short() {
		t.Skip("counts every operation")
	}
	for _, s := range subjects {
		for _, op := range s.Ops {
			if op.Name == "ThresholdService" {
				require.Nil(t, op.On)
				continue
			}
			r, err := requested(op.Name)
			require.NoError(t, err)
			phases, err := op.Count(r.cases(op)[0], true)
			require.NoError(t, err, op.Name)
			if op.Name != "ActionMarshalling" && !strings.HasPrefix(op.Name, "Ledger") { // without points
				require.NotEmpty(t, phases.Total(), op.Name)
			}
		}
	}
}

// TestStepsOfPairingSignaturesHaveTime: the phases of a verification have the time of
// their sums and pairings.
func TestStepsOfPairingSignaturesHaveTime(t *testing.T) {
	r, err := requested("PS18Verify", "-curves=BN254", "-messages=2")
	require.NoError(t, err)
	run, root := step.NewRun("op", step.Times, nil)
	in, err := r.ops[0].On(r.cases(r.ops[0])[0], 1, bench.Tools{Steps: root})
	require.NoError(t, err)
	run.Start(root)
	_, err = in.Work()
	table := run.Stop()
	require.NoError(t, err)
	for _, name := range []string{"op/key-combination", "op/pairings"} {
		require.Positive(t, table[name][step.TimeNs], "%s: %v", name, table)
	}
}

// benchmarks lists the functions in the test files of a package of the module.
func benchmarks(t *testing.T, pkg string) (names []string) {
	files, err := filepath.Glob(filepath.Join("../..", pkg, "*_test.go"))
	require.NoError(t, err)
	for _, file := range files {
		src, err := os.ReadFile(file)
		require.NoError(t, err)
		parsed, err := parser.ParseFile(token.NewFileSet(), file, src, parser.SkipObjectResolution)
		require.NoError(t, err)
		for _, d := range parsed.Decls {
			if f, ok := d.(*ast.FuncDecl); ok {
				names = append(names, f.Name.Name)
			}
		}
	}
	return names
}

// requested returns the request of a command line.
func requested(args ...string) (*request, error) {
	l := newLine("ops", takesOperations, "")
	r := l.operations(matrix)
	l.exec = func(context.Context, []string) error { return nil }
	return r, l.run(context.Background(), args, streams{})
}

func TestParseRequest(t *testing.T) {
	for name, args := range map[string][]string{
		"names":      {"Sender", "Issuer", "-curves=BN254"},
		"last":       {"-curves=BN254", "Sender", "Issuer"},
		"flag":       {"-op=Sender,Issuer", "-curves=BN254"},
		"apart":      {"-curves", "BN254", "-op", "Sender,Issuer"},
		"both forms": {"--op=Sender", "-curves=BN254", "Issuer"},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := requested(args...)
			require.NoError(t, err, name)
			require.Equal(t, "token", r.subject.Name)
			require.Len(t, r.ops, 2, name)
			require.Equal(t, "Sender Issuer", r.ops[0].Name+" "+r.ops[1].Name, name)
			require.Len(t, r.cases(r.ops[0]), 1, name)
		})
	}
	r, err := requested()
	require.NoError(t, err)
	require.Len(t, r.ops, len(listed(subjects[0])))
	require.Equal(t, "bits=32/curve=BN254/inputs=2/outputs=2", r.cases(r.ops[0])[0].Name())
}

func TestList(t *testing.T) {
	out, complaints, exit := try("list")
	require.Zero(t, exit, complaints)
	require.Contains(t, out, "token: token requests of ZKAT-DLog")
	require.Regexp(t, `(?m)^  Issuer +-bits -curves -num_outputs -proof_type`, out)
	for _, s := range subjects {
		for _, op := range s.Ops {
			require.Contains(t, out, "  "+op.Name+" ")
		}
	}
}

func TestRunTakesOperations(t *testing.T) {
	packages, flags, err := packagesOf([]string{"PS18Verify", "./runner", "PS18Sign"},
		[]string{"-curves=BN254"})
	require.Equal(t, []string{"./scheme/ps18/suite", "./runner"}, packages)
	require.Equal(t, []string{"-bench=^Benchmark(PS18Verify|PS18Sign)$", "-curves=BN254"}, flags)
	require.NoError(t, err)
	packages, flags, err = packagesOf([]string{"./..."}, []string{"-bench=."})
	require.NoError(t, err)
	require.Equal(t, []string{"./..."}, packages)
	require.Equal(t, []string{"-bench=."}, flags)
}
