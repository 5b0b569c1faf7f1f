// Command picture draws proof systems for peers/page: the bytes of their proofs against
// the time of an operation, both on logarithmic axes. Each line of its standard input is
// LIBRARY BYTES NANOSECONDS NAME.
package main

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/zkatbench/zkatbench/bench/chart"
	"github.com/zkatbench/zkatbench/internal/text"
)

// main draws the lines of standard input (library, bytes, time, hint) as points of a chart with
// two series.
func main() {
	c := chart.Chart{
		X: chart.Axis{Name: "bytes of a proof", Log: true, Label: func(v float64) string {
			return text.Count(int(v + 0.5))
		}},
		Y: chart.Axis{Name: "processor time to " + os.Args[1] + " one transfer", Log: true,
			Label: text.Duration},
		Series: []chart.Series{{Name: "zkatbench", Style: chart.Scatter},
			{Name: "others", Ink: 1, Style: chart.Scatter}},
	}
	var x, y []float64
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var library string
		p := chart.Point{Label: fmt.Sprint(len(x) + 1)}
		if _, err := fmt.Sscan(lines.Text(), &library, &p.X, &p.Y); err != nil {
			fmt.Fprintln(os.Stderr, "picture:", lines.Text(), err)
			os.Exit(2)
		}
		p.Hint = strings.SplitN(lines.Text(), " ", 4)[3]
		side := &c.Series[1]
		if library == c.Series[0].Name {
			side = &c.Series[0]
		}
		side.Points, x, y = append(side.Points, p), append(x, p.X), append(y, p.Y)
	}
	c.X.Low, c.X.High = slices.Min(x)/1.5, slices.Max(x)*1.5
	c.Y.Low, c.Y.High = slices.Min(y)/1.5, slices.Max(y)*1.5
	fmt.Print(c.File(760, 480))
}
