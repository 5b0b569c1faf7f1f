package chart_test

import (
	"fmt"
	"strings"

	"github.com/zkatbench/zkatbench/bench/chart"
)

// A chart has a picture for a page, and one for a terminal.
func ExampleChart_Text() {
	c := chart.Chart{Title: "latency", X: chart.Axis{Name: "workers"}, Y: chart.Axis{Name: "ms"},
		Series: []chart.Series{{Name: "P99",
			Points: []chart.Point{{X: 1, Y: 2}, {X: 2, Y: 3}, {X: 4, Y: 8}}}}}
	fmt.Println(strings.HasPrefix(c.SVG(640, 400), "<svg"))
	var b strings.Builder
	err := c.Text(&b, 40)
	fmt.Println(strings.SplitN(b.String(), "\n", 2)[0], err)
	// Output:
	// true
	// latency <nil>
}
