package rangeproof

import (
	"errors"
	"fmt"

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

// Lockstep collects the sums over one table that several proofs need at the
// same step, because a group computes many cheaper than one by one.
type Lockstep struct {
	rows []group.Row
	sums []group.Point
	next int
}

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
