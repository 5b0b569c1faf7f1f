package chart_test

import (
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/chart"
	words "github.com/zkatbench/zkatbench/internal/text"
)

// wellFormed checks that a picture is XML without infinite numbers.
func wellFormed(t *testing.T, picture string) {
	t.Helper()
	require.NotRegexp(t, `NaN|Inf`, picture)
	for d := xml.NewDecoder(strings.NewReader(picture)); ; {
		_, err := d.Token()
		if err == io.EOF {
			return
		}
		require.NoError(t, err)
	}
}

// written is a text of a picture, or a circle without text.
type written struct {
	x, y         float64
	anchor, text string
}

// box is a written text, as wide as package chart assumes, or less.
func (w written) box() (left, right, top, bottom float64) {
	wide := 7.2 * float64(words.Len(w.text))
	left = w.x - map[string]float64{"start": 0, "middle": wide / 2, "end": wide}[w.anchor]
	return left, left + wide, w.y - 10, w.y + 2
}

var element = regexp.MustCompile(`<text x="([\d.-]+)" y="([\d.-]+)" text-anchor="(\w+)"[^>]*>([^<]*)<`)

// texts returns the texts of a picture.
func texts(t *testing.T, picture string) (all []written) {
	t.Helper()
	for _, m := range element.FindAllStringSubmatch(picture, -1) {
		x, err := strconv.ParseFloat(m[1], 64)
		require.NoError(t, err)
		y, err := strconv.ParseFloat(m[2], 64)
		require.NoError(t, err)
		all = append(all, written{x, y, m[3], m[4]})
	}
	return all
}

// apart checks that texts neither overlap nor are cut.
func apart(t *testing.T, all []written, width, height float64) {
	t.Helper()
	for i, w := range all {
		left, right, top, bottom := w.box()
		require.True(t, left >= -1 && right <= width+1 && top >= 0 && bottom <= height, "%+v is cut", w)
		for _, o := range all[:i] {
			l, r, a, b := o.box()
			require.False(t, left < r && l < right && top < b && a < bottom, "%+v and %+v", w, o)
		}
	}
}

// TestLabelsOfAxesNeverCollide draws axes of many ranges, linear, logarithmic and with
// given values.
func TestLabelsOfAxesNeverCollide(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	labels := 0
	for range 300 {
		low := 1 + 1e6*random.Float64()
		high := low * (1 + 1e5*random.Float64()*random.Float64())
		var at []float64
		for range 2 + random.IntN(40) {
			at = append(at, math.Round(low+(high-low)*random.Float64()))
		}
		for kind := range 3 {
			a := chart.Axis{Name: "axis", Low: low, High: high, Log: kind == 1, Label: words.Duration}
			if kind == 2 {
				a.Ticks = chart.Values(at)
			}
			c := chart.Chart{Title: "axes", X: a, Y: a,
				Series: []chart.Series{{Points: []chart.Point{{X: low, Y: low}}}}}
			width := float64(300 + random.IntN(700))
			picture := c.SVG(width, 300)
			wellFormed(t, picture)
			all := texts(t, picture)
			apart(t, all, width, 300)
			labels += len(all)
		}
	}
	require.Greater(t, labels, 6000)
}

// TestNamesOfPointsAreFree draws many points with labels: no label lies on a point or
// on another label, and the file explains colours and labels.
func TestNamesOfPointsAreFree(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 2))
	for range 30 {
		c := chart.Chart{Title: "points", X: chart.Axis{Name: "x", Low: 0, High: 1},
			Y: chart.Axis{Name: "y", Low: 0, High: 1}}
		n := 1 + random.IntN(30)
		for i := range 2 {
			s := chart.Series{Name: fmt.Sprintf("series %d", i), Ink: i, Style: chart.Scatter}
			for k := range n {
				x := math.Sqrt(random.Float64()) // denser on one side
				s.Points = append(s.Points,
					chart.Point{X: x, Y: random.Float64(), Label: fmt.Sprint(n*i + k + 1),
						Hint: fmt.Sprintf("point %d", n*i+k+1)})
			}
			c.Series = append(c.Series, s)
		}
		picture := c.File(700, 450)
		wellFormed(t, picture)
		spot := regexp.MustCompile(`<circle class="spot" cx="([\d.]+)" cy="([\d.]+)"`)
		var dots []written
		for _, m := range spot.FindAllStringSubmatch(picture, -1) {
			x, _ := strconv.ParseFloat(m[1], 64)
			y, _ := strconv.ParseFloat(m[2], 64)
			dots = append(dots, written{x: x, y: y})
		}
		require.Len(t, dots, 2*n)
		all := texts(t, picture)
		apart(t, all, 700, 450)
		for _, w := range all {
			for _, d := range dots {
				left, right, top, bottom := w.box()
				require.False(t, d.x > left-4 && d.x < right+4 && d.y > top-3 && d.y < bottom+3,
					"%+v lies on %+v", w, d)
			}
		}
		require.Contains(t, picture, ">series 1</text>")
		require.Contains(t, picture, fmt.Sprintf(">%d point %d</text>", 2*n, 2*n))
		require.Contains(t, picture, "prefers-color-scheme: dark")
	}
}

func TestNoPicture(t *testing.T) {
	for _, points := range [][]chart.Point{nil, {{X: 1, Y: math.NaN()}}, {{X: 1, Y: 1e300}, {X: 2, Y: 0}}} {
		c := chart.Chart{Y: chart.Axis{Log: true}, Series: []chart.Series{{Points: points}}}
		c.Y.Log = len(points) == 1
		require.Empty(t, c.SVG(400, 200))
		require.Empty(t, c.File(400, 200))
	}
	for _, y := range []float64{0, 1, -3, 1e17, 1e-30} {
		one := chart.Chart{Series: []chart.Series{{Points: []chart.Point{{X: y, Y: y}}}}}
		wellFormed(t, one.SVG(400, 200))
	}
}
