package capacity

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/report"
	"github.com/zkatbench/zkatbench/bench/report/testdata/browsertest"
)

// request is a setting with the number of simulated requests, for both
// implementations.
type request struct {
	Choice   int      `json:"choice"`
	Settings Settings `json:"settings"`
}

// simulated is the number of requests that the comparison simulates.
const simulated = 1500

// drawn are settings over the range that operators use.
func drawn(random *rand.Rand) Settings {
	s := toySettings()
	s.Rate = math.Exp(random.Float64() * math.Log(5000))
	s.Peak = s.Rate * (1 + 4*random.Float64())
	s.Of = 1 + random.IntN(7)
	s.Endorsers = 1 + random.IntN(s.Of)
	s.Audited = random.IntN(4) > 0
	s.Utilisation = 0.05 + 0.9*random.Float64()
	s.P99 = time.Duration(math.Exp(math.Log(1e6) + random.Float64()*math.Log(1000)))
	s.Cores = 1 + random.IntN(64)
	s.Batch = []int{1, 1, 4, 16, 50}[random.IntN(5)]
	return s
}

// TestPageComputesAsGoDoes compares the plans of the script of the page with
// the results of Go on 1000 random settings.
func TestPageComputesAsGoDoes(t *testing.T) {
	b := browsertest.New(t)
	p := toyPlan(t, toySettings())
	for i := range p.Choices { // with contention and coherence
		p.Choices[i].Model.Scale = Scale{0.02, 0.001}
	}
	b.Open(t, func(to *bytes.Buffer) error { return p.Page(to, report.Style()) })
	random := rand.New(rand.NewPCG(3, 1))
	const settings = 1000
	var all []request
	for range settings {
		all = append(all, request{random.IntN(len(p.Choices)), drawn(random)})
	}
	raw, err := json.Marshal(all)
	require.NoError(t, err)
	type role struct {
		Average, Peak *struct {
			Nodes       int
			Cores       int `json:"cores_per_node"`
			Utilisation float64
		}
		Wait *Wait
	}
	type planned struct {
		Roles []role
		Cores int
		Meets bool
		Bytes Bytes
	}
	got := browsertest.Evaluate[[]planned](t, b, `(all => all.map(({choice, settings}) => planOf(plan.choices[choice].model, settings, 1500)))(`+string(raw)+`)`)
	require.Len(t, got, settings)
	added, batches, missed := 0, 0, 0
	for i, a := range all {
		m, s := p.Choices[a.Choice].Model, a.Settings
		cores, meets := 0, true
		for k, r := range m.Roles {
			page := got[i].Roles[k]
			if r.parties(s) == 0 {
				continue
			}
			average := m.size(r, s, s.Rate*r.share(s))
			require.Equal(t, []int{average.Nodes, average.Cores}, []int{page.Average.Nodes, page.Average.Cores}, "%+v", s)
			if r.Parties == Many {
				continue
			}
			f := m.fit(r, s, func(q queue, n int) Wait { return waitOf(q.simulate(simulated, seedOfPlans), n) })
			require.Equal(t, []int{f.size.Nodes, f.size.Cores}, []int{page.Peak.Nodes, page.Peak.Cores}, "%s, %+v", r.Name, s)
			require.InEpsilon(t, f.size.Utilisation, page.Peak.Utilisation, 1e-9)
			for _, pair := range [][2]float64{{f.wait.P50, page.Wait.P50}, {f.wait.P99, page.Wait.P99}, {f.wait.P999, page.Wait.P999}, {f.wait.Mean, page.Wait.Mean}, {f.wait.Slowest, page.Wait.Slowest}} {
				require.InEpsilon(t, pair[0], pair[1], 1e-6)
			}
			cores, meets = cores+r.parties(s)*f.size.total(), meets && f.meets
			if f.size != f.least {
				added++
			}
		}
		if s.Batch > 1 {
			batches++
		}
		if !meets {
			missed++
		}
		require.Equal(t, cores, got[i].Cores)
		require.Equal(t, meets, got[i].Meets)
		require.InEpsilon(t, m.bytes(s).Network, got[i].Bytes.Network, 1e-12)
		require.InEpsilon(t, m.bytes(s).Pruned, got[i].Bytes.Pruned, 1e-12)
	}
	t.Logf("%d settings: %d with batches, %d roles with more cores for P99, %d that miss it", settings, batches, added, missed)
	require.Positive(t, added)
	require.Positive(t, batches)
	require.Positive(t, missed)
	require.Empty(t, b.Complaints())
}

// TestPageInChromium changes the inputs of the page, and looks at it in windows
// of two sizes, dark and on paper.
func TestPageInChromium(t *testing.T) {
	b := browsertest.New(t)
	p := toyPlan(t, toySettings())
	b.Open(t, func(to *bytes.Buffer) error { return p.Page(to, report.Style()) })
	number := func(script string) int { return browsertest.Evaluate[int](t, b, script) }
	const row = `(i => [...document.querySelectorAll("#choices tbody tr")[i].cells].map(c => c.textContent))`
	cells := browsertest.Evaluate[[]string](t, b, row+`(0)`)
	require.Equal(t, "*", cells[0])
	require.Equal(t, "fast", cells[1])
	require.Equal(t, []string{"3 × 4", "1 × 1", "13"}, cells[2:5])
	const enter = `((name, value) => { document.querySelector("#settings [name=" + name + "]").value = value; update(); return document.getElementById("wrong").textContent; })`
	require.Empty(t, browsertest.Evaluate[string](t, b, enter+`("peak", 30000)`))
	require.Greater(t, number(`Number(`+row+`(0)[4])`), 100, "ten times the load")
	require.Contains(t, browsertest.Evaluate[string](t, b, enter+`("peak", 1)`), "the peak must be at least the average rate")
	require.Empty(t, browsertest.Evaluate[string](t, b, enter+`("peak", 3000)`))
	require.Equal(t, 3, number(`document.querySelectorAll("#charts svg[role=img]").length`))
	require.Zero(t, number(`[...document.querySelectorAll("#charts svg")].filter(s => s.querySelectorAll("path").length < 5 || /NaN|Infinity|undefined/.test(s.outerHTML)).length`))
	for _, wide := range []int64{400, 1280} {
		_, err := chromedp.Call(b, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: wide, Height: 900, DeviceScaleFactor: 1})
		require.NoError(t, err)
		require.LessOrEqual(t, number(`document.documentElement.scrollWidth - document.documentElement.clientWidth`), 0, "%d pixels wide", wide)
		browsertest.Evaluate[bool](t, b, `(document.getElementById("charts").scrollIntoView(), true)`)
		b.Inked(t, "charts")
	}
	b.Contrast(t)
	b.Media(t, emulation.SetEmulatedMediaParams{Media: "print"})
	require.Zero(t, number(`document.querySelector("nav").offsetHeight`))
	b.Media(t, emulation.SetEmulatedMediaParams{})
	require.Empty(t, b.Complaints())
}
