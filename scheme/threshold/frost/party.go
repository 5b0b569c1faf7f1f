package frost

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"

	"filippo.io/edwards25519"

	"github.com/zkatbench/zkatbench/scheme/threshold/codec"
	"github.com/zkatbench/zkatbench/scheme/threshold/engine"
)

// Config is common to all parties of a run.
type Config struct {
	IDs         []uint32 // sorted
	Coordinator uint32
	Message     []byte
	Codec       codec.Codec
}

// The names of messages, and their shapes.
const (
	stepCommitments = "commitments"
	stepList        = "list"
	stepShare       = "share"
)

var (
	shapePair  = codec.Frost(32, 32)
	shapeShare = codec.Frost(32)
)

// listShape is the shape of the list of commitments with the message.
func (c Config) listShape() codec.Shape {
	var s codec.Shape
	for range c.IDs {
		s.Fields = append(s.Fields, 4, 32, 32)
	}
	s.Fields = append(s.Fields, len(c.Message))
	return s
}

// errMessage says that the coordinator asks for a signature of another message.
var errMessage = errors.New("another message than the agreed one")

// party is one signer.
type party struct {
	Config
	key    Key
	random io.Reader
	nonces *Nonces
	list   []pair
	share  *edwards25519.Scalar
	result []byte
}

func (p *party) coordinates() bool { return p.key.ID == p.Coordinator }

func (p *party) output() []byte { return p.result }

// NewSigner returns a party that signs in three rounds: commitments to the
// coordinator, their list and the message to all, shares to the coordinator. The
// output of the coordinator is the signature. The output of another party is its share.
func NewSigner(c Config, k Key, random io.Reader) engine.Party {
	p := &party{Config: c, key: k, random: random}
	m := &engine.Machine{Self: k.ID, Result: p.output}
	if p.coordinates() {
		m.Rounds = []engine.Round{
			{Work: p.draw},
			{Expect: engine.From(c.IDs, k.ID, stepCommitments), Work: p.collect},
			{Work: wait},
			{Expect: engine.From(c.IDs, k.ID, stepShare), Work: p.finish},
		}
	} else {
		m.Rounds = []engine.Round{
			{Work: p.sendCommitments(p.Coordinator)},
			{Work: wait},
			{Expect: []engine.Slot{{From: c.Coordinator, Step: stepList}}, Work: p.answer},
		}
	}
	return m
}

func (p *party) draw(engine.Inbox) (_ []engine.Message, err error) {
	p.nonces, err = commit(p.key, p.random)
	return nil, err
}

// sendCommitments is the work of a round that draws nonces and sends their
// commitments.
func (p *party) sendCommitments(to uint32) func(engine.Inbox) ([]engine.Message, error) {
	return func(in engine.Inbox) ([]engine.Message, error) {
		if _, err := p.draw(in); err != nil {
			return nil, err
		}
		body := p.Codec.Pack(shapePair, p.nonces.Pair.encoded[0], p.nonces.Pair.encoded[1])
		return []engine.Message{{To: to, Step: stepCommitments, Body: body}}, nil
	}
}

// pairs reads the commitments of all others and puts the own ones among them.
func (p *party) pairs(in engine.Inbox) error {
	for _, id := range p.IDs {
		if id == p.key.ID {
			p.list = append(p.list, p.nonces.Pair)
			continue
		}
		if err := in.Read(id, stepCommitments,
			p.Codec.Decoder(shapePair, func(f [][]byte) error { return p.addPair(id, f) })); err != nil {
			return err
		}
	}
	return nil
}

// addPair decodes the commitments of a party to the end of the list.
func (p *party) addPair(id uint32, fields [][]byte) error {
	pair, err := decodePair(id, fields)
	p.list = append(p.list, pair)
	return err
}

func decodePair(id uint32, fields [][]byte) (pair, error) {
	d, err := decodePoint(fields[0])
	if err != nil {
		return pair{}, err
	}
	e, err := decodePoint(fields[1])
	return pair{ID: id, D: d, E: e, encoded: [2][]byte(fields[:2])}, err
}

// collect sends the list and the message to all.
func (p *party) collect(in engine.Inbox) ([]engine.Message, error) {
	if err := p.pairs(in); err != nil {
		return nil, err
	}
	var fields [][]byte
	for _, pair := range p.list {
		fields = append(fields, encodeID(pair.ID), pair.encoded[0], pair.encoded[1])
	}
	fields = append(fields, p.Message)
	return []engine.Message{{Step: stepList, Body: p.Codec.Pack(p.listShape(), fields...)}}, nil
}

