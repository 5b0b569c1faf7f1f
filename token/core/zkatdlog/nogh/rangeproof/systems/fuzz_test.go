package systems_test

import (
	"testing"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof/systems"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// FuzzDecode decodes any bytes as a proof and as a list of one proof. The
// result must be a typed error or a value with exactly this encoding. The seeds
// are the mutated proofs of all systems.
func FuzzDecode(f *testing.F) {
	type name struct{ kind, curve string }
	made := map[name]rangeproof.System{}
	for _, family := range systems.All {
		for _, v := range vectors.NegativeProofs(f, string(family.Kind)) {
			of := name{string(family.Kind), v.Curve}
			if made[of] == nil {
				made[of] = small(family)(f, vectors.Curve(f, v.Curve), v.Bits)
			}
			f.Add(of.kind, of.curve, []byte(v.Proof))
			f.Add(of.kind, of.curve, wire.AppendContainer(nil, wire.AppendContainer(nil, v.Proof)))
		}
	}
	f.Fuzz(func(t *testing.T, kind, curve string, b []byte) {
		s, ok := made[name{kind, curve}]
		if !ok {
			return
		}
		g := vectors.Curve(t, curve)
		p, err := rangeproof.Decode(g, s, b)
		vectors.OneEncoding(t, b, ifRead(err, func() []byte { return p.Append(nil) }), err)
		ps, err := rangeproof.DecodeList(wire.OneByOne(g), s, b, 1)
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
