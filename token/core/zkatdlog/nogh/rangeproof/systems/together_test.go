package systems_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/nonce"
	"github.com/zkatbench/zkatbench/token/crypto/round"
)

// job is a proof to be made.
type job struct {
	v group.Point
	w rangeproof.Witness
	k nonce.Source
}

// jobs returns n jobs with different values, and with the same nonces on each
// call.
func (p prover) jobs(t testing.TB, n int) []job {
	t.Helper()
	hedge, err := nonce.NewHedge(p.Group, bytes.NewReader(make([]byte, 32)), nil)
	require.NoError(t, err)
	jobs := make([]job, n)
	for i := range jobs {
		w := rangeproof.Witness{Value: uint64(i), Blinding: p.Group.Uint64(uint64(1000 + i))}
		jobs[i] = job{p.Commit(p.Group.Uint64(w.Value), w.Blinding), w, hedge.Stream("together", i)}
	}
	return jobs
}

// proveAll makes the proofs of all jobs together.
func (p prover) proveAll(jobs []job) ([]rangeproof.Proof, error) {
	proofs := make([]rangeproof.Proof, len(jobs))
	return proofs, round.Run(p.Group, func(r round.Round) error {
		return r.Each(len(jobs), func(r round.Round, i int) (err error) {
			if proofs[i], err = p.System.Prove(r, jobs[i].v, jobs[i].w, jobs[i].k); err != nil {
				return &failed{i, err}
			}
			return nil
		})
	})
}

// failed names the job that failed.
type failed struct {
	index int
	error
}

func (f *failed) Unwrap() error { return f.error }

// madeTogether makes proofs together, which must equal proofs made one by one, and
// checks that the failing job is named.
func madeTogether(t *testing.T, p prover) {
	for _, n := range nightly.Pick([]int{0, 1, 3}, []int{0, 1, 3, 8}, []int{0, 1, 2, 3, 8, 17}) {
		proofs, err := p.proveAll(p.jobs(t, n))
		require.NoError(t, err)
		for i, job := range p.jobs(t, n) {
			alone, err := p.ProveFor(job.v, job.w, job.k)
			require.NoError(t, err)
			require.Equal(t, alone.Append(nil), proofs[i].Append(nil), "proof %d of %d", i, n)
		}
		for wrong := range n {
			jobs := p.jobs(t, n)
			jobs[wrong].w.Value++
			requireFails(t, p, jobs, wrong, rangeproof.ErrWitness)
			jobs = p.jobs(t, n)
			jobs[wrong].k = &nonce.Fixed{}
			requireFails(t, p, jobs, wrong, group.ErrRandom)
		}
	}
}

func requireFails(t *testing.T, p prover, jobs []job, wrong int, reason error) {
	t.Helper()
	_, err := p.proveAll(jobs)
	var f *failed
	require.ErrorAs(t, err, &f)
	require.Equal(t, wrong, f.index)
	require.ErrorIs(t, err, reason)
}
