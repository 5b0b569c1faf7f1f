package secp

import (
	"slices"

	"github.com/zkatbench/zkatbench/scheme/threshold/codec"
	"github.com/zkatbench/zkatbench/scheme/threshold/engine"
)

// stepShare is the message with a share of s.
const stepShare = "share"

var shapeShare = codec.Plain(ScalarLen)

// Session is the last round of ECDSA signing: shares of s go to the coordinator,
// who adds them up and verifies the signature.
type Session struct {
	IDs         []uint32
	Coordinator uint32
	Codec       codec.Codec
	Key         Key
	Tweak       Tweak
	// Nonce is R of the presignature, and Used is set when it signs: once.
	Nonce *Point
	Used  *bool
	// Share returns the rerandomised R and this party's share of s for δ.
	Share func(delta *Scalar) (r *Point, share *Scalar)
	// PublicShare returns the share of a party times G for δ. It is nil if a protocol
	// cannot tell, so that an error does not name the party of a wrong share.
	PublicShare func(id uint32, r *Point, delta *Scalar) *Point
}

// Party returns the party. The output of the coordinator is R ‖ s. The output of
// another party is its share. Errors are ErrHash and ErrIncomplete.
func (s Session) Party() (engine.Party, error) {
	if s.Tweak.Hash == nil || s.Tweak.Hash.IsZero() {
		return nil, ErrHash
	}
	if s.Nonce == nil {
		return nil, ErrIncomplete
	}
	p := &last{Session: s}
	m := &engine.Machine{Self: s.Key.ID, Result: func() []byte { return p.result }}
	m.Rounds = []engine.Round{{Work: p.send}}
	if s.Key.ID == s.Coordinator {
		m.Rounds = append(m.Rounds,
			engine.Round{Expect: engine.From(s.IDs, s.Key.ID, stepShare), Work: p.finish})
	}
	return m, nil
}

// last is a party in the last round.
type last struct {
	Session
	delta  *Scalar
	r      *Point
	share  *Scalar
	result []byte
}

func (p *last) send(engine.Inbox) (out []engine.Message, err error) {
	if *p.Used {
		return nil, ErrReused
	}
	*p.Used = true
	delta, err := p.Tweak.Delta(p.Nonce)
	if err != nil {
		return nil, err
	}
	p.delta = delta
	p.r, p.share = p.Share(delta)
	p.result = Encode(p.share)
	if p.Key.ID == p.Coordinator {
		return nil, nil
	}
	return []engine.Message{{To: p.Coordinator, Step: stepShare, Body: p.Codec.Pack(shapeShare, p.result)}},
		nil
}

func (p *last) finish(in engine.Inbox) (_ []engine.Message, err error) {
	others := Others(p.IDs, p.Key.ID)
	shares := []*Scalar{p.share}
	for _, id := range others {
		err := in.Read(id, stepShare, p.Codec.Decoder(shapeShare, func(f [][]byte) error {
			share, err := DecodeScalar(f[0])
			shares = append(shares, share)
			return err
		}))
		if err != nil {
			return nil, err
		}
	}
	p.result, err = p.Tweak.Finish(p.r, shares)
	if err != nil && p.PublicShare != nil {
		for i, id := range others {
			if !Base(shares[i+1]).Equal(p.PublicShare(id, p.r, p.delta)) {
				return nil, &engine.Fault{From: id, Step: stepShare, Err: ErrShare}
			}
		}
	}
	return nil, err
}

// Others returns the identifiers without self.
func Others(ids []uint32, self uint32) []uint32 {
	return slices.DeleteFunc(slices.Clone(ids), func(id uint32) bool { return id == self })
}
