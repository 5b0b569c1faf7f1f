package params

import (
	"crypto/sha256"
	_ "embed" // of the issuer keys
	"fmt"
	"maps"
	"slices"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/pedersen"
)

// Config describes new parameters.
type Config struct {
	Group group.Group
	// Bits is 16, 32 or 64 (section 3.6).
	Bits int
	// Systems are the range-proof systems; if empty, CSP, the sound one.
	Systems           []rangeproof.Kind
	Issuers, Auditors [][]byte // typed identities
	// Idemix are the keys of Idemix issuers. The format requires at least one:
	// if Idemix is empty, the parameters get a key without credentials.
	Idemix   []IdemixKey
	Metadata map[string][]byte
	// Protocols are the accepted protocols; the zero value means v1 alone.
	Protocols  Protocols
	TableBytes int // memory for precomputed multiples; 0 means the default
}

// The issuer keys of networks without Idemix owners, on the two curves of
// credentials: readers of the format require a key that loads. idemix.NewIssuer
// made them and kept the secret in memory only, so credentials under them do
// not exist.
var (
	//go:embed idemix_bn254.key
	unusedBN254 []byte
	//go:embed idemix_bls12381.key
	unusedBLS12381 []byte
)

// unusedKey returns the issuer key of a network on curve without Idemix owners.
// Curves without credentials use the key of BN254.
func unusedKey(curve int) IdemixKey {
	if curve >= 6 { // BLS12-381, the last ones
		return IdemixKey{PublicKey: unusedBLS12381, Curve: curve}
	}
	return IdemixKey{PublicKey: unusedBN254, Curve: 1}
}

// Setup derives new parameters. The error is ErrInvalid if c violates a rule.
func Setup(c Config) (*Params, error) {
	if c.Group == nil {
		return nil, fmt.Errorf("%w: no group", ErrInvalid)
	}
	if len(c.Systems) == 0 {
		c.Systems = []rangeproof.Kind{rangeproof.CSP}
	}
	if len(c.Idemix) == 0 {
		c.Idemix = []IdemixKey{unusedKey(c.Group.ID())}
	}
	if err := checkBits(c.Bits); err != nil {
		return nil, err
	}
	gs, err := derive(c.Group, c.Bits, c.Systems)
	if err != nil {
		return nil, err
	}
	if c.Protocols == (Protocols{}) {
		c.Protocols.V1 = true
	}
	c.Metadata, err = c.Protocols.put(c.Metadata)
	if err != nil {
		return nil, err
	}
	p := &Params{
		group: c.Group, bits: c.Bits, idemix: slices.Clone(c.Idemix),
		auditors: slices.Clone(c.Auditors), issuers: slices.Clone(c.Issuers),
		metadata:  maps.Clone(c.Metadata),
		protocols: c.Protocols,
	}
	p.encoded = p.encode(gs)
	return p, p.finish(gs, c.TableBytes)
}

// finish derives the other values from checked generators.
func (p *Params) finish(gs generators, tableBytes int) (err error) {
	p.digest = sha256.Sum256(p.encoded)
	bare := Params{group: p.group, bits: p.bits}
	id := identity{sha256.Sum256(bare.encode(gs)), p.group, tableBytes}
	p.engine, err = shared(id, func() (*engine, error) {
		systems, err := gs.newSystems(p.group, p.bits, tableBytes)
		return &engine{group: p.group, tableBytes: tableBytes, systems: systems,
			pedersen: pedersen.NewKey(p.group, gs.pedersen)}, err
	})
	if err != nil {
		return err
	}
	p.pedersen, p.systems = p.engine.pedersen, p.engine.systems
	return nil
}

func checkBits(n int) error {
	if n != 16 && n != 32 && n != 64 {
		return fmt.Errorf("%w: bit length %d is not one of 16, 32, 64", ErrInvalid, n)
	}
	return nil
}
