package capacity

import (
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/runner/stats"
)

// Source describes where and when costs were measured.
type Source struct {
	File     string   `json:"file,omitempty"` // empty: measured by this command
	CPU      string   `json:"cpu"`
	CPUs     string   `json:"cpus"`
	Go       string   `json:"go"`
	Revision string   `json:"revision"`
	Started  string   `json:"started"`
	Noise    []string `json:"noise"` // reasons to doubt the figures
}

// Plan lists the needs of a network. Its JSON form is described in docs/capacity.md.
type Plan struct {
	Settings Settings     `json:"settings"`
	Source   Source       `json:"source"`
	SpeedUp  SpeedUp      `json:"speed_up"`
	Choices  []ChoicePlan `json:"choices"`
	// Cheapest and Unwarned are indices of Choices: the fewest cores of all
	// choices that meet the limits and may protect value, and of the choices among them
	// without a warning; -1 if it does not exist.
	Cheapest    int       `json:"cheapest"`
	Unwarned    int       `json:"cheapest_without_warning"`
	Arrivals    []Other   `json:"arrivals"`           // of the choice with all figures
	Finality    *Finality `json:"finality,omitempty"` // of the same choice
	Sensitivity []Saving  `json:"sensitivity"`
}

// Other is the effect of other arrivals with the same hardware.
type Other struct {
	Arrivals string  `json:"arrivals"`
	P99      float64 `json:"p99"` // of the slowest party, in seconds
}

// ChoicePlan is the plan for one choice.
type ChoicePlan struct {
	Costs
	Parameters map[string]string `json:"parameters"`
	Roles      []RolePlan        `json:"roles"`
	Cores      Cores             `json:"cores"` // of all parties at peak, without wallets
	Meets      bool              `json:"meets_p99"`
	// wallet, auditor and the slowest endorser, one after another
	EndToEnd Wait    `json:"end_to_end"`
	Bytes    Bytes   `json:"bytes"` // of a request
	Sizes    []Bytes `json:"sizes"` // of a request of each action
	// Month are the prices of a month: of the cores, and of all copies of the ledger after
	// the retention.
	Month [2]float64 `json:"month"`

	likely []scaling // equally likely ones, for intervals
}

// Cores are a number of cores with its 95 % interval, by bootstrap over rounds and
// speed-ups, and before it is rounded up for each party.
type Cores struct {
	Whole      int            `json:"whole"`
	Interval   stats.Interval `json:"interval"`
	Fractional float64        `json:"fractional"`
}

// RolePlan is the plan for a role.
type RolePlan struct {
	Name    string  `json:"name"`
	Does    string  `json:"does"`
	Seconds float64 `json:"seconds_per_request"` // of the mix, alone
	Share   float64 `json:"share"`               // of all requests, of one party
	Parties int     `json:"parties"`             // for which cores are counted
	Average Size    `json:"average"`             // of one party
	Peak    Size    `json:"peak"`                // of one party
	Bits    float64 `json:"bits_per_second"`     // of one party at peak
	Added   int     `json:"cores_added_for_p99"` // of one party, above the need by utilisation
	Wait    *Wait   `json:"wait,omitempty"`      // at peak
	Meets   bool    `json:"meets_p99"`           // or is without a limit

	role    Role
	rounds  [][][]float64 // measured seconds of each action in each round of the measurement
	samples [][]float64   // of all rounds
	ratios  []ratio       // empty without batches
	scale   scaling
	asked   int // parties that each serve a request
}

// Cores are the cores of one party.
func (z Size) total() int { return z.Nodes * z.Cores }

// Saving is the effect of one change on the cores of the choice From.
type Saving struct {
	Change string `json:"change"`
	From   string `json:"from"`
	To     string `json:"to"`
	Before Cores  `json:"cores_before"`
	After  Cores  `json:"cores_after"`
}

// NewPlan computes the plan for the choices of costs. It calls progress after
// each of them.
func (s Subject) NewPlan(settings Settings, source Source, u SpeedUp, costs []Costs,
	progress func(done, all int)) *Plan {
	p := &Plan{Settings: settings, Source: source, SpeedUp: u, Cheapest: -1, Unwarned: -1}
	for i, c := range costs {
		one := s.planChoice(settings, c, u)
		one.bootstrap(settings)
		p.Choices = append(p.Choices, one)
		progress(i+1, len(costs))
	}
	for i, c := range p.Choices {
		if !c.Protects || !c.Meets {
			continue
		}
		if p.Cheapest < 0 || cheaper(c, p.Choices[p.Cheapest]) {
			p.Cheapest = i
		}
		if c.Warning == "" && (p.Unwarned < 0 || cheaper(c, p.Choices[p.Unwarned])) {
			p.Unwarned = i
		}
	}
	p.otherArrivals()
	if settings.Consensus > 0 {
		p.Finality = p.Choices[p.shown()].first().finality(settings)
	}
	p.savings(s)
	return p
}

