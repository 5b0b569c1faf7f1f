package tidy_test

import (
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
	var linked, driven []string
	for _, p := range withTests(t) {
		folder, isBinary := strings.CutSuffix(p.ImportPath, ".test")
		folder = folderOf(folder)
		if p.ForTest != "" {
			continue
		}
		if slices.Contains(p.TestImports, driver) || slices.Contains(p.XTestImports, driver) {
			driven = append(driven, folder)
		}
		if isBinary && slices.ContainsFunc(p.Deps, func(path string) bool {
			path, _, _ = strings.Cut(path, " ") // it may be compiled for this test
			return path == ourModule+"runner/render"
		}) {
			linked = append(linked, folder)
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
