package rangeproof

import (
	"errors"
	"fmt"
	"io"

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

// Team is proofs that are made or checked together, S one of them.
type Team[S any] struct {
	Members []*S
	Table   group.Table // that all sums of Compute are over
	Sums    Lockstep
	Terms   []group.Terms // of variable points, for one call of MSMs
	Results []group.Point

	memory [MaxLockstep]S
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
	clear(t.Terms)
	clear(t.Results)
	clear(t.Sums.sums) // parts of commitments tell more than the whole
	t.Members, t.Terms, t.Results = t.Members[:0], t.Terms[:0], t.Results[:0]
	t.Table = nil
}

// Compute has every member ask for sums over the table, and take them.
func (t *Team[S]) Compute(g group.Group, ask, take func(*S, *Lockstep)) {
	for _, m := range t.Members {
		ask(m, &t.Sums)
	}
	t.Sums.Compute(g, t.Table)
	for _, m := range t.Members {
		take(m, &t.Sums)
	}
}

// Want asks for a sum over variable points.
func (t *Team[S]) Want(terms group.Terms) {
	t.Terms = append(t.Terms, terms)
	t.Results = append(t.Results, group.Point{})
}

// Variable computes what was wanted; result i is that of the i-th call.
func (t *Team[S]) Variable(g group.Group) []group.Point {
	g.MSMs(t.Results, t.Terms)
	return t.Results
}

// Lockstep collects the sums over one table that several proofs need at the
// same step, because a group computes many cheaper than one by one.
type Lockstep struct {
	rows []group.Row
	sums []group.Point
	next int
}

// Format implements fmt.Formatter for every verb: it writes no secret.
func (Lockstep) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "sums of a prover") }

// Ask puts a sum on the list.
func (l *Lockstep) Ask(r group.Row) { l.rows = append(l.rows, r) }

// Compute computes the sums that were asked for.
func (l *Lockstep) Compute(g group.Group, t group.Table) {
	for len(l.sums) < len(l.rows) {
		l.sums = append(l.sums, group.Point{})
	}
	g.FixedMSM(l.sums[:len(l.rows)], t, l.rows)
	clear(l.rows)
	l.rows, l.next = l.rows[:0], 0
}

// Next returns the next sum, in the order of asking.
func (l *Lockstep) Next() group.Point {
	l.next++
	return l.sums[l.next-1]
}
