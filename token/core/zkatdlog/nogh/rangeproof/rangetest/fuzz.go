package rangetest

import (
	"testing"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// FuzzDecode decodes any bytes as a proof and as a list of one proof. The
// result must be a typed error or a value with exactly this encoding. The seeds
// are the mutated proofs of the kind.
func FuzzDecode(f *testing.F, kind rangeproof.Kind, maker Maker) {
	systems := map[string]rangeproof.System{}
	for _, v := range vectors.NegativeProofs(f, string(kind)) {
		if systems[v.Curve] == nil {
			systems[v.Curve] = maker(f, vectors.Curve(f, v.Curve), v.Bits)
		}
		f.Add(v.Curve, []byte(v.Proof))
		f.Add(v.Curve, wire.AppendContainer(nil, wire.AppendContainer(nil, v.Proof)))
	}
	f.Fuzz(func(t *testing.T, curve string, b []byte) {
		s, ok := systems[curve]
		if !ok {
			return
		}
		g := vectors.Curve(t, curve)
		p, err := rangeproof.Decode(g, s, b)
		vectors.OneEncoding(t, b, ifRead(err, func() []byte { return p.Append(nil) }), err)
		ps, err := rangeproof.DecodeList(g, s, b, 1)
		vectors.OneEncoding(t, b, ifRead(err, func() []byte { return rangeproof.AppendList(nil, ps) }), err)
	})
}

// ifRead encodes the value again if decoding succeeded.
func ifRead(err error, write func() []byte) []byte {
	if err != nil {
		return nil
	}
	return write()
}
