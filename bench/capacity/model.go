package capacity

import "math"

// Model is a choice reduced to the inputs of a plan. arithmetic.js
// has the same functions; a test compares them.
type Model struct {
	Roles []RoleModel `json:"roles"`
	Sizes []Sizes     `json:"sizes"` // of each action
	Scale Scale       `json:"scale"`
}

// RoleModel is the work of a role.
type RoleModel struct {
	Name    string      `json:"name"`
	Parties Parties     `json:"parties"`
	Waits   bool        `json:"waits"`
	Samples [][]float64 `json:"samples"` // seconds of each action
	Ratios  []Ratio     `json:"ratios"`  // empty without batches
}

// Ratio is the cost of a request in a batch of N over its cost alone.
type Ratio struct {
	N     float64 `json:"n"`
	Ratio float64 `json:"ratio"`
}

// Sizes are the bytes of a request.
type Sizes struct {
	Request  float64 `json:"request"`
	Metadata float64 `json:"metadata"` // for the auditor
	Written  float64 `json:"written"`  // entries of new tokens on the ledger
	Removed  float64 `json:"removed"`  // entries of spent tokens
	Reads    float64 `json:"reads"`
	Writes   float64 `json:"writes"`
}

// Scale is the speed-up of several workers by the Universal Scalability Law.
type Scale struct {
	Sigma float64 `json:"sigma"`
	Kappa float64 `json:"kappa"`
}

// speedUp is the work of k busy cores in units of one core alone.
func (s Scale) speedUp(k int) float64 {
	n := float64(k)
	return n / (1 + s.Sigma*(n-1) + s.Kappa*n*(n-1))
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
	for a, of := range r.Samples {
		sum += mix[a].Share * mean(of)
	}
	return sum
}

// share is the share of all requests that one party of the role serves.
func (r RoleModel) share(s Settings) float64 {
	switch {
	case r.Parties == Endorsers:
		return float64(s.Endorsers) / float64(s.Of)
	case r.Parties == Auditors && !s.Audited:
		return 0
	}
	return 1
}

// parties is the number of parties for which cores are counted.
func (r RoleModel) parties(s Settings) int {
	switch {
	case r.Parties == Endorsers:
		return s.Of
	case r.Parties == Auditors && !s.Audited:
		return 0
	}
	return 1
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
	return Size{Nodes: nodes, Cores: cores, Each: each, Utilisation: rate / float64(nodes) * each / m.Scale.speedUp(cores)}
}

// queue is one node of a party.
func (m Model) queue(r RoleModel, s Settings, rate float64, z Size) queue {
	q := queue{
		rate: rate / float64(z.Nodes), servers: z.Cores, stretch: float64(z.Cores) / m.Scale.speedUp(z.Cores),
		samples: r.Samples, batch: 1, linger: s.Linger.Seconds(), ratios: r.Ratios,
	}
	if len(r.Ratios) > 0 {
		q.batch = s.Batch
	}
	for _, share := range s.Mix {
		q.shares = append(q.shares, share.Share)
	}
	return q
}

// fitted is the hardware of one party of a role at peak, and the time that its
// clients wait.
type fitted struct {
	size  Size
	least Size // by utilisation alone
	wait  Wait
	meets bool // the limit of P99, or no limit is set
}

// idle is a utilisation where hardly any request waits.
const idle = 0.05

// fit adds cores until the slowest party answers within the limit, if that is
// possible. wait simulates the queue of a node.
func (m Model) fit(r RoleModel, s Settings, wait func(queue, int) Wait) fitted {
	rate := s.Peak * r.share(s)
	least := m.size(r, s, rate)
	parties := 1
	if r.Parties == Endorsers {
		parties = s.Endorsers
	}
	try := func(z Size) fitted {
		f := fitted{size: z, least: least, wait: wait(m.queue(r, s, rate, z), parties)}
		f.meets = !r.Waits || f.wait.Slowest <= s.P99.Seconds()
		return f
	}
	f := try(least)
	best := m.Scale.best(s.Cores)
	many := int(math.Ceil(float64(least.Nodes*best) * least.Utilisation / idle))
	if f.meets || !try(m.sized(r, s, rate, many, best)).meets { // more cores do not help
		return f
	}
	for z := least; !f.meets && z.Nodes < many; f = try(z) {
		nodes, cores := z.Nodes, z.Cores+1
		if cores > best {
			nodes, cores = nodes+1, best
		}
		z = m.sized(r, s, rate, nodes, cores)
	}
	return f
}

// Bytes are the bytes of a network.
type Bytes struct {
	Network float64 `json:"network_per_request"` // that a wallet sends to all parties
	Chain   float64 `json:"chain_per_request"`   // the request itself
	State   float64 `json:"state_per_request"`   // entries that are written
	Pruned  float64 `json:"pruned_per_request"`  // the same, less entries of spent tokens
	Reads   float64 `json:"reads_per_request"`
	Writes  float64 `json:"writes_per_request"`
}

// bytes are the bytes of a request of the mix.
func (m Model) bytes(s Settings) (b Bytes) {
	audited := 0.0
	if s.Audited {
		audited = 1
	}
	for a, z := range m.Sizes {
		share := s.Mix[a].Share
		b.Network += share * (z.Request*float64(s.Endorsers+1) + audited*(z.Request+z.Metadata))
		b.Chain += share * z.Request
		b.State += share * z.Written
		b.Pruned += share * (z.Written - z.Removed)
		b.Reads += share * z.Reads
		b.Writes += share * z.Writes
	}
	return b
}

// model reduces costs to numbers.
func (s Subject) model(c Costs, scale Scale) Model {
	m := Model{Scale: scale}
	for r, role := range s.Roles {
		one := RoleModel{Name: role.Name, Parties: role.Parties, Waits: role.Waits, Ratios: []Ratio{}}
		for _, sample := range c.Roles[r] {
			one.Samples = append(one.Samples, sample.Seconds)
		}
		alone := 0.0
		for _, n := range batchSizes {
			if b, found := c.Batches[r][n]; found {
				each := mean(b.Seconds) / float64(n)
				if n == 1 {
					alone = each
				}
				one.Ratios = append(one.Ratios, Ratio{float64(n), each / alone})
			}
		}
		m.Roles = append(m.Roles, one)
	}
	for a := range s.Actions {
		var z Sizes
		for r := range s.Roles {
			f := c.Roles[r][a].Figures
			z.Request = max(z.Request, f["request-B"])
			z.Metadata = max(z.Metadata, f["metadata-B"])
			z.Written = max(z.Written, f["written-B"])
			z.Removed = max(z.Removed, f["removed-B"])
			z.Reads, z.Writes = max(z.Reads, f["reads"]), max(z.Writes, f["writes"])
		}
		m.Sizes = append(m.Sizes, z)
	}
	return m
}