// cheaper reports whether a needs fewer cores than b, or as many and fewer bytes.
func cheaper(a, b ChoicePlan) bool {
	if a.Cores.Whole != b.Cores.Whole {
		return a.Cores.Whole < b.Cores.Whole
	}
	return a.Bytes.Request+a.Bytes.State < b.Bytes.Request+b.Bytes.State
}

func (s Subject) planChoice(settings Settings, c Costs, u SpeedUp) ChoicePlan {
	one := ChoicePlan{Costs: c, Parameters: parameters(c.Choice), Meets: true}
	one.Measured = slices.Clone(c.Measured)
	for i, m := range one.Measured {
		one.Measured[i].Seconds = estimate(m.Rounds)
	}
	var scale scaling
	scale, one.likely = u.scale(settings.Cores)
	one.Sizes, one.Bytes = s.bytesOf(one.Measured, settings.Mix)
	for _, role := range s.Roles {
		p := s.workOf(role, one.Measured, scale)
		p.plan(settings)
		p.Bits = 8 * settings.Peak * p.Share * role.Parties.bytes(one.Bytes, settings)
		one.Roles = append(one.Roles, *p)
		one.Meets = one.Meets && p.Meets
		if p.Wait != nil {
			one.Cores.Whole += p.Parties * p.Peak.total()
			one.Cores.Fractional += float64(p.Parties) * p.Peak.Fractional
		}
	}
	ledger := (one.Bytes.Request +
		one.Bytes.State) * settings.Rate * settings.Retention.Seconds() * float64(settings.Copies)
	one.Month = [2]float64{float64(one.Cores.Whole) * monthHours * settings.CoreHour,
		ledger / 1e9 * settings.GBMonth}
	return one
}

// monthHours is a twelfth of the hours of a year.
const monthHours = 730

// plan computes the hardware of the role, and the time that its clients wait.
func (p *RolePlan) plan(s Settings) {
	p.Seconds, p.Meets = meanWork(p.samples, s.Mix), true
	p.Parties, p.asked = p.role.Parties.count(s)
	if p.Parties == 0 {
		return
	}
	p.Share = float64(p.asked) / float64(p.Parties)
	p.Average = p.size(s, s.Rate*p.Share)
	if p.role.Parties == Many || p.role.Parties == All { // no queue of clients
		p.Peak = p.size(s, s.Peak*p.Share)
		return
	}
	p.fit(s, queue.settle)
}

// first returns the first role that clients wait for.
func (c *ChoicePlan) first() *RolePlan {
	return &c.Roles[max(0, slices.IndexFunc(c.Roles, func(r RolePlan) bool { return r.role.Waits }))]
}

// The bootstrap of a plan.
const (
	resamples = 200 // of the cores
	// Each 99 % quantile needs a simulation, with the same random numbers.
	waitResamples, waitRun = 40, 20_000
	pairs                  = 100_000 // requests from end to end
)

// bootstrap computes the intervals of the plan, and the time from end to end.
func (c *ChoicePlan) bootstrap(s Settings) {
	random := rand.New(rand.NewPCG(seedOfPlans, 1))
	c.Cores.Interval = c.coresInterval(s, random)
	whole := make([]float64, pairs)
	for i := range c.Roles {
		p := &c.Roles[i]
		if p.Wait == nil {
			if p.role.Parties == Many {
				q := queue{mix: s.Mix, samples: p.samples}
				for k := range whole {
					whole[k] += q.draw(random)
				}
			}
			continue
		}
		for k := range whole {
			slowest := 0.0
			for range p.asked {
				slowest = max(slowest, p.Wait.took[random.IntN(len(p.Wait.took))])
			}
			whole[k] += slowest
		}
		slowest := func(r *RolePlan) float64 {
			return waitOf(r.queue(s, p.Peak).simulate(waitRun, seedOfPlans), p.asked).Slowest
		}
		var changes []float64
		for range waitResamples {
			changes = append(changes, slowest(&c.again(random)[i]))
		}
		base, b := slowest(p), stats.Central(changes)
		p.Wait.Interval = stats.Interval{Low: p.Wait.Slowest * b.Low / base,
			High: p.Wait.Slowest * b.High / base}
	}
	c.EndToEnd = waitOf(whole, 1)
}

