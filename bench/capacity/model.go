package capacity

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/zkatbench/zkatbench/runner/stats"
)

// workOf returns a role with its measured work.
func (s Subject) workOf(role Role, measured []Measured, scale scaling) *RolePlan {
	p, alone := &RolePlan{Name: role.Name, Does: role.Does, role: role, scale: scale}, 0.0
	for _, m := range measured {
		switch {
		case m.Role != role.Name:
		case m.Batch == 0:
			p.rounds, p.samples = append(p.rounds, m.Rounds), append(p.samples, slices.Concat(m.Rounds...))
		default:
			each := m.Seconds.Mean / float64(m.Batch)
			if m.Batch == 1 {
				alone = each
			}
			p.ratios = append(p.ratios, ratio{float64(m.Batch), each / alone})
		}
	}
	return p
}

// again returns roles of the same size by bootstrap. Half of the rounds are drawn with
// replacement, the same rounds for all operations: a machine is slower in some minutes. Three
// of six rounds make the intervals of Student's t with five degrees of freedom; six of six
// make them too narrow. Of a single round, the samples are drawn.
func (c *ChoicePlan) again(random *rand.Rand) []RolePlan {
	scale, roles := c.likely[random.IntN(len(c.likely))], slices.Clone(c.Roles)
	var draws [rounds / 2]float64
	for k := range draws {
		draws[k] = random.Float64()
	}
	for i, r := range roles {
		samples := make([][]float64, len(r.rounds))
		for a, rounds := range r.rounds {
			if len(rounds) == 1 {
				for range rounds[0] {
					samples[a] = append(samples[a], rounds[0][random.IntN(len(rounds[0]))])
				}
				continue
			}
			for _, at := range draws {
				samples[a] = append(samples[a], rounds[int(at*float64(len(rounds)))]...)
			}
		}
		roles[i].scale, roles[i].samples = scale, samples
	}
	return roles
}

// ratio is the cost of a request in a batch of N over its cost alone.
type ratio struct{ N, Ratio float64 }

// scaling is the speed-up of several workers by the Universal Scalability Law.
type scaling struct{ Sigma, Kappa float64 }

// speedUp is the work of busy cores in units of one core alone.
func (s scaling) speedUp(cores int) float64 { return s.at(float64(cores)) }

func (s scaling) at(n float64) float64 { return n / (1 + s.Sigma*(n-1) + s.Kappa*n*(n-1)) }

// fractional is the number of cores up to k that do some work of busy cores.
func (s scaling) fractional(work float64, k int) float64 {
	return float64(k) * stats.Bisect(func(part float64) float64 { return s.at(part * float64(k)) }, work)
}

