package chart_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/chart"
	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
)

func TestTextIsEscapedAndPrintable(t *testing.T) {
	var p chart.Picture
	p.Open("svg", "aria-label", "a\"<b>\x00&\xff")
	p.Text("text", "<x>\n&", "x", 1.005, "y", -0.0001, "n", 3)
	p.Close("svg")
	require.Equal(t,
		`<svg aria-label="a&#34;&lt;b&gt;\u0000&amp;�"><text x="1" y="0" n="3">&lt;x&gt;\u000a&amp;</text>`+
			"\n</svg>\n", p.String())
}

func TestColoursAreInThePalette(t *testing.T) {
	for i := range chart.Colours {
		name := chart.Colour(i)
		require.Contains(t, chart.Palette, name[len("var("):len(name)-1]+": #")
	}
	require.Equal(t, chart.Colour(0), chart.Colour(chart.Colours))
}
