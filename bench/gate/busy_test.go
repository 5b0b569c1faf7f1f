package gate // first and samples are helpers of tests inside the package

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/internal/nightly"
	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
)

// drawn returns n results of a recorded case, drawn with replacement.
func drawn(rng *rand.Rand, from *result.Data, n int) *result.Data {
	k := from.Cases[0]
	d := result.NewData()
	d.Cases, d.Units = from.Cases, []string{wallTime, cpuTime}
	d.Values[k] = samples{}
	for range n {
		at := rng.IntN(len(from.Values[k][wallTime]))
		for _, unit := range d.Units {
			d.Values[k][unit] = append(d.Values[k][unit], from.Values[k][unit][at])
		}
	}
	return d
}

// TestBusyNeighbours draws comparisons of 16 pairs, with looks at 10, 13 and 16
// pairs as in a Trial, from results that were recorded beside 16 busy loops on
// two processors. HEAD has 8 % more work planted. Processor time must find it
// and stay quiet for equal sides; wall time, which scatters by a factor of two,
// cannot find it.
func TestBusyNeighbours(t *testing.T) {
	base, err := result.ReadFiles("testdata/busy-base.txt")
	require.NoError(t, err)
	head, err := result.ReadFiles("testdata/busy-head.txt")
	require.NoError(t, err)
	tries := nightly.Pick(40, 100, 1000)
	rng := rand.New(rand.NewPCG(1, 2))
	alarms := func(head *result.Data, wall bool) (n int) {
		for range tries {
			b, h := drawn(rng, base, 16), drawn(rng, head, 16)
			j := Judge{Rules: Rules{Wall: wall}}
			found := false
			for _, pairs := range []int{10, 13, 16} {
				r := j.Look(first(b, pairs), first(h, pairs))
				found = found || r.Count(Regression) > 0
			}
			if found {
				n++
			}
		}
		return n
	}
	found, falsely, byWall := alarms(head, false), alarms(base, false), alarms(head, true)
	t.Logf("planted slow-down found in %d of %d comparisons of at most 16 pairs; false alarms %d; found by "+
		"wall time %d", found, tries, falsely, byWall)
	require.GreaterOrEqual(t, found, tries*95/100)
	require.LessOrEqual(t, falsely, tries*5/100)
	require.Less(t, byWall, tries/2)
}
