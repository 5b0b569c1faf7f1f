package suite

import (
	"fmt"
	"sync/atomic"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/bench/step"
	"github.com/zkatbench/zkatbench/count"
	"github.com/zkatbench/zkatbench/scheme/threshold/codec"
	"github.com/zkatbench/zkatbench/scheme/threshold/engine"
	"github.com/zkatbench/zkatbench/scheme/threshold/ops"
)

// threshold is one phase of a protocol: all parties together, or one party against
// a recording of the others.
var threshold = bench.Op{
	Name:    "Threshold",
	Without: bench.Axes(scheme, pool, refill),
	Setup: func(c bench.Case, seed uint64) (bench.Instance, error) {
		return prepare(c, seed, bench.Tools{})
	},
	On: prepare,
}

// Subject is threshold signatures, as the commands know them.
var Subject = bench.Subject{
	Name: "threshold",
	Summary: "threshold signatures: FROST Ed25519, Robust ECDSA and OT ECDSA, all parties together and by " +
		"replay",
	Package: "./scheme/threshold/suite",
	Axes:    bench.Axes(Case, scheme, MaxMalicious, Mode, codecName, Party, Coordinator, pool, refill),
	Ops:     []bench.Op{threshold, signing},
	Header: func(*bench.Selection) bench.Header {
		return bench.Header{
			Exact:  []string{"recv-B", "recv-max-B", "rounds", "msgs"},
			Config: [][2]string{{"threshold", "benchmark-grade; dealer keys, variable time"}},
		}
	},
}

// prepare makes a run and its recording. Keys, triples and presignatures of
// earlier phases are part of set-up.
func prepare(c bench.Case, seed uint64, tools bench.Tools) (bench.Instance, error) {
	encoding, err := codec.ByName(codecName.Of(c))
	if err != nil {
		return bench.Instance{}, err
	}
	r, err := New(Scenario{
		Case: Case.Of(c), MaxMalicious: MaxMalicious.Of(c), Codec: encoding, Seed: seed,
		Coordinator: uint32(Coordinator.Of(c)),
	})
	if err != nil {
		return bench.Instance{}, err
	}
	real, err := r.Real(Party.Of(c))
	if err != nil {
		return bench.Instance{}, err
	}
	snapshot, err := r.Record()
	if err != nil {
		return bench.Instance{}, err
	}
	exact := func([]byte) []bench.Metric { return traffic(snapshot, real[0]) }
	if Mode.Of(c) == naive {
		in := r.allParties(tools)
		in.Exact = exact
		return in, nil
	}
	in := r.replaying(snapshot, real, tools)
	in.Exact = exact
	return in, nil
}

// allParties is the operation of all parties.
func (r *Run) allParties(tools bench.Tools) bench.Instance {
	var last atomic.Pointer[[]engine.Party]
	return bench.Instance{
		Work: func() ([]byte, error) {
			parties, err := r.All()
			if err != nil {
				return nil, err
			}
			watched := make([]engine.Party, len(parties))
			for i, p := range parties {
				watched[i] = watch(p, tools)
			}
			if _, err := engine.Run(watched); err != nil {
				return nil, err
			}
			last.Store(&parties)
			return parties[r.coordinator()-1].Output(), nil
		},
		Check: func([]byte) error { return r.Verify(*last.Load()) },
	}
}

// replaying is the operation of the real parties, one after the other. It counts
// only if each ends, sends the recorded bytes, and has the recorded output.
func (r *Run) replaying(s *engine.Snapshot, real []uint32, tools bench.Tools) bench.Instance {
	recorded := make([]*engine.Replay, len(real))
	for i, id := range real {
		recorded[i] = engine.NewReplay(s, id)
	}
	var last atomic.Pointer[[]*engine.Played]
	return bench.Instance{
		Work: func() (out []byte, err error) {
			all := make([]*engine.Played, len(real))
			defer last.Store(&all)
			for i, id := range real {
				p, err := r.Party(id)
				if err != nil {
					return nil, err
				}
				all[i], err = recorded[i].Play(watch(p, tools))
				if err != nil {
					return nil, err
				}
			}
			return all[0].Output, nil
		},
		Check: func([]byte) error {
			for i, played := range *last.Load() {
				if err := recorded[i].Check(played); err != nil {
					return fmt.Errorf("party %d: %w", real[i], err)
				}
			}
			return nil
		},
	}
}

// traffic returns the exact figures of a recording.
func traffic(s *engine.Snapshot, id uint32) []bench.Metric {
	messages := s.All()
	most := 0
	for i := range s.Parties {
		most = max(most, engine.TrafficOf(messages, uint32(i+1)).Bytes)
	}
	return []bench.Metric{
		{Value: float64(engine.TrafficOf(messages, id).Bytes), Unit: "recv-B"},
		{Value: float64(most), Unit: "recv-max-B"},
		{Value: float64(engine.Rounds(messages)), Unit: "rounds"},
		{Value: float64(engine.Sent(messages, s.Parties)), Unit: "msgs"},
	}
}

// watch returns p with a step and counts for each of its rounds, if they are wanted.
func watch(p engine.Party, tools bench.Tools) engine.Party {
	if tools.Steps == nil && tools.Counts == (count.Bucket{}) {
		return p
	}
	name := fmt.Sprintf("party-%d", p.ID())
	steps, counts := tools.Steps.Step(name), tools.Counts.Sub(name)
	return engine.Observe(p, func(round int, work func() []engine.Message) {
		name := fmt.Sprintf("round-%d", round)
		s := steps.Enter(name)
		defer s.Leave()
		var out []engine.Message
		if tools.Counts == (count.Bucket{}) {
			out = work()
		} else {
			counts.Sub(name).Merge(ops.Count(func() { out = work() }))
		}
		for _, m := range out {
			s.Add(step.MsgsSent, 1)
			s.Add(step.BytesSent, uint64(len(m.Body)))
		}
	})
}
