package capacity // size and speedUp are private: a plan rounds them to whole cores

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
)

// usual are settings that Check accepts.
func usual() Settings {
	return Settings{
		Rate: 800, Peak: 3000, Mix: []Share{{"transfer", 0.96}, {"issue", 0.04}}, Endorsers: 2, Of: 3,
		Audited: true, Utilisation: 0.6,
		P99: 250 * time.Millisecond, Cores: 8, Retention: 365 * day, Batch: 1, Linger: 5 * time.Millisecond,
		Burst: 1, Block: 1, Copies: 1,
	}
}

// example is a role with service times around 2 ms that serves all requests.
func example(parties Parties) RolePlan {
	return RolePlan{Share: 1, role: Role{Name: "endorser", Parties: parties, Waits: true},
		samples: [][]float64{{0.001, 0.003}, {0.004}}, asked: 1}
}

func TestCoresFollowTheFormula(t *testing.T) {
	r, s := example(Endorsers), usual()
	mean := 0.96*0.002 + 0.04*0.004
	require.InDelta(t, mean, meanWork(r.samples, s.Mix), 1e-12)
	p := r
	p.plan(s)
	require.InDelta(t, 2./3, p.Share, 1e-12)
	require.Equal(t, []int{3, 2}, []int{p.Parties, p.asked})
	z := r.size(s, 2000)
	require.Equal(t, 7, z.Nodes*z.Cores, "2000 · 2.08 ms / 0.6 = 6.93")
	require.InDelta(t, 2000*mean/7, z.Utilisation, 1e-12)
	r.scale.Sigma = 0.1
	z = r.size(s, 2000)
	require.Equal(t, []int{2, 5}, []int{z.Nodes, z.Cores}, "eight cores do the work of 4.7")
	require.InDelta(t, 1000*mean/r.scale.speedUp(5), z.Utilisation, 1e-12)
	s.Audited = false
	p = example(Auditors)
	p.Share = 0
	p.plan(s)
	require.Zero(t, p.Share)
	require.Zero(t, p.Parties)
}

// TestSizeIsTheLeastThatSuffices compares size with a search over all sizes. Before rounding, each node
// needs up to one core less.
func TestSizeIsTheLeastThatSuffices(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for range 300 {
		r, s := example(All), usual()
		r.scale = scaling{random.Float64() * 0.1, random.Float64() * 0.01}
		s.Utilisation, s.Cores = 0.1+0.8*random.Float64(), 1+random.IntN(16)
		rate := 10 * float64(uint(1)<<random.IntN(10))
		suffices := func(nodes, cores int) bool {
			return r.sized(s, rate, nodes, cores).Utilisation <= s.Utilisation*(1+1e-12)
		}
		z := r.size(s, rate)
		require.True(t, suffices(z.Nodes, z.Cores))
		require.LessOrEqual(t, z.Cores, s.Cores)
		require.LessOrEqual(t, z.Fractional, float64(z.total())*(1+1e-9))
		require.Greater(t, z.Fractional, float64(z.total()-z.Nodes)*(1-1e-9))
		for cores := 1; cores <= s.Cores && z.Nodes > 1; cores++ {
			require.False(t, suffices(z.Nodes-1, cores), "fewer nodes")
		}
		if z.Cores > 1 {
			require.False(t, suffices(z.Nodes, z.Cores-1), "fewer cores")
		}
	}
}

func TestCoresAreAddedForTheLimit(t *testing.T) {
	p, s := example(Endorsers), usual()
	p.Share, p.asked = 2./3, 2
	again := p
	s.Utilisation, s.P99 = 0.95, 8*time.Millisecond
	wait := func(q queue, parties int) Wait { return waitOf(q.simulate(20_000, 1), parties) }
	p.fit(s, wait)
	require.True(t, p.Meets)
	require.Positive(t, p.Added)
	s.P99 = 2 * time.Millisecond // a request takes up to 4 ms
	again.fit(s, wait)
	require.False(t, again.Meets)
	require.Zero(t, again.Added)
	require.Equal(t, again.size(s, s.Peak*2/3), again.Peak)
}

func TestBatchRatiosAreInterpolated(t *testing.T) {
	rs := []ratio{{1, 1}, {4, 0.8}, {16, 0.4}}
	for n, want := range map[float64]float64{1: 1, 2: 0.9, 4: 0.8, 8: 0.6, 16: 0.4, 64: 0.4} {
		require.InDelta(t, want, ratioAt(rs, n), 1e-12)
	}
	require.Equal(t, 1., ratioAt(nil, 16))
}

