package suite

import (
	"math/big"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/scheme/ps18"
)

// The operations of a signer.
var (
	// keyGen makes a key pair and serialises the public key.
	keyGen = operation("PS18KeyGen", prepareKeyGen, bench.Axes(verify, key, batch)...)
	// sign makes a signature and serialises it.
	sign = operation("PS18Sign", prepareSign, bench.Axes(verify, key, batch)...)
)

func prepareKeyGen(s setting) (bench.Instance, error) {
	return bench.Instance{
		Work: func() ([]byte, error) {
			_, pk, err := ps18.KeyGen(s.curve, s.messages, s.random)
			if err != nil {
				return nil, err
			}
			return pk.Encode(), nil
		},
		Check: func(key []byte) error {
			_, err := ps18.DecodePublicKey(s.curve, key)
			return err
		},
		Exact: func([]byte) []bench.Metric { return s.sizes() },
	}, nil
}

func prepareSign(s setting) (bench.Instance, error) {
	d, err := s.newSigned()
	if err != nil {
		return bench.Instance{}, err
	}
	return bench.Instance{
		Work: func() ([]byte, error) {
			sig, err := d.secret.Sign(d.messages, s.random)
			if err != nil {
				return nil, err
			}
			return sig.Encode(s.curve), nil
		},
		Check: func(b []byte) error {
			sig, err := ps18.DecodeSignature(s.curve, b)
			if err != nil {
				return err
			}
			return d.public.Verify(d.messages, sig, s.how)
		},
		Exact:  func([]byte) []bench.Metric { return s.sizes() },
		Inputs: func() [][]byte { return scalars(d.messages) },
	}, nil
}

// scalars encodes messages.
func scalars(ms []*big.Int) (bs [][]byte) {
	for _, m := range ms {
		bs = append(bs, m.FillBytes(make([]byte, 32)))
	}
	return bs
}
