package nonce_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/nonce"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// watching is a group that keeps the memory passed to it: the destinations of
// appended scalars, and the bytes reduced to scalars.
type watching struct {
	group.Group
	appended, reduced [][]byte
}

func (w *watching) AppendScalar(dst []byte, s group.Scalar) []byte {
	dst = w.Group.AppendScalar(dst, s)
	w.appended = append(w.appended, dst)
	return dst
}

func (w *watching) Reduce(b []byte) group.Scalar {
	w.reduced = append(w.reduced, b)
	return w.Group.Reduce(b)
}

func requireZeros(t *testing.T, memory [][]byte, what string) {
	t.Helper()
	require.NotEmpty(t, memory, what)
	for _, b := range memory {
		require.Equal(t, make([]byte, len(b)), b, what)
	}
}

// TestMemoryIsWiped checks that neither a hedge nor a stream leaves secrets in
// its working memory.
func TestMemoryIsWiped(t *testing.T) {
	g := vectors.Curve(t, "BN254")
	w := &watching{Group: g}
	h, err := nonce.NewHedge(w, constant(7), []byte("context"), g.Uint64(1), g.Uint64(2))
	require.NoError(t, err)
	requireZeros(t, w.appended, "secrets of a hedge")
	scalars := make([]group.Scalar, 40)
	require.NoError(t, h.Stream("label", 0).Scalars(scalars))
	requireZeros(t, w.reduced, "key stream")
}
