package capacity // queue and its arrivals are private: a plan has quantiles only

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/runner/stats"
)

// arrivalsFile writes a file of arrivals.
func arrivalsFile(t *testing.T, lines string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "arrivals.txt")
	require.NoError(t, os.WriteFile(path, []byte(lines), 0o600))
	return path
}

// bursts are times of arrivals in tens, one burst a second.
func bursts(seconds int) string {
	var b strings.Builder
	for i := range 10 * seconds {
		fmt.Fprintf(&b, "%d.%d\n", 100+i/10, i%10/5)
	}
	return b.String()
}

func TestABadFileOfArrivalsIsOneLine(t *testing.T) {
	for lines, want := range map[string]string{
		"":                         "it has 0 arrivals, and needs 100 at different times",
		"\n":                       `line 1, "", is not a number of seconds of at least 0`,
		"1\n2\nthree\n":            `line 3, "three", is not a number of seconds of at least 0`,
		"-1\n":                     `line 1, "-1", is not a number`,
		"NaN\n":                    `line 1, "NaN", is not a number`,
		"2\n1.5\n":                 "line 2, 1.5, is earlier than the line before",
		bursts(9):                  "it has 90 arrivals, and needs 100 at different times",
		strings.Repeat("7\n", 200): "it has 200 arrivals, and needs 100 at different times",
		strings.Repeat("9", 1<<17): `line 1, "99999999999999999999", is not a number`,
	} {
		t.Run(want, func(t *testing.T) {
			_, err := settingsOf("-rate=800", "-arrivals="+arrivalsFile(t, lines))
			require.ErrorContains(t, err, "-arrivals: ")
			require.ErrorContains(t, err, want)
			require.NotContains(t, err.Error(), "\n")
		})
	}
	_, err := settingsOf("-rate=800", "-burst=2", "-arrivals="+arrivalsFile(t, bursts(20)))
	require.EqualError(t, err, "-arrivals: measured arrivals have their own bursts, without -burst")
}

// TestMeasuredArrivalsKeepTheirOrderAndGetTheRate: five arrivals are together at the start
// of each second of the file and five 0.1 seconds later, in the time of the file. A node
// that serves a part of them gets its rate by leaving some out.
func TestMeasuredArrivalsKeepTheirOrderAndGetTheRate(t *testing.T) {
	s, err := settingsOf("-rate=800", "-arrivals="+arrivalsFile(t, bursts(1000)))
	require.NoError(t, err)
	require.InDelta(t, 1, stats.Average(s.gaps), 1e-9)
	for _, part := range []float64{1, 0.25} {
		a := queue{rate: 20, block: 1, gaps: s.gaps, part: part}.arrivals(rand.New(rand.NewPCG(1, 1)))
		together, last, n := 0, a.next(), 50_000
		begin := last
		for range n {
			at := a.next()
			if at == last {
				together++
			}
			require.GreaterOrEqual(t, at, last)
			last = at
		}
		require.InEpsilon(t, 20, float64(n)/(last-begin), 0.03)
		if part == 1 {
			require.InDelta(t, 0.8, float64(together)/float64(n), 0.01)
		}
	}
}

// TestAPlanHasMeasuredArrivals: arrivals of a Poisson process in a file make the plan of
// Poisson arrivals, and bursts a longer tail.
func TestAPlanHasMeasuredArrivals(t *testing.T) {
	random, now := rand.New(rand.NewPCG(5, 5)), 0.0
	var poisson strings.Builder
	for range 50_000 {
		now += random.ExpFloat64()
		fmt.Fprintln(&poisson, now)
	}
	s := toySettings()
	read := func(file string) {
		with, err := settingsOf("-rate=800", "-arrivals="+arrivalsFile(t, file))
		require.NoError(t, err)
		s.Arrivals, s.gaps = with.Arrivals, with.gaps
	}
	read(bursts(1000))
	p := toyPlan(t, s, "-kind=fast")
	r := p.Choices[0].Roles[1]
	longer := r.Wait.Slowest
	read(poisson.String())
	r.plan(s)
	same := r.Wait.Slowest
	s.gaps = nil
	r.plan(s)
	require.InEpsilon(t, r.Wait.Slowest, same, 0.1)
	require.Greater(t, longer, 1.2*r.Wait.Slowest)
	require.Equal(t, Other{"as set", longer}, p.Arrivals[0])
	require.Contains(t, p.Lines()[1], "arrivals are the times in "+p.Settings.Arrivals)
}

