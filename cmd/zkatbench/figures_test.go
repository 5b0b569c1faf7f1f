package main

import (
	"fmt"
	"maps"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/perf/benchfmt"
)

const (
	figuresPage = "docs/figures.md"
	keptFigures = "docs/results/figures.txt"
	keptSample  = "docs/results/sample.txt"
)

// figureTable is a table on docs/figures.md, drawn from the kept results. A cell is the
// median of one benchmark, selected by the words of its row and of its column.
type figureTable struct {
	name string
	// columns and rows have a heading and the words, row also a unit.
	columns [][2]string
	rows    [][3]string
}

var (
	curvesAndBits = [][2]string{
		{"BN254 32", "curve=BN254 bits=32"}, {"BN254 64", "curve=BN254 bits=64"},
		{"BLS12-381 32", "curve=BLS12_381_BBS_GURVY bits=32"},
		{"BLS12-381 64", "curve=BLS12_381_BBS_GURVY bits=64"},
	}
	figureTables = []figureTable{
		{"transfers", curvesAndBits, [][3]string{
			{"v2: make", "Sender protocol=v2 proof=csp backend=native", "eq-mul/op"},
			{"read and verify", "VerificationSenderProof protocol=v2 proof=csp backend=native", "eq-mul/op"},
			{"one of 64 verified together", "VerifyBatch protocol=v2 proof=csp backend=native",
				"eq-mul/transfer"},
			{"proof, bytes", "Sender protocol=v2 proof=csp backend=native", "proof-B"},
			{"allocations to make", "Sender protocol=v2 proof=csp backend=native", "allocs/op"},
			{"to verify", "VerificationSenderProof protocol=v2 proof=csp backend=native", "allocs/op"},
			{"v1, CSP: make", "Sender protocol=v1 proof=csp backend=native", "eq-mul/op"},
			{"read and verify", "VerificationSenderProof protocol=v1 proof=csp backend=native", "eq-mul/op"},
			{"one of 64 verified together", "VerifyBatch protocol=v1 proof=csp backend=native",
				"eq-mul/transfer"},
			{"proof, bytes", "Sender protocol=v1 proof=csp backend=native", "proof-B"},
			{"allocations to make", "Sender protocol=v1 proof=csp backend=native", "allocs/op"},
			{"to verify", "VerificationSenderProof protocol=v1 proof=csp backend=native", "allocs/op"},
			{"v1, Bulletproofs: make", "Sender protocol=v1 proof=bulletproof backend=native", "eq-mul/op"},
			{"read and verify", "VerificationSenderProof protocol=v1 proof=bulletproof backend=native",
				"eq-mul/op"},
			{"one of 64 verified together", "VerifyBatch protocol=v1 proof=bulletproof backend=native",
				"eq-mul/transfer"},
			{"proof, bytes", "Sender protocol=v1 proof=bulletproof backend=native", "proof-B"},
		}},
		{"portable", curvesAndBits, [][3]string{
			{"v2: make", "Sender protocol=v2 proof=csp backend=portable", "eq-mul/op"},
			{"read and verify", "VerificationSenderProof protocol=v2 proof=csp backend=portable",
				"eq-mul/op"},
			{"one of 64 verified together", "VerifyBatch protocol=v2 proof=csp backend=portable",
				"eq-mul/transfer"},
			{"v1, CSP: make", "Sender protocol=v1 proof=csp backend=portable", "eq-mul/op"},
			{"read and verify", "VerificationSenderProof protocol=v1 proof=csp backend=portable",
				"eq-mul/op"},
			{"one of 64 verified together", "VerifyBatch protocol=v1 proof=csp backend=portable",
				"eq-mul/transfer"},
		}},
		{"requests", [][2]string{
			{"v2 BN254", "protocol=v2 curve=BN254"}, {"BLS12-381", "protocol=v2 curve=BLS12_381_BBS_GURVY"},
			{"v1 CSP BN254", "protocol=v1 curve=BN254"},
			{"BLS12-381", "protocol=v1 curve=BLS12_381_BBS_GURVY"},
			{"clear BN254", "protocol=clear curve=BN254"},
			{"BLS12-381", "protocol=clear curve=BLS12_381_BBS_GURVY"},
		}, [][3]string{
			{"validate a transfer", "ValidatorTransfer presentations=fresh", "eq-mul/op"},
			{"of known owners", "ValidatorTransfer presentations=same", "eq-mul/op"},
			{"validate one of 64 transfers together", "ValidatorBatch presentations=fresh",
				"eq-mul/transfer"},
			{"of known owners", "ValidatorBatch presentations=same", "eq-mul/transfer"},
			{"validate an issue", "ValidatorIssue", "eq-mul/op"},
			{"make and sign a transfer", "TransferServiceTransfer", "eq-mul/op"},
			{"make and sign an issue", "IssueServiceIssue", "eq-mul/op"},
			{"bytes of a transfer", "ValidatorTransfer presentations=fresh", "request-B"},
			{"bytes of an issue", "ValidatorIssue", "request-B"},
		}},
		{"owners", [][2]string{{"BN254", "curve=BN254"}, {"BLS12-381", "curve=BLS12_381_BBS_GURVY"}},
			[][3]string{
				{"library", "Verify by=library batch=1", "cpu-ns/owner"},
				{"alone", "Verify by=native batch=1", "cpu-ns/owner"},
				{"eight together", "Verify by=native batch=8", "cpu-ns/owner"},
				{"64 together", "Verify by=native batch=64", "cpu-ns/owner"},
			}},
		{"kernels", [][2]string{{"BN254", "bn254"}, {"BLS12-381", "bls12381"}}, [][3]string{
			{"multiplication, vector", "Lanes kernel=vector part=multiply", "ns/element"},
			{"loading from a table, with sign: portable", "Lanes kernel=portable part=gather", "ns/element"},
			{"vector", "Lanes kernel=vector part=gather", "ns/element"},
			{"addition, batch of 256, with one load: portable", "Lanes kernel=portable part=sum places=256",
				"ns/element"},
			{"vector", "Lanes kernel=vector part=sum places=256", "ns/element"},
			{"addition to one of 256 chains, vector", "Lanes kernel=vector part=chain places=256",
				"ns/element"},
			{"splitting a scalar and writing its 26 references: portable", "Recode kernel=one_by_one",
				"ns/scalar"},
			{"vector", "Recode kernel=lanes", "ns/scalar"},
			{"inversion of an element", "InvertElement ours", "ns/op"},
			{"the same in gnark-crypto", "InvertElement gnark", "ns/op"},
		}},
		{"subgroup", [][2]string{{"portable", "kernel=portable"}, {"vector", "kernel=vector"}}, [][3]string{
			{"one point", "Subgroup points=1", "ns/point"},
			{"of 4", "Subgroup points=4", "ns/point"},
			{"of 8", "Subgroup points=8", "ns/point"},
			{"of 64", "Subgroup points=64", "ns/point"},
		}},
	}
)

