package capacity

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/zkatbench/zkatbench/runner/stats"
)

// Model is a choice reduced to the inputs of a plan.
type Model struct {
	Roles  []RoleModel
	Sizes  []Bytes // of a request of each action
	Scale  Scale
	Scales []Scale // equally likely ones, for intervals
}

// first is the index of the first role that clients wait for.
func (m Model) first() int {
	return max(0, slices.IndexFunc(m.Roles, func(r RoleModel) bool { return r.Waits }))
}

// RoleModel is the work of a role.
type RoleModel struct {
	Role
	Rounds  [][][]float64 // seconds of each action in each round of the measurement
	Samples [][]float64   // of all rounds
	Ratios  []Ratio       // empty without batches
}

// again returns a model of the same size by bootstrap: rounds are drawn with
// replacement, and so are the samples of a single round.
func (m Model) again(random *rand.Rand) Model {
	m.Scale, m.Roles = m.Scales[random.IntN(len(m.Scales))], slices.Clone(m.Roles)
	for i, r := range m.Roles {
		samples := make([][]float64, len(r.Rounds))
		for a, rounds := range r.Rounds {
			for range rounds {
				samples[a] = append(samples[a], rounds[random.IntN(len(rounds))]...)
			}
			if len(rounds) == 1 {
				for k := range samples[a] {
					samples[a][k] = rounds[0][random.IntN(len(rounds[0]))]
				}
			}
		}
		m.Roles[i].Samples = samples
	}
	return m
}

// Ratio is the cost of a request in a batch of N over its cost alone.
type Ratio struct{ N, Ratio float64 }

// Scale is the speed-up of several workers by the Universal Scalability Law.
type Scale struct {
	Sigma float64 `json:"sigma"`
	Kappa float64 `json:"kappa"`
}

// speedUp is the work of busy cores in units of one core alone.
func (s Scale) speedUp(cores int) float64 { return s.at(float64(cores)) }

func (s Scale) at(n float64) float64 { return n / (1 + s.Sigma*(n-1) + s.Kappa*n*(n-1)) }

// fractional is the number of cores up to k that do some work of busy cores.
func (s Scale) fractional(work float64, k int) float64 {
	return float64(k) * stats.Bisect(func(part float64) float64 { return s.at(part * float64(k)) }, work)
}

// best is the number of cores up to k with the greatest speed-up.
func (s Scale) best(k int) int {
	at := 1
	for n := 2; n <= k; n++ {
		if s.speedUp(n) > s.speedUp(at) {
			at = n
		}
	}
	return at
}

// ratioAt interpolates between measured sizes of batches, linearly in the
// logarithm of the size.
func ratioAt(ratios []Ratio, n float64) float64 {
	if len(ratios) == 0 || n <= ratios[0].N {
		return 1
	}
	for i := 1; i < len(ratios); i++ {
		a, b := ratios[i-1], ratios[i]
		if n <= b.N {
			return a.Ratio + (b.Ratio-a.Ratio)*math.Log(n/a.N)/math.Log(b.N/a.N)
		}
	}
	return ratios[len(ratios)-1].Ratio
}

// mean is the mean service time of a request alone, in seconds.
func (r RoleModel) mean(mix []Share) (sum float64) {
	for a, samples := range r.Samples {
		sum += mix[a].Share * stats.Average(samples)
	}
	return sum
}

// parties is the number of parties for which cores are counted, and of those that each
// serve a request.
func (r RoleModel) parties(s Settings) (counted, asked int) {
	switch {
	case r.Parties == Endorsers:
		return s.Of, s.Endorsers
	case r.Parties == Auditors && !s.Audited:
		return 0, 0
	}
	return 1, 1
}

// share is the share of all requests that one party of the role serves.
func (r RoleModel) share(s Settings) float64 {
	counted, asked := r.parties(s)
	return float64(asked) / float64(max(1, counted))
}

// Size is the hardware of one party of a role.
type Size struct {
	Nodes int `json:"nodes"`
	Cores int `json:"cores_per_node"`
	// Each is the processor time of a request in seconds, with the batches that
	// form at this load.
	Each float64 `json:"seconds_per_request"`
	// Utilisation is the share of its time that a core works.
	Utilisation float64 `json:"utilisation"`
	// Fractional is the number of cores of all nodes before it is rounded up.
	Fractional float64 `json:"fractional_cores"`
}

// each is the processor time of a request at a rate of one node.
func (r RoleModel) each(s Settings, rate float64) float64 {
	alone := r.mean(s.Mix)
	if s.Batch == 1 || len(r.Ratios) == 0 {
		return alone
	}
	collected := math.Min(float64(s.Batch), 1+rate*s.Linger.Seconds())
	return alone * ratioAt(r.Ratios, collected)
}

// size returns the least hardware of one party for a rate of requests: first
// the fewest nodes, then the fewest cores of each.
func (m Model) size(r RoleModel, s Settings, rate float64) Size {
	best := m.Scale.best(s.Cores)
	for nodes := 1; ; {
		each := r.each(s, rate/float64(nodes))
		need := rate / float64(nodes) * each / s.Utilisation
		if need > m.Scale.speedUp(best) {
			// Full batches are the least work, and more nodes fill them less.
			nodes = max(nodes+1, int(float64(nodes)*need/m.Scale.speedUp(best)*0.9))
			continue
		}
		cores := 1
		for m.Scale.speedUp(cores) < need {
			cores++
		}
		return m.sized(r, s, rate, nodes, cores)
	}
}

