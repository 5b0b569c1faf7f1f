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

	// robustPresignBatched has its degree checks in one random combination. It is a
	// separate case and not measured by default.
	robustPresignBatched = "robust-presign-batched"
)

// ErrHash says that the hash of the message is 0.
var ErrHash = secp.ErrHash

var errSignature = errors.New("signature does not verify")

// text is signed in every run.
var text = []byte("zkatbench threshold message")

// presigned is a scheme with presignatures of type P and signing with them.
type presigned[P interface{ Copy() P }] struct {
	presigner func(id uint32, keep func(P)) (engine.Party, error)
	signer    func(id uint32, pre P) (engine.Party, error)
	verify    func(outputs [][]byte) error // of signing
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
		return s.verify(outputsOf(signers))
	}
	if !signs {
		return nil
	}
	_, err := runAll(r.IDs(), r.party)
	r.party, r.verify = sign, s.verify
	return err
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

func prepareFrost(r *Run) error {
	keys, err := frost.Deal(r.random("dealer", 0), r.Parties(), r.MaxMalicious)
	if err != nil {
		return err
	}
	c := frost.Config{IDs: r.IDs(), Coordinator: r.coordinator(), Message: text, Codec: r.Codec}
	verify := func(outputs [][]byte) error {
		if !ed25519.Verify(keys[0].Public, text, outputs[r.coordinator()-1]) {
			return errSignature
		}
		return nil
	}
	if r.Case == frostSign {
		r.party = func(id uint32) (engine.Party, error) {
			return frost.NewSigner(c, keys[id-1], r.random(frostSign, id)), nil
		}
		r.verify = verify
		return nil
	}
	return presigned[*frost.Presigned]{
		func(id uint32, keep func(*frost.Presigned)) (engine.Party, error) {
			return frost.NewPresigner(c, keys[id-1], r.random(frostPresign, id), keep), nil
		},
		func(id uint32, pre *frost.Presigned) (engine.Party, error) {
			return frost.NewPresignedSigner(c, keys[id-1], pre), nil
		},
		verify,
	}.prepare(r, r.Case == frostPresignedSign)
}

// ecdsaRun deals the keys of ECDSA, and the tweak of the signature.
func (r *Run) ecdsaRun() ([]secp.Key, secp.Tweak, error) {
	keys, err := secp.Deal(r.random("dealer", 0), r.Parties(), r.MaxMalicious)
	if err != nil {
		return nil, secp.Tweak{}, err
	}
	hash := sha256.Sum256(text)
	tweak := secp.Tweak{
		Public: keys[0].Public, Epsilon: secp.Int(1), Hash: secp.Reduce(hash[:]), Entropy: sha256.Sum256(hash[:]), IDs: r.IDs(),
	}
	if r.Hash != nil {
		tweak.Hash = r.Hash
	}
	if tweak.Hash.IsZero() {
		return nil, tweak, ErrHash
	}
	return keys, tweak, nil
}

// verifyECDSA verifies R ‖ s once more.
func (r *Run) verifyECDSA(tweak secp.Tweak) func([][]byte) error {
	return func(outputs [][]byte) error {
		signature := outputs[r.coordinator()-1]
		if len(signature) != secp.PointLen+secp.ScalarLen {
			return errSignature
		}
		point, err := secp.DecodePoint(signature[:secp.PointLen])
		if err != nil {
			return err
		}
		s, err := secp.DecodeScalar(signature[secp.PointLen:])
		if err != nil {
			return err
		}
		if !secp.Verify(tweak.Public.Plus(secp.Base(tweak.Epsilon)), tweak.Hash, point.X(), s) {
			return errSignature
		}
		return nil
	}
}

func prepareRobust(r *Run) error {
	keys, tweak, err := r.ecdsaRun()
	if err != nil {
		return err
	}
	c := robust.Config{
		MaxMalicious: r.MaxMalicious, IDs: r.IDs(), Coordinator: r.coordinator(), Codec: r.Codec, Batched: r.Case == robustPresignBatched,
	}
	return presigned[*robust.Presignature]{
		func(id uint32, keep func(*robust.Presignature)) (engine.Party, error) {
			return robust.NewPresigner(c, keys[id-1], r.random(robustPresign, id), keep)
		},
		func(id uint32, pre *robust.Presignature) (engine.Party, error) {
			return robust.NewSigner(c, keys[id-1], pre, tweak)
		},
		r.verifyECDSA(tweak),
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
	keys, tweak, err := r.ecdsaRun()
	if err != nil {
		return err
	}
	var triples [2][]*otecdsa.Triple
	dealer := r.random("dealer of triples", 0)
	for i := range triples {
		if triples[i], err = otecdsa.DealTriple(dealer, r.Parties(), r.MaxMalicious); err != nil {
			return err
		}
	}
	return presigned[*otecdsa.Presignature]{
		func(id uint32, keep func(*otecdsa.Presignature)) (engine.Party, error) {
			return otecdsa.NewPresigner(r.otConfig(), keys[id-1], triples[0][id-1].Copy(), triples[1][id-1].Copy(), keep)
		},
		func(id uint32, pre *otecdsa.Presignature) (engine.Party, error) {
			return otecdsa.NewSigner(r.otConfig(), keys[id-1], pre, tweak)
		},
		r.verifyECDSA(tweak),
	}.prepare(r, r.Case == otSign)
}
