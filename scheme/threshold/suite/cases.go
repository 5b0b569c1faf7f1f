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

// frostRun deals the keys of FROST.
func (r *Run) frostRun() (frost.Config, []frost.Key, error) {
	keys, err := frost.Deal(r.random("dealer", 0), r.Parties(), r.MaxMalicious)
	return frost.Config{IDs: r.IDs(), Coordinator: r.coordinator(), Message: text, Codec: r.Codec}, keys, err
}

func (r *Run) verifyFrost(keys []frost.Key) func([][]byte) error {
	return func(outputs [][]byte) error {
		if !ed25519.Verify(keys[0].Public, text, outputs[r.coordinator()-1]) {
			return errSignature
		}
		return nil
	}
}

func prepareFrostSign(r *Run) error {
	c, keys, err := r.frostRun()
	r.party = func(id uint32) (engine.Party, error) {
		return frost.NewSigner(c, keys[id-1], r.random(frostSign, id)), nil
	}
	r.verify = r.verifyFrost(keys)
	return err
}

func prepareFrostPresign(r *Run) error {
	c, keys, err := r.frostRun()
	made := make([]atomic.Pointer[frost.Presigned], len(keys))
	r.party = func(id uint32) (engine.Party, error) {
		keep := func(p *frost.Presigned) { made[id-1].Store(p) }
		return frost.NewPresigner(c, keys[id-1], r.random(frostPresign, id), keep), nil
	}
	r.verify = func([][]byte) error {
		var signers []engine.Party
		for i, k := range keys {
			signers = append(signers, frost.NewPresignedSigner(c, k, made[i].Load().Copy()))
		}
		if _, err := engine.Run(signers); err != nil {
			return err
		}
		return r.verifyFrost(keys)(outputsOf(signers))
	}
	return err
}

// runAll runs new parties in set-up.
func (r *Run) runAll() error {
	parties, err := r.All()
	if err == nil {
		_, err = engine.Run(parties)
	}
	return err
}

func prepareFrostPresignedSign(r *Run) error {
	c, keys, err := r.frostRun()
	if err != nil {
		return err
	}
	made := make([]atomic.Pointer[frost.Presigned], len(keys))
	r.party = func(id uint32) (engine.Party, error) {
		keep := func(p *frost.Presigned) { made[id-1].Store(p) }
		return frost.NewPresigner(c, keys[id-1], r.random(frostPresign, id), keep), nil
	}
	if err := r.runAll(); err != nil {
		return err
	}
	r.party = func(id uint32) (engine.Party, error) {
		return frost.NewPresignedSigner(c, keys[id-1], made[id-1].Load().Copy()), nil
	}
	r.verify = r.verifyFrost(keys)
	return nil
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

// verifySigning signs with presignatures that were made, and verifies.
func (r *Run) verifySigning(tweak secp.Tweak, keys []secp.Key, signer func(k secp.Key) (engine.Party, error)) func([][]byte) error {
	return func([][]byte) error {
		var signers []engine.Party
		for _, k := range keys {
			p, err := signer(k)
			if err != nil {
				return err
			}
			signers = append(signers, p)
		}
		if _, err := engine.Run(signers); err != nil {
			return err
		}
		return r.verifyECDSA(tweak)(outputsOf(signers))
	}
}

func (r *Run) robustConfig() robust.Config {
	return robust.Config{
		MaxMalicious: r.MaxMalicious, IDs: r.IDs(), Coordinator: r.coordinator(), Codec: r.Codec, Batched: r.Case == robustPresignBatched,
	}
}

func prepareRobustPresign(r *Run) error {
	keys, tweak, err := r.ecdsaRun()
	made := make([]atomic.Pointer[robust.Presignature], len(keys))
	r.party = func(id uint32) (engine.Party, error) {
		keep := func(p *robust.Presignature) { made[id-1].Store(p) }
		return robust.NewPresigner(r.robustConfig(), keys[id-1], r.random(robustPresign, id), keep)
	}
	r.verify = r.verifySigning(tweak, keys, func(k secp.Key) (engine.Party, error) {
		return robust.NewSigner(r.robustConfig(), k, made[k.ID-1].Load().Copy(), tweak)
	})
	return err
}

func prepareRobustSign(r *Run) error {
	keys, tweak, err := r.ecdsaRun()
	if err != nil {
		return err
	}
	made := make([]atomic.Pointer[robust.Presignature], len(keys))
	r.party = func(id uint32) (engine.Party, error) {
		keep := func(p *robust.Presignature) { made[id-1].Store(p) }
		return robust.NewPresigner(r.robustConfig(), keys[id-1], r.random(robustPresign, id), keep)
	}
	if err := r.runAll(); err != nil {
		return err
	}
	r.party = func(id uint32) (engine.Party, error) {
		return robust.NewSigner(r.robustConfig(), keys[id-1], made[id-1].Load().Copy(), tweak)
	}
	r.verify = r.verifyECDSA(tweak)
	return nil
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

// otPresigners sets the party of presigning, from dealt triples.
func (r *Run) otPresigners(keys []secp.Key) ([]atomic.Pointer[otecdsa.Presignature], error) {
	dealer := r.random("dealer of triples", 0)
	first, err := otecdsa.DealTriple(dealer, r.Parties(), r.MaxMalicious)
	if err != nil {
		return nil, err
	}
	second, err := otecdsa.DealTriple(dealer, r.Parties(), r.MaxMalicious)
	made := make([]atomic.Pointer[otecdsa.Presignature], len(keys))
	r.party = func(id uint32) (engine.Party, error) {
		keep := func(p *otecdsa.Presignature) { made[id-1].Store(p) }
		return otecdsa.NewPresigner(r.otConfig(), keys[id-1], first[id-1].Copy(), second[id-1].Copy(), keep)
	}
	return made, err
}

func prepareOTPresign(r *Run) error {
	keys, tweak, err := r.ecdsaRun()
	if err != nil {
		return err
	}
	made, err := r.otPresigners(keys)
	r.verify = r.verifySigning(tweak, keys, func(k secp.Key) (engine.Party, error) {
		return otecdsa.NewSigner(r.otConfig(), k, made[k.ID-1].Load().Copy(), tweak)
	})
	return err
}

func prepareOTSign(r *Run) error {
	keys, tweak, err := r.ecdsaRun()
	if err != nil {
		return err
	}
	made, err := r.otPresigners(keys)
	if err == nil {
		err = r.runAll()
	}
	if err != nil {
		return err
	}
	r.party = func(id uint32) (engine.Party, error) {
		return otecdsa.NewSigner(r.otConfig(), keys[id-1], made[id-1].Load().Copy(), tweak)
	}
	r.verify = r.verifyECDSA(tweak)
	return nil
}
