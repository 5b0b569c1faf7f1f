package imports_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// rendering are the packages with test binaries that link the report renderer:
// the renderer and its users, and packages with benchmarks. A changed word in a
// report reruns only their tests.
var rendering = []string{
	".",
	"bench", "bench/benchtest", "bench/capacity", "bench/oneshot", "bench/report", "bench/watch",
	"cmd/zkatbench",
	"runner", "runner/drive", "runner/render",
	"scheme/p256/suite/suitetest",
	"scheme/ps18/suite",
	"scheme/threshold/faults", "scheme/threshold/study", "scheme/threshold/suite",
	"token/core/zkatdlog/nogh/v1",
	"token/core/zkatdlog/nogh/v1/issue",
	"token/core/zkatdlog/nogh/v1/suite",
	"token/core/zkatdlog/nogh/v1/suite/suitetest",
	"token/core/zkatdlog/nogh/v1/transfer",
	"token/core/zkatdlog/nogh/v1/validator",
}

// TestOnlyBenchmarksLinkTheRenderer keeps reports out of the tests of proofs.
// Packages with benchmarks of a new subject are added above.
func TestOnlyBenchmarksLinkTheRenderer(t *testing.T) {
	const format = `{{if not .ForTest}}{{.ImportPath}} {{join .Deps " "}}{{end}}`
	cmd := exec.Command("go", "list", "-test", "-f", format, "./...")
	cmd.Dir = "../.."
	out, err := cmd.Output()
	require.NoError(t, err)
	var linked []string
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		if len(fields) == 0 {
			continue
		}
		pkg, isTest := strings.CutSuffix(fields[0], ".test")
		if isTest && slices.Contains(fields, module+"runner/render") {
			linked = append(linked, folder(pkg))
		}
	}
	for _, pkg := range linked {
		if !slices.Contains(rendering, pkg) {
			t.Errorf("the test binary of %s links runner/render: for the flags alone import internal/testflags/accept; "+
				"if the package has benchmarks, add it to the list in internal/imports/linked_test.go", pkg)
		}
	}
	for _, pkg := range rendering {
		require.Contains(t, linked, pkg, "no longer links runner/render: remove it from the list")
	}
}
