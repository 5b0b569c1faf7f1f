package gate // once, ruled and noise are helpers of tests inside the package

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/internal/golden"
)

// planted returns a report with one case of each verdict.
func planted(t *testing.T) Report {
	t.Helper()
	var sides [2]*result.Data
	for i, name := range []string{"base", "head"} {
		d, err := result.ReadFiles("testdata/" + name + ".txt")
		require.NoError(t, err)
		sides[i] = d
	}
	r := once(sides[0], sides[1])
	r.Base, r.Head = "base.txt", "head.txt"
	r.Notes = []string{"load is 3.0 on 2 processors: other programs compete; stop them",
		"results of A are short: raise -benchtime to 0.2 s or 200x"}
	return r
}

func TestSummaries(t *testing.T) {
	r := planted(t)
	empty := Report{Base: "a", Head: "b", Interrupted: true,
		Unmeasured: []result.Key{{Package: "p", Name: "X"}}}
	for name, write := range map[string]func(io.Writer) error{
		"report.txt": func(w io.Writer) error { return r.WriteText(w, true) },
		"brief.txt":  func(w io.Writer) error { return r.WriteText(w, false) },
		"report.md":  r.WriteMarkdown, "report.json": r.WriteJSON,
		"empty.txt": func(w io.Writer) error { return empty.WriteText(w, false) },
		"empty.md":  empty.WriteMarkdown, "empty.json": empty.WriteJSON,
	} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			require.NoError(t, write(&b))
			golden.Equal(t, filepath.Join("testdata", name), b.Bytes())
		})
	}
	var b bytes.Buffer
	require.NoError(t, r.WriteJSON(&b))
	require.True(t, json.Valid(b.Bytes()))
}

// TestMediansAndPValuesAreBenchstats compares with the output of benchstat for
// the same files.
func TestMediansAndPValuesAreBenchstats(t *testing.T) {
	if testing.Short() {
		t.Skip("builds benchstat")
	}
	rng := rand.New(rand.NewPCG(8, 8))
	dir := t.TempDir()
	names := [2]string{filepath.Join(dir, "base"), filepath.Join(dir, "head")}
	var sides [2]*result.Data
	for i, name := range names {
		var b strings.Builder
		b.WriteString("pkg: p\n")
		for c := range 20 {
			for range 5 + c {
				fmt.Fprintf(&b, "BenchmarkX/case=%d 1 %.2f ns/op %d B/op %.3f MB/s\n", c,
					100*noise(rng)*(1+0.01*float64(i)), 50+rng.IntN(3), 10*noise(rng))
			}
		}
		require.NoError(t, os.WriteFile(name, []byte(b.String()), 0o600))
		d, err := result.ReadFiles(name)
		require.NoError(t, err)
		sides[i] = d
	}
	j := Judge{Once: true, Rules: ruled(t, "unit B/op noisy 3%\nunit B/s noisy 3%")} // gives them p-values
	checked := 0
	theirs := benchstat(t, names)
	for _, c := range j.Look(sides[0], sides[1]).Comparisons {
		row := theirs[c.Unit+" "+c.Key.Name]
		require.NotEmpty(t, row, c.Key)
		require.Equal(t, fmt.Sprintf("p=%.3f n=%d", c.P, c.Base.N), row[6])
		for i, median := range []float64{c.Base.Median, c.Head.Median} {
			want, err := strconv.ParseFloat(row[1+2*i], 64)
			require.NoError(t, err)
			require.InEpsilon(t, want, median, 1e-12)
		}
		checked++
	}
	require.Equal(t, 60, checked)
}

// benchstat returns the rows of its output by unit and case.
func benchstat(t *testing.T, names [2]string) map[string][]string {
	t.Helper()
	cmd := exec.Command("go", "run", "golang.org/x/perf/cmd/benchstat", "-format=csv", names[0], names[1])
	out, err := cmd.Output()
	require.NoError(t, err)
	in := csv.NewReader(bytes.NewReader(out))
	in.FieldsPerRecord = -1
	records, err := in.ReadAll()
	require.NoError(t, err)
	rows, unit := map[string][]string{}, ""
	for _, r := range records {
		switch {
		case len(r) > 1 && r[0] == "":
			unit = r[1]
		case len(r) == 7:
			rows[unit+" "+r[0]] = r
		}
	}
	return rows
}
