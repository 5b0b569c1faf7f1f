package service

import (
	"crypto/ed25519"
	"crypto/sha256"
	"errors"
	"io"

	"github.com/zkatbench/zkatbench/scheme/threshold/engine"
	"github.com/zkatbench/zkatbench/scheme/threshold/frost"
	"github.com/zkatbench/zkatbench/scheme/threshold/otecdsa"
	"github.com/zkatbench/zkatbench/scheme/threshold/robust"
	"github.com/zkatbench/zkatbench/scheme/threshold/secp"
)

// coordinator collects signature shares.
const coordinator = 1

// protocol is a scheme with its keys.
type protocol interface {
	// presign makes presignature number n: other numbers have other randomness.
	presign(n uint64) (prepared, error)
	verify(message, signature []byte) error
}

// prepared is one presignature of all parties. It signs once.
type prepared interface {
	sign(message []byte) (signature []byte, err error)
}

// Schemes are the names of the schemes. Triples of ot come from a dealer.
var Schemes = []string{"robust", "ot", "frost"}

var protocols = map[string]func(Config) (protocol, error){"robust": newRobust, "ot": newOT, "frost": newFrost}

// random returns the randomness of a party for presignature n; party 0 is the
// dealer.
func (c Config) random(parties int, n uint64, id uint32) (io.Reader, error) {
	return engine.Random(c.Seed^n<<32, engine.Place{Case: "service/" + c.Scheme, Parties: parties, MaxMalicious: c.MaxMalicious, ID: id})
}

// run makes all parties, runs them, and returns the output of the coordinator.
func run(n int, party func(i int) (engine.Party, error)) ([]byte, error) {
	parties := make([]engine.Party, n)
	for i := range parties {
		var err error
		if parties[i], err = party(i); err != nil {
			return nil, err
		}
	}
	if _, err := engine.Run(parties); err != nil {
		return nil, err
	}
	return parties[coordinator-1].Output(), nil
}

var errSignature = errors.New("signature does not verify")

// ecdsa are keys of an ECDSA scheme.
type ecdsa struct {
	Config
	keys []secp.Key
}

func dealECDSA(c Config, parties int) (ecdsa, error) {
	dealer, err := c.random(parties, 0, 0)
	if err != nil {
		return ecdsa{}, err
	}
	keys, err := secp.Deal(dealer, parties, c.MaxMalicious)
	return ecdsa{c, keys}, err
}

// tweak is the session of a message: without a tweak of the key, with entropy from
// the message.
func (e ecdsa) tweak(message []byte) secp.Tweak {
	hash := sha256.Sum256(message)
	return secp.Tweak{
		Public: e.keys[0].Public, Epsilon: new(secp.Scalar), Hash: secp.Reduce(hash[:]), Entropy: sha256.Sum256(hash[:]), IDs: secp.IDs(len(e.keys)),
	}
}

func (e ecdsa) verify(message, signature []byte) error {
	if len(signature) != secp.PointLen+secp.ScalarLen {
		return errSignature
	}
	r, err := secp.DecodePoint(signature[:secp.PointLen])
	if err != nil {
		return errors.Join(errSignature, err)
	}
	s, err := secp.DecodeScalar(signature[secp.PointLen:])
	if err != nil {
		return errors.Join(errSignature, err)
	}
	if !secp.Verify(e.keys[0].Public, e.tweak(message).Hash, r.X(), s) {
		return errSignature
	}
	return nil
}

// robustService signs by Robust ECDSA.
type robustService struct {
	ecdsa
	c robust.Config
}

func newRobust(c Config) (protocol, error) {
	n := 2*c.MaxMalicious + 1
	e, err := dealECDSA(c, n)
	return robustService{e, robust.Config{MaxMalicious: c.MaxMalicious, IDs: secp.IDs(n), Coordinator: coordinator, Codec: c.Codec}}, err
}

