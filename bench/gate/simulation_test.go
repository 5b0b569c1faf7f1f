package gate // open and floorOf are private: a trial measures, and thousands are simulated here

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/runner/stats"
)

// The matrix of simulations.
const cases = 54

func key(i int) result.Key { return result.Key{Package: "p", Name: fmt.Sprintf("X/case=%d", i)} }

// world generates results of both sides of the matrix. slower is the relative
// slow-down of each case of head; drift is the slow-down of the machine from
// the beginning to the end.
type world struct {
	rng         *rand.Rand
	slower      func(i int) float64
	drift       float64
	interleaved bool
}

func (w world) measure(n int) (base, head *result.Data) {
	sides := [2]*result.Data{result.NewData(), result.NewData()}
	for side, d := range sides {
		d.Units = []string{"sec/op"}
		for i := range cases {
			d.Cases = append(d.Cases, key(i))
			d.Values[key(i)], d.Layouts[key(i)] = samples{}, samples{}
			if !w.interleaved {
				for k := range n {
					w.add(sides, side, i, (float64(side*n+k)+float64(i)/cases)/float64(2*n))
				}
			}
		}
	}
	for block := 0; w.interleaved && block < n/2; block++ {
		for i := range cases {
			for turn, side := range result.Turns(w.rng) {
				w.add(sides, side, i, (float64(block)+(float64(i)+float64(turn)/4)/cases)/float64(n/2))
			}
		}
	}
	return sides[0], sides[1]
}

// add measures a case at a time from 0 to 1.
func (w world) add(sides [2]*result.Data, side, i int, at float64) {
	x := noise(w.rng) * (1 + w.drift*at)
	if side == 1 && w.slower != nil {
		x *= 1 + w.slower(i)
	}
	values := sides[side].Values[key(i)]
	values["sec/op"] = append(values["sec/op"], x)
}

func once(base, head *result.Data) Report {
	j := Judge{Floor: floorOf(base, secondHalf), Once: true}
	return j.Look(base, head)
}

// TestFamilyWiseError compares identical code in 54 cases many times. The
// first figure is the rate of false alarms without a correction, for a
// threshold of p < 0.05.
func TestFamilyWiseError(t *testing.T) {
	skipIfShort(t)
	const n = 8 // with 8 and 8 values the level of the test is closest to 5 %
	tries := nightly.Pick(0, 400, 1000)
	rng := rand.New(rand.NewPCG(1, 1))
	plain, corrected, alarms := 0, 0, 0
	for range tries {
		r := once(world{rng: rng, interleaved: true}.measure(n))
		small, smallAdjusted := false, false
		for _, c := range r.Comparisons {
			small = small || c.P < significance
			smallAdjusted = smallAdjusted || c.Adjusted < significance
		}
		plain, corrected = plain+asInt(small), corrected+asInt(smallAdjusted)
		alarms += asInt(r.Count(Regression)+r.Count(Improvement) > 0)
	}
	t.Logf("of %d: uncorrected %d, corrected %d, judged %d", tries, plain, corrected, alarms)
	require.InDelta(t, 0.94, float64(plain)/float64(tries), 0.025)
	require.LessOrEqual(t, corrected, tries*5/100)
	require.LessOrEqual(t, alarms, tries*5/100)
}

// skipIfShort skips a simulation that takes seconds, or a minute under the race
// detector.
func skipIfShort(t *testing.T) {
	if testing.Short() {
		t.Skip("simulates thousands of comparisons")
	}
}

func asInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// TestLookingAgain is TestFamilyWiseError with growing results, and a limit so
// small that every significant difference is an alarm.
func TestLookingAgain(t *testing.T) {
	skipIfShort(t)
	const blocks = 9
	tries := nightly.Pick(0, 40, 400)
	rng := rand.New(rand.NewPCG(2, 2))
	spent, careless := 0, 0
	for range tries {
		base, head := world{rng: rng, interleaved: true}.measure(2 * blocks)
		j := Judge{Rules: Rules{Limit: 1e-9}}
		alarm, alarmCareless := false, false
		for n := 8; n <= 2*blocks; n += 2 {
			b, h := first(base, n), first(head, n)
			r := j.Look(b, h)
			alarm = alarm || r.Count(Regression)+r.Count(Improvement) > 0
			naive := Judge{Rules: Rules{Limit: 1e-9}, Once: true}
			r = naive.Look(b, h)
			alarmCareless = alarmCareless || r.Count(Regression)+r.Count(Improvement) > 0
		}
		spent, careless = spent+asInt(alarm), careless+asInt(alarmCareless)
	}
	t.Logf("of %d: %d, and without a correction for looks %d", tries, spent, careless)
	require.LessOrEqual(t, spent, tries*5/100)
	require.Greater(t, careless, spent)
}

