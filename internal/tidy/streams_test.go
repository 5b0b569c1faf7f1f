package tidy_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// ownText lists programs that print only their own text, or print for another program.
var ownText = map[string]string{
	"internal/affected/main.go":                               "packages of this module",
	"internal/budget/main.go":                                 "counts of the files of this module",
	"internal/donothing/main.go":                              "names of packages and benchmarks",
	"internal/mutation/main.go":                               "lines of the sources of this module",
	"internal/plant/main.go":                                  "rows of tables of this module",
	"node/main.go":                                            "a module of its own; firstLine and %q",
	"peers/main.go":                                           "results for zkatbench peers, and its errors",
	"token/crypto/group/bls12381/generate/main.go":            "go generate",
	"token/crypto/group/internal/kernels/main.go":             "go generate",
	"token/crypto/group/internal/kernels/prove/check/main.go": "names of files and kernels of this module",
	"token/crypto/group/internal/kernels/prove/main.go":       "names of files and kernels of this module",
}

// words lists files that make names for a format without control characters.
var words = map[string]string{
	"bench/chart/picture.go":   "text of XML",
	"runner/render/formats.go": "names of Go benchmarks, which are one word",
}

var (
	// stream finds a standard stream, and functions that write to one.
	stream = regexp.MustCompile(`\bos\.Std(out|err)\b|\bfmt\.Print|` +
		`\blog\.(Print|Fatal|Panic)|\b(print|println)\(`)
	// filter finds code that decides which characters are visible.
	filter = regexp.MustCompile(`unicode\.(IsControl|IsPrint|IsGraphic|Cc|Cf)\b|` +
		`[<>]=? ?(' '|0x20|0x1f|0x7f|127)\b`)
)

// TestForeignTextIsVisible: standard streams are written through text.Printer alone, by
// commands and by test binaries, and package text alone decides what is visible.
func TestForeignTextIsVisible(t *testing.T) {
	seen := 0
	for _, f := range folders(t) {
		for _, name := range f.files {
			path := filepath.ToSlash(filepath.Join(f.path, name))
			// programs that scripts read
			if isTest(name) || filepath.Ext(name) != ".go" || ownText[path] != "" ||
				strings.HasPrefix(path, "peers/") {
				continue
			}
			raw, err := os.ReadFile(filepath.Join(root, path))
			require.NoError(t, err)
			for i, line := range strings.Split(string(raw), "\n") {
				code, _, _ := strings.Cut(line, "//")
				if stream.MatchString(strings.ReplaceAll(code, "text.Printer{Writer: os.Std", "")) {
					t.Errorf("%s:%d: %s: a stream without text.Printer", path, i+1, strings.TrimSpace(line))
				}
				if filter.MatchString(code) && f.path != "internal/text" && words[path] == "" {
					t.Errorf("%s:%d: %s: a filter beside text.Visible", path, i+1, strings.TrimSpace(line))
				}
				seen += strings.Count(code, "text.Printer{Writer: os.Std")
			}
		}
	}
	require.GreaterOrEqual(t, seen, 5, "commands and test binaries")
}
