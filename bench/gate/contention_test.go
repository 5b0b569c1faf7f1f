package gate_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/gate"
	"github.com/zkatbench/zkatbench/bench/result"
)

// scaled returns ten results with 1, 2, 4 and 8 processors, of the given times with noise.
func scaled(t *testing.T, times ...float64) *result.Data {
	rng := rand.New(rand.NewPCG(1, 2))
	d := result.NewData()
	for range 10 {
		for i, ns := range slices.Backward(times) {
			suffix := ""
			if i > 0 {
				suffix = fmt.Sprint("-", 1<<i)
			}
			line := fmt.Sprintf("pkg: p\nBenchmarkMap/n=10%s 100000 %.4f ns/op\n", suffix,
				ns*(1+0.02*rng.NormFloat64()))
			require.NoError(t, d.Read(strings.NewReader(line), "d"))
		}
	}
	return d
}

// TestContention: the number of processors from which on a benchmark is slower, and the
// number in base.
func TestContention(t *testing.T) {
	free, late := scaled(t, 100, 52, 27, 15), scaled(t, 100, 55, 40, 80)
	for name, c := range map[string]struct {
		base, head *result.Data
		want       string
	}{
		"faster":    {free, free, ""},
		"level":     {free, scaled(t, 100, 100, 101, 100), ""},
		"only once": {free, scaled(t, 100, 150, 90, 60), ""},
		"from 8 on": {free, late,
			"p.Map/n=10, from 8 processors on: +100 % with 8 against 4; not so in BASE"},
		"from 2 on": {late, scaled(t, 100, 130, 180, 250),
			"p.Map/n=10, from 2 processors on: +150 % with 8 against 1; in BASE from 8 on"},
		"one alone": {free, scaled(t, 100), ""},
		"new in HEAD": {result.NewData(), late,
			"p.Map/n=10, from 8 processors on: +100 % with 8 against 4; not so in BASE"},
	} {
		t.Run(name, func(t *testing.T) {
			r := gate.Files(gate.Rules{}, c.base, c.head)
			var b strings.Builder
			require.NoError(t, r.WriteText(&b, false))
			if c.want == "" {
				require.Empty(t, r.Contended)
				return
			}
			require.Len(t, r.Contended, 1)
			got := r.Contended[0].String()
			require.Equal(t, strings.Split(c.want, ":")[0], strings.Split(got, ":")[0])
			require.Equal(t, strings.Split(c.want, "%")[1], strings.Split(got, "%")[1])
			require.Contains(t, b.String(), "more cores, slower: "+got)
		})
	}
}
