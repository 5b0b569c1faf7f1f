package proof

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/curves"
	"github.com/zkatbench/zkatbench/token/crypto/nonce"
)

// TestMemoryIsWiped: values, blinding factors and nonces do not stay in memory
// that other actions use.
func TestMemoryIsWiped(t *testing.T) {
	g, err := curves.ByName("BN254")
	require.NoError(t, err)
	m := newMemory(2)
	points, jobs, streams := m.points, m.jobs, m.streams
	require.Len(t, points, 4)
	for j := range jobs {
		streams[j].Start(new(nonce.Hedge), "range", j)
		points[j] = g.Generator()
		jobs[j] = rangeproof.Job{V: points[j], Nonces: &streams[j], Witness: rangeproof.Witness{Value: 7, Blinding: g.Uint64(8)}}
	}
	m.put()
	require.Equal(t, make([]group.Point, 4), points)
	require.Equal(t, make([]rangeproof.Job, 2), jobs)
	require.Equal(t, make([]nonce.Stream, 2), streams)
}
