package main

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/chart"
	"github.com/zkatbench/zkatbench/bench/gate"
	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/internal/golden"
	"github.com/zkatbench/zkatbench/internal/text"
	"github.com/zkatbench/zkatbench/runner/render"
)

// TestPictures compares the pictures of README.md with kept results: "go generate" draws
// them again. They have at most 30 kB each.
func TestPictures(t *testing.T) {
	t.Chdir("../../docs")
	for name, picture := range map[string]string{
		"latency.svg":  latencyPicture(t, "results/latency-1.json", "results/latency-2.json"),
		"compared.svg": comparedPicture(t, "results/compared-base.txt", "results/compared-head.txt"),
	} {
		t.Run(name, func(t *testing.T) {
			require.Contains(t, picture, "prefers-color-scheme: dark")
			require.Less(t, len(picture), 30_000)
			golden.Equal(t, name, picture)
		})
	}
}

// latencyPicture draws the latencies of runs under load by percentile.
func latencyPicture(t *testing.T, files ...string) string {
	c := chart.Chart{
		X: chart.Axis{Name: "percentile of all operations", Log: true, Low: 1, High: 1e3,
			Ticks: []chart.Tick{{Value: 1, Label: "0"}, {Value: 2, Label: "50 %"}, {Value: 10, Label: "90 %"},
				{Value: 100, Label: "99 %"}, {Value: 1000, Label: "99.9 %"}}},
		Y: chart.Axis{Name: "time of making a transfer", Label: text.Duration},
	}
	for ink, file := range files {
		f, err := os.Open(file)
		require.NoError(t, err)
		defer f.Close()
		_, r, err := render.ReadJSON(f)
		require.NoError(t, err)
		rate := float64(r.Done) / r.Elapsed.Seconds()
		s := chart.Series{Ink: ink, Style: chart.Curve,
			Name: fmt.Sprintf("%s: %.0f transfers a second, P50 %s, P99 %s",
				text.Plural(r.Config.Workers, "worker"),
				rate, text.Duration(r.Latency.Quantile(0.5)), text.Duration(r.Latency.Quantile(0.99)))}
		for step := range 73 {
			beyond := math.Pow(10, float64(step)/24)
			s.Points = append(s.Points, chart.Point{X: beyond, Y: r.Latency.Quantile(1 - 1/beyond)})
		}
		c.Series = append(c.Series, s)
	}
	return c.File(720, 300)
}

// comparedPicture draws the changes of processor time and of memory of each case, with
// their intervals and verdicts, as compare finds them.
func comparedPicture(t *testing.T, base, head string) string {
	sides := [2]*result.Data{}
	for i, name := range []string{base, head} {
		d, err := result.ReadFiles(name)
		require.NoError(t, err)
		sides[i] = d
	}
	judge := gate.Judge{Once: true}
	report := judge.Look(sides[0], sides[1])
	units := map[string]string{"cpu-sec/op": "time", "B/op": "memory"}
	axes := regexp.MustCompile(`bits=(\d+)/curve=([A-Z0-9]+)`)
	const left, right, high, lowest = 200, 560, 26, -0.5
	at := func(change float64) float64 { return right + (right-left)*change/-lowest }
	var rows chart.Picture
	n := 0
	for _, unit := range []string{"cpu-sec/op", "B/op"} {
		for _, c := range report.Comparisons {
			if c.Unit != unit {
				continue
			}
			n++
			y := float64(high * (n + 1))
			axis := axes.FindStringSubmatch(c.Key.Name)
			require.NotNil(t, axis, c.Key.Name)
			colour := map[gate.Verdict]string{gate.Improvement: "var(--good)",
				gate.Regression: "var(--bad)"}[c.Verdict]
			if colour == "" {
				colour = "var(--text)"
			}
			rows.Text("text",
				fmt.Sprintf("%s, %s, %s bits", units[unit], strings.Replace(axis[2], "BLS12", "BLS12-381", 1),
					axis[1]), "x", 6, "y", y+4,
				"style", "fill:var(--text)")
			rows.Empty("path", "d", fmt.Sprintf("M%s,%sH%s", chart.Value(at(c.Shift.Lo)), chart.Value(y),
				chart.Value(at(c.Shift.Hi))), "style", "stroke-width:3;stroke:"+colour)
			rows.Empty("circle", "cx", at(c.Shift.Value), "cy", y, "r", 4, "style", "fill:"+colour)
			rows.Text("text", text.Change(c.Shift.Value)+"  "+string(c.Verdict), "x", right+12, "y", y+4,
				"style", "fill:"+colour)
		}
	}
	require.Equal(t, 8, n, "four cases, two units")
	height := float64(high * (n + 2))
	var p chart.Picture
	p.Open("svg", "role", "img", "aria-label", "changes of time and memory between two revisions", "xmlns",
		"http://www.w3.org/2000/svg", "viewBox", fmt.Sprintf("0 0 720 %.0f", height), "style",
		"max-width:720px",
		"font-size", 12, "font-family", "system-ui,Liberation Sans,Arial,sans-serif")
	p.Text("style", strings.ReplaceAll(chart.Palette, "\n", ""))
	p.Empty("rect", "width", "100%", "height", "100%", "style", "fill:var(--paper)")
	for percent := -50; percent <= 0; percent += 10 {
		x := at(float64(percent) / 100)
		p.Empty("path", "d", fmt.Sprintf("M%s,%dV%s", chart.Value(x), high, chart.Value(height-high/2)),
			"style",
			"stroke:var(--line)")
		p.Text("text", fmt.Sprintf("%d %%", percent), "x", x, "y", high-8, "text-anchor", "middle", "style",
			"fill:var(--faint)")
	}
	return p.String() + rows.String() + "</svg>\n"
}
