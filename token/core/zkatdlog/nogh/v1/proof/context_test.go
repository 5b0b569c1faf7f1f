package proof_test

import (
	"crypto/sha256"
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/proof"
	v2 "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v2"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// TestContext compares with the formula of the v2 specification, section 15, and
// changes each part, without changing its length.
func TestContext(t *testing.T) {
	parameters := func(bits int) *v2.Params {
		p, err := v2.New(vectors.Curve(t, "BN254"), bits, 1)
		require.NoError(t, err)
		return p
	}
	part := func(b []byte) []byte { return append(binary.BigEndian.AppendUint32(nil, uint32(len(b))), b...) }
	seen := map[string]bool{}
	p16, p32 := parameters(16), parameters(32)
	for _, c := range []struct {
		p      *v2.Params
		at     proof.Place
		action string
	}{
		{p16, proof.Place{Anchor: "tx1", Index: 0}, "action"},
		{p32, proof.Place{Anchor: "tx1", Index: 0}, "action"},
		{p16, proof.Place{Anchor: "tx2", Index: 0}, "action"},
		{p16, proof.Place{Anchor: "tx1", Index: 1}, "action"},
		{p16, proof.Place{Anchor: "tx1", Index: 0}, "actiom"},
	} {
		digest := c.p.Digest()
		text := append(part([]byte("zkatdlog-nogh-v2/context")), digest[:]...)
		text = append(text, part([]byte(c.at.Anchor))...)
		text = binary.BigEndian.AppendUint32(text, uint32(c.at.Index))
		want := sha256.Sum256(append(text, part([]byte(c.action))...))
		got := proof.Context(c.p, c.at, func(dst []byte) []byte { return append(dst, c.action...) })
		require.Equal(t, want[:], got)
		require.False(t, seen[string(got)])
		seen[string(got)] = true
	}
}

// TestV2ProofsHaveTheirOwnField: a v2 proof is the variant 3 of the field, not
// empty, and the only variant that the reader of v2 actions takes.
func TestV2ProofsHaveTheirOwnField(t *testing.T) {
	raw := []byte("proof")
	field := proof.Proof{Kind: proof.V2, Raw: raw}.AppendField(nil, 4)
	require.Equal(t, append([]byte{4<<3 | 2, 7, 3<<3 | 2, 5}, raw...), field)
	for name, c := range map[string]struct {
		field []byte
		want  error
	}{
		"as written":      {field, nil},
		"absent":          {nil, wire.ErrMissing},
		"without variant": {[]byte{4<<3 | 2, 0}, wire.ErrMissing},
		"empty":           {[]byte{4<<3 | 2, 2, 3<<3 | 2, 0}, wire.ErrMissing},
		"variant 1":       {[]byte{4<<3 | 2, 3, 1<<3 | 2, 1, 'x'}, wire.ErrMissing},
		"variant 2":       {[]byte{4<<3 | 2, 3, 2<<3 | 2, 1, 'x'}, wire.ErrMissing},
	} {
		t.Run(name, func(t *testing.T) {
			m := wire.NewMessage("action", c.field)
			got := proof.Read(proof.Whole, &m, 4)
			err := m.Done()
			if c.want == nil {
				require.NoError(t, err)
				require.Equal(t, proof.Proof{Kind: proof.V2, Raw: raw}, got)
				return
			}
			require.ErrorAs(t, err, new(*wire.DecodeError))
		})
	}
}
