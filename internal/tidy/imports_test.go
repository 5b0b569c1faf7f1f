package tidy_test

import (
	"maps"
	"os"
	"path"
	"slices"
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

// layer is one "<" of docs/architecture.md: each package of high may import each of low.
type layer struct{ low, high []string }

// layers reads the block of docs/architecture.md. A line that begins with "<", or follows
// a comma, continues the one before.
func layers(t *testing.T) (ls []layer) {
	t.Helper()
	doc, err := os.ReadFile("../../docs/architecture.md")
	require.NoError(t, err)
	_, block, found := strings.Cut(string(doc), "```imports\n")
	require.True(t, found)
	block, _, found = strings.Cut(block, "```")
	require.True(t, found)
	block = strings.NewReplacer("\n<", " <", ",\n", ", ", "nogh", "token/core/zkatdlog/nogh").Replace(block)
	for line := range strings.Lines(block) {
		var low []string
		for i, names := range strings.Split(strings.TrimSpace(line), "<") {
			high := strings.Fields(strings.ReplaceAll(names, ",", " "))
			if i > 0 {
				ls = append(ls, layer{low, high})
			}
			low = high
		}
	}
	require.Greater(t, len(ls), 10)
	return ls
}

// matches reports whether pattern, a path or a folder with /..., covers path.
func matches(pattern, path string) bool {
	top, below := strings.CutSuffix(pattern, "/...")
	return path == top || below && strings.HasPrefix(path, top+"/")
}

func anyMatches(patterns []string, path string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return matches(p, path) })
}

// lower returns, for each name of ls, the names below it.
func lower(ls []layer) map[string]map[string]bool {
	direct, all := map[string][]string{}, map[string]map[string]bool{}
	for _, l := range ls {
		for _, high := range l.high {
			direct[high] = append(direct[high], l.low...)
		}
	}
	var below func(name string) map[string]bool
	below = func(name string) map[string]bool {
		if all[name] == nil {
			all[name] = map[string]bool{}
			for _, low := range direct[name] {
				all[name][low] = true
				maps.Copy(all[name], below(low))
			}
		}
		return all[name]
	}
	for high := range direct {
		below(high)
	}
	return all
}

// wrongImports lists the imports of ps that ls does not allow.
func wrongImports(ls []layer, ps []pkg) (wrong []string) {
	below := lower(ls)
	for _, p := range ps {
		from := folderOf(p.ImportPath)
		allowed := slices.Collect(maps.Keys(below[from]))
		for _, imported := range p.Imports {
			if ours, is := strings.CutPrefix(imported, ourModule); is && !anyMatches(allowed, ours) {
				wrong = append(wrong, from+" imports "+ours)
			}
		}
	}
	return wrong
}

// external lists, for each library, the only packages that may import it.
var external = map[string][]string{
	"github.com/IBM/mathlib": {
		"token/crypto/group/mathlib", "count/mathlib",
		"token/core/identity/idemix/library", "scheme/ps18/curve",
	},
	"github.com/consensys/gnark-crypto": {"token/crypto/group/bn254/...", "token/crypto/group/bls12381/...",
		"token/crypto/group/internal/simd", "token/crypto/ecdsap256", "scheme/ps18/curve"},
	"github.com/IBM/idemix": {"token/core/identity/idemix/library"},
	"testing": {
		"bench/...", "token/core/zkatdlog/nogh/v1/suite/...", "token/core/zkatdlog/nogh/rangeproof/rangetest",
		"token/internal/...", "scheme/threshold/internal/...", "internal/bindtest", "internal/golden",
		"internal/nightly",
	},
	"github.com/stretchr/testify": {
		"internal/bindtest", "token/internal/...",
		"token/core/zkatdlog/nogh/rangeproof/rangetest", "scheme/threshold/internal/...",
	},
}

func TestPackagesImportWhatIsBelow(t *testing.T) {
	ls, ps := layers(t), packages(t)
	require.Greater(t, len(ps), 10, "go list found too few packages")
	for _, wrong := range wrongImports(ls, ps) {
		t.Errorf("%s, which is not below it in docs/architecture.md", wrong)
	}
	// Without any one name, an import is wrong.
	for i, l := range ls {
		for _, names := range []*[]string{&ls[i].low, &ls[i].high} {
			all := *names
			for at, name := range all {
				*names = slices.Delete(slices.Clone(all), at, at+1)
				if len(wrongImports(ls, ps)) == 0 {
					t.Errorf("docs/architecture.md: %v < %v: no import needs %s there", l.low, l.high, name)
				}
			}
			*names = all
		}
	}
	checkLibraries(t, ps)
}

// TestLayersSeparateTrees: the load runner, the counts and the core of the benchmarks know
// no tokens and no schemes.
func TestLayersSeparateTrees(t *testing.T) {
	ls := layers(t)
	for tree, foreign := range map[string]string{
		"runner":       "bench count token scheme cmd",
		"count":        "bench token scheme cmd",
		"bench":        "token scheme cmd",
		"token/crypto": "token/core bench scheme cmd",
		"token/core":   "cmd scheme",
	} {
		for name, below := range lower(ls) {
			for low := range below {
				for _, other := range strings.Fields(foreign) {
					require.False(t, matches(tree+"/...", name) && matches(other+"/...", low),
						"%s is below %s", low, name)
				}
			}
		}
	}
}

// checkLibraries compares the imports of libraries with external.
func checkLibraries(t *testing.T, ps []pkg) {
	t.Helper()
	for library, users := range external {
		t.Run(library, func(t *testing.T) {
			unused := slices.Clone(users)
			for _, p := range ps {
				for _, imported := range p.Imports {
					if !matches(library+"/...", imported) {
						continue
					}
					from := folderOf(p.ImportPath)
					if !anyMatches(users, from) {
						t.Errorf("%s imports %s, which only %v may", from, imported, users)
					}
					unused = slices.DeleteFunc(unused, func(user string) bool { return matches(user, from) })
				}
			}
			require.Empty(t, unused, "these packages may import %s, and do not", library)
		})
	}
}