// sized is a Size with known nodes and cores.
func (m Model) sized(r RoleModel, s Settings, rate float64, nodes, cores int) Size {
	each := r.each(s, rate/float64(nodes))
	work := rate / float64(nodes) * each
	return Size{
		Nodes: nodes, Cores: cores, Each: each, Utilisation: work / m.Scale.speedUp(cores),
		Fractional: float64(nodes) * m.Scale.fractional(work/s.Utilisation, cores),
	}
}

// queue is one node of a party.
func (m Model) queue(r RoleModel, s Settings, rate float64, z Size) queue {
	q := queue{
		rate: rate / float64(z.Nodes), swing: swing(s.Peak, s.Burst), gaps: s.gaps, part: r.share(s) / float64(z.Nodes), block: s.Block, servers: z.Cores, stretch: float64(z.Cores) / m.Scale.speedUp(z.Cores),
		samples: r.Samples, mix: s.Mix, batch: 1, linger: s.Linger.Seconds(), ratios: r.Ratios,
	}
	if len(r.Ratios) > 0 {
		q.batch = s.Batch
	}
	return q
}

// idle is a utilisation where hardly any request waits.
const idle = 0.05

// fit plans a role with a queue: it adds cores until the slowest party answers within the
// limit, if that is possible. wait simulates the queue of a node.
func (m Model) fit(p *RolePlan, r RoleModel, s Settings, wait func(queue, int) Wait) {
	rate := s.Peak * p.Share
	try := func(z Size) bool {
		w := wait(m.queue(r, s, rate, z), p.asked)
		p.Peak, p.Wait, p.Meets = z, &w, !r.Waits || w.Slowest <= s.P99.Seconds()
		return p.Meets
	}
	least, best := m.size(r, s, rate), m.Scale.best(s.Cores)
	many := int(math.Ceil(float64(least.Nodes*best) * least.Utilisation / idle))
	if try(least) {
		return
	}
	if !try(m.sized(r, s, rate, many, best)) { // more cores do not help
		try(least)
		return
	}
	z := least
	for met := false; !met && z.Nodes < many; met = try(z) {
		nodes, cores := z.Nodes, z.Cores+1
		if cores > best {
			nodes, cores = nodes+1, best
		}
		z = m.sized(r, s, rate, nodes, cores)
	}
	p.Added = p.Peak.total() - least.total()
}

// Bytes are the bytes of a request.
type Bytes struct {
	Request  float64 `json:"request"`
	Metadata float64 `json:"metadata"` // for the auditor
	State    float64 `json:"state"`    // entries of new tokens on the ledger
	Pruned   float64 `json:"pruned"`   // the same, less entries of spent tokens
	Reads    float64 `json:"reads"`    // entries
	Writes   float64 `json:"writes"`
}

// bytes are the bytes of a request of the mix.
func (m Model) bytes(s Settings) (b Bytes) {
	for a, z := range m.Sizes {
		share := s.Mix[a].Share
		b.Request, b.Metadata = b.Request+share*z.Request, b.Metadata+share*z.Metadata
		b.State, b.Pruned = b.State+share*z.State, b.Pruned+share*z.Pruned
		b.Reads, b.Writes = b.Reads+share*z.Reads, b.Writes+share*z.Writes
	}
	return b
}

// bytes returns the bytes that one party of a role sends or receives for a request of its own.
func (p Parties) bytes(b Bytes, s Settings) float64 {
	switch p {
	case Many: // to the endorsers, the ordering service and the auditor
		sent := b.Request * float64(s.Endorsers+1)
		if s.Audited {
			sent += b.Request + b.Metadata
		}
		return sent
	case Auditors:
		return b.Request + b.Metadata
	}
	return b.Request
}

// model reduces costs to numbers.
func (s Subject) model(c Costs, scale Scale, scales []Scale) Model {
	m := Model{Scale: scale, Scales: scales}
	for r, role := range s.Roles {
		one := RoleModel{Role: role}
		for _, sample := range c.Roles[r] {
			one.Rounds = append(one.Rounds, sample.Rounds)
			one.Samples = append(one.Samples, sample.all())
		}
		alone := 0.0
		for _, n := range batchSizes {
			if b, found := c.Batches[r][n]; found {
				each := stats.Average(b.all()) / float64(n)
				if n == 1 {
					alone = each
				}
				one.Ratios = append(one.Ratios, Ratio{float64(n), each / alone})
			}
		}
		m.Roles = append(m.Roles, one)
	}
	for a := range s.Actions {
		greatest := func(unit string) (v float64) { // each role tells some
			for r := range s.Roles {
				v = max(v, c.Roles[r][a].Figures[unit])
			}
			return v
		}
		written := greatest("written-B")
		m.Sizes = append(m.Sizes, Bytes{greatest("request-B"), greatest("metadata-B"), written, written - greatest("removed-B"), greatest("reads"), greatest("writes")})
	}
	return m
}