// first returns the first n results of each case.
func first(d *result.Data, n int) *result.Data {
	out := result.NewData()
	out.Cases, out.Units = d.Cases, d.Units
	for k, units := range d.Values {
		out.Values[k] = samples{}
		for unit, xs := range units {
			out.Values[k][unit] = xs[:n]
		}
	}
	return out
}

// TestPower plants a slow-down of 5 % in every sixth case, and looks until all
// cases are decided, with at most 40 results on each side.
func TestPower(t *testing.T) {
	const limitRuns = 40
	tries := nightly.Pick(20, 40, 40)
	rng := rand.New(rand.NewPCG(3, 3))
	slow := func(i int) float64 { return 0.05 * float64(asInt(i%6 == 0)) }
	found, wrong, early := 0, 0, 0
	for range tries {
		base, head := world{rng: rng, slower: slow, interleaved: true}.measure(limitRuns)
		early += once(first(base, 10), first(head, 10)).Count(Regression)
		j := Judge{}
		var r Report
		for n := 10; n <= limitRuns; n = int(stats.NextLook(float64(n)) + 0.5) {
			if r = j.Look(first(base, n), first(head, n)); len(r.open()) == 0 {
				break
			}
		}
		for i, c := range r.Comparisons {
			if c.Verdict == Regression && i%6 == 0 {
				found++
			} else if c.Verdict == Regression {
				wrong++
			}
		}
	}
	planted := tries * cases / 6
	power := float64(found) / float64(planted)
	t.Logf("power %.3f, %d false of %d; after 10 results %.3f", power, wrong, tries*cases-planted,
		float64(early)/float64(planted))
	require.GreaterOrEqual(t, power, 0.9)
	require.LessOrEqual(t, wrong, tries*5/100)
}

// TestDrift compares identical code on a machine that slows down by 30 % during
// the measurement.
func TestDrift(t *testing.T) {
	tries := nightly.Pick(40, 100, 100)
	alarms := func(interleaved bool) (cells, families int) {
		rng := rand.New(rand.NewPCG(4, 4))
		for range tries {
			r := once(world{rng: rng, drift: 0.3, interleaved: interleaved}.measure(10))
			n := r.Count(Regression) + r.Count(Improvement)
			cells, families = cells+n, families+asInt(n > 0)
		}
		return cells, families
	}
	cells, _ := alarms(false)
	t.Logf("one after the other: %.1f %% of cases", 100*float64(cells)/float64(tries*cases))
	require.Greater(t, cells, tries*cases/2)
	_, families := alarms(true)
	t.Logf("in turns: %d of %d comparisons", families, tries)
	require.LessOrEqual(t, families, tries*5/100)
}

// TestEquivalence checks that a slow-down of exactly the limit gets the verdict
// same in at most 5 % of comparisons, and that no slow-down mostly gets it.
func TestEquivalence(t *testing.T) {
	skipIfShort(t)
	tries := nightly.Pick(0, 60, 400)
	rng := rand.New(rand.NewPCG(7, 7))
	same := func(slower float64) (n int) {
		for range tries {
			r := once(world{rng: rng, slower: func(int) float64 {
				return slower
			}, interleaved: true}.measure(20))
			n += r.Count(Same)
		}
		return n
	}
	wrong, right := same(noisyLimit), same(0)
	t.Logf("of %d: %d at the limit, %d at none", tries*cases, wrong, right)
	all := float64(tries * cases)
	require.InDelta(t, 0.05, float64(wrong)/all, 2*math.Sqrt(0.05*0.95/all), "two standard errors")
	require.GreaterOrEqual(t, right, tries*cases*9/10)
}
