package suite

import (
	"errors"
	"math/big"
	"slices"
	"sync"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/scheme/ps18"
	"github.com/zkatbench/zkatbench/scheme/ps18/curve"
)

// The operations of a verifier.
var (
	// verifySignature verifies a signature.
	verifySignature = reading(operation("PS18Verify", prepareVerify, bench.Axes(batch)...), readVerify)
	// decode decodes a public key and a signature.
	decode = reading(operation("PS18Decode", prepareDecode, bench.Axes(verify, key, batch)...), readDecode)
	// verifyBatch verifies signatures under one key together.
	verifyBatch = batched(operation("PS18VerifyBatch", prepareBatch, bench.Axes(verify)...))
)

// reading is op with inputs that are read from their encodings: the public key,
// the signature, the messages.
func reading(op bench.Op, read func(setting, [][]byte) (bench.Instance, error)) bench.Op {
	op.Read = func(c bench.Case, seed uint64, tools bench.Tools, inputs [][]byte) (bench.Instance, error) {
		s, err := newSetting(c, seed, tools)
		if err == nil && len(inputs) != 2+s.messages {
			err = errors.New("not the number of inputs of this operation")
		}
		if err != nil {
			return bench.Instance{}, err
		}
		return read(s, inputs)
	}
	return op
}

// parcel holds the inputs of a verifier.
type parcel struct {
	setting
	public    *ps18.PublicKey
	messages  []*big.Int
	signature *ps18.Signature
}

func prepareVerify(s setting) (bench.Instance, error) {
	d, err := s.newSigned()
	if err != nil {
		return bench.Instance{}, err
	}
	return parcel{setting: s, public: d.public, messages: d.messages, signature: d.signature}.verifying(), nil
}

func readVerify(s setting, inputs [][]byte) (bench.Instance, error) {
	p, err := s.decode(inputs)
	if err != nil {
		return bench.Instance{}, err
	}
	if s.prepared {
		p.public = p.public.Prepare()
	}
	return p.verifying(), nil
}

// decode decodes the inputs of a verifier.
func (s setting) decode(inputs [][]byte) (p parcel, err error) {
	p.setting = s
	p.public, err = ps18.DecodePublicKey(s.curve, inputs[0])
	if err != nil {
		return p, err
	}
	for _, m := range inputs[2:] {
		p.messages = append(p.messages, new(big.Int).SetBytes(m))
	}
	p.signature, err = ps18.DecodeSignature(s.curve, inputs[1])
	return p, err
}

// encodings are the inputs as bytes.
func (p parcel) encodings() [][]byte {
	return append([][]byte{p.public.Encode(), p.signature.Encode(p.curve)}, scalars(p.messages)...)
}

// memory is everything of the inputs that a library can rewrite.
type memory struct {
	key            []curve.G2
	sigma1, sigma2 *curve.G1
	messages       []*big.Int
}

// verifying returns the instance that verifies the signature of p. Its check changes a message
// and demands a rejection.
func (p parcel) verifying() bench.Instance {
	encodings := sync.OnceValue(p.encodings)
	if p.decodes {
		encodings() // now, and not inside the timer
	}
	restored := func() (bench.Instance, error) {
		s := p.setting
		s.decodes = false // its inputs are decoded
		return readVerify(s, encodings())
	}
	in := bench.Instance{
		Work: firstAlone(func() ([]byte, error) {
			return nil, p.public.Verify(p.messages, p.signature, p.how)
		}),
		Check: func([]byte) error {
			ms := slices.Clone(p.messages)
			ms[0] = new(big.Int).Xor(ms[0], big.NewInt(1))
			if err := p.public.Verify(ms, p.signature, p.how); !errors.Is(err, ps18.ErrRejected) {
				return errAccepted
			}
			return nil
		},
		Exact:  func([]byte) []bench.Metric { return p.sizes() },
		Inputs: p.encodings,
		Reads: &memory{key: p.public.Points(), sigma1: &p.signature.Sigma1, sigma2: &p.signature.Sigma2,
			messages: p.messages},
		Fresh: restored,
	}
	if !p.prepared {
		in.Decode = restored
	}
	return in
}

func prepareDecode(s setting) (bench.Instance, error) {
	d, err := s.newSigned()
	if err != nil {
		return bench.Instance{}, err
	}
	p := parcel{setting: s, public: d.public, messages: d.messages, signature: d.signature}
	return s.decoding(p.encodings()), nil
}

func readDecode(s setting, inputs [][]byte) (bench.Instance, error) { return s.decoding(inputs), nil }

func (s setting) decoding(inputs [][]byte) bench.Instance {
	return bench.Instance{
		Work: func() ([]byte, error) {
			_, err := s.decode(inputs)
			return nil, err
		},
		Check: func([]byte) error {
			changed := slices.Clone(inputs)
			changed[1] = changed[1][:len(changed[1])-1]
			if _, err := s.decode(changed); err == nil {
				return errAccepted
			}
			return nil
		},
		Exact:  func([]byte) []bench.Metric { return s.sizes() },
		Inputs: func() [][]byte { return inputs },
	}
}

// batched gives op its row for each signature.
func batched(op bench.Op) bench.Op {
	op.OnRequest = true
	op.Concurrent = func(bench.Case) bool { return true } // MultiExp starts goroutines
	op.Yardstick = func(c bench.Case) (bench.Yardstick, error) {
		one, err := yardstick(c)
		return bench.Yardstick{Unit: "eq-mul/signature", Work: func() {
			for range batch.Of(c) {
				one.Work()
			}
		}}, err
	}
	return op
}

// prepareBatch signs a batch and returns the instance that verifies it. Its check changes one
// message and demands a rejection.
func prepareBatch(s setting) (bench.Instance, error) {
	d, err := s.newSigned()
	if err != nil {
		return bench.Instance{}, err
	}
	batch := make([]ps18.Signed, s.batch)
	for i := range batch {
		if err := s.sign(&d); err != nil {
			return bench.Instance{}, err
		}
		batch[i] = ps18.Signed{Messages: d.messages, Signature: d.signature}
	}
	return bench.Instance{
		Work: firstAlone(func() ([]byte, error) { return nil, d.public.VerifyBatch(batch, s.random) }),
		Check: func([]byte) error {
			changed := slices.Clone(batch)
			changed[0].Messages = slices.Clone(changed[0].Messages)
			changed[0].Messages[0] = new(big.Int).Xor(changed[0].Messages[0], big.NewInt(1))
			if !errors.Is(d.public.VerifyBatch(changed, s.random), ps18.ErrRejected) {
				return errAccepted
			}
			return nil
		},
		Exact: func([]byte) []bench.Metric { return s.sizes() },
		Inputs: func() (bs [][]byte) {
			bs = append(bs, d.public.Encode())
			for _, b := range batch {
				bs = append(append(bs, b.Signature.Encode(s.curve)), scalars(b.Messages)...)
			}
			return bs
		},
	}, nil
}
