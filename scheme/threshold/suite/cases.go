package suite

import (
	"crypto/ed25519"
	"crypto/sha256"
	"errors"
	"sync/atomic"

	"github.com/zkatbench/zkatbench/scheme/threshold/engine"
	"github.com/zkatbench/zkatbench/scheme/threshold/frost"
	"github.com/zkatbench/zkatbench/scheme/threshold/otecdsa"
	"github.com/zkatbench/zkatbench/scheme/threshold/robust"
	"github.com/zkatbench/zkatbench/scheme/threshold/secp"
)

// The names of the cases.
const (
	frostSign          = "frost-sign"
	frostPresign       = "frost-presign"
	frostPresignedSign = "frost-presigned-sign"
	robustPresign      = "robust-presign"
	robustSign         = "robust-sign"
	otTriples          = "ot-triples"
	otPresign          = "ot-presign"
	otSign             = "ot-sign"
)

var errSignature = errors.New("signature does not verify")

// fixedMessage is signed in every run except the runs of a service.
var fixedMessage = []byte("zkatbench threshold message")

// presigned is a scheme with presignatures of type P and signing with them.
type presigned[P interface{ Copy() P }] struct {
	presigner func(id uint32, keep func(P)) (engine.Party, error)
	signer    func(id uint32, pre P) (engine.Party, error)
}

// prepare sets the party and the verification of presigning, or of signing with
// presignatures that it makes. Presignatures are verified by signing with them.
func (s presigned[P]) prepare(r *Run, signs bool) error {
	made := make([]atomic.Pointer[P], r.Parties())
	sign := func(id uint32) (engine.Party, error) { return s.signer(id, (*made[id-1].Load()).Copy()) }
	r.party = func(id uint32) (engine.Party, error) {
		return s.presigner(id, func(p P) { made[id-1].Store(&p) })
	}
	r.verify = func([][]byte) error {
		signers, err := runAll(r.IDs(), sign)
		if err != nil {
			return err
		}
		return r.verifyCoordinator(outputsOf(signers))
	}
	if !signs {
		return nil
	}
	_, err := runAll(r.IDs(), r.party)
	r.party, r.verify = sign, r.verifyCoordinator
	return err
}

// verifyCoordinator checks the signature of the coordinator.
func (r *Run) verifyCoordinator(outputs [][]byte) error {
	return r.check(r.message, outputs[r.coordinator()-1])
}

// runAll makes all parties and runs them.
func runAll(ids []uint32, party func(id uint32) (engine.Party, error)) ([]engine.Party, error) {
	var parties []engine.Party
	for _, id := range ids {
		p, err := party(id)
		if err != nil {
			return nil, err
		}
		parties = append(parties, p)
	}
	_, err := engine.Run(parties)
	return parties, err
}

// prepareFrost deals keys and sets the parties and checks of the three cases of FROST: in one
// go, the preparation alone, and the signature after it.
func prepareFrost(r *Run) error {
	keys, err := deal(r, frost.Deal)
	if err != nil {
		return err
	}
	config := func() frost.Config {
		return frost.Config{IDs: r.IDs(), Coordinator: r.coordinator(), Message: r.message, Codec: r.Codec}
	}
	r.check = func(message, signature []byte) error {
		if !ed25519.Verify(keys[0].Public, message, signature) {
			return errSignature
		}
		return nil
	}
	if r.Case == frostSign {
		r.party = func(id uint32) (engine.Party, error) {
			return frost.NewSigner(config(), keys[id-1], r.random(frostSign, id)), nil
		}
		r.verify = r.verifyCoordinator
		return nil
	}
	return presigned[*frost.Presigned]{
		func(id uint32, keep func(*frost.Presigned)) (engine.Party, error) {
			return frost.NewPresigner(config(), keys[id-1], r.random(frostPresign, id), keep), nil
		},
		func(id uint32, pre *frost.Presigned) (engine.Party, error) {
			return frost.NewPresignedSigner(config(), keys[id-1], pre), nil
		},
	}.prepare(r, r.Case == frostPresignedSign)
}