// TestFiguresPage compares the tables on docs/figures.md with the kept results.
func TestFiguresPage(t *testing.T) {
	t.Chdir("../..")
	raw, err := os.ReadFile(figuresPage)
	require.NoError(t, err)
	page := fill(t, string(raw), "times", timesOf(t))
	kept, measured := readFigures(t, keptFigures)
	page = fill(t, page, "measured", measured)
	for _, table := range figureTables {
		page = fill(t, page, table.name, table.draw(t, kept))
	}
	sameOrUpdated(t, figuresPage, string(raw), page)
}

// TestMeasuredPages compares the output of programs on the pages of subjects with the
// kept output.
func TestMeasuredPages(t *testing.T) {
	t.Chdir("../..")
	for _, name := range []string{"ps18", "threshold", "p256"} {
		t.Run(name, func(t *testing.T) {
			file := "docs/" + name + ".md"
			raw, err := os.ReadFile(file)
			require.NoError(t, err)
			kept, err := os.ReadFile("docs/results/" + name + ".txt")
			require.NoError(t, err)
			drawn := fill(t, string(raw), "measured", "```\n"+string(kept)+"```\n")
			sameOrUpdated(t, file, string(raw), drawn)
		})
	}
}

// TestSample compares the results on README.md with the kept ones.
func TestSample(t *testing.T) {
	t.Chdir("../..")
	raw, err := os.ReadFile("README.md")
	require.NoError(t, err)
	kept, err := os.ReadFile(keptSample)
	require.NoError(t, err)
	fastest, time := map[string]string{}, map[string]float64{}
	for line := range strings.Lines(string(kept)) {
		name, _, _ := strings.Cut(line, " ")
		figure, ok := figureIn(line, "cpu-ns/op")
		if ok && (fastest[name] == "" || figure < time[name]) {
			fastest[name], time[name] = line, figure
		}
	}
	sample := "```\n"
	for _, name := range slices.Sorted(maps.Keys(fastest)) {
		sample += fastest[name]
	}
	sameOrUpdated(t, "README.md", string(raw), fill(t, string(raw), "sample", sample+"```\n"))
}