// best is the number of cores up to k with the greatest speed-up.
func (s scaling) best(k int) int {
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
func ratioAt(ratios []ratio, n float64) float64 {
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

// meanWork is the mean service time of a request alone, in seconds.
func meanWork(samples [][]float64, mix []Share) (sum float64) {
	for a, samples := range samples {
		sum += mix[a].Share * stats.Average(samples)
	}
	return sum
}

// count returns the numbers of parties for which cores are counted, and of parties that
// each serve a request.
func (p Parties) count(s Settings) (counted, asked int) {
	switch {
	case p == Endorsers:
		return s.Of, s.Endorsers
	case p == Auditors && !s.Audited:
		return 0, 0
	}
	return 1, 1
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
func (p *RolePlan) each(s Settings, rate float64) float64 {
	alone := meanWork(p.samples, s.Mix)
	if s.Batch == 1 || len(p.ratios) == 0 {
		return alone
	}
	collected := math.Min(float64(s.Batch), 1+rate*s.Linger.Seconds())
	return alone * ratioAt(p.ratios, collected)
}

// size returns the least hardware of one party for a rate of requests: first
// the fewest nodes, then the fewest cores of each.
func (p *RolePlan) size(s Settings, rate float64) Size {
	best := p.scale.best(s.Cores)
	for nodes := 1; ; {
		each := p.each(s, rate/float64(nodes))
		need := rate / float64(nodes) * each / s.Utilisation
		if need > p.scale.speedUp(best) {
			// Full batches are the least work, and more nodes fill them less.
			nodes = max(nodes+1, int(float64(nodes)*need/p.scale.speedUp(best)*0.9))
			continue
		}
		cores := 1
		for p.scale.speedUp(cores) < need {
			cores++
		}
		return p.sized(s, rate, nodes, cores)
	}
}

// sized is a size with known nodes and cores.
func (p *RolePlan) sized(s Settings, rate float64, nodes, cores int) Size {
	each := p.each(s, rate/float64(nodes))
	load := rate / float64(nodes) * each
	return Size{
		Nodes: nodes, Cores: cores, Each: each, Utilisation: load / p.scale.speedUp(cores),
		Fractional: float64(nodes) * p.scale.fractional(load/s.Utilisation, cores),
	}
}

// queue is one node of a party at peak.
func (p *RolePlan) queue(s Settings, z Size) queue {
	share := p.Share / float64(z.Nodes)
	q := queue{
		rate: s.Peak * share, swing: swing(s.Peak, s.Burst), gaps: s.gaps, part: share, block: s.Block,
		servers: z.Cores, stretch: float64(z.Cores) / p.scale.speedUp(z.Cores),
		samples: p.samples, mix: s.Mix, batch: 1, linger: s.Linger.Seconds(), ratios: p.ratios,
	}
	if len(p.ratios) > 0 {
		q.batch = s.Batch
	}
	return q
}

// idle is a utilisation where hardly any request waits.
const idle = 0.05

// fit plans a role with a queue: it adds cores until the slowest party answers within the
// limit, if possible. wait simulates the queue of a node.
func (p *RolePlan) fit(s Settings, wait func(queue, int) Wait) {
	rate := s.Peak * p.Share
	try := func(z Size) bool {
		w := wait(p.queue(s, z), p.asked)
		p.Peak, p.Wait, p.Meets = z, &w, !p.role.Waits || w.Slowest <= s.P99.Seconds()
		return p.Meets
	}
	least, best := p.size(s, rate), p.scale.best(s.Cores)
	many := int(math.Ceil(float64(least.Nodes*best) * least.Utilisation / idle))
	if try(least) {
		return
	}
	if !try(p.sized(s, rate, many, best)) { // more cores do not help
		try(least)
		return
	}
	z := least
	for met := false; !met && z.Nodes < many; met = try(z) {
		nodes, cores := z.Nodes, z.Cores+1
		if cores > best {
			nodes, cores = nodes+1, best
		}
		z = p.sized(s, rate, nodes, cores)
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

// bytesOf returns the bytes of a request of each action, and of the mix.
func (s Subject) bytesOf(measured []Measured, mix []Share) (sizes []Bytes, b Bytes) {
	for a, action := range s.Actions {
		greatest := func(unit string) (v float64) { // each role tells some
			for _, m := range measured {
				if m.Action == action && m.Batch == 0 {
					v = max(v, m.Figures[unit])
				}
			}
			return v
		}
		written, share := greatest("written-B"), mix[a].Share
		z := Bytes{Request: greatest("request-B"), Metadata: greatest("metadata-B"), State: written,
			Pruned: written - greatest("removed-B"),
			Reads:  greatest("reads"), Writes: greatest("writes")}
		sizes = append(sizes, z)
		b.Request, b.Metadata = b.Request+share*z.Request, b.Metadata+share*z.Metadata
		b.State, b.Pruned = b.State+share*z.State, b.Pruned+share*z.Pruned
		b.Reads, b.Writes = b.Reads+share*z.Reads, b.Writes+share*z.Writes
	}
	return sizes, b
}

// bytes returns the bytes that one party of a role sends or receives for its own request.
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