// dealECDSA deals the keys of ECDSA, and sets the check of a signature R ‖ s.
func (r *Run) dealECDSA() ([]secp.Key, error) {
	keys, err := deal(r, secp.Deal)
	if err != nil {
		return nil, err
	}
	r.check = func(message, signature []byte) error {
		if len(signature) != secp.PointLen+secp.ScalarLen {
			return errSignature
		}
		point, err := secp.DecodePoint(signature[:secp.PointLen])
		if err != nil {
			return errors.Join(errSignature, err)
		}
		s, err := secp.DecodeScalar(signature[secp.PointLen:])
		if err != nil {
			return errors.Join(errSignature, err)
		}
		tweak := r.tweak(keys, message)
		if !secp.Verify(tweak.Public.Plus(secp.Base(tweak.Epsilon)), tweak.Hash, point.X(), s) {
			return errSignature
		}
		return nil
	}
	return keys, nil
}

// tweak is the session in which a message is signed.
func (r *Run) tweak(keys []secp.Key, message []byte) secp.Tweak {
	hash := sha256.Sum256(message)
	return secp.Tweak{
		Public: keys[0].Public, Epsilon: secp.Int(1), Hash: secp.Reduce(hash[:]),
		Entropy: sha256.Sum256(hash[:]), IDs: r.IDs(),
	}
}

func prepareRobust(r *Run) error {
	keys, err := r.dealECDSA()
	if err != nil {
		return err
	}
	c := robust.Config{MaxMalicious: r.MaxMalicious, IDs: r.IDs(), Coordinator: r.coordinator(),
		Codec: r.Codec}
	return presigned[*robust.Presignature]{
		func(id uint32, keep func(*robust.Presignature)) (engine.Party, error) {
			return robust.NewPresigner(c, keys[id-1], r.random(robustPresign, id), keep)
		},
		func(id uint32, pre *robust.Presignature) (engine.Party, error) {
			return robust.NewSigner(c, keys[id-1], pre, r.tweak(keys, r.message))
		},
	}.prepare(r, r.Case == robustSign)
}

func (r *Run) otConfig() otecdsa.Config {
	return otecdsa.Config{IDs: r.IDs(), Coordinator: r.coordinator(), Codec: r.Codec}
}

func prepareTriples(r *Run) error {
	made := make([]atomic.Pointer[[2]*otecdsa.Triple], r.Parties())
	r.party = func(id uint32) (engine.Party, error) {
		keep := func(ts [2]*otecdsa.Triple) { made[id-1].Store(&ts) }
		return otecdsa.NewTripleMaker(r.otConfig(), id, r.random(otTriples, id), keep), nil
	}
	r.verify = func([][]byte) error {
		for k := range 2 {
			var shares []*otecdsa.Triple
			for i := range made {
				shares = append(shares, made[i].Load()[k])
			}
			if err := otecdsa.VerifyTriple(shares); err != nil {
				return err
			}
		}
		return nil
	}
	return nil
}

// prepareOT prepares presigning and signing, with dealt triples.
func prepareOT(r *Run) error {
	if r.Case == otTriples {
		return prepareTriples(r)
	}
	keys, err := r.dealECDSA()
	if err != nil {
		return err
	}
	var triples [2][]*otecdsa.Triple
	dealer := r.random("dealer of triples", 0)
	for i := range triples {
		triples[i], err = otecdsa.DealTriple(dealer, r.Parties(), r.MaxMalicious)
		if err != nil {
			return err
		}
	}
	return presigned[*otecdsa.Presignature]{
		func(id uint32, keep func(*otecdsa.Presignature)) (engine.Party, error) {
			return otecdsa.NewPresigner(r.otConfig(), keys[id-1], triples[0][id-1].Copy(),
				triples[1][id-1].Copy(), keep)
		},
		func(id uint32, pre *otecdsa.Presignature) (engine.Party, error) {
			return otecdsa.NewSigner(r.otConfig(), keys[id-1], pre, r.tweak(keys, r.message))
		},
	}.prepare(r, r.Case == otSign)
}
