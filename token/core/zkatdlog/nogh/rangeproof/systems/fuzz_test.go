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
// are the recorded mutants, and a right proof of a system without any.
func FuzzDecode(f *testing.F) {
	type name struct{ kind, curve string }
	made := map[name]rangeproof.System{}
	system := func(family rangeproof.Family, curve string, bits int) {
		if of := (name{string(family.Kind), curve}); made[of] == nil {
			made[of] = small(family)(f, vectors.Curve(f, curve), bits)
		}
	}
	add := func(kind rangeproof.Kind, curve string, proof []byte) {
		f.Add(string(kind), curve, proof)
		f.Add(string(kind), curve, wire.AppendContainer(nil, wire.AppendContainer(nil, proof)))
	}
	for _, family := range systems.All {
		if family.Kind != rangeproof.Bulletproof && family.Kind != rangeproof.CSP {
			system(family, "BN254", 16)
			add(family.Kind, "BN254", newProver(f, small(family), "BN254", 16).Prove(f, 4).Proof.Append(nil))
			continue
		}
		for _, v := range vectors.NegativeProofs(f, string(family.Kind)) { // recorded
			system(family, v.Curve, v.Bits)
			add(family.Kind, v.Curve, v.Proof)
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