func (s robustService) presign(n uint64) (prepared, error) {
	shares := make([]*robust.Presignature, len(s.keys))
	_, err := run(len(s.keys), func(i int) (engine.Party, error) {
		random, err := s.random(len(s.keys), n, s.keys[i].ID)
		if err != nil {
			return nil, err
		}
		return robust.NewPresigner(s.c, s.keys[i], random, func(p *robust.Presignature) { shares[i] = p })
	})
	return robustPrepared{s, shares}, err
}

type robustPrepared struct {
	robustService
	shares []*robust.Presignature
}

func (p robustPrepared) sign(message []byte) ([]byte, error) {
	tweak := p.tweak(message)
	return run(len(p.keys), func(i int) (engine.Party, error) { return robust.NewSigner(p.c, p.keys[i], p.shares[i], tweak) })
}

// otService signs by OT ECDSA.
type otService struct {
	ecdsa
	c otecdsa.Config
}

func newOT(c Config) (protocol, error) {
	n := c.MaxMalicious + 1
	e, err := dealECDSA(c, n)
	return otService{e, otecdsa.Config{IDs: secp.IDs(n), Coordinator: coordinator, Codec: c.Codec}}, err
}

func (s otService) presign(n uint64) (prepared, error) {
	dealer, err := s.random(len(s.keys), n, 0)
	if err != nil {
		return nil, err
	}
	first, err := otecdsa.DealTriple(dealer, len(s.keys), s.MaxMalicious)
	if err != nil {
		return nil, err
	}
	second, err := otecdsa.DealTriple(dealer, len(s.keys), s.MaxMalicious)
	if err != nil {
		return nil, err
	}
	shares := make([]*otecdsa.Presignature, len(s.keys))
	_, err = run(len(s.keys), func(i int) (engine.Party, error) {
		return otecdsa.NewPresigner(s.c, s.keys[i], first[i], second[i], func(p *otecdsa.Presignature) { shares[i] = p })
	})
	return otPrepared{s, shares}, err
}

type otPrepared struct {
	otService
	shares []*otecdsa.Presignature
}

func (p otPrepared) sign(message []byte) ([]byte, error) {
	tweak := p.tweak(message)
	return run(len(p.keys), func(i int) (engine.Party, error) { return otecdsa.NewSigner(p.c, p.keys[i], p.shares[i], tweak) })
}

// frostService signs by FROST with presigning.
type frostService struct {
	Config
	c    frost.Config
	keys []frost.Key
}

func newFrost(c Config) (protocol, error) {
	n := c.MaxMalicious + 1
	dealer, err := c.random(n, 0, 0)
	if err != nil {
		return nil, err
	}
	keys, err := frost.Deal(dealer, n, c.MaxMalicious)
	return frostService{c, frost.Config{IDs: secp.IDs(n), Coordinator: coordinator, Codec: c.Codec}, keys}, err
}

func (s frostService) presign(n uint64) (prepared, error) {
	shares := make([]*frost.Presigned, len(s.keys))
	_, err := run(len(s.keys), func(i int) (engine.Party, error) {
		random, err := s.random(len(s.keys), n, s.keys[i].ID)
		if err != nil {
			return nil, err
		}
		return frost.NewPresigner(s.c, s.keys[i], random, func(p *frost.Presigned) { shares[i] = p }), nil
	})
	return frostPrepared{s, shares}, err
}

func (s frostService) verify(message, signature []byte) error {
	if !ed25519.Verify(s.keys[0].Public, message, signature) {
		return errSignature
	}
	return nil
}

type frostPrepared struct {
	frostService
	shares []*frost.Presigned
}

func (p frostPrepared) sign(message []byte) ([]byte, error) {
	c := p.c
	c.Message = message
	return run(len(p.keys), func(i int) (engine.Party, error) { return frost.NewPresignedSigner(c, p.keys[i], p.shares[i]), nil })
}
