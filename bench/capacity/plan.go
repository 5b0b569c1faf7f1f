package capacity

import (
	"fmt"
	"slices"
	"strings"
	"time"

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
	// choices that meet the limits and may protect value, and of those without a
	// warning; -1 if it does not exist.
	Cheapest    int      `json:"cheapest"`
	Unwarned    int      `json:"cheapest_without_warning"`
	Sensitivity []Saving `json:"sensitivity"`
}

// ChoicePlan is the plan for one choice.
type ChoicePlan struct {
	Name       string            `json:"name"`
	Parameters map[string]string `json:"parameters"`
	Protects   bool              `json:"protects_value"`
	Warning    string            `json:"warning,omitempty"`
	Measured   []Measured        `json:"measured"`
	Tables     float64           `json:"tables_bytes"`
	Roles      []RolePlan        `json:"roles"`
	Cores      int               `json:"cores"` // of all parties at peak, without wallets
	Nodes      int               `json:"nodes"`
	Meets      bool              `json:"meets_p99"`
	Bytes      Bytes             `json:"bytes"`
	Model      Model             `json:"model"`
}

// Measured is a measured operation.
type Measured struct {
	Role      string   `json:"role"`
	Action    string   `json:"action"`
	Batch     int      `json:"batch,omitempty"` // requests of the operation; 0 is one
	Operation string   `json:"operation"`
	Seconds   Estimate `json:"seconds"` // of processor time
	Allocated float64  `json:"allocated_bytes"`
	// Mixed means that values are means of several operations, so that the spread
	// of single ones is not known.
	Mixed bool `json:"means,omitempty"`
}

// RolePlan is the plan for a role.
type RolePlan struct {
	Name    string  `json:"name"`
	Does    string  `json:"does"`
	Seconds float64 `json:"seconds_per_request"`  // of the mix, alone
	PerCore float64 `json:"requests_per_core"`    // a second, of a busy core
	Share   float64 `json:"share"`                // of all requests, of one party
	Parties int     `json:"parties"`              // for which cores are counted
	Average Size    `json:"average"`              // of one party
	Peak    Size    `json:"peak"`                 // of one party
	Added   int     `json:"cores_added_for_p99"`  // of one party, above the need by utilisation
	Wait    *Wait   `json:"wait,omitempty"`       // at peak
	Meets   bool    `json:"meets_p99"`            // or has no limit
	Worker  float64 `json:"allocated_by_request"` // bytes, of the first action
}

// Cores are the cores of one party.
func (z Size) total() int { return z.Nodes * z.Cores }

// Saving is the effect of one change on the cores of the choice From.
type Saving struct {
	Change string `json:"change"`
	From   string `json:"from"`
	To     string `json:"to"`
	Before int    `json:"cores_before"`
	After  int    `json:"cores_after"`
	// Missing means that the costs of To were not measured.
	Missing bool `json:"missing,omitempty"`
}

