package rangeproof

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/nonce"
)

// MaxLockstep is how many proofs gain from being made or checked together:
// beyond it no batch of the group gets longer.
const MaxLockstep = 8

// Job is one proof to be made.
type Job struct {
	V       group.Point
	Witness Witness
	Nonces  nonce.Source
}

// JobError says which job a prover could not do, and wraps the reason.
type JobError struct {
	Index int
	Err   error
}

func (e *JobError) Error() string { return fmt.Sprintf("proof %d: %v", e.Index, e.Err) }

func (e *JobError) Unwrap() error { return e.Err }

// ProveOne does one job: System.Prove is made of it.
func ProveOne(s System, job Job) (Proof, error) {
	var proof [1]Proof
	err := s.ProveAll(proof[:], []Job{job})
	if err == nil {
		return proof[0], nil
	}
	if failed := new(JobError); errors.As(err, &failed) {
		err = failed.Err
	}
	return nil, err
}

// Aside is sums over variable points that another proof needs. A verifier of range
// proofs computes them together with its own, which costs less.
type Aside struct {
	Terms []group.Terms
	Sums  []group.Point // nil until they are computed
}

// Compute computes the sums if that was not done yet.
func (a *Aside) Compute(g group.Group) { a.MSMs(g, nil, nil) }

// MSMs is g.MSMs that computes the sums of a too, if that was not done yet. a may
// be nil.
func (a *Aside) MSMs(g group.Group, dst []group.Point, rows []group.Terms) {
	if a == nil || a.Sums != nil {
		g.MSMs(dst, rows)
		return
	}
	all := make([]group.Point, len(rows)+len(a.Terms))
	g.MSMs(all, slices.Concat(rows, a.Terms))
	a.Sums = all[copy(dst, all):]
}

// Team is proofs that are made or checked together, S one of them.
type Team[S any] struct {
	Members []*S
	Table   group.Table // of the sums that steps ask for
	Aside   *Aside      // computed with the first variable sums; may be nil

	sums   Lockstep
	memory [MaxLockstep]S
}

// Step is one step of a proof that is made or checked. All members of a team do
// it before any goes on, so that the group computes their sums together.
type Step[S any] struct {
	// Phases are the phases of the protocol that the step counts for, from the
	// outermost one (group.Phase).
	Phases []string
	// Ask asks for sums. It may be nil.
	Ask func(m *S, g group.Group, sums *Lockstep)
	// Then takes the sums, in the order of asking, and goes on with them. It may
	// be nil. An error ends the work of the whole team.
	Then func(m *S, g group.Group, sums *Lockstep) error
}

// Join adds a member, which has the memory of an earlier one.
func (t *Team[S]) Join(s S) {
	m := &t.memory[len(t.Members)]
	*m = s
	t.Members = append(t.Members, m)
}

// Leave forgets all members, with done for each.
func (t *Team[S]) Leave(done func(*S)) {
	for _, m := range t.Members {
		done(m)
	}
	clear(t.memory[:len(t.Members)])
	t.sums.wipe()
	t.Members, t.Table, t.Aside = t.Members[:0], nil, nil
}

// Run does the steps. If one fails, it returns the member's index and the
// reason.
func (t *Team[S]) Run(g group.Group, steps []Step[S]) (failed int, err error) {
	for i := range steps {
		if failed, err := t.run(g, &steps[i]); err != nil {
			return failed, err
		}
	}
	return 0, nil
}

func (t *Team[S]) run(g group.Group, s *Step[S]) (failed int, err error) {
	for _, name := range s.Phases {
		g = group.Phase(g, name)
	}
	if s.Ask != nil {
		for _, m := range t.Members {
			s.Ask(m, g, &t.sums)
		}
		t.sums.compute(g, t.Table, t.Aside)
	}
	if s.Then == nil {
		return 0, nil
	}
	for i, m := range t.Members {
		if err := s.Then(m, g, &t.sums); err != nil {
			return i, err
		}
	}
	return 0, nil
}

// Lockstep collects the sums that several proofs need at the same step, because
// a group computes many cheaper than one by one: sums over one table, and sums
// over variable points.
type Lockstep struct {
	fixed    sums[group.Row]
	variable sums[group.Terms]
}

// sums are sums of one kind with their results.
type sums[T any] struct {
	asked   []T
	results []group.Point
	next    int
}

// Format implements fmt.Formatter for every verb: it writes no secret.
func (Lockstep) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "sums of a prover") }

// Ask asks for a sum over the table.
func (l *Lockstep) Ask(r group.Row) { l.fixed.asked = append(l.fixed.asked, r) }

// AskTerms asks for a sum over variable points.
func (l *Lockstep) AskTerms(t group.Terms) { l.variable.asked = append(l.variable.asked, t) }

// Next returns the next sum over the table, in the order of asking.
func (l *Lockstep) Next() group.Point { return l.fixed.take() }

// NextTerms returns the next sum over variable points, in the order of asking.
func (l *Lockstep) NextTerms() group.Point { return l.variable.take() }

// compute computes the sums that were asked for.
func (l *Lockstep) compute(g group.Group, t group.Table, aside *Aside) {
	l.fixed.compute(func(dst []group.Point, rows []group.Row) { g.FixedMSM(dst, t, rows) })
	l.variable.compute(func(dst []group.Point, rows []group.Terms) { aside.MSMs(g, dst, rows) })
}

func (l *Lockstep) wipe() {
	clear(l.fixed.results) // parts of commitments tell more than the whole
	clear(l.variable.results)
}

func (s *sums[T]) compute(do func([]group.Point, []T)) {
	if len(s.asked) == 0 {
		return
	}
	for len(s.results) < len(s.asked) {
		s.results = append(s.results, group.Point{})
	}
	do(s.results[:len(s.asked)], s.asked)
	clear(s.asked)
	s.asked, s.next = s.asked[:0], 0
}

func (s *sums[T]) take() group.Point {
	s.next++
	return s.results[s.next-1]
}
