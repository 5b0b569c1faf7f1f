package suite

import (
	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/proof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/transfer"
)

// verifyBatch verifies many transfers in one equation. They are decoded
// beforehand, except their proofs, which an action keeps as bytes.
var verifyBatch = batched(operation("VerifyBatch", prepareBatch))

// DecodedBatch is verifyBatch from encoded transfers. It is not an operation of the
// subject: zkatbench peers compares it with libraries that decode in batches.
var DecodedBatch = batched(operation("DecodedBatch", prepareDecodedBatch))

func batched(op bench.Op) bench.Op {
	op.Without = nil
	op.OnRequest = true
	op.Yardstick = yardstickOfBatch
	return op
}

// yardstickOfBatch makes the ratio one per transfer.
func yardstickOfBatch(c bench.Case) (bench.Yardstick, error) {
	one, err := yardstick(c)
	one.Unit, one.Parts = "eq-mul/transfer", batchSize.Of(c)
	return one, err
}

// verifyBatch verifies transfers in their protocol.
func (s setting) verifyBatch(actions []*transfer.Action) error {
	return proof.VerifyBatch(s.params(), proof.PlaceAll(place, actions))
}

// prepareBatch makes the number of transfers of the case.
func prepareBatch(s setting) (bench.Instance, error) {
	g := s.params().Group()
	actions := make([]*transfer.Action, s.batch)
	size := 0
	for i := range actions {
		of := s
		of.seed = s.seed*uint64(s.batch) + uint64(i)
		d, err := newDraft(of)
		if err != nil {
			return bench.Instance{}, err
		}
		actions[i], err = d.transfer()
		if err != nil {
			return bench.Instance{}, err
		}
		size += len(actions[i].Proof.Raw)
	}
	return bench.Instance{
		Work:  func() ([]byte, error) { return nil, s.verifyBatch(actions) },
		Check: func([]byte) error { return refusesExchange(s, actions) },
		Exact: func([]byte) []bench.Metric { return []bench.Metric{{Value: float64(size), Unit: "proof-B"}} },
		Inputs: func() (bs [][]byte) {
			for _, a := range actions {
				bs = append(bs, a.Encode(g))
			}
			return bs
		},
	}, nil
}

// prepareDecodedBatch encodes the transfers of a batch.
func prepareDecodedBatch(s setting) (bench.Instance, error) {
	in, err := prepareBatch(s)
	if err != nil {
		return bench.Instance{}, err
	}
	encoded := in.Inputs()
	in.Work = func() ([]byte, error) {
		actions := make([]*transfer.Action, len(encoded))
		for i, b := range encoded {
			var err error
			actions[i], err = transfer.Decode(s.params().Group(), b, token.DefaultLimits)
			if err != nil {
				return nil, err
			}
		}
		return nil, s.verifyBatch(actions)
	}
	return in, nil
}

// refusesExchange returns an error unless the batch is refused after its last
// transfer gets the proof of a transfer of other tokens.
func refusesExchange(s setting, actions []*transfer.Action) error {
	s.seed = ^s.seed
	d, err := newDraft(s)
	if err != nil {
		return err
	}
	other, err := d.transfer()
	if err != nil {
		return err
	}
	n := len(actions) - 1
	last := *actions[n]
	last.Proof = other.Proof
	return refused(s.verifyBatch(append(actions[:n:n], &last)))
}
