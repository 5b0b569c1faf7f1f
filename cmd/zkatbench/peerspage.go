package main

import (
	"bytes"
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

	"github.com/zkatbench/zkatbench/bench/svg"
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
		var b bytes.Buffer
		if err := peerPicture(&b, op, rows); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(folder, "alternatives-"+op+".svg"), b.Bytes(), 0o644); err != nil {
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

// The picture: bytes of a transfer's proof against the time of an operation, both
// on logarithmic axes. Its legend explains the numbers in the picture.
const (
	pictureWidth, pictureHeight = 560.0, 380.0
	plotLeft, plotBottom        = 60.0, 340.0
	plotWidth, plotHeight       = 480.0, 310.0
	legendLine                  = 18.0
)

const pictureStyle = `text{font:12px sans-serif;fill:#222}line{stroke:#ccc}circle{fill:#0b62a3}.ours{fill:#b3261e}
@media (prefers-color-scheme:dark){text{fill:#ddd}line{stroke:#444}circle{fill:#6db3f2}.ours{fill:#f2877e}}`

// peerPicture draws transfers: bytes against the time of an operation.
func peerPicture(out io.Writer, op string, rows []*peerRow) error {
	rows = slices.DeleteFunc(slices.Clone(rows), func(r *peerRow) bool {
		return r.Statement != "transfer" || r.Times[op] <= 0 || r.Facts["proof-B"] <= 0
	})
	if len(rows) == 0 {
		return usageError("peers: -from has no transfers")
	}
	slices.SortStableFunc(rows, func(a, b *peerRow) int { return cmp.Compare(a.Times[op], b.Times[op]) })
	x, y := newLogAxis(plotWidth), newLogAxis(plotHeight)
	for _, r := range rows {
		x.add(r.Facts["proof-B"])
		y.add(r.Times[op] / 1e6)
	}
	title := fmt.Sprintf("bytes of a proof (across) and ms of processor time to %s one transfer (up)", op)
	var p svg.Picture
	p.Open("svg", "xmlns", "http://www.w3.org/2000/svg", "viewBox", fmt.Sprintf("0 0 %v %v", pictureWidth, pictureHeight+legendLine*float64(len(rows))+10), "role", "img", "aria-label", title)
	p.Text("style", pictureStyle)
	p.Text("text", title, "x", 20, "y", 18)
	for _, v := range x.ticks() {
		at := plotLeft + x.at(v)
		p.Empty("line", "x1", at, "y1", plotBottom, "x2", at, "y2", plotBottom-plotHeight)
		p.Text("text", fmt.Sprint(v), "x", at, "y", plotBottom+16, "text-anchor", "middle")
	}
	for _, v := range y.ticks() {
		at := plotBottom - y.at(v)
		p.Empty("line", "x1", plotLeft, "y1", at, "x2", plotLeft+plotWidth, "y2", at)
		p.Text("text", fmt.Sprint(v), "x", plotLeft-6, "y", at+4, "text-anchor", "end")
	}
	for i, r := range rows {
		px, py, class := plotLeft+x.at(r.Facts["proof-B"]), plotBottom-y.at(r.Times[op]/1e6), "theirs"
		if r.Library == ours {
			class = "ours"
		}
		p.Empty("circle", "cx", px, "cy", py, "r", 5, "class", class)
		p.Text("text", fmt.Sprint(i+1), "x", px+8, "y", py)
		p.Text("text", fmt.Sprintf("%d %s", i+1, r.Name()), "x", 20, "y", pictureHeight+legendLine*float64(i))
	}
	p.Close("svg")
	_, err := io.WriteString(out, p.String())
	return err
}

// logAxis maps values to lengths, from the power of ten below the least value to
// the one above the largest.
type logAxis struct{ low, high, length float64 }

func newLogAxis(length float64) *logAxis { return &logAxis{math.Inf(1), math.Inf(-1), length} }

func (a *logAxis) add(v float64) {
	a.low, a.high = min(a.low, math.Floor(math.Log10(v))), max(a.high, math.Ceil(math.Log10(v)))
}

func (a *logAxis) at(v float64) float64 {
	return a.length * (math.Log10(v) - a.low) / max(1, a.high-a.low)
}

func (a *logAxis) ticks() (all []float64) {
	for e := a.low; e <= a.high; e++ {
		all = append(all, math.Pow(10, e))
	}
	return all
}
