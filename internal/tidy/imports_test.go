package tidy_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// ourModule begins the paths of our packages.
const ourModule = "github.com/zkatbench/zkatbench/"

// folderOf returns the folder of a package, relative to the root of the module.
func folderOf(importPath string) string {
	return path.Clean(strings.TrimPrefix(importPath+"/", ourModule))
}

// rule lists the packages of the module that packages matching pattern may
// import.
type rule struct {
	pattern string
	allowed []string
}

// rules reads the block of docs/architecture.md.
func rules(t *testing.T) (rs []rule) {
	t.Helper()
	doc, err := os.ReadFile("../../docs/architecture.md")
	require.NoError(t, err)
	_, block, found := strings.Cut(string(doc), "```imports\n")
	require.True(t, found)
	block, _, found = strings.Cut(block, "```")
	require.True(t, found)
	for line := range strings.Lines(block) {
		pattern, allowed, found := strings.Cut(strings.TrimSpace(line), ":")
		require.True(t, found, "no colon in %q", line)
		rs = append(rs, rule{pattern, strings.Fields(allowed)})
	}
	return rs
}

// matches reports whether pattern, a path or a folder with /..., covers path.
func matches(pattern, path string) bool {
	top, below := strings.CutSuffix(pattern, "/...")
	return path == top || below && strings.HasPrefix(path, top+"/")
}

// ruleOf returns the most specific rule for path.
func ruleOf(rs []rule, path string) (best rule, found bool) {
	for _, r := range rs {
		if matches(r.pattern, path) && (!found || len(r.pattern) > len(best.pattern)) {
			best, found = r, true
		}
	}
	return best, found
}

func (r rule) allows(path string) bool {
	for _, p := range r.allowed {
		if matches(p, path) {
			return true
		}
	}
	return false
}

type pkg struct {
	ImportPath string
	Imports    []string
}

// packages lists the packages of the module with their imports, without imports
// of tests.
func packages(t *testing.T) (ps []pkg) {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports", "./...")
	cmd.Dir = "../.."
	out, err := cmd.Output()
	require.NoError(t, err)
	d := json.NewDecoder(bufio.NewReader(bytes.NewReader(out)))
	for {
		var p pkg
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return ps
		} else {
			require.NoError(t, err)
		}
		ps = append(ps, p)
	}
}

// onlyInTests lists the packages that only tests import.
var onlyInTests = []string{"bench/benchtest", "token/crypto/group/grouptest", "token/core/zkatdlog/nogh/rangeproof/rangetest", "scheme/threshold/internal/...", "token/internal/..."}

// external lists, for each library, the only packages that may import it.
var external = map[string][]string{
	"github.com/IBM/mathlib": {
		"token/crypto/group/mathlib", "count/mathlib",
		"token/core/identity/idemix/library", "scheme/ps18/curve",
	},
	"github.com/consensys/gnark-crypto": {"token/crypto/group/bn254/...", "token/crypto/group/bls12381/...", "token/crypto/group/internal/simd", "token/crypto/ecdsap256", "scheme/ps18/curve"},
	"github.com/IBM/idemix":             {"token/core/identity/idemix/library"},
	"testing":                           append([]string{"bench/...", "token/core/zkatdlog/nogh/v1/suite/...", "internal/nightly"}, onlyInTests...),
	"github.com/stretchr/testify":       onlyInTests,
	"modernc.org/sqlite":                {"bench/history"},
}

func TestImportsFollowTheRules(t *testing.T) {
	rs, ps := rules(t), packages(t)
	require.Greater(t, len(ps), 10, "go list found too few packages")
	for _, p := range ps {
		pkg := folderOf(p.ImportPath)
		r, found := ruleOf(rs, pkg)
		if !found {
			t.Errorf("no rule for %s in docs/architecture.md", pkg)
		}
		for _, imported := range p.Imports {
			if ours, is := strings.CutPrefix(imported, ourModule); is && !r.allows(ours) {
				t.Errorf("%s imports %s, which %q does not allow", pkg, ours, r.pattern)
			}
			for library, users := range external {
				if matches(library+"/...", imported) && !(rule{allowed: users}).allows(pkg) {
					t.Errorf("%s imports %s, which only %v may", pkg, imported, users)
				}
			}
		}
	}
}

// TestTheRulesCanFail checks that a wrong import is detected.
func TestTheRulesCanFail(t *testing.T) {
	rs := rules(t)
	for path, wrong := range map[string]string{
		"runner":              "bench",
		"count":               "bench/metric",
		"count/zn":            "token/crypto/group",
		"bench":               "token/crypto/group",
		"token/crypto/group":  "token/crypto/wire",
		"token/crypto/wire":   "token/core/zkatdlog/nogh/sigma",
		"token/core/identity": "runner",
	} {
		r, found := ruleOf(rs, path)
		require.True(t, found, path)
		require.False(t, r.allows(wrong), "%s -> %s", path, wrong)
	}
}
