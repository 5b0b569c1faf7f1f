package params

import (
	"encoding/json"
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof/systems"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// message is the inner message (section 3.2), with its points as bytes.
type message struct {
	driver              string
	version             uint64
	curve               *uint64
	pedersen            [][]byte
	sections            []section
	keys                []issuerKey
	auditors, issuers   [][]byte
	maxToken, precision uint64
	metadata            map[string][]byte
}

type issuerKey struct {
	key   []byte
	curve *uint64
}

// section is the message of one range-proof system. Its fields are the lists of
// the family, its points, the bit length and the number of rounds, in this order.
type section struct {
	family       rangeproof.Family
	lists        [][][]byte
	points       [][]byte
	bits, rounds uint64
}

// Sections of range-proof systems are before the keys or after the metadata.
const (
	keysField     = 6
	metadataField = 11
	anyNumber     = 1<<64 - 1 // the largest value of a number
)

// readMessage reads the fields in the order of their numbers.
func readMessage(b []byte) (m message, err error) {
	if len(b) > maxBytes {
		return m, messageName.Bad("message", wire.ErrTooLarge)
	}
	r := wire.NewMessage(messageName, b)
	m.driver = r.Text(1, "driver")
	m.version = r.Uint(2, "version", anyNumber)
	m.curve = readCurve(&r, 3)
	m.pedersen = readRaw(&r, 4, "pedersen generators", len(generators{}.pedersen))
	for _, f := range systems.All {
		if f.Params < keysField {
			m.readSection(&r, f)
		}
	}
	for i := range r.Count(keysField, "idemix issuer keys", maxEntries) {
		k := r.SubAt(keysField, "idemix issuer keys", i)
		m.keys = append(m.keys, issuerKey{k.Bytes(1, "key"), readCurve(&k, 2)})
		if k.Done() != nil {
			break
		}
	}
	m.auditors = readRaw(&r, 7, "auditors", maxEntries)
	m.issuers = readRaw(&r, 8, "issuers", maxEntries)
	m.maxToken = r.Uint(9, "largest token", anyNumber)
	m.precision = r.Uint(10, "precision", anyNumber)
	m.metadata = r.Map(metadataField, "metadata", maxEntries)
	for _, f := range systems.All {
		if f.Params > metadataField {
			m.readSection(&r, f)
		}
	}
	return m, r.Done()
}

func readCurve(r *wire.Message, n protowire.Number) *uint64 {
	if !r.Has(n) {
		return nil
	}
	sub := r.Sub(n, "curve")
	id := sub.Uint(1, "id", anyNumber)
	if sub.Done() != nil {
		return nil
	}
	return &id
}

// readRaw reads at most `most` messages with raw bytes in field 1: points in their
// JSON form, or identities.
func readRaw(r *wire.Message, n protowire.Number, field string, most int) (raws [][]byte) {
	for i := range r.Count(n, field, most) {
		sub := r.SubAt(n, field, i)
		raws = append(raws, sub.Bytes(1, "raw"))
		if sub.Done() != nil {
			break
		}
	}
	return raws
}

func (m *message) readSection(r *wire.Message, f rangeproof.Family) {
	n := protowire.Number(f.Params)
	if !r.Has(n) {
		return
	}
	s := section{family: f}
	sub := r.Sub(n, string(f.Kind)+" parameters")
	n = 1
	for _, l := range f.Lists {
		s.lists = append(s.lists, readRaw(&sub, n, l.Name, maxEntries))
		n++
	}
	for _, p := range f.Points {
		points := readRaw(&sub, n, p.Name, 1)
		s.points = append(s.points, append(points, nil)[0])
		n++
	}
	s.bits = sub.Uint(n, "bit length", anyNumber)
	s.rounds = sub.Uint(n+1, "rounds", anyNumber)
	if sub.Done() == nil {
		m.sections = append(m.sections, s)
	}
}

// read decodes the generators for n bits (rules 3 to 6). The reader keeps errors
// of points.
func (s section) read(r *pointReader, n int) (ps systemPoints, err error) {
	f := s.family
	if s.bits != uint64(n) {
		return ps, fmt.Errorf("%w: %s parameters of %d bits, want %d", ErrInvalid, f.Kind, s.bits, n)
	}
	if s.rounds != uint64(f.Rounds(n)) {
		return ps, fmt.Errorf("%w: %s parameters with %d rounds for %d bits", ErrInvalid, f.Kind, s.rounds, n)
	}
	ps.family = f
	for i, g := range f.Lists {
		ps.lists = append(ps.lists, r.list(g.Name, s.lists[i], f.ListLen(n)))
	}
	for i, g := range f.Points {
		ps.points = append(ps.points, r.point(g.Name, s.points[i]))
	}
	return ps, nil
}

// encode writes the envelope of p with generators gs.
func (p *Params) encode(gs generators) []byte {
	wrapped := func(b []byte, n protowire.Number, raws [][]byte) []byte {
		for _, raw := range raws {
			b = wire.AppendWrapped(b, n, raw)
		}
		return b
	}
	curve := func(n protowire.Number, b []byte, id int) []byte {
		return wire.AppendMessage(b, n, func(b []byte) []byte { return wire.AppendUint(b, 1, uint64(id)) })
	}
	b := wire.AppendBytes(nil, 1, driver)
	b = wire.AppendUint(b, 2, version)
	b = curve(3, b, p.group.ID())
	b = appendPoints(b, 4, p.group, gs.pedersen[:])
	b = gs.append(b, p, func(field int32) bool { return field < keysField })
	for _, k := range p.idemix {
		b = wire.AppendMessage(b, keysField, func(b []byte) []byte {
			return curve(2, wire.AppendBytes(b, 1, k.PublicKey), k.Curve)
		})
	}
	b = wrapped(b, 7, p.auditors)
	b = wrapped(b, 8, p.issuers)
	b = wire.AppendUint(b, 9, p.MaxValue())
	b = wire.AppendUint(b, 10, uint64(p.bits))
	b = wire.AppendMap(b, metadataField, p.metadata)
	b = gs.append(b, p, func(field int32) bool { return field > metadataField })
	text, _ := json.Marshal(envelope{Identifier: identifier, Raw: b}) // a string and bytes
	return text
}

func appendPoints(b []byte, n protowire.Number, g group.Group, ps []group.Point) []byte {
	for _, p := range ps {
		b = wire.AppendJSONPointField(b, n, g, p)
	}
	return b
}

// append writes the sections with selected fields.
func (gs generators) append(b []byte, p *Params, selected func(field int32) bool) []byte {
	for _, s := range gs.systems {
		if !selected(s.family.Params) {
			continue
		}
		b = wire.AppendMessage(b, protowire.Number(s.family.Params), func(b []byte) []byte {
			n := protowire.Number(1)
			for _, list := range s.lists {
				b = appendPoints(b, n, p.group, list)
				n++
			}
			for i := range s.points {
				b = appendPoints(b, n, p.group, s.points[i:i+1])
				n++
			}
			b = wire.AppendUint(b, n, uint64(p.bits))
			return wire.AppendUint(b, n+1, uint64(s.family.Rounds(p.bits)))
		})
	}
	return b
}
