package report

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"
)

// TestTickLabelsNeverCollide draws axes of many ranges, linear, logarithmic and with
// marks at given values, and compares the places of their labels.
func TestTickLabelsNeverCollide(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	labels := 0
	for range 300 {
		low := 1 + 1e6*random.Float64()
		high := low * (1 + 1e5*random.Float64()*random.Float64())
		var at []float64
		for range 2 + random.IntN(40) {
			at = append(at, low+(high-low)*random.Float64())
		}
		for kind := range 3 {
			p := newPlot("")
			p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = low, high, low, high
			switch kind {
			case 1:
				logarithmic(&p.X, low, high)
				logarithmic(&p.Y, low, high)
			case 2:
				p.X.Tick.Marker, p.Y.Tick.Marker = marksAt(at), marksAt(at)
			}
			width := vg.Length(150 + random.IntN(550))
			_, err := svg(p, "axes", width, width/2)
			require.NoError(t, err)
			labels += requireApart(t, p, width)
		}
	}
	require.Greater(t, labels, 3000)
}

// requireApart draws a plot with labels chosen by svg, and returns their number.
func requireApart(t *testing.T, p *plot.Plot, width vg.Length) (n int) {
	t.Helper()
	c := draw.NewCanvas(new(recorder.Canvas), width, width/2)
	area := p.DataCanvas(c)
	x, y := p.Transforms(&area)
	for _, a := range []struct {
		axis plot.Axis
		at   func(float64) vg.Length
		size func(string) vg.Length
	}{{p.X, x, p.X.Tick.Label.Width}, {p.Y, y, p.Y.Tick.Label.Height}} {
		end, before := vg.Length(-1e9), ""
		for _, tick := range a.axis.Tick.Marker.Ticks(a.axis.Min, a.axis.Max) {
			if tick.Label == "" || tick.Value < a.axis.Min || tick.Value > a.axis.Max {
				continue
			}
			half := a.size(tick.Label) / 2
			require.GreaterOrEqual(t, a.at(tick.Value)-half, end, "%q after %q", tick.Label, before)
			end, before = a.at(tick.Value)+half, tick.Label
			n++
		}
	}
	return n
}
