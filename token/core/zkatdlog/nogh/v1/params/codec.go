package params

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/curves"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// Options configure the loading of parameters.
type Options struct {
	// Group returns the group of a curve identifier; nil means curves.ByID.
	Group func(id int) (group.Group, error)
	// TableBytes is the memory for precomputed multiples; 0 means the default.
	TableBytes int
	// AllowForeignGenerators accepts generators other than the documented ones,
	// as in parameters recorded under earlier rules. The creator of such
	// parameters may know relations between generators, and can then forge any
	// proof. Points that are equal, opposite or the identity are always
	// refused.
	AllowForeignGenerators bool
	// AllowForeignGeneratorsV2 accepts such parameters also for networks with v2,
	// and its tokens may then come from v1 proofs under these generators. Proofs of v2
	// use documented generators alone, with any parameters.
	AllowForeignGeneratorsV2 bool
}

// maxBytes bounds serialised parameters: 64-bit parameters of both systems take
// about 70 kB plus identities.
const (
	maxBytes   = 4 << 20
	maxEntries = 1024 // of each list of identities or keys, and of the metadata
	maxCurveID = 8    // largest known identifier
)

const messageName wire.Name = "public parameters"

// envelope is the outer message (section 3.1). The only accepted encoding is
// the output of encoding/json.
type envelope struct {
	Identifier string `json:"identifier"`
	Raw        []byte `json:"raw"`
}

// Decode reads and validates serialised parameters. The error is
// *wire.DecodeError for malformed bytes, and ErrInvalid for a violated rule.
func Decode(b []byte, o Options) (*Params, error) {
	raw, err := open(b)
	if err != nil {
		return nil, err
	}
	m, err := readMessage(raw)
	if err != nil {
		return nil, err
	}
	p := &Params{encoded: bytes.Clone(b), metadata: m.metadata}
	if err := p.readHead(m, o); err != nil {
		return nil, err
	}
	gs, err := p.readGenerators(m)
	if err != nil {
		return nil, err
	}
	if want := p.MaxValue(); m.maxToken != want {
		return nil, fmt.Errorf("%w: largest token %d is not %d", ErrInvalid, m.maxToken, want)
	}
	if err := p.checkGenerators(gs, o); err != nil {
		return nil, err
	}
	return p, p.finish(gs, o.TableBytes)
}

// open returns the inner message of the envelope.
func open(b []byte) ([]byte, error) {
	if len(b) > 2*maxBytes {
		return nil, messageName.Bad("envelope", wire.ErrTooLarge)
	}
	var e envelope
	if err := json.Unmarshal(b, &e); err != nil {
		return nil, messageName.Bad("envelope", wire.ErrMalformed)
	}
	again, err := json.Marshal(e)
	if err != nil || !bytes.Equal(again, b) {
		return nil, messageName.Bad("envelope", wire.ErrNotCanonical)
	}
	if e.Identifier != identifier {
		return nil, fmt.Errorf("%w: identifier is not %q", ErrInvalid, identifier)
	}
	return e.Raw, nil
}

// readHead reads everything except generators and limits (rules 1 and 2).
func (p *Params) readHead(m message, o Options) (err error) {
	if m.driver != driver || m.version != version {
		return fmt.Errorf("%w: driver is not %s version %d", ErrInvalid, driver, version)
	}
	if m.curve == nil {
		return messageName.Bad("curve", wire.ErrMissing)
	}
	if *m.curve > maxCurveID {
		return messageName.Bad("curve", group.ErrUnknownCurve)
	}
	if o.Group == nil {
		o.Group = curves.ByID
	}
	p.group, err = o.Group(int(*m.curve))
	if err != nil {
		return messageName.Bad("curve", group.ErrUnknownCurve)
	}
	for _, k := range m.keys {
		if len(k.key) == 0 || k.curve == nil || *k.curve > maxCurveID {
			return fmt.Errorf("%w: an idemix issuer key is empty or of no known curve", ErrInvalid)
		}
		p.idemix = append(p.idemix, IdemixKey{PublicKey: k.key, Curve: int(*k.curve)})
	}
	if len(p.idemix) == 0 {
		return fmt.Errorf("%w: no idemix issuer key", ErrInvalid)
	}
	p.auditors, p.issuers = m.auditors, m.issuers
	p.protocols, err = readProtocols(p.metadata)
	return err
}

// readGenerators reads the points (rules 3 to 6). It checks the lengths of
// lists before it decodes the first point.
func (p *Params) readGenerators(m message) (gs generators, err error) {
	r := pointReader{g: p.group}
	if len(m.sections) == 0 {
		return gs, fmt.Errorf("%w: no range-proof parameters", ErrInvalid)
	}
	p.bits = int(min(m.sections[0].bits, 128))
	if err := checkBits(p.bits); err != nil {
		return gs, err
	}
	if m.precision != uint64(p.bits) {
		return gs, fmt.Errorf("%w: precision %d is not the bit length %d", ErrInvalid, m.precision, p.bits)
	}
	copy(gs.pedersen[:], r.list("pedersen generators", m.pedersen, len(gs.pedersen)))
	for _, sec := range m.sections {
		points, err := sec.read(&r, p.bits)
		if err != nil {
			return gs, err
		}
		gs.systems = append(gs.systems, points)
	}
	return gs, r.err
}

// checkGenerators refuses unsafe generators.
func (p *Params) checkGenerators(gs generators, o Options) error {
	if err := gs.distinct(p.group); err != nil {
		return err
	}
	if o.AllowForeignGenerators && (!p.protocols.V2 || o.AllowForeignGeneratorsV2) {
		return nil
	}
	want, err := derive(p.group, p.bits, gs.kinds())
	if err != nil {
		return err
	}
	return gs.same(p.group, want)
}

// pointReader keeps its first error.
type pointReader struct {
	g   group.Group
	err error
}

func (r *pointReader) point(field string, raw []byte) (pt group.Point) {
	if r.err != nil {
		return pt
	}
	pt, err := wire.DecodeJSONPoint(r.g, raw)
	if err != nil {
		r.err = messageName.Bad(field, err)
	}
	return pt
}

func (r *pointReader) list(field string, raws [][]byte, n int) (ps []group.Point) {
	if r.err == nil && len(raws) != n {
		r.err = errors.Join(ErrInvalid, messageName.Bad(field, wire.ErrCount))
	}
	for _, raw := range raws {
		ps = append(ps, r.point(field, raw))
	}
	return ps
}
