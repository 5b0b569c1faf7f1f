package tidy_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// engine is the default specification of all packages below token/.
const engine = "docs/spec/zkatdlog-nogh-v1.md"

var (
	// citation finds section numbers.
	citation = regexp.MustCompile(`\b[Ss]ections? ((?:\d+(?:\.\d+)*)` +
		`(?:(?:, | and | to |, and )\d+(?:\.\d+)*)*)`)
	number = regexp.MustCompile(`\d+(?:\.\d+)*`)
	// elsewhere matches names of other publications before a section number: a
	// standard, a conference with its year, an ePrint report.
	elsewhere = regexp.MustCompile(`RFC|[Ee]print|X\.\d|SEC \d|FIPS|BIP|ISO|Handbook|` +
		`[A-Z]{2,} ?(['’]\d\d|\d{4})|paper|draft|\.md\b`)
	// specification is a document that a package comment names.
	specification = regexp.MustCompile(`docs/spec/[a-z0-9-]+\.md`)
	heading       = regexp.MustCompile(`(?m)^#+ (\d+(?:\.\d+)*)\.? `)
)

// sectionsOf lists the numbers of the headings of a document.
func sectionsOf(t *testing.T, path string) (numbers []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, path))
	require.NoError(t, err)
	for _, m := range heading.FindAllStringSubmatch(string(text), -1) {
		numbers = append(numbers, m[1])
	}
	require.NotEmpty(t, numbers, path)
	return numbers
}

// specificationsOf returns, by folder, the document that its comments cite: the
// one below docs/spec named by the package comment, otherwise the document of the
// parent folder.
func specificationsOf(t *testing.T, list []folder) map[string]string {
	t.Helper()
	docs := map[string]string{"token": engine}
	for _, f := range list { // parents come first
		doc := docs[f.path]
		for above := f.path; doc == "" && above != "."; {
			above = filepath.Dir(above)
			doc = docs[above]
		}
		if named := specification.FindString(f.packageComment(t)); named != "" {
			doc = named
		}
		docs[f.path] = doc
	}
	return docs
}

// cited lists the section numbers in text, except sections of another
// publication named in the same sentence or parenthesis.
func cited(text string) (numbers []string) {
	for _, at := range citation.FindAllStringSubmatchIndex(text, -1) {
		before := text[:at[0]]
		clause := before[strings.LastIndexAny(before, ";")+1:]
		if i := strings.LastIndex(clause, ". "); i >= 0 {
			clause = clause[i:]
		}
		if elsewhere.MatchString(clause) &&
			!strings.HasSuffix(strings.TrimRight(clause, ", "), "specification") {
			continue
		}
		numbers = append(numbers, number.FindAllString(text[at[2]:at[3]], -1)...)
	}
	return numbers
}

// comments returns the comments of a file of source text, a paragraph each.
func (f folder) comments(t *testing.T, name string) (texts []string) {
	t.Helper()
	if filepath.Ext(name) != ".go" {
		b, err := os.ReadFile(filepath.Join(root, f.path, name))
		require.NoError(t, err)
		var lines []string
		for line := range strings.Lines(string(b)) {
			if _, comment, found := strings.Cut(line, "//"); found {
				lines = append(lines, strings.TrimSpace(comment))
			}
		}
		return []string{strings.Join(lines, " ")}
	}
	for _, group := range f.parse(t, name).Comments {
		texts = append(texts, strings.Join(strings.Fields(group.Text()), " "))
	}
	return texts
}

func TestCitedSectionsExist(t *testing.T) {
	known := map[string][]string{}
	found := 0
	list := folders(t)
	docs := specificationsOf(t, list)
	for _, f := range list {
		doc := docs[f.path]
		if doc == "" {
			continue
		}
		for _, name := range f.files {
			for _, text := range f.comments(t, name) {
				for _, n := range cited(text) {
					if known[doc] == nil {
						known[doc] = sectionsOf(t, doc)
					}
					found++
					if !slices.Contains(known[doc], n) {
						t.Errorf("%s cites section %s, which %s does not have (a section of another "+
							"publication needs its name in the same sentence): %s",
							filepath.Join(f.path, name), n, doc, text)
					}
				}
			}
		}
	}
	require.Greater(t, found, 90, "too few citations were found")
}

func TestCited(t *testing.T) {
	for text, want := range map[string][]string{
		"bytes (specification, section 7.3), and more":    {"7.3"},
		"See sections 6, 9 and 11.":                       {"6", "9", "11"},
		"Section 12.":                                     {"12"},
		"as RFC 9380, section 5.3.1, says":                nil,
		"(Okamoto, CRYPTO '92; specification, section 6)": {"6"},
		"(Bünz et al., eprint 2017/1066, section 4.2; the v1 specification, section 7)": {"7"},
		"(Möller, SAC 2001, section 3.2). Sums are those of section 4.":                 {"4"},
	} {
		t.Run(text, func(t *testing.T) { require.Equal(t, want, cited(text)) })
	}
}
