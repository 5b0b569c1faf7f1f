package proof

import (
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/nonce"
)

// Outputs are the outputs of an action with their openings. Both slices have
// the same length.
type Outputs struct {
	Points    []group.Point
	Values    []uint64
	Blindings []group.Scalar
}

// Format implements fmt.Formatter for every verb and writes no secrets.
func (Outputs) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "openings of outputs") }

// SeedHedge is nonce.Hedge.Seed for an action under p. The nonces depend on the
// public parts of the action (AppendPart), such as its owners, and on the
// parameters: parameters of different bit lengths and systems share the
// commitment key, so with a broken random source proofs of one token under both
// would otherwise use the same nonces. A nil random means crypto/rand.
func SeedHedge(h *nonce.Hedge, p *params.Params, random io.Reader, public []byte, secrets ...group.Scalar) error {
	if random == nil {
		random = rand.Reader
	}
	context, sum := p.Digest(), sha256.Sum256(public)
	var room [2 * sha256.Size]byte
	return h.Seed(p.Group(), random, append(append(room[:0], context[:]...), sum[:]...), secrets...)
}

// AppendPart appends a part of the public bytes for SeedHedge, prefixed by its
// length.
func AppendPart(dst, part []byte) []byte {
	return append(binary.LittleEndian.AppendUint64(dst, uint64(len(part))), part...)
}

// Ranges proves that each Out - CT commits to its value, where CT has the type
// blinding b. Nonces come from the stream "range" of h with the index of the
// output, so the result does not depend on the executor; a nil executor means
// executor.Serial. The outputs are divided into as many parts as the executor
// runs concurrently, and each part is proved in lockstep.
func (o Outputs) Ranges(p *params.Params, ex executor.Executor, h *nonce.Hedge, ct group.Point, b group.Scalar) ([]rangeproof.Proof, error) {
	system, err := p.RangeProof(p.Kind())
	if err != nil {
		return nil, err
	}
	g := p.Group()
	counted := system.On(group.Phase(g, "range proof"))
	m := newMemory(len(o.Points))
	defer m.put()
	jobs := m.jobs
	for j, v := range withoutType(g, m.points, o.Points, ct) {
		m.streams[j].Start(h, "range", j)
		jobs[j] = rangeproof.Job{V: v, Nonces: &m.streams[j]}
		jobs[j].Witness = rangeproof.Witness{Value: o.Values[j], Blinding: g.Sub(o.Blindings[j], b)}
	}
	proofs := make([]rangeproof.Proof, len(jobs))
	ex = cmp.Or[executor.Executor](ex, executor.Serial{})
	parts := ex.Width(len(jobs))
	return proofs, ex.Run(parts, func(part int) error {
		from, to := part*len(jobs)/parts, (part+1)*len(jobs)/parts
		return ofOutput(from, counted.ProveAll(proofs[from:to], jobs[from:to]))
	})
}

// ofOutput adds the index of the output to the error of a job.
func ofOutput(first int, err error) error {
	if err == nil {
		return nil
	}
	if failed := new(rangeproof.JobError); errors.As(err, &failed) {
		return fmt.Errorf("output %d: %w", first+failed.Index, failed.Err)
	}
	return err
}

// memory is the scratch memory of the range proofs of n outputs: points has room
// for 2n points.
type memory struct {
	points  []group.Point
	jobs    []rangeproof.Job
	streams []nonce.Stream
}

var memories = sync.Pool{New: func() any { return new(memory) }}

func newMemory(n int) *memory {
	m := memories.Get().(*memory)
	m.points = slices.Grow(m.points, 2*n)[:2*n]
	m.jobs, m.streams = slices.Grow(m.jobs, n)[:n], slices.Grow(m.streams, n)[:n]
	return m
}

// put wipes the memory and gives it back.
func (m *memory) put() {
	clear(m.points)
	clear(m.jobs)
	clear(m.streams)
	*m = memory{points: m.points[:0], jobs: m.jobs[:0], streams: m.streams[:0]}
	memories.Put(m)
}

// withoutType returns Out - CT for each output, in room, which has place for
// twice as many points.
func withoutType(g group.Group, room, outputs []group.Point, ct group.Point) []group.Point {
	vs, cts := room[:len(outputs)], room[len(outputs):]
	for j := range cts {
		cts[j] = ct
	}
	g.SubPointVec(vs, outputs, cts)
	return vs
}

// Claim is the unchecked part of an action: the range proofs of one system.
// Only NewClaim and NewClaimWithoutRanges make valid Claims; Verify refuses the
// zero value.
type Claim struct {
	system rangeproof.System
	items  []rangeproof.Item
}

// NewClaimWithoutRanges returns the Claim of an action with a valid sigma proof
// that needs no range proofs. The error is params.ErrNoSystem if p lacks the
// kind.
func NewClaimWithoutRanges(p *params.Params, kind rangeproof.Kind) (Claim, error) {
	system, err := p.RangeProof(kind)
	return Claim{system: system}, err
}

// WithoutType returns Out - CT for each output.
func WithoutType(g group.Group, outputs []group.Point, ct group.Point) []group.Point {
	return withoutType(g, make([]group.Point, 2*len(outputs)), outputs, ct)
}

// NewClaim decodes the RangeList of outputs for the CT of a valid sigma proof,
// given Out - CT for each output. Errors are *wire.DecodeError, or
// params.ErrNoSystem if p lacks the kind of range proof.
func NewClaim(p *params.Params, kind rangeproof.Kind, withoutType []group.Point, ranges []byte) (Claim, error) {
	system, err := p.RangeProof(kind)
	if err != nil {
		return Claim{}, err
	}
	proofs, err := rangeproof.DecodeList(system, ranges, len(withoutType))
	if err != nil {
		return Claim{}, err
	}
	c := Claim{system: system, items: make([]rangeproof.Item, len(withoutType))}
	for j, v := range withoutType {
		c.items[j] = rangeproof.Item{V: v, Proof: proofs[j]}
	}
	return c, nil
}
