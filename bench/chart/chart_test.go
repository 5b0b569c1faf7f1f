package chart_test

import (
	"io"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/chart"
	"github.com/zkatbench/zkatbench/internal/golden"
	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
)

// two is two lines that cross at x = 5.
func two() chart.Chart {
	c := chart.Chart{
		Title: "Two lines", Note: "a note", X: chart.Axis{Name: "latency", Label: chart.Seconds},
		Y:     chart.Axis{Name: "time", Label: chart.Seconds},
		Marks: []chart.Mark{{X: 0.005, Y: 0.015, Text: "equal at 5 ms"}},
	}
	up, down := chart.Series{Name: "up"}, chart.Series{Name: "down", Ink: 1}
	for i := range 11 {
		x := float64(i) / 1000
		up.Points = append(up.Points, chart.Point{X: x, Y: 0.01 + x})
		down.Points = append(down.Points, chart.Point{X: x, Y: 0.02 - x})
	}
	c.Series = []chart.Series{up, down}
	return c
}

func text(t *testing.T, c chart.Chart, width int) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, c.Text(&b, width))
	return b.String()
}

func TestText(t *testing.T) {
	logs := chart.Chart{
		Title: "Logarithmic", X: chart.Axis{Name: "bandwidth", Log: true, Label: chart.BitRate},
		Y: chart.Axis{Name: "time", Log: true, Label: chart.Seconds},
		Series: []chart.Series{{Name: "1/x",
			Points: []chart.Point{{X: 1e4, Y: 1}, {X: 1e6, Y: 0.01}, {X: 1e8, Y: 0.0001}}}},
	}
	got := text(t, two(), 60) + text(t, logs, 60)
	golden.Equal(t, "testdata/text.txt", got)
}

func TestTextFits(t *testing.T) {
	for _, width := range []int{30, 60, 80, 200} {
		for line := range strings.Lines(text(t, two(), width)) {
			require.LessOrEqual(t, utf8.RuneCountInString(strings.TrimSuffix(line, "\n")), width, line)
		}
	}
	require.Equal(t, text(t, two(), 80), text(t, two(), 0))
}

func TestNothingToDraw(t *testing.T) {
	require.Equal(t, "Empty: nothing to draw\n", text(t, chart.Chart{Title: "Empty"}, 0))
	one := chart.Chart{Title: "One", Series: []chart.Series{{Name: "a", Points: []chart.Point{{X: 1, Y: 1}}}}}
	require.Contains(t, text(t, one, 0), "●")
	broken := chart.Chart{Title: "Infinite",
		Series: []chart.Series{{Points: []chart.Point{{X: 1, Y: math.Inf(1)}, {X: 2, Y: math.NaN()}}}}}
	require.NoError(t, broken.Text(io.Discard, 0))
}
