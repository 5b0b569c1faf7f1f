package rangetest

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/nonce"
)

// jobs returns n jobs with different values, and with the same nonces on each
// call.
func (p Prover) jobs(t testing.TB, n int) []rangeproof.Job {
	t.Helper()
	hedge, err := nonce.NewHedge(p.Group, bytes.NewReader(make([]byte, 32)), nil)
	require.NoError(t, err)
	jobs := make([]rangeproof.Job, n)
	for i := range jobs {
		w := rangeproof.Witness{Value: uint64(i), Blinding: p.Group.Uint64(uint64(1000 + i))}
		jobs[i] = rangeproof.Job{
			V: p.Commit(p.Group.Uint64(w.Value), w.Blinding), Witness: w, Nonces: hedge.Stream("together", i),
		}
	}
	return jobs
}

// together makes proofs in lockstep, which must equal proofs made one by one,
// and checks that the failing job is named.
func together(t *testing.T, p Prover) {
	for _, n := range []int{0, 1, 2, 3, rangeproof.MaxLockstep, 2*rangeproof.MaxLockstep + 1} {
		proofs := make([]rangeproof.Proof, n)
		require.NoError(t, p.System.ProveAll(proofs, p.jobs(t, n)))
		for i, job := range p.jobs(t, n) {
			alone, err := p.System.Prove(job.V, job.Witness, job.Nonces)
			require.NoError(t, err)
			require.Equal(t, alone.Append(nil), proofs[i].Append(nil), "proof %d of %d", i, n)
		}
		for wrong := range n {
			jobs := p.jobs(t, n)
			jobs[wrong].Witness.Value++
			requireFails(t, p.System, jobs, wrong, rangeproof.ErrWitness)
			jobs = p.jobs(t, n)
			jobs[wrong].Nonces = &nonce.Fixed{}
			requireFails(t, p.System, jobs, wrong, group.ErrRandom)
		}
	}
}

func requireFails(t *testing.T, s rangeproof.System, jobs []rangeproof.Job, wrong int, reason error) {
	t.Helper()
	err := s.ProveAll(make([]rangeproof.Proof, len(jobs)), jobs)
	var failed *rangeproof.JobError
	require.ErrorAs(t, err, &failed)
	require.Equal(t, wrong, failed.Index)
	require.ErrorIs(t, err, reason)
}
