package tidy_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// rendering are the packages with test binaries that link the report renderer: the
// renderer and its users. A changed word in a report reruns only their tests, and the
// tests of packages with benchmarks of a subject, which import bench/benchtest.
var rendering = []string{
	".",
	"bench", "bench/capacity", "bench/compare", "bench/hosts", "bench/oneshot", "bench/report", "bench/watch",
	"cmd/zkatbench",
	"runner", "runner/drive", "runner/render", "runner/selftest",
	"scheme/threshold/faults", "scheme/threshold/study",
	"token/core/zkatdlog/nogh/v1",
	"token/core/zkatdlog/nogh/v1/issue",
	"token/core/zkatdlog/nogh/v1/suite/recorded",
	"token/core/zkatdlog/nogh/v1/suite/suitetest",
	"token/core/zkatdlog/nogh/v1/transfer",
	"token/core/zkatdlog/nogh/v1/validator",
}

// TestOnlyBenchmarksLinkTheRenderer keeps reports out of the tests of proofs.
func TestOnlyBenchmarksLinkTheRenderer(t *testing.T) {
	const driver = ourModule + "bench/benchtest"
	const format = `{{if not .ForTest}}{{.ImportPath}} {{join .Deps " "}} ` +
		`{{if or .TestImports .XTestImports}}tests ` +
		`{{join .TestImports " "}} {{join .XTestImports " "}}{{end}}{{end}}`
	cmd := exec.Command("go", "list", "-test", "-f", format, "./...")
	cmd.Dir = "../.."
	out, err := cmd.Output()
	require.NoError(t, err)
	var linked, driven []string
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		if len(fields) == 0 {
			continue
		}
		pkg, isTest := strings.CutSuffix(fields[0], ".test")
		if i := slices.Index(fields, "tests"); i >= 0 && slices.Contains(fields[i:], driver) {
			driven = append(driven, folderOf(pkg))
		}
		if isTest && slices.Contains(fields, ourModule+"runner/render") {
			linked = append(linked, folderOf(pkg))
		}
	}
	for _, pkg := range linked {
		if !slices.Contains(rendering, pkg) && !slices.Contains(driven, pkg) {
			t.Errorf("the test binary of %s links runner/render: for the flags alone import "+
				"internal/testflags/accept; "+
				"a package with benchmarks of a subject imports bench/benchtest", pkg)
		}
	}
	for _, pkg := range rendering {
		require.Contains(t, linked, pkg, "no longer links runner/render: remove it from the list")
	}
}
