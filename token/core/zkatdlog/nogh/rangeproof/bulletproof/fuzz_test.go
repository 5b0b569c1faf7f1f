package bulletproof_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof/bulletproof"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

func FuzzDecode(f *testing.F) {
	systems := map[string]*bulletproof.System{}
	for _, v := range vectors.NegativeProofs(f, "bulletproof") {
		systems[v.Curve] = system(f, vectors.Curve(f, v.Curve), v.Bits)
		f.Add(v.Curve, []byte(v.Proof))
		f.Add(v.Curve, wire.AppendContainer(nil, wire.AppendContainer(nil, v.Proof)))
	}
	f.Fuzz(func(t *testing.T, curve string, b []byte) {
		s, ok := systems[curve]
		if !ok {
			return
		}
		p, err := s.Decode(b)
		check(t, b, err, func() []byte { return p.Append(nil) })
		ps, err := rangeproof.DecodeList(s, b, 1)
		check(t, b, err, func() []byte { return rangeproof.AppendList(nil, ps) })
	})
}

// check demands a typed error, or a value whose one encoding is b.
func check(t *testing.T, b []byte, err error, again func() []byte) {
	t.Helper()
	if err != nil {
		if de := new(wire.DecodeError); !errors.As(err, &de) {
			t.Fatalf("untyped error %T: %v", err, err)
		}
		return
	}
	if got := again(); !bytes.Equal(b, got) {
		t.Fatalf("a second encoding of one proof:\nread  %x\nwrote %x", b, got)
	}
}