// TestShapesHaveTheirOwnCosts: half of the payments are slow, which take 4 ms instead of 1.
func TestShapesHaveTheirOwnCosts(t *testing.T) {
	with, err := settingsOf("-rate=800", "-mix=pay=0.5,pay:slow=0.5")
	require.NoError(t, err)
	s, subject := toySettings(), toy().With(with.Mix)
	s.Mix = with.Mix
	require.Equal(t, []string{"pay", "pay:slow"}, subject.Actions)
	d := results(t, kept())
	costs, err := subject.FromResults(d, toyChoices(t, "-kind=fast"))
	require.NoError(t, err)
	c := subject.planChoice(s, costs[0], SpeedUpOf(d))
	endorser := c.Roles[1]
	require.InDelta(t, 0.0025, endorser.Seconds, 1e-5)
	require.Equal(t, 10, endorser.Peak.total(),
		"3000 · 2/3 · 2.5 ms / 0.6 = 8.3, on two nodes of which five cores do the work of 4.46")
	require.Greater(t, endorser.Wait.P99, 0.004)
	require.Len(t, c.Sizes, 2)
}

// network is a simulation of all endorsers at peak, apart from the queue of a plan: each request
// of a block goes to some endorsers, and there to one of the nodes, and ends with the slowest.
// It returns the times of n requests.
func network(r RolePlan, s Settings, n int) (took []float64) {
	random := rand.New(rand.NewPCG(63, 10))
	parties := make([][]servers, r.Parties)
	for i := range parties {
		for range r.Peak.Nodes {
			parties[i] = append(parties[i], make(servers, r.Peak.Cores))
		}
	}
	for now := 0.0; len(took) < n; now += random.ExpFloat64() * float64(s.Block) / s.Peak {
		for range s.Block {
			end := now
			for _, i := range random.Perm(r.Parties)[:r.asked] {
				node := parties[i][random.IntN(r.Peak.Nodes)]
				end = max(end, node.serve(now, r.samples[0][random.IntN(len(r.samples[0]))]))
			}
			took = append(took, end-now)
		}
	}
	return took
}

// TestBlocksOfANetwork compares P99 of the slowest endorser in plans for blocks of 64 requests
// with a simulation of the whole network, and with nodes that each get whole blocks. A plan
// takes endorsers for independent: where two that have one node each get parts of the same
// blocks, its P99 is 14 % above the network's.
func TestBlocksOfANetwork(t *testing.T) {
	times := exponentialTimes()
	for i := range times {
		times[i] *= 2e-3
	}
	s := usual()
	s.Mix, s.P99, s.Block = []Share{{"pay", 1}}, time.Minute, 64
	for _, c := range []struct{ asked, of, cores int }{{2, 3, 8}, {1, 4, 2}, {3, 3, 4}} {
		t.Run(fmt.Sprintf("%+v", c), func(t *testing.T) {
			s.Endorsers, s.Of, s.Cores = c.asked, c.of, c.cores
			r := RolePlan{role: Role{Parties: Endorsers, Waits: true}, samples: [][]float64{times}}
			r.plan(s)
			whole := r.queue(s, r.Peak)
			whole.part = 1
			took := network(r, s, nightly.Pick(200_000, 200_000, 5_000_000))
			got, want := r.Wait.Slowest, waitOf(took, 1).P99
			t.Logf("nodes %d × %d: P99 %.3g ms in the plan, %.3g in the network, %.3g of whole blocks",
				r.Peak.Nodes, r.Peak.Cores, 1e3*got, 1e3*want, 1e3*whole.settle(r.asked).Slowest)
			require.InEpsilon(t, want, got, 0.2)
		})
	}
}