// figureIn returns the figure of a unit in a line of results.
func figureIn(line, unit string) (figure float64, ok bool) {
	fields := strings.Fields(line)
	if i := slices.Index(fields, unit); i > 0 {
		figure, err := strconv.ParseFloat(fields[i-1], 64)
		return figure, err == nil
	}
	return 0, false
}

// readFigures returns the kept results and a line that says where and when they
// were measured.
func readFigures(t *testing.T, file string) (kept []*benchfmt.Result, measured string) {
	t.Helper()
	f, err := os.Open(file)
	require.NoError(t, err)
	defer f.Close()
	read := benchfmt.NewReader(f, file)
	for read.Scan() {
		r, ok := read.Result().(*benchfmt.Result)
		require.True(t, ok, "%v", read.Result())
		kept = append(kept, r.Clone())
	}
	require.NoError(t, read.Err())
	require.NotEmpty(t, kept)
	config := kept[0].GetConfig
	return kept,
		fmt.Sprintf("%s, %s, revision %.7s, %s.\n", config("cpu"), config("go"), config("revision"),
			config("started"))
}

func (f figureTable) draw(t *testing.T, kept []*benchfmt.Result) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("| |")
	for _, column := range f.columns {
		b.WriteString(" " + column[0] + " |")
	}
	b.WriteString("\n| --- |" + strings.Repeat(" --- |", len(f.columns)) + "\n")
	for _, row := range f.rows {
		b.WriteString("| " + row[0] + " |")
		for _, column := range f.columns {
			figure := medianOf(t, kept, oneName(t, kept, strings.Fields(row[1]+" "+column[1])), row[2])
			format := " %.3g |"
			if figure >= 1000 {
				format = " %.0f |"
			}
			fmt.Fprintf(&b, format, figure)
		}
		b.WriteString("\n")
	}
	return b.String()
}

func nameWithPackage(r *benchfmt.Result) string { return path.Join(r.GetConfig("pkg"), string(r.Name)) }

// oneName returns the name of the only benchmark with all the words in its name or
// package.
func oneName(t *testing.T, kept []*benchfmt.Result, words []string) (name string) {
	t.Helper()
	for _, r := range kept {
		full := nameWithPackage(r)
		parts := strings.Split(full, "/")
		if slices.ContainsFunc(words, func(word string) bool { return !slices.Contains(parts, word) }) {
			continue
		}
		require.True(t, name == "" || name == full, "%v: %s and %s", words, name, full)
		name = full
	}
	return name
}

// medianOf returns the median of a benchmark's results.
func medianOf(t *testing.T, kept []*benchfmt.Result, name, unit string) float64 {
	t.Helper()
	var figures []float64
	for _, r := range kept {
		if nameWithPackage(r) != name {
			continue
		}
		i := slices.IndexFunc(r.Values, func(v benchfmt.Value) bool {
			return v.Unit == unit || v.OrigUnit == unit
		})
		require.GreaterOrEqual(t, i, 0, "%s has no %s", name, unit)
		figure := r.Values[i].Value
		if r.Values[i].OrigUnit == unit {
			figure = r.Values[i].OrigValue
		}
		figures = append(figures, figure)
	}
	require.NotEmpty(t, figures, "%s is not in the kept results", name)
	slices.Sort(figures)
	return figures[len(figures)/2]
}
