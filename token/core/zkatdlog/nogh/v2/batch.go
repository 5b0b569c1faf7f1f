package v2

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/round"
	"github.com/zkatbench/zkatbench/token/crypto/transcript"
)

// Claim is a statement with a proof of it.
type Claim struct {
	Statement *Statement
	Proof     []byte
}

// RejectedError names the first wrong claim of a batch and wraps the reason.
type RejectedError struct {
	Index int
	Err   error
}

func (e *RejectedError) Error() string { return fmt.Sprintf("claim %d: %v", e.Index, e.Err) }

func (e *RejectedError) Unwrap() error { return e.Err }

// Verify returns nil if proof proves st. Otherwise it returns ErrStatement or
// *wire.DecodeError for malformed input, or ErrRejected for a wrong proof.
// Verify never panics, and does no curve work before the length of the proof is
// checked.
func (p *Params) Verify(st *Statement, proof []byte) error {
	err := p.VerifyBatch([]Claim{{st, proof}})
	if wrong := new(RejectedError); errors.As(err, &wrong) {
		return wrong.Err
	}
	return err
}

// VerifyBatch verifies claims together. A *RejectedError names the first wrong one.
func (p *Params) VerifyBatch(claims []Claim) error {
	return round.Run(p.group, func(r round.Round) error {
		for i, err := range p.VerifyClaims(r, claims) {
			if err != nil {
				return &RejectedError{Index: i, Err: err}
			}
		}
		return nil
	})
}

// VerifyClaims is a task that returns the error of Verify for each claim, or
// round.ErrUndecided if one before it is rejected (round.Work). The claims of all tasks
// are checked in one equation. A wrong one is accepted with probability 2⁻¹⁹².
func (p *Params) VerifyClaims(r round.Round, claims []Claim) []error {
	errs := make([]error, len(claims))
	if err := p.made(); err != nil {
		return slices.Repeat([]error{err}, len(claims))
	}
	read := make([]*claim, 0, len(claims))
	defer func() {
		for _, c := range read {
			p.spaces.putClaim(c)
		}
	}()
	for i, next := range claims {
		c := p.spaces.claims.take()
		errs[i] = c.read(p, next.Statement, next.Proof)
		if errs[i] != nil {
			p.spaces.putClaim(c)
			continue
		}
		read = append(read, c)
	}
	p.prepare(read...)
	return round.Fill(errs, p.equations.WaitAll(r, read))
}

// hold reports whether both equations of every claim hold up to torsion, with
// random weights in one sum.
func (t *tables) hold(g group.Group, batch []*claim) bool {
	s := t.spaces.sums.take()
	defer t.spaces.sums.Put(s)
	g = group.Phase(g, "equation")
	s.reset(batch)
	seed := batchSeed(batch)
	for b, c := range batch {
		main, types := s.weights(g, seed, b)
		s.add(g, c, main, types)
	}
	for i := range s.fixed {
		s.fixed[i] = g.Neg(s.fixed[i])
	}
	return g.IsTorsion(g.CurveSum(t.table(len(s.fixed)), group.Row{Scalars: s.fixed}, s.points, s.scalars))
}

// batchSeed hashes τ₄ of all proofs, so that weights depend on every response.
func batchSeed(batch []*claim) [sha256.Size]byte {
	h := sha256.New()
	var room [64]byte
	b := transcript.AppendLabel(room[:0], "zkatdlog-nogh-v2/batch")
	h.Write(binary.BigEndian.AppendUint32(b, uint32(len(batch))))
	for _, c := range batch {
		h.Write(c.state[:])
	}
	var seed [sha256.Size]byte
	h.Sum(seed[:0])
	return seed
}

// weightBytes is the size of a weight: 192 bits, below the order of every group.
const weightBytes = 24

// weights returns the weights of the main and type equations of proof b.
func (s *weightedSum) weights(g group.Field, seed [sha256.Size]byte, b int) (main, types group.Scalar) {
	var room [sha256.Size + 4]byte
	msg := binary.BigEndian.AppendUint32(append(room[:0], seed[:]...), uint32(b))
	out := s.expanded[:]
	transcript.ExpandXMD(out, msg, "zkatdlog-nogh-v2/weight")
	return g.Reduce(out[:weightBytes]), g.Reduce(out[weightBytes:])
}

// weightedSum is the sum of one batch: a part over generators, to be
// subtracted, and a part over variable points.
type weightedSum struct {
	expanded [2 * weightBytes]byte // the hash of both weights of a proof

	fixed   []group.Scalar
	points  []group.CurvePoint
	scalars []group.Scalar
}

func (s *weightedSum) reset(batch []*claim) {
	fixed, points := 0, 0
	for _, c := range batch {
		fixed, points = max(fixed, len(c.fixed)), points+len(c.variable)
	}
	s.fixed = resize(s.fixed, fixed)
	clear(s.fixed)
	s.points, s.scalars = resize(s.points, points)[:0], resize(s.scalars, points)[:0]
}

// add adds both equations of c with their weights.
func (s *weightedSum) add(g group.Group, c *claim, main, types group.Scalar) {
	for i, v := range c.fixed {
		s.fixed[i] = g.Add(s.fixed[i], g.Mul(main, v))
	}
	for i, v := range c.typeFixed {
		s.fixed[i] = g.Add(s.fixed[i], g.Mul(types, v))
	}
	at := len(s.scalars)
	s.points = append(s.points, c.variable...)
	s.scalars = s.scalars[:at+len(c.variable)]
	g.FoldVec(s.scalars[at:], c.mainVariable, c.typeVariable, main, types)
}
