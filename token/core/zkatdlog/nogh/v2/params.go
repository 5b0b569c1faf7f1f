package v2

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/round"
	"github.com/zkatbench/zkatbench/token/crypto/transcript"
)

// ErrParams reports parameters that violate a rule of section 2.
var ErrParams = errors.New("v2 parameters")

// defaultTableBytes is the budget of the tables of generators.
const defaultTableBytes = 14 << 20

// Params are the parameters of v2 for one curve and bit length: the generators
// and their precomputed tables. They are immutable and can be shared by
// goroutines.
type Params struct {
	group  group.Group
	bits   int
	digest [sha256.Size]byte
	*tables
}

// tables hold multiples of the generators of one group.
type tables struct {
	generators group.Table
	// common has wider windows, for proofs of at most commonBlocks blocks.
	common group.Table
	// digits contains multiples of Gᵢ, 16·Gᵢ and 256·Gᵢ, for the nibbles of a
	// digit's multiplicity.
	digits group.DigitTable
	spaces spaces

	equations round.Work[*claim] // checked in one
}

// New derives the parameters of a curve for values of 16, 32 or 64 bits, and
// builds tables of at most tableBytes (0 means defaultTableBytes), but at least
// the smallest useful ones. The error is ErrParams if a rule of section 2 is
// violated.
func New(g group.Group, bits, tableBytes int) (*Params, error) {
	if bits != 16 && bits != 32 && bits != 64 {
		return nil, fmt.Errorf("%w: bit length %d is not one of 16, 32, 64", ErrParams, bits)
	}
	points := derive(g)
	if err := distinct(g, points); err != nil {
		return nil, err
	}
	if tableBytes == 0 {
		tableBytes = defaultTableBytes
	}
	return &Params{group: g, bits: bits, digest: digest(g, bits, points),
		tables: newTables(g, points, tableBytes)}, nil
}

// Of allParts of the memory of tables, the table of common proofs takes commonParts.
const commonParts, allParts = 5, 7

// newTables builds the tables of at most size bytes.
func newTables(g group.Group, points []group.Point, size int) *tables {
	forCommon := max(size/allParts*commonParts, 1) // 0 is the default
	t := &tables{
		common:     g.NewTable(points[:layout{blocks: commonBlocks}.generators()], forCommon),
		generators: g.NewTable(points, max(size-forCommon, 1)),
		digits:     g.NewDigitTable(nibbleMultiples(g, points[atSlots:atErrors])),
	}
	t.equations.Holds, t.equations.Refusal = t.hold, ErrRejected
	return t
}

// made returns ErrParams unless p was made by New.
func (p *Params) made() error {
	if p.tables == nil {
		return fmt.Errorf("%w: not made by New", ErrParams)
	}
	return nil
}

// commonBlocks is the greatest number of blocks where proofs are fastest: four
// outputs of 64 bits or eight of 32 bits.
const commonBlocks = 4

// table returns the table for sums over the first n generators.
func (t *tables) table(n int) group.Table {
	if n <= t.common.Len() {
		return t.common
	}
	return t.generators
}

// derive hashes the strings of section 2 to points.
func derive(g group.Group) []group.Point {
	points := make([]group.Point, 0, generators)
	list := func(name string, count int) {
		for i := range count {
			points = append(points, g.HashToPoint([]byte(name+strconv.Itoa(i))))
		}
	}
	list("lfdt-panurus.zkatdlognogh.1.PedersenGenerators.", atSlots)
	list("zkatdlog-nogh-v2.G.", slots)
	list("zkatdlog-nogh-v2.H.", maxErrors)
	return points
}

// distinct refuses the identity, and points that are equal or opposite.
func distinct(g group.Group, points []group.Point) error {
	seen := make(map[string]int, 2*len(points))
	for i, p := range points {
		if group.IsIdentity(p) {
			return fmt.Errorf("%w: generator %d %w", ErrParams, i, group.ErrIdentity)
		}
		for _, q := range []group.Point{p, g.SubPoints(group.Point{}, p)} {
			key := string(g.AppendPoint(nil, q))
			if j, ok := seen[key]; ok {
				return fmt.Errorf("%w: generators %d and %d are equal or opposite", ErrParams, j, i)
			}
			seen[key] = i
		}
	}
	return nil
}

// digest is pd of section 2.
func digest(g group.Group, bits int, points []group.Point) [sha256.Size]byte {
	b := transcript.AppendLabel(nil, "zkatdlog-nogh-v2/parameters")
	b = transcript.AppendLabel(b, g.Name())
	b = binary.BigEndian.AppendUint16(b, uint16(bits))
	b = binary.BigEndian.AppendUint16(b, uint16(len(points)))
	return sha256.Sum256(g.AppendPoints(b, nil, points))
}

// nibbleMultiples returns Gᵢ, then 16·Gᵢ, then 256·Gᵢ.
func nibbleMultiples(g group.Group, points []group.Point) []group.Point {
	all := append([]group.Point(nil), points...)
	for range 2 {
		for _, p := range all[len(all)-slots:] {
			for range digitBits {
				p = g.AddPoints(p, p)
			}
			all = append(all, p)
		}
	}
	return all
}

// Group returns the group of all tokens and proofs.
func (p *Params) Group() group.Group { return p.group }

// TokenGenerators returns g₀, g₁, h.
func (p *Params) TokenGenerators() [atSlots]group.Point {
	return [...]group.Point{p.generators.Point(atG0), p.generators.Point(atG1), p.generators.Point(atH)}
}

// Bits returns N: values are below 2ᴺ.
func (p *Params) Bits() int { return p.bits }

// maxValue returns 2ᴺ - 1.
func (p *Params) maxValue() uint64 { return ^uint64(0) >> (64 - p.bits) }

// Digest identifies curve, bit length and all generators.
func (p *Params) Digest() [sha256.Size]byte { return p.digest }

// TableBytes returns the memory of the precomputed tables.
func (p *Params) TableBytes() int { return p.common.Bytes() + p.generators.Bytes() + p.digits.Bytes() }

// On returns the parameters for g, a view of the same group that counts or
// separates phases. Tables are shared with p.
func (p *Params) On(g group.Group) *Params {
	view := *p
	view.group = g
	return &view
}
