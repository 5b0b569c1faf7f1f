package capacity

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/zkatbench/zkatbench/internal/text"
)

// The constants of consensus. docs/network.md names the machine, date and commands of the first three.
const (
	// blockTime and votesTime are the processor time of a validator in a block, in seconds: without
	// other validators, and for the messages of each other one.
	blockTime, votesTime = 3.1e-3, 1.5e-3
	// commitTime is the time from a proposal to its commit at low load in seconds, with
	// commitValidators on one machine.
	commitTime       = 0.34
	commitValidators = 4
	blockPause       = 0.1 // seconds between a commit and the next proposal, as in node/network
	blockMost        = 64  // requests of a block
	maxValidators    = 100
)

// Finality is the plan for validators that agree on blocks, each of which validates all requests.
type Finality struct {
	Validators int     `json:"validators"`
	Most       float64 `json:"most_per_second"` // requests that blocks can have
	Blocks     float64 `json:"blocks_per_second"`
	Requests   float64 `json:"requests_per_block"`
	Busy       float64 `json:"busy_cores"` // of one validator
	// Wait is from the submission of a request to its commit, at peak; nil if the blocks do not
	// keep up.
	Wait *Wait `json:"wait,omitempty"`
}

// finality simulates blocks of the validators of s at peak, on nodes of s.Cores.
func (p *RolePlan) finality(s Settings) *Finality {
	q, alone := p.queue(s, Size{Nodes: 1, Cores: s.Cores}), meanWork(p.samples, s.Mix)
	q.rate, q.part = s.Peak, 1
	messages := blockTime + votesTime*float64(s.Consensus-1)
	agree := commitTime + votesTime*float64(s.Consensus-commitValidators)
	// work is the time of a block's validation: by the proposer, and then by the others.
	work := func(n int, sum float64) float64 {
		return 2 * sum * ratioAt(p.ratios, float64(n)) / p.scale.speedUp(min(n, s.Cores))
	}
	f := &Finality{Validators: s.Consensus}
	f.Most = blockMost / (agree + blockPause + work(blockMost, blockMost*alone))
	if f.Most <= s.Peak {
		return f
	}
	random := rand.New(rand.NewPCG(seedOfPlans, 0))
	a := q.arrivals(random)
	next, ready := a.next(), 0.0
	busy, blocks := 0.0, 0
	var took, block []float64
	for len(took) < shortRun {
		if next > ready && blocks > 0 { // a block without requests has the hash of the last ledger
			ready, busy = ready+agree+blockPause, busy+messages
		}
		start, sum := math.Max(ready, next), 0.0
		for block = block[:0]; next <= start && len(block) < blockMost; next = a.next() {
			block, sum = append(block, next), sum+q.draw(random)
		}
		end := start + agree + work(len(block), sum)
		for _, at := range block {
			took = append(took, end-at)
		}
		busy += messages + sum*ratioAt(p.ratios, float64(len(block)))
		ready, blocks = end+blockPause, blocks+1
	}
	w := waitOf(took, 1)
	f.Blocks, f.Requests, f.Busy = float64(blocks)/ready, float64(len(took))/float64(blocks), busy/ready
	f.Wait = &w
	return f
}

// row is the line of the table of waiting times.
func (f *Finality) row() []string {
	if f.Wait == nil {
		return []string{"finality", "-", "-", fmt.Sprintf("%d validators: blocks have at most %s requests "+
			"a second", f.Validators, text.Number(f.Most))}
	}
	return []string{"finality", ms(f.Wait.P50), ms(f.Wait.P99), fmt.Sprintf(
		"%d validators: %s blocks a second of %s requests; each is busy on %s cores",
		f.Validators, text.Number(f.Blocks), text.Number(f.Requests), text.Number(f.Busy))}
}
