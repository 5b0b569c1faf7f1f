package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aclements/go-moremath/stats"
	"golang.org/x/perf/benchfmt"

	"github.com/zkatbench/zkatbench/bench/chart"
	"github.com/zkatbench/zkatbench/runner/outfile"
	"github.com/zkatbench/zkatbench/text"
)

// peerRow is a proof system with a statement: medians of its figures by unit.
// Times are in nanoseconds for one proof, by operation.
type peerRow struct {
	Statement, Library, System, Rest string
	Times                            map[string]float64
	Facts                            map[string]float64
}

// Name is the row without its statement.
func (r peerRow) Name() string {
	return strings.TrimSpace(strings.Join([]string{r.Library, r.System, strings.ReplaceAll(r.Rest, "/", ", ")}, " "))
}

// peerRows reads a file of results. Configuration lines that begin with peer- are
// returned in their order.
func peerRows(name string) (rows []*peerRow, config []string, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	samples := map[string]map[string][]float64{}
	var names []string
	versions := map[string]bool{}
	r := benchfmt.NewReader(f, name)
	for r.Scan() {
		res, ok := r.Result().(*benchfmt.Result)
		if !ok {
			continue
		}
		for _, c := range res.Config {
			if line := c.Key + ": " + string(c.Value); strings.HasPrefix(c.Key, "peer-") && !versions[line] {
				versions[line] = true
				config = append(config, line)
			}
		}
		_, rest, found := strings.Cut(string(res.Name), "Peers/op=")
		op, row, cut := strings.Cut(rest, "/")
		if !found || !cut {
			continue
		}
		if samples[row] == nil {
			samples[row] = map[string][]float64{}
			names = append(names, row)
		}
		for _, v := range res.Values {
			key, value := v.Unit, v.Value
			if v.OrigUnit != "" { // benchfmt turns nanoseconds into seconds
				key, value = v.OrigUnit, v.OrigValue
			}
			if strings.HasPrefix(key, "cpu-") {
				key = op
			}
			samples[row][key] = append(samples[row][key], value)
		}
	}
	if err := r.Err(); err != nil {
		return nil, nil, err
	}
	for _, name := range names {
		row := &peerRow{Times: map[string]float64{}, Facts: map[string]float64{}}
		for part := range strings.SplitSeq(name, "/") {
			key, value, _ := strings.Cut(part, "=")
			switch key {
			case "statement":
				row.Statement = value
			case "library":
				row.Library = value
			case "system":
				row.System = value
			default:
				row.Rest = strings.TrimPrefix(row.Rest+"/"+key+" "+value, "/")
			}
		}
		for unit, values := range samples[name] {
			median := stats.Sample{Xs: values}.Quantile(0.5)
			switch unit {
			case "prove", "verify", "batch":
				row.Times[unit] = median
			default:
				row.Facts[unit] = median
			}
		}
		rows = append(rows, row)
	}
	if len(rows) == 0 {
		return nil, nil, errors.New("no results of zkatbench peers in it")
	}
	return rows, config, nil
}

// peerPage writes the tables of the page, and its pictures into a folder.
func peerPage(out io.Writer, name, folder string) error {
	rows, config, err := peerRows(name)
	if err != nil {
		return usageError("peers: -from %s: %w", name, err)
	}
	for _, statement := range []string{"transfer", "ranges"} {
		if err := peerTable(out, statement, rows); err != nil {
			return err
		}
	}
	fmt.Fprintln(out, "Versions and build:")
	fmt.Fprintln(out)
	for _, line := range config {
		fmt.Fprintf(out, "* %s\n", strings.TrimPrefix(line, "peer-"))
	}
	if folder == "" {
		return nil
	}
	for _, op := range []string{"prove", "verify"} {
		picture, err := peerPicture(op, rows)
		if err == nil {
			err = outfile.WriteBytes(filepath.Join(folder, "alternatives-"+op+".svg"), []byte(picture))
		}
		if err != nil {
			return inside("peers -o", err)
		}
	}
	return nil
}

// peerTable writes the rows of a statement as Markdown, sorted by verifying time.
func peerTable(out io.Writer, statement string, rows []*peerRow) error {
	rows = slices.DeleteFunc(slices.Clone(rows), func(r *peerRow) bool { return r.Statement != statement })
	slices.SortStableFunc(rows, func(a, b *peerRow) int { return cmp.Compare(a.Times["verify"], b.Times["verify"]) })
	fmt.Fprintf(out, "| %s | proof, B | prove, ms | verify, ms | batch of %d, ms | set-up, s | key or tables, MB | memory, MB | constraints |\n", statement, peerBatch)
	fmt.Fprintln(out, "| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
	for _, r := range rows {
		fmt.Fprintf(out, "| %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", r.Name(), whole(r.Facts["proof-B"]),
			scaled(r.Times["prove"], 1e6), scaled(r.Times["verify"], 1e6), scaled(r.Times["batch"], 1e6),
			scaled(r.Facts["setup-ns"], 1e9), scaled(r.Facts["key-B"], 1e6), scaled(r.Facts["peak-B"], 1e6), whole(r.Facts["constraints"]))
	}
	_, err := fmt.Fprintln(out)
	return err
}

// scaled writes three digits, or the empty text for a figure that does not exist.
func scaled(v, unit float64) string {
	if v == 0 {
		return ""
	}
	return fmt.Sprintf("%.*f", max(0, 2-int(math.Floor(math.Log10(v/unit)))), v/unit)
}

func whole(v float64) string {
	if v == 0 {
		return ""
	}
	return fmt.Sprintf("%.0f", v)
}

// peerPicture draws transfers: bytes of a proof against the time of an operation, both
// on logarithmic axes. Numbers in the picture are explained below it.
func peerPicture(op string, rows []*peerRow) (string, error) {
	rows = slices.DeleteFunc(slices.Clone(rows), func(r *peerRow) bool {
		return r.Statement != "transfer" || r.Times[op] <= 0 || r.Facts["proof-B"] <= 0
	})
	if len(rows) == 0 {
		return "", usageError("peers: -from has no transfers")
	}
	slices.SortStableFunc(rows, func(a, b *peerRow) int { return cmp.Compare(a.Times[op], b.Times[op]) })
	c := chart.Chart{
		X:      chart.Axis{Name: "bytes of a proof", Log: true, Label: func(v float64) string { return text.Count(int64(math.Round(v))) }},
		Y:      chart.Axis{Name: "processor time to " + op + " one transfer", Log: true, Label: text.Duration},
		Series: []chart.Series{{Name: ours, Style: chart.Scatter}, {Name: "others", Ink: 1, Style: chart.Scatter}},
	}
	var x, y []float64
	for i, r := range rows {
		side := 1
		if r.Library == ours {
			side = 0
		}
		p := chart.Point{X: r.Facts["proof-B"], Y: r.Times[op], Label: fmt.Sprint(i + 1), Hint: r.Name()}
		c.Series[side].Points = append(c.Series[side].Points, p)
		x, y = append(x, p.X), append(y, p.Y)
	}
	c.X.Low, c.X.High = slices.Min(x)/1.5, slices.Max(x)*1.5
	c.Y.Low, c.Y.High = slices.Min(y)/1.5, slices.Max(y)*1.5
	return c.File(760, 480), nil
}
