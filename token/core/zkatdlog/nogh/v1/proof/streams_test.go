package proof // witness is private: it holds the secrets and the hedge of a draft

import (
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/bn254"
)

// TestStreamsOfAnActionDiffer: blinding factors, salts, and the nonces of each proof come from
// different streams.
func TestStreamsOfAnActionDiffer(t *testing.T) {
	p, err := params.Setup(params.Config{Group: bn254.New(), Bits: 16, TableBytes: 1})
	require.NoError(t, err)
	for inputs := range 2 {
		d := new(Draft)
		w := &d.witness
		w.begin(p.Group(), "type", inputs, 2)
		require.NoError(t, w.commit(Maker{Params: p}, nil, inputs))
		_, _, first, err := w.sigma(p, nil)
		require.NoError(t, err)
		seen := map[group.Scalar]bool{}
		for _, drawn := range append(w.blindings(), first) {
			seen[drawn] = true
		}
		for j := range 2 {
			var ofRange [1]group.Scalar
			w.hedge.Stream("range", j).Fill(ofRange[:])
			salt := make([]byte, group.SampleLen)
			_, err := io.ReadFull(d.Salt(j), salt)
			require.NoError(t, err)
			seen[ofRange[0]], seen[p.Group().Reduce(salt)] = true, true
		}
		require.Len(t, seen, inputs+2+1+2*2)
	}
}