func TestBytesFollowTheMix(t *testing.T) {
	s := Subject{Actions: []string{"transfer", "issue"}}
	sizes, b := s.bytesOf([]Measured{
		{Action: "transfer",
			Figures: map[string]float64{"request-B": 1000, "written-B": 400, "removed-B": 300, "reads": 3,
				"writes": 9}},
		{Action: "transfer", Figures: map[string]float64{"metadata-B": 100}},
		{Action: "transfer", Batch: 4, Figures: map[string]float64{"request-B": 4000}},
		{Action: "issue", Figures: map[string]float64{"request-B": 500, "written-B": 400}},
	}, usual().Mix)
	require.Equal(t,
		[]Bytes{{Request: 1000, Metadata: 100, State: 400, Pruned: 100, Reads: 3, Writes: 9},
			{Request: 500, State: 400, Pruned: 400}}, sizes)
	require.InDelta(t, 0.96*(3*1000+1100)+0.04*(3*500+500), Many.bytes(b, usual()), 1e-9)
	require.InDelta(t, 0.96*1100+0.04*500, Auditors.bytes(b, usual()), 1e-9)
	require.InDelta(t, 0.96*1000+0.04*500, b.Request, 1e-9)
	require.InDelta(t, 400, b.State, 1e-9)
	require.InDelta(t, 0.96*100+0.04*400, b.Pruned, 1e-9)
	require.InDelta(t, 0.96*3, b.Reads, 1e-9)
	require.InDelta(t, 0.96*9, b.Writes, 1e-9)
}

// TestSpeedUpIsMeasuredOrAssumed: with two numbers of workers it is the measured one for
// nodes up to two cores, and assumed for larger ones; with four, the law.
func TestSpeedUpIsMeasuredOrAssumed(t *testing.T) {
	read := func(each ...int) SpeedUp {
		var b strings.Builder
		for i, ns := range each {
			for k := range 6 {
				fmt.Fprintf(&b, "BenchmarkCapacitySpeedUp/workers=%d\t1\t%d cpu-ns/op\n", i+1, ns+(k%3)*2)
			}
		}
		return SpeedUpOf(results(t, b.String()))
	}
	u := SpeedUpOf(results(t, "BenchmarkX 1 1 ns/op\n"))
	require.Empty(t, u.Gains)
	require.Contains(t, u.text(8), "not measured; 6.61 on 8 cores (5.63 to 8), assumed: σ = 0.03 (0 to 0.06)")
	u = read(1000, 1100)
	middle, likely := u.scale(2)
	require.InDelta(t, 2/1.1, middle.speedUp(2), 1e-3)
	require.Len(t, likely, 6)
	middle, likely = u.scale(8)
	require.Equal(t, scaling{Sigma: 0.03}, middle)
	require.Len(t, likely, len(assumed))
	require.Contains(t, u.text(8),
		"1.82 on 2 cores (1.82 to 1.82 over rounds); 6.61 on 8 cores (5.63 to 8), assumed")
	u = read(1000, 1050, 1100, 1150, 1200)
	require.NotNil(t, u.Fit)
	require.InDelta(t, 0.05, u.Fit.Sigma, 0.01)
	middle, _ = u.scale(8)
	require.InDelta(t, u.Fit.Sigma, middle.Sigma, 1e-12)
	u = read(1000, 1000, 2000, 1000, 3000) // no law at all
	require.Nil(t, u.Fit)
}

// TestIntervalsOfCoresHold simulates measurements: a round is faster or slower for all
// operations, and for one of them, and single samples vary. The intervals of the cores of all
// parties hold the true number in 93 to 97 % of the measurements.
func TestIntervalsOfCoresHold(t *testing.T) {
	const seed, inRound = 63, 5
	s, costs := usual(), []float64{0.002, 0.004}
	s.Peak = 3e5 // many cores, so that rounding to whole ones plays no part
	exact, truth := RolePlan{samples: [][]float64{costs[:1], costs[1:]}}, 0.0
	roles := []RolePlan{{Share: 1, Parties: 3, Wait: &Wait{}}, {Share: 0.5, Parties: 1, Wait: &Wait{}}}
	for _, r := range roles {
		truth += float64(r.Parties * exact.size(s, s.Peak*r.Share).total())
	}
	trials := nightly.Pick(100, 200, 2000)
	for _, noise := range []struct{ round, operation, sample float64 }{
		{0.05, 0, 0.05}, {0.05, 0.02, 0.05}, {0.02, 0.05, 0.05}, {0.01, 0.01, 0.3},
	} {
		t.Run(fmt.Sprintf("%+v", noise), func(t *testing.T) {
			random, held := rand.New(rand.NewPCG(seed, 9)), 0
			vary := func(value, by float64) float64 { return value * (1 + by*random.NormFloat64()) }
			for range trials {
				c := ChoicePlan{likely: []scaling{{}}, Roles: slices.Clone(roles)}
				for i := range c.Roles {
					c.Roles[i].rounds = [][][]float64{make([][]float64, rounds), make([][]float64, rounds)}
				}
				for k := range rounds {
					speed := vary(1, noise.round)
					for i, a := range []int{0, 0, 1, 1} {
						level, of := vary(costs[a]*speed, noise.operation), &c.Roles[i%2].rounds[a][k]
						for range inRound {
							*of = append(*of, vary(level, noise.sample))
						}
					}
				}
				if c.coresInterval(s, random).Holds(truth) {
					held++
				}
			}
			share, n := float64(held)/float64(trials), float64(trials)
			t.Logf("intervals of %.0f cores hold in %.1f %% of %d (seed %d)", truth, 100*share,
				trials, seed)
			chance := 0.0
			if !nightly.On() {
				chance = 2.58 * math.Sqrt(0.93*0.07/n)
			}
			require.InDelta(t, 0.95, share, 0.02+chance)
		})
	}
}
