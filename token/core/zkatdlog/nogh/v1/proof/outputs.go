package proof

import (
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/nonce"
	"github.com/zkatbench/zkatbench/token/crypto/round"
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
func SeedHedge(h *nonce.Hedge, p *params.Params, random io.Reader, public []byte,
	secrets ...group.Scalar) error {
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
// runs concurrently, and the outputs of a part are proved together.
func (o Outputs) Ranges(p *params.Params, ex executor.Executor, h *nonce.Hedge, ct group.Point,
	b group.Scalar) ([]rangeproof.Proof, error) {
	system, err := p.RangeProof(p.Kind())
	if err != nil {
		return nil, err
	}
	g, n := p.Group(), len(o.Points)
	m := round.NewMemory()
	defer m.Wipe()
	vs, proofs := withoutType(g, m.Points(2*n), o.Points, ct), make([]rangeproof.Proof, n)
	nonces := make([]nonce.Stream, n)
	defer clear(nonces)
	ex = cmp.Or[executor.Executor](ex, executor.Serial{})
	parts := ex.Width(n)
	return proofs, ex.Run(parts, func(part int) error {
		from, to := part*n/parts, (part+1)*n/parts
		return round.Run(g, func(r round.Round) error {
			return r.Phase("range proof").Each(to-from, func(r round.Round, i int) (err error) {
				j := from + i
				nonces[j].Start(h, "range", j)
				w := rangeproof.Witness{Value: o.Values[j], Blinding: g.Sub(o.Blindings[j], b)}
				proofs[j], err = system.Prove(r, vs[j], w, &nonces[j])
				if err != nil {
					return fmt.Errorf("output %d: %w", j, err)
				}
				return nil
			})
		})
	})
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
