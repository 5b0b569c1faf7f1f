package gate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/result"
)

// linked returns results of the time of X: some of each layout, around the times of
// the layouts.
func linked(rng *rand.Rand, first, each int, times ...float64) *result.Data {
	d := result.NewData()
	d.Cases, d.Units = []result.Key{X}, []string{wallTime}
	d.Values[X], d.Layouts[X] = map[string][]float64{}, map[string][]float64{}
	for range each {
		for i, at := range times {
			d.Values[X][wallTime] = append(d.Values[X][wallTime], at*math.Exp(0.005*rng.NormFloat64()))
			d.Layouts[X][wallTime] = append(d.Layouts[X][wallTime], float64(first+2*i))
		}
	}
	return d
}

// TestLayouts: a change of all layouts is a change, after others confirmed it; a change
// of some is named; equal layouts are the same.
func TestLayouts(t *testing.T) {
	for name, c := range map[string]struct {
		base, head []float64
		more       bool
		want       Verdict
	}{
		"a change":                {[]float64{1, 1, 1, 1, 1, 1}, []float64{1.26, 1.26, 1.26, 1.26, 1.26, 1.26}, false, Regression},
		"less":                    {[]float64{1, 1, 1, 1, 1, 1}, []float64{0.8, 0.8, 0.8, 0.8, 0.8, 0.8}, false, Improvement},
		"not confirmed":           {[]float64{1, 1, 1}, []float64{1.26, 1.26, 1.26}, true, Unknown},
		"equal":                   {[]float64{1, 1, 1}, []float64{1, 1, 1}, true, Same},
		"some of head":            {[]float64{1, 1, 1, 1, 1, 1}, []float64{1.26, 1.26, 1.26, 1, 1.26, 1}, false, Layout},
		"all of head but one":     {[]float64{1, 1, 1, 1, 1, 1}, []float64{1.26, 1.26, 1.26, 1.26, 1.26, 1}, false, Layout},
		"some of base":            {[]float64{1, 1.26, 1, 1, 1.26, 1}, []float64{1.26, 1.26, 1.26, 1.26, 1.26, 1.26}, false, Layout},
		"some of both":            {[]float64{1, 1.26, 1, 1, 1.26, 1}, []float64{1, 1.26, 1, 1.26, 1.26, 1.26}, false, Layout},
		"perhaps, and more comes": {[]float64{1, 1.26, 1}, []float64{1, 1.26, 1.26}, true, Unknown},
		"a change among layouts":  {[]float64{1, 1.02, 1.01, 1, 1.01, 1.02}, []float64{1.1, 1.12, 1.13, 1.1, 1.11, 1.12}, false, Regression},
	} {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(1, 2))
			j := Judge{Once: true, More: c.more}
			r := j.Look(linked(rng, 1, 4, c.base...), linked(rng, 2, 4, c.head...))
			require.Equal(t, c.want, r.Comparisons[0].Verdict, "%+v", r.Comparisons[0])
			require.True(t, r.Comparisons[0].layouts.several)
			require.Equal(t, c.want == Layout || c.want == Same || c.want == Improvement, r.Outcome() == Pass)
		})
	}
}

// TestOneLayoutIsBlind: with one layout on a side, or unknown ones, results are judged
// alone.
func TestOneLayoutIsBlind(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	base, head := linked(rng, 1, 12, 1), linked(rng, 2, 12, 1.26)
	require.Equal(t, Regression, once(base, head).Comparisons[0].Verdict)
	head = linked(rng, 2, 6, 1.26, 1)
	require.False(t, once(base, head).Comparisons[0].layouts.several)
	delete(base.Layouts, X)
	require.False(t, once(base, head).Comparisons[0].layouts.several)
}

// TestLayoutsOfEqualCode: linking moves a loop, which then takes a quarter more time
// with one half; noise of 2 %. Three layouts of a side, and three more if the case is
// open. Equal code is never called a change more often than the level, and 5 % more
// work is found where layouts change little.
func TestLayoutsOfEqualCode(t *testing.T) {
	tries := 2000
	if testing.Short() {
		tries = 300
	}
	for name, c := range map[string]struct {
		layout func(*rand.Rand) float64
		slower float64
		least  int // of verdicts
		most   map[Verdict]int
	}{
		"two places":       {func(r *rand.Rand) float64 { return 1 + 0.26*float64(r.IntN(2)) }, 0, 0, map[Verdict]int{Regression: tries / 50}},
		"many places":      {func(r *rand.Rand) float64 { return math.Exp(0.05 * r.NormFloat64()) }, 0, 0, map[Verdict]int{Regression: tries / 40}},
		"seldom":           {func(r *rand.Rand) float64 { return 1 + 0.26*float64(r.IntN(6)/5) }, 0, 0, map[Verdict]int{Regression: tries / 50}},
		"no effect, +5 %":  {func(*rand.Rand) float64 { return 1 }, 0.05, tries * 95 / 100, map[Verdict]int{Layout: tries / 50, Same: tries / 100}},
		"small effect, +5": {func(r *rand.Rand) float64 { return math.Exp(0.003 * r.NormFloat64()) }, 0.05, tries * 95 / 100, map[Verdict]int{Same: tries / 100}},
	} {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(3, 4))
			count := map[Verdict]int{}
			for range tries {
				count[simulated(rng, c.layout, c.slower)]++
			}
			t.Log(fmt.Sprint(count))
			require.GreaterOrEqual(t, count[Regression], c.least)
			for v, most := range c.most {
				require.LessOrEqual(t, count[v], most, v)
			}
		})
	}
}

// simulated is a trial of one case: three layouts a side, three more after the first
// look, and up to 40 results of each side.
func simulated(rng *rand.Rand, layout func(*rand.Rand) float64, slower float64) Verdict {
	var times [2][]float64
	sides := [2]*result.Data{result.NewData(), result.NewData()}
	for _, d := range sides {
		d.Cases, d.Units = []result.Key{X}, []string{wallTime}
		d.Values[X], d.Layouts[X] = map[string][]float64{}, map[string][]float64{}
	}
	relink := func() {
		for range 3 {
			times[0] = append(times[0], layout(rng))
			times[1] = append(times[1], layout(rng)*(1+slower))
		}
	}
	relink()
	j := Judge{Fewest: 10}
	measure := func(n int) {
		for i, d := range sides {
			counts := make([]int, len(times[i]))
			for _, at := range d.Layouts[X][wallTime] {
				counts[int(at)]++
			}
			for range n {
				at := slices.Index(counts, slices.Min(counts))
				counts[at]++
				d.Values[X][wallTime] = append(d.Values[X][wallTime], times[i][at]*noise(rng))
				d.Layouts[X][wallTime] = append(d.Layouts[X][wallTime], float64(at))
			}
		}
	}
	measure(10)
	for j.More = true; ; j.More = false {
		n := len(sides[0].Values[X][wallTime])
		j.Floor = floorOf(sides[0], odd)
		if v := j.Look(sides[0], sides[1]).Comparisons[0].Verdict; v != Unknown || n >= 40 {
			return v
		}
		if j.More {
			relink()
			measure(10)
			continue
		}
		measure(max(2, n*3/10))
	}
}
