package study

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/chart"
)

// TestCrossingsOfLongLines: two lines cross if they differ by more than the noise at any
// point of each side, also at the one that is furthest away.
func TestCrossingsOfLongLines(t *testing.T) {
	const side = 12
	line := func(y func(i int) float64) (points []chart.Point) {
		for i := range 2 * side {
			points = append(points, chart.Point{X: float64(i), Y: y(i)})
		}
		return points
	}
	flat := line(func(int) float64 { return 1 })
	for _, far := range []int{0, 3, side - 1} {
		for name, differs := range map[string]func(i int) bool{
			"both sides": func(i int) bool { return i == side-1-far || i == side+far },
			"before":     func(i int) bool { return i == side-1-far },
			"after":      func(i int) bool { return i == side+far },
		} {
			second := line(func(i int) float64 {
				change := 0.04
				if differs(i) {
					change = 0.06
				}
				if i < side {
					return 1 / (1 + change)
				}
				return 1 + change
			})
			// The difference changes its sign in the middle between two points.
			places := crossings(flat, second, func(x float64) float64 { return side - 0.5 - x })
			if name != "both sides" {
				require.Empty(t, places, "%s, %d", name, far)
				continue
			}
			require.Len(t, places, 1, far)
			require.InDelta(t, side-0.5, places[0].at, 1e-5)
			require.True(t, places[0].falls)
		}
	}
}
