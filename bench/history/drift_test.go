package history // drift is private: thousands of histories are simulated without a file

import (
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
)

// seriesOf returns a series of times, with one result for each revision.
func seriesOf(ys []float64) Series {
	s := Series{Unit: "sec/op", Better: -1}
	for i, y := range ys {
		s.Points = append(s.Points, Point{Revision: fmt.Sprint("r", i), Values: []float64{y}})
	}
	return s
}

// TestSlowDriftIsFound adds 0.2 % a revision over 60 revisions, up or down, to
// revisions that differ by about 1 %. Only a rise of the time is worse.
func TestSlowDriftIsFound(t *testing.T) {
	const revisions = 60
	draws := nightly.Pick(20, 40, 400)
	for _, noise := range noises {
		t.Run(noise.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(3, 4))
			rises, falls := 0, 0
			for range draws {
				ys := draw(r, revisions, revisions, 0, noise.draw)
				down := make([]float64, revisions)
				for i := range ys {
					down[i] = ys[i] - 0.2*float64(i)
					ys[i] += 0.2 * float64(i)
				}
				for ends, count := range map[*[]float64]*int{&ys: &rises, &down: &falls} {
					v, err := Check(io.Discard, []Series{seriesOf(*ends)}, revisions)
					require.NoError(t, err)
					*count += v.Worse
				}
			}
			t.Logf("%d %% of drifts for the worse are found", 100*rises/draws)
			require.GreaterOrEqual(t, rises, 95*draws/100)
			require.LessOrEqual(t, falls, 2*draws/100)
		})
	}
}

// TestNoDriftWithoutOne checks histories without a change.
func TestNoDriftWithoutOne(t *testing.T) {
	for _, noise := range noises {
		t.Run(noise.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(5, 6))
			found := 0
			for range 500 {
				if _, is := drift(draw(r, 60, 60, 0, noise.draw), 0); is {
					found++
				}
			}
			require.LessOrEqual(t, found, 2)
		})
	}
}

// TestDriftInWords: from the median of the first fifth of the level to that of the last one, which are
// 101.775 and 104.175, and 105.5 and 108.3 after a change.
func TestDriftInWords(t *testing.T) {
	for rise, want := range map[float64]string{0.05: "drifted +2.36 % from r0 to r59 (worse)",
		0.1: "drifted +2.65 % from r25 to r59 (worse)"} {
		t.Run(want, func(t *testing.T) {
			var ys []float64
			for i := range 60 {
				ys = append(ys, 100+rise*float64(i)+3*float64(i%2))
			}
			var b strings.Builder
			_, err := Check(&b, []Series{seriesOf(ys)}, 1)
			require.NoError(t, err)
			require.Contains(t, b.String(), want)
		})
	}
}

// TestDriftOfTheLastRevisions: earlier ones do not count.
func TestDriftOfTheLastRevisions(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 20 {
		ys := draw(r, 100, 20, 30*r.NormFloat64(), (*rand.Rand).NormFloat64)
		for i := range ys {
			ys[i] += 0.2 * float64(i)
		}
		want, found := drift(ys[len(ys)-driftMost:], 0)
		require.True(t, found)
		want.At, want.Alarm = want.At+len(ys)-driftMost, want.Alarm+len(ys)-driftMost
		got, _ := drift(ys, 0)
		require.Equal(t, want, got)
	}
}

func TestCheckForgetsOldChanges(t *testing.T) {
	s := seriesOf([]float64{7, 8, 8, 8})
	s.Exact = true
	for last, worse := range map[int]int{2: 0, 3: 1} {
		v, err := Check(io.Discard, []Series{s, seriesOf([]float64{1, 2})}, last)
		require.NoError(t, err)
		require.Equal(t, Verdict{Judged: 1, Worse: worse, TooFew: 1}, v)
	}
	twice := seriesOf([]float64{7, 8, 8, 10})
	twice.Exact = true
	require.Equal(t, "+25 % since r3 (worse)", twice.worse(4), "the last change")
}