func encodeID(id uint32) []byte { return binary.BigEndian.AppendUint32(nil, id) }

// answer checks the list and sends the share.
func (p *party) answer(in engine.Inbox) ([]engine.Message, error) {
	err := in.Read(p.Coordinator, stepList, p.Codec.Decoder(p.listShape(), func(fields [][]byte) error {
		for i, id := range p.IDs {
			if !bytes.Equal(fields[3*i], encodeID(id)) {
				return codec.ErrBody
			}
			if err := p.addPair(id, fields[3*i+1:]); err != nil {
				return err
			}
		}
		if !bytes.Equal(fields[len(fields)-1], p.Message) {
			return errMessage
		}
		_, err := p.sign()
		return err
	}))
	if err != nil {
		return nil, err
	}
	return p.sendShare(), nil
}

func (p *party) sign() (session, error) {
	s := newSession(p.key.Public, p.Message, p.list)
	var err error
	p.share, err = s.sign(p.key, p.nonces)
	if err == nil {
		p.result = p.share.Bytes()
	}
	return s, err
}

func (p *party) sendShare() []engine.Message {
	return []engine.Message{{To: p.Coordinator, Step: stepShare,
		Body: p.Codec.Pack(shapeShare, p.share.Bytes())}}
}

// wait is the work of a round without messages.
func wait(engine.Inbox) ([]engine.Message, error) { return nil, nil }

// finish signs, adds up the shares, and verifies the signature.
func (p *party) finish(in engine.Inbox) ([]engine.Message, error) {
	s, err := p.sign()
	if err != nil {
		return nil, err
	}
	shares := make([]*edwards25519.Scalar, len(p.list))
	for i, pair := range p.list {
		if pair.ID == p.key.ID {
			shares[i] = p.share
			continue
		}
		err := in.Read(pair.ID, stepShare, p.Codec.Decoder(shapeShare, func(f [][]byte) (err error) {
			shares[i], err = decodeScalar(f[0])
			return err
		}))
		if err != nil {
			return nil, err
		}
	}
	var bad int
	p.result, bad, err = s.aggregate(p.key, shares)
	if bad >= 0 {
		err = &engine.Fault{From: p.list[bad].ID, Step: stepShare, Err: err}
	}
	return nil, err
}

// Presigned is the output of presigning: nonces that sign once, and the list of
// all commitments.
type Presigned struct {
	nonces *Nonces
	list   []pair
}

// Format implements fmt.Formatter for every verb and shows no secret.
func (Presigned) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, "FROST presignature") }

// NewPresigner returns a party that sends its commitments to all others. keep
// receives the presignature when the party is done. The output is the list of
// commitments.
func NewPresigner(c Config, k Key, random io.Reader, keep func(*Presigned)) engine.Party {
	p := &party{Config: c, key: k, random: random}
	return &engine.Machine{Self: k.ID, Result: p.output, Rounds: []engine.Round{
		{Work: p.sendCommitments(0)},
		{Expect: engine.From(c.IDs, k.ID, stepCommitments),
			Work: func(in engine.Inbox) ([]engine.Message, error) {
				if err := p.pairs(in); err != nil {
					return nil, err
				}
				for _, pair := range p.list {
					p.result = slices.Concat(p.result, encodeID(pair.ID), pair.encoded[0], pair.encoded[1])
				}
				keep(&Presigned{p.nonces, p.list})
				return nil, nil
			}},
	}}
}

// Copy returns a presignature for another run of the same signature: a benchmark
// signs the same message with it again. It must not sign another message.
func (p *Presigned) Copy() *Presigned {
	nonces := *p.nonces
	return &Presigned{&nonces, p.list}
}

// NewPresignedSigner returns a party that signs with a presignature in one round.
// The output of the coordinator is the signature. The output of another party is its
// share.
func NewPresignedSigner(c Config, k Key, pre *Presigned) engine.Party {
	p := &party{Config: c, key: k, nonces: pre.nonces, list: pre.list}
	m := &engine.Machine{Self: k.ID, Result: p.output}
	if p.coordinates() {
		m.Rounds = []engine.Round{{Work: wait}, {Expect: engine.From(c.IDs, k.ID, stepShare), Work: p.finish}}
		return m
	}
	m.Rounds = []engine.Round{{Work: func(engine.Inbox) ([]engine.Message, error) {
		if _, err := p.sign(); err != nil {
			return nil, err
		}
		return p.sendShare(), nil
	}}}
	return m
}
