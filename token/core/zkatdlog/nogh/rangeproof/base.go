package rangeproof

import (
	"sync"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/nonce"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// Protocol is the part of a System that one proof system defines. All views of
// the System share it; calls name the group that they compute in.
type Protocol interface {
	Kind() Kind
	Bits() int
	ProofLen() int
	Precompute() int
	// Blank sets dst to zero proofs over g, in one piece of memory.
	Blank(g group.Group, dst []Proof)
	// ProveTeam makes the proofs of at most MaxLockstep jobs step by step with
	// each other. dst is blank. If one fails, it returns the job's index and the
	// reason.
	ProveTeam(g group.Group, dst []Proof, jobs []Job) (failed int, err error)
	// Decode reads exactly one proof into the blank one p, with points that ps
	// decodes.
	Decode(ps *wire.Points, b []byte, p Proof) error
	// Holds reports whether every item is right. It may compute the sums of
	// aside, which may be nil.
	Holds(g group.Group, items []Item, aside *Aside) bool
}

// View is the System of a protocol in one view of its group.
type View[P Protocol] struct {
	Group  group.Group
	Shared P
}

// Kind is the kind of the protocol.
func (v *View[P]) Kind() Kind { return v.Shared.Kind() }

// Bits is n.
func (v *View[P]) Bits() int { return v.Shared.Bits() }

// ProofLen is the length of every encoded proof in bytes.
func (v *View[P]) ProofLen() int { return v.Shared.ProofLen() }

// Precompute builds the tables and returns their size in bytes.
func (v *View[P]) Precompute() int { return v.Shared.Precompute() }

// On returns the System for g, a view of the same group.
func (v *View[P]) On(g group.Group) System {
	if g == v.Group {
		return v
	}
	return &View[P]{Group: g, Shared: v.Shared}
}

// Prove returns a proof that V = w.Value·g₁ + w.Blinding·h with w.Value < 2ⁿ.
func (v *View[P]) Prove(V group.Point, w Witness, src nonce.Source) (Proof, error) {
	return ProveOne(v, Job{V: V, Witness: w, Nonces: src})
}

// ProveAll does many jobs, in teams of at most MaxLockstep.
func (v *View[P]) ProveAll(dst []Proof, jobs []Job) error {
	v.Shared.Blank(v.Group, dst)
	for i := 0; i < len(jobs); i += MaxLockstep {
		end := min(i+MaxLockstep, len(jobs))
		if failed, err := v.Shared.ProveTeam(v.Group, dst[i:end], jobs[i:end]); err != nil {
			return &JobError{Index: i + failed, Err: err}
		}
	}
	return nil
}

// DecodeAll reads one proof from each encoding. Errors are *wire.DecodeError.
func (v *View[P]) DecodeAll(bs [][]byte) ([]Proof, error) {
	if v.Group == nil {
		return nil, wire.Bad("range proof", "system", wire.ErrMissing)
	}
	proofs := make([]Proof, len(bs))
	err := wire.Together(v.Group, func(ps *wire.Points) error {
		v.Shared.Blank(v.Group, proofs)
		for i, b := range bs {
			if err := v.Shared.Decode(ps, b, proofs[i]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return proofs, nil
}

// Decode reads exactly one proof. Errors are *wire.DecodeError.
func (v *View[P]) Decode(b []byte) (Proof, error) {
	proofs, err := v.DecodeAll([][]byte{b})
	if err != nil {
		return nil, err
	}
	return proofs[0], nil
}

// Holds reports whether every item is right.
func (v *View[P]) Holds(items []Item) bool { return v.Shared.Holds(v.Group, items, nil) }

// Verify returns nil if every item is right, or a *RejectedError for the first
// wrong one. Proofs of another system are wrong.
func (v *View[P]) Verify(items []Item) error { return v.VerifyBeside(items, nil) }

// VerifyBeside is Verify that may compute the sums of aside, together with its own.
func (v *View[P]) VerifyBeside(items []Item, aside *Aside) error {
	return VerifyBatch(items, func(items []Item) bool { return v.Shared.Holds(v.Group, items, aside) })
}

// Tables are precomputed multiples of public generators.
type Tables struct {
	Points group.Table
	Bits   group.BitTable // chosen by the bits of a value
}

// Base is the state that every protocol has: constants, tables, and memory that
// proofs use one after another. W is the scratch memory of one prover or
// verifier, S one proof that is being made or checked. Only tables are built
// later than Init; all else does not change.
type Base[W Workspace, S any] struct {
	Group  group.Group
	N      int            // the bit length
	Pow2   []group.Scalar // 2ⁱ, i < n
	Ones   []group.Scalar
	Tables func() Tables // builds them on the first call

	proofLen int
	spaces   sync.Pool // of W
	teams    sync.Pool // of *Team[S]
}

// Workspace is scratch memory. Wipe clears its secrets.
type Workspace interface{ Wipe() }

// Init sets the constants for n bits, with that many ones. build makes the
// tables, and space a workspace.
func (b *Base[W, S]) Init(g group.Group, n, ones int, build func() Tables, space func() W) {
	b.Group, b.N = g, n
	b.Pow2, b.Ones = make([]group.Scalar, n), make([]group.Scalar, ones)
	g.Powers(b.Pow2, g.Uint64(2))
	g.Powers(b.Ones, g.Uint64(1))
	b.Tables = sync.OnceValue(build)
	b.spaces.New = func() any { return space() }
	b.teams.New = func() any { return new(Team[S]) }
}

// SetProofLen sets the length of every encoded proof to that of p.
func (b *Base[W, S]) SetProofLen(p Proof) { b.proofLen = len(p.Append(nil)) }

// Bits is n.
func (b *Base[W, S]) Bits() int { return b.N }

// ProofLen is the length of every encoded proof, which depends on the curve and
// the bit length only.
func (b *Base[W, S]) ProofLen() int { return b.proofLen }

// Precompute builds the tables and returns their size in bytes.
func (b *Base[W, S]) Precompute() int {
	t := b.Tables()
	return t.Points.Bytes() + t.Bits.Bytes()
}

// Take returns a workspace; give it back with Put.
func (b *Base[W, S]) Take() W { return b.spaces.Get().(W) }

// Put wipes ws and keeps it for the next caller.
func (b *Base[W, S]) Put(ws W) {
	ws.Wipe()
	b.spaces.Put(ws)
}

// Assemble returns a team of n members, at most MaxLockstep, whose sums are over
// the table. Each has a workspace. Give the team back with Dismiss.
func (b *Base[W, S]) Assemble(n int, member func(W) S) *Team[S] {
	t := b.teams.Get().(*Team[S])
	t.Table = b.Tables().Points
	for range n {
		t.Join(member(b.Take()))
	}
	return t
}

// Dismiss ends a team. space returns the workspace of a member.
func (b *Base[W, S]) Dismiss(t *Team[S], space func(*S) W) {
	t.Leave(func(s *S) { b.Put(space(s)) })
	b.teams.Put(t)
}
