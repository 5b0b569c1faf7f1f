package study

import (
	"context"
	"fmt"
	"io"

	"github.com/zkatbench/zkatbench/scheme/threshold/network"
	"github.com/zkatbench/zkatbench/scheme/threshold/suite"
)

// WriteSleep plays the first real party of each phase in real time, where messages
// sleep for their delays, and writes the time beside the virtual clock with equal
// steps. Jitter is left out.
func (ps Phases) WriteSleep(ctx context.Context, w io.Writer, names []string, n Net) error {
	rows := [][]string{{"real sleep", "took", "virtual clock", "difference"}}
	n.Jitter = network.Jitter{}
	for _, name := range names {
		p := ps[name]
		r, err := suite.New(p.Scenario)
		if err != nil {
			return err
		}
		snapshot, err := r.Record()
		if err != nil {
			return err
		}
		party, err := r.Party(p.Real[0])
		if err != nil {
			return err
		}
		s := p.median()
		slept, took, err := network.Sleep(ctx, n.Network, snapshot, party, n.Peers.Steps(p.Real[0], s.Took[p.Real[0]], s.Recorded))
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		clock := s.Model.Finish(n.Network, p.Real[0], n.Peers.Steps(p.Real[0], took, s.Recorded))
		rows = append(rows, []string{name, short(slept), short(clock), fmt.Sprintf("%+.2f %%", 100*(slept.Seconds()/clock.Seconds()-1))})
	}
	return columns(w, rows)
}