// NewPlan computes the plan for the choices of costs. extra are the costs of
// more choices for the table of sensitivity. progress may be nil.
func (s Subject) NewPlan(settings Settings, source Source, u SpeedUp, costs, extra []Costs, progress func(done, of int)) (*Plan, error) {
	p := &Plan{Settings: settings, Source: source, SpeedUp: u, Cheapest: -1, Unwarned: -1}
	for i, c := range costs {
		one := s.planChoice(settings, c, u.Scale)
		p.Choices = append(p.Choices, one)
		if progress != nil {
			progress(i+1, len(costs))
		}
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
	var err error
	p.Sensitivity, err = s.savings(settings, u.Scale, costs, slices.Concat(costs, extra))
	return p, err
}

// cheaper reports whether a needs fewer cores than b, or as many and fewer bytes.
func cheaper(a, b ChoicePlan) bool {
	if a.Cores != b.Cores {
		return a.Cores < b.Cores
	}
	return a.Bytes.Chain+a.Bytes.State < b.Bytes.Chain+b.Bytes.State
}

func (s Subject) planChoice(settings Settings, c Costs, scale Scale) ChoicePlan {
	m := s.model(c, scale)
	one := ChoicePlan{
		Name: c.Choice.Name, Parameters: parameters(c.Choice), Protects: c.Choice.Protects, Warning: c.Choice.Warning,
		Tables: c.Tables, Meets: true, Bytes: m.bytes(settings), Model: m,
	}
	for r, role := range s.Roles {
		for a, action := range s.Actions {
			one.measured(role.Name, action, 0, c.Roles[r][a])
		}
		for _, n := range batchSizes {
			if b, found := c.Batches[r][n]; found {
				one.measured(role.Name, s.Actions[0], n, b)
			}
		}
		plan := planRole(m, m.Roles[r], settings)
		plan.Does, plan.Worker = role.Does, c.Roles[r][0].Allocated
		one.Roles = append(one.Roles, plan)
		one.Meets = one.Meets && plan.Meets
		if role.Parties == Endorsers || role.Parties == Auditors {
			one.Cores += plan.Parties * plan.Peak.total()
			one.Nodes += plan.Parties * plan.Peak.Nodes
		}
	}
	return one
}

func (c *ChoicePlan) measured(role, action string, batch int, of Sample) {
	c.Measured = append(c.Measured, Measured{
		Role: role, Action: action, Batch: batch, Operation: of.Name, Seconds: estimate(of.Seconds), Allocated: of.Allocated, Mixed: of.Each > 1,
	})
}

// planRole computes the hardware of a role, and the time that its clients wait.
func planRole(m Model, r RoleModel, s Settings) RolePlan {
	p := RolePlan{Name: r.Name, Seconds: r.mean(s.Mix), Share: r.share(s), Parties: r.parties(s), Meets: true}
	p.PerCore = 1 / p.Seconds
	if p.Parties == 0 {
		return p
	}
	p.Average = m.size(r, s, s.Rate*p.Share)
	if r.Parties == Many || r.Parties == All { // no queue of clients
		p.Peak = m.size(r, s, s.Peak*p.Share)
		return p
	}
	f := m.fit(r, s, queue.settle)
	q := m.queue(r, s, s.Peak*p.Share, f.size)
	f.wait.Closed = q.closed(f.wait)
	p.Peak, p.Meets, p.Wait = f.size, f.meets, &f.wait
	p.Added = f.size.total() - f.least.total()
	return p
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

// base is the choice that the table of sensitivity changes: the one to which most
// changes apply.
func (s Subject) base(choices []Choice) (base Choice, found bool) {
	most := -1
	for _, c := range choices {
		n := 0
		for _, change := range s.Changes {
			if change.applies(c) {
				n++
			}
		}
		if c.Protects && n > most {
			base, most = c, n
		}
	}
	return base, most >= 0
}

func (c Change) applies(to Choice) bool { return parameters(to)[c.Flag] == c.From }

// batchFlag is the flag of a change of Settings.Batch.
const batchFlag = "batch"

// Extra returns the choices besides the given ones that the table of sensitivity
// needs.
func (s Subject) Extra(choices []Choice) (extra []Choice, err error) {
	base, found := s.base(choices)
	for _, change := range s.Changes {
		if !found || change.Flag == batchFlag || !change.applies(base) {
			continue
		}
		c, err := s.choice(base.Case.Flags(), change.Flag, change.To)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(choices, c.equals) {
			extra = append(extra, c)
		}
	}
	return extra, nil
}

func (c Choice) equals(d Choice) bool {
	return fmt.Sprint(parameters(c)) == fmt.Sprint(parameters(d))
}

// savings are the effects of the changes on the base.
func (s Subject) savings(settings Settings, scale Scale, costs, all []Costs) (savings []Saving, err error) {
	var choices []Choice
	for _, c := range costs {
		choices = append(choices, c.Choice)
	}
	base, found := s.base(choices)
	if !found {
		return nil, nil
	}
	cores := func(of Choice, settings Settings) (int, bool) {
		i := slices.IndexFunc(all, func(c Costs) bool { return c.Choice.equals(of) })
		if i < 0 {
			return 0, false
		}
		return s.planChoice(settings, all[i], scale).Cores, true
	}
	before, _ := cores(base, settings)
	for _, change := range s.Changes {
		one := Saving{Change: change.Name, From: base.Name, To: base.Name, Before: before}
		switch {
		case change.Flag == batchFlag:
			if fmt.Sprint(settings.Batch) == change.To {
				continue
			}
			changed := settings
			fmt.Sscan(change.To, &changed.Batch)
			one.After, _ = cores(base, changed)
			one.To += ", batches of " + change.To
		case !change.applies(base):
			continue
		default:
			to, err := s.choice(base.Case.Flags(), change.Flag, change.To)
			if err != nil {
				return nil, err
			}
			after, known := cores(to, settings)
			one.To, one.After, one.Missing = to.Name, after, !known
		}
		savings = append(savings, one)
	}
	return savings, nil
}

// speedUpName is the benchmark of SpeedUp in results files.
const speedUpName = "CapacitySpeedUp"

// Lines are the points in Go benchmark format.
func (u SpeedUp) Lines() (lines []string) {
	for _, p := range u.Points {
		lines = append(lines, fmt.Sprintf("Benchmark%s/workers=%.0f\t1\t%.0f cpu-ns/op", speedUpName, p.Workers, 1e9*p.Workers/p.Throughput))
	}
	return lines
}

// SpeedUpOf is the speed-up in results; Assumed if they lack it.
func SpeedUpOf(d *result.Data) (u SpeedUp) {
	for _, k := range d.Cases {
		var n float64
		seconds := d.Values[k][processorUnit]
		if _, err := fmt.Sscanf(k.Name, speedUpName+"/workers=%f", &n); err == nil && len(seconds) > 0 {
			u.Points = append(u.Points, stats.Point{Workers: n, Throughput: n / stats.Median(seconds)})
		}
	}
	u.fit()
	return u
}

// SourceOf reads the environment in a results file.
func SourceOf(d *result.Data, file string) Source {
	value := func(key string) string {
		if all := d.Config[key]; len(all) > 0 {
			return strings.Join(all, ", ")
		}
		return "unknown"
	}
	s := Source{File: file, CPU: value("cpu"), CPUs: value("cpus"), Go: value("go"), Revision: value("revision"), Started: value("started"), Noise: []string{}}
	for _, key := range []string{"noise", "noise-after"} {
		s.Noise = append(s.Noise, d.Config[key]...)
	}
	return s
}

// requests is the number of requests of the average rate in a time.
func (s Settings) requests(d time.Duration) float64 { return s.Rate * d.Seconds() }