// coresInterval is the interval of the cores of all parties that have a queue.
func (c *ChoicePlan) coresInterval(s Settings, random *rand.Rand) stats.Interval {
	var cores []float64
	for range resamples {
		total := 0
		for _, p := range c.again(random) {
			if p.Wait != nil {
				total += p.Parties * (p.size(s, s.Peak*p.Share).total() + p.Added)
			}
		}
		cores = append(cores, float64(total))
	}
	return stats.Central(cores)
}

// otherArrivals simulates the hardware of the shown choice under arrivals that the
// settings do not have.
func (p *Plan) otherArrivals() {
	s, r := p.Settings, p.Choices[p.shown()].first()
	if s.Burst > 1 || s.Block > 1 || s.Arrivals != "" {
		p.Arrivals = []Other{{"as set", r.Wait.Slowest}}
	}
	for _, o := range []struct {
		name  string
		swing float64
		block int
	}{{"Poisson", 0, 1}, {"a rate that alternates by ± 50 %, on average each second", 1, 1},
		{"blocks of 64 requests", 0, 64}} {
		q := r.queue(s, r.Peak)
		q.gaps, q.swing, q.block = nil, o.swing, o.block
		p.Arrivals = append(p.Arrivals, Other{o.name, q.settle(r.asked).Slowest})
	}
	n, asked := Endorsers.count(s)
	if more := float64(n) / float64(n-1); n > asked && more*r.Peak.Utilisation < 1 { // the others keep up
		q := r.queue(s, r.Peak)
		q.rate, q.part = q.rate*more, q.part*more
		p.Arrivals = append(p.Arrivals, Other{"as set, with one endorser down", q.settle(r.asked).Slowest})
	}
}

// parameters are the values of the axes of a choice, by flag.
func parameters(c Choice) map[string]string {
	values := map[string]string{}
	for _, f := range c.Case.Flags() {
		name, value, _ := strings.Cut(strings.TrimPrefix(f, "-"), "=")
		values[name] = value
	}
	for _, a := range c.Ignored {
		delete(values, bench.FlagOf(a))
	}
	return values
}

// savings are the effects of one change of the choice with the most cores that may
// protect value: another choice of the plan, or batches.
func (p *Plan) savings(s Subject) {
	var base ChoicePlan
	for _, c := range p.Choices {
		if c.Protects && (!base.Protects || cheaper(base, c)) {
			base = c
		}
	}
	if !base.Protects {
		return
	}
	for _, change := range s.Changes {
		to := base
		if change.Batch > 0 {
			changed := p.Settings
			changed.Batch = change.Batch
			to = s.planChoice(changed, base.Costs, p.SpeedUp)
		} else if base.Parameters[change.Flag] == change.From {
			for _, c := range p.Choices {
				if c.differs(base, change) {
					to = c
				}
			}
		}
		if change.Batch > 0 && change.Batch != p.Settings.Batch || to.Name != base.Name {
			p.Sensitivity = append(p.Sensitivity,
				Saving{Change: change.Name, From: base.Name, To: to.Name,
					Before: base.Cores, After: to.Cores})
		}
	}
}

// differs reports whether c has the parameters of base except for a change. c may lack
// parameters without an effect on it.
func (c ChoicePlan) differs(base ChoicePlan, change Change) bool {
	for flag, value := range c.Parameters {
		if flag == change.Flag && value != change.To || flag != change.Flag &&
			value != base.Parameters[flag] {
			return false
		}
	}
	return true
}

// SourceOf reads the environment in a results file.
func SourceOf(d *result.Data, file string) Source {
	value := func(key string) string {
		if all := d.Config[key]; len(all) > 0 {
			return strings.Join(all, ", ")
		}
		return "unknown"
	}
	s := Source{File: file, CPU: value("cpu"), CPUs: value("cpus"), Go: value("go"),
		Revision: value("revision"), Started: value("started"), Noise: []string{}}
	for _, key := range []string{"noise", "noise-after"} {
		s.Noise = append(s.Noise, d.Config[key]...)
	}
	return s
}
