package report_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/chart"
	"github.com/zkatbench/zkatbench/bench/report"
)

func TestChartsAreDrawnWithTheirTables(t *testing.T) {
	line := func(name string, bounded bool, xys ...float64) chart.Series {
		s := chart.Series{Name: name}
		for i := 0; i < len(xys); i += 2 {
			s.Points = append(s.Points,
				chart.Point{X: xys[i], Y: xys[i+1], Low: xys[i+1] / 2, High: xys[i+1] * 2, Bounded: bounded})
		}
		return s
	}
	var b strings.Builder
	require.NoError(t,
		report.Write(&b,
			report.Input{Title: "A <title>",
				Charts: []chart.Group{{Notes: []string{"lead", "more"}, Charts: []chart.Chart{
					{
						Title: "over latency", X: chart.Axis{Name: "latency", Label: chart.Seconds},
						Y: chart.Axis{Name: "time", Label: chart.Seconds},
						Series: []chart.Series{line("one", true, 0, 1, 0.1, 2),
							line("two", false, 0.05, 3, 0.1, 4)},
						Marks: []chart.Mark{{X: 0.05, Y: 1.5, Text: "one = two at 50 ms"},
							{X: 0.07, Y: 1.5, Text: "two"}},
					},
					{
						Title: "over f", X: chart.Axis{Name: "f", Log: true},
						Y:      chart.Axis{Name: "time", Log: true, Label: chart.Seconds},
						Series: []chart.Series{line("one", false, 1, 1e-3, 10, 1e-1)},
					},
					{Title: "a single point", X: chart.Axis{Name: "x", Log: true},
						Series: []chart.Series{line("one", false, 1, 1)}},
				}}}}))
	html := b.String()
	require.Equal(t, 3, strings.Count(html, "<svg"))
	require.Contains(t, html, "A &lt;title&gt;")
	require.Contains(t, html, "<p>lead; more</p>")
	require.Contains(t, html, `<th scope="col">series</th><th scope="col">latency</th>`)
	require.Contains(t, html, `✕</b> one = two at 50 ms</span> <span><b class="mark">✕</b> two</span>`)
	require.Contains(t, html, "<tr><td>one</td><td>0</td><td>1</td><td>0.5</td><td>2</td></tr>")
	require.Contains(t, html, "<tr><td>one</td><td>0.1</td><td>2</td><td>1</td><td>4</td></tr>")
	require.Contains(t, html, "<tr><td>two</td><td>0.05</td><td>3</td><td></td><td></td></tr>")
	require.Contains(t, html, "50 ms</text>")
	require.NotRegexp(t, regexp.MustCompile(`(src|href)="https?:`), html)
	var nine report.Input
	for i := range 9 {
		nine.Charts = append(nine.Charts,
			chart.Group{Table: chart.Table{Head: []string{"n"}, Rows: [][]string{{fmt.Sprint("row ", i)}}}})
	}
	b.Reset()
	require.NoError(t, report.Write(&b, nine))
	require.Contains(t, b.String(), "<td>row 8</td>")
}
