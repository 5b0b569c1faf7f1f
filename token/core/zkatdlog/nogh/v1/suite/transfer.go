package suite

import (
	"errors"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/proof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/transfer"
)

// The operations of a transfer.
var (
	// Sender makes a transfer and serialises the action.
	Sender = onDraft("Sender", func(d draft) (bench.Instance, error) { return d.sending(), nil })
	// VerificationSenderProof deserialises a transfer and verifies it.
	VerificationSenderProof = reading(operation("VerificationSenderProof", prepareTransferVerification),
		verifyTransfer.read)
	// transferProofGeneration makes the proof of a transfer alone, serialised:
	// its openings are checked and its outputs committed to beforehand.
	transferProofGeneration = onDraft("TransferProofGeneration", draft.proving)
	// actionMarshalling serialises a transfer and deserialises it, with all points.
	actionMarshalling = operation("ActionMarshalling", prepareMarshalling)
)

func prepareMarshalling(s setting) (bench.Instance, error) {
	d, err := newDraft(s)
	if err != nil {
		return bench.Instance{}, err
	}
	a, err := d.transfer()
	if err != nil {
		return bench.Instance{}, err
	}
	g := s.params().Group()
	return bench.Instance{
		Work: func() ([]byte, error) {
			raw := a.Encode(g)
			_, err := transfer.Decode(g, raw, token.DefaultLimits)
			return raw, err
		},
		Check: func(raw []byte) error { return verifyTransfer.accepts(s, raw) },
		Exact: func(raw []byte) []bench.Metric { return verifyTransfer.sizes(s, raw) },
	}, nil
}

// verifyTransfer verifies transfers.
var verifyTransfer = verifierOf(transfer.Decode, func(a *transfer.Action) *proof.Proof { return &a.Proof })

// draft is a prepared transfer.
type draft struct {
	setting
	sender   transfer.Sender
	spends   []transfer.Spend
	receives []token.Receive
}

func newDraft(s setting) (d draft, err error) {
	t, err := s.network.NewTransfer(s.seed, s.inputs, s.outputs)
	if err != nil {
		return d, err
	}
	sender := transfer.Sender{Params: s.params(), Executor: s.executor, Random: s.random}
	return draft{setting: s, sender: sender, spends: t.Spends, receives: t.Receives}, nil
}

func (d draft) sending() bench.Instance {
	in := verifyTransfer.making(d.setting, d.send)
	in.Fresh = func() (bench.Instance, error) { again, err := d.decoded(); return again.sending(), err }
	in.Inputs = d.encodings
	return in
}

// send makes the transfer, serialised.
func (d draft) send() ([]byte, error) {
	a, err := d.transfer()
	if err != nil {
		return nil, err
	}
	return a.Encode(d.params().Group()), nil
}

// transfer makes the transfer in the protocol of the network.
func (d draft) transfer() (*transfer.Action, error) {
	made, err := d.sender.Draft(d.spends, d.receives)
	if err != nil {
		return nil, err
	}
	return made.Action, made.Prove(place)
}

// encodings returns the inputs of the draft as bytes.
func (d draft) encodings() (bs [][]byte) {
	g := d.params().Group()
	for _, in := range d.spends {
		bs = append(bs, in.Token.Encode(g), in.Opening.Encode(g))
	}
	return bs
}

// decoded returns the draft with newly decoded inputs.
func (d draft) decoded() (draft, error) { return d.with(d.encodings()) }

// with returns the draft with inputs decoded from encodings.
func (d draft) with(bs [][]byte) (draft, error) {
	if len(bs) != 2*len(d.spends) {
		return d, errInputs
	}
	g := d.params().Group()
	spends := make([]transfer.Spend, len(d.spends))
	for i, in := range d.spends {
		var err, openingErr error
		spends[i].ID = in.ID
		spends[i].Token, err = token.Decode(g, bs[2*i])
		spends[i].Opening, openingErr = token.DecodeOpening(g, bs[2*i+1])
		if err := errors.Join(err, openingErr); err != nil {
			return d, err
		}
	}
	d.spends = spends
	return d, nil
}

// onDraft returns an operation on a draft; its inputs can be decoded from their
// encodings.
func onDraft(name string, prepare func(draft) (bench.Instance, error)) bench.Op {
	fresh := func(s setting) (bench.Instance, error) {
		d, err := newDraft(s)
		if err != nil {
			return bench.Instance{}, err
		}
		return prepare(d)
	}
	return reading(operation(name, fresh), func(s setting, inputs [][]byte) (bench.Instance, error) {
		d, err := newDraft(s)
		if err == nil {
			d, err = d.with(inputs)
		}
		if err != nil {
			return bench.Instance{}, err
		}
		return prepare(d)
	})
}

func prepareTransferVerification(s setting) (bench.Instance, error) {
	d, err := newDraft(s)
	if err != nil {
		return bench.Instance{}, err
	}
	action, err := d.send()
	return verifyTransfer.verifying(s, action), err
}

func (d draft) proving() (bench.Instance, error) {
	made, err := d.sender.Draft(d.spends, d.receives)
	return bench.Instance{
		Work: func() ([]byte, error) {
			err := made.Prove(place)
			return made.Action.Proof.Raw, err
		},
		Check: func(raw []byte) error {
			a := *made.Action
			a.Proof.Raw = raw
			return proof.Verify(d.params(), &a, place)
		},
		Exact: func(out []byte) []bench.Metric {
			return []bench.Metric{{Value: float64(len(out)), Unit: "proof-B"}}
		},
		Inputs: d.encodings,
	}, err
}
