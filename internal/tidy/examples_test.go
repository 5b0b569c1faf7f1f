package tidy_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// without lists packages whose use the examples of others show, or that have data alone.
var without = map[string][]string{
	"parts that a package above them uses": {
		"scheme/p256/curve", "scheme/p256/field/...", "scheme/p256/limb/proofcheck",
		"token/core/zkatdlog/nogh/rangeproof", "token/core/zkatdlog/nogh/rangeproof/bulletproof",
		"token/core/zkatdlog/nogh/rangeproof/csp", "token/core/zkatdlog/nogh/sigma",
		"token/core/identity/idemix", "token/core/identity/idemix/credential",
		"token/core/identity/idemix/presentation", "token/core/zkatdlog/nogh/v1/proof",
		"scheme/threshold/engine", "scheme/threshold/ops", "scheme/threshold/otecdsa",
		"scheme/threshold/robust", "count/mathlib", "token/crypto/group/unitcost", "count/cost",
	},
	"measurements, which take a machine for seconds": {
		"bench/compare", "bench/heap", "bench/history", "bench/hosts", "bench/oneshot",
		"bench/peers", "bench/report", "bench/watch", "bench/capacity", "runner/cputime", "runner/diagnose",
		"runner/drive", "runner/judge", "runner/render",
	},
	"operations that the command drives": {
		"bench", "scheme/p256/suite", "scheme/ps18/suite", "scheme/threshold/suite",
		"token/core/zkatdlog/nogh/v1/suite", "token/core/zkatdlog/nogh/v1/suite/recorded",
	},
}

var runs = regexp.MustCompile(`(?s)\nfunc Example\w*\(\) \{.*\n\t// Output:`)

// TestPackagesHaveExamples: each package that other modules can import has an example
// that go test runs, unless without names it; no name there is stale.
func TestPackagesHaveExamples(t *testing.T) {
	var missing []string
	for _, p := range packages(t) {
		folder := folderOf(p.ImportPath)
		if !p.isLibrary() || strings.Contains("/"+folder+"/", "/internal/") ||
			strings.HasSuffix(folder, "test") || folder == "." {
			continue
		}
		files, err := os.ReadDir(root + "/" + folder)
		require.NoError(t, err)
		found := slices.ContainsFunc(files, func(f os.DirEntry) bool {
			text, _ := os.ReadFile(root + "/" + folder + "/" + f.Name()) // a folder has no text
			return strings.HasSuffix(f.Name(), "_test.go") && runs.Match(text)
		})
		if !found {
			missing = append(missing, folder)
		}
	}
	for reason, names := range without {
		t.Run(reason, func(t *testing.T) {
			for _, name := range names {
				rest := slices.DeleteFunc(slices.Clone(missing),
					func(p string) bool { return matches(name, p) })
				if len(rest) == len(missing) {
					t.Errorf("%s has an example: take it from the list of %s", name, reason)
				}
				missing = rest
			}
		})
	}
	for _, folder := range missing {
		t.Errorf("%s has no runnable example (func Example… with // Output:)", folder)
	}
}
