package nonce_test

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/curves"
	"github.com/zkatbench/zkatbench/token/crypto/nonce"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// constant is the worst source that returns no error.
type constant byte

func (c constant) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = byte(c)
	}
	return len(b), nil
}

func eachCurve(t *testing.T, f func(t *testing.T, g group.Group)) {
	for _, name := range curves.Names {
		g := vectors.Curve(t, name)
		t.Run("curve="+name, func(t *testing.T) { f(t, g) })
	}
}

func TestFailingSourceIsAnError(t *testing.T) {
	broken := errors.New("broken")
	eachCurve(t, func(t *testing.T, g group.Group) {
		for name, r := range map[string]io.Reader{
			"empty": bytes.NewReader(nil), "short": strings.NewReader("only a few bytes"),
			"broken": iotest.ErrReader(broken),
		} {
			t.Run(name, func(t *testing.T) {
				_, err := nonce.NewHedge(g, r, nil, g.Uint64(7))
				require.ErrorIs(t, err, group.ErrRandom)
			})
		}
		_, err := nonce.NewHedge(g, iotest.ErrReader(broken), nil)
		require.ErrorIs(t, err, broken)
	})
}

// TestStreamsAreAES computes streams from their definition: SHA-256 of the seed with the
// secrets and the context, SHA-256 of this key with the name of the part, AES-256 in
// counter mode, and a reduction. Scalars are drawn together or one by one.
func TestStreamsAreAES(t *testing.T) {
	eachCurve(t, func(t *testing.T, g group.Group) {
		secrets := []group.Scalar{g.Uint64(1), g.Neg(g.Uint64(2))}
		seed := bytes.Repeat([]byte{9}, sha256.Size)
		text := append([]byte("zkatbench/nonce/v1"), seed...)
		text = binary.LittleEndian.AppendUint64(text, uint64(len(secrets)))
		for _, s := range secrets {
			text = g.AppendScalar(text, s)
		}
		key := sha256.Sum256(append(text, "context"...))
		h, err := nonce.NewHedge(g, constant(9), []byte("context"), secrets...)
		require.NoError(t, err)
		for _, i := range []int{0, 1, 1 << 40} {
			part := sha256.Sum256(binary.LittleEndian.AppendUint64(append(key[:], "label"...), uint64(i)))
			block, err := aes.NewCipher(part[:])
			require.NoError(t, err)
			got := make([]group.Scalar, 100)
			raw := make([]byte, len(got)*group.SampleLen)
			cipher.NewCTR(block, make([]byte, aes.BlockSize)).XORKeyStream(raw, raw)
			var s nonce.Stream
			s.Start(h, "label", i)
			for from, n := 0, 1; from < len(got); from, n = from+n, 2*n {
				require.NoError(t, s.Scalars(got[from:min(from+n, len(got))]))
			}
			for k := range got {
				require.Equal(t, g.Reduce(raw[k*group.SampleLen:][:group.SampleLen]), got[k],
					"%d of stream %d", k, i)
			}
		}
	})
}

// TestAHedgeIsUnusableAfterAnError: it keeps no bytes of a short source.
func TestAHedgeIsUnusableAfterAnError(t *testing.T) {
	g := vectors.Curve(t, "BN254")
	h, err := nonce.NewHedge(g, strings.NewReader("short"), nil)
	require.Error(t, err)
	require.Nil(t, h)
	used, err := nonce.NewHedge(g, constant(1), nil)
	require.NoError(t, err)
	require.ErrorIs(t, used.Seed(g, strings.NewReader("short"), nil), group.ErrRandom)
	require.Equal(t, nonce.Hedge{}, *used)
}

// TestFixedTakesAllOfItsList: to the last scalar, and no further.
func TestFixedTakesAllOfItsList(t *testing.T) {
	g := vectors.Curve(t, "BN254")
	f := nonce.Fixed{g.Uint64(1), g.Uint64(2)}
	both := make([]group.Scalar, 2)
	require.NoError(t, f.Scalars(both))
	require.Equal(t, []group.Scalar{g.Uint64(1), g.Uint64(2)}, both)
	require.NoError(t, f.Scalars(nil))
	require.ErrorIs(t, f.Scalars(both[:1]), group.ErrRandom)
}

// TestPrintingShowsNothing: hedges and streams are printed by name.
func TestPrintingShowsNothing(t *testing.T) {
	g := vectors.Curve(t, "BN254")
	h, err := nonce.NewHedge(g, constant(1), nil)
	require.NoError(t, err)
	for _, verb := range []string{"%v", "%+v", "%#v", "%x", "%d", "%s"} {
		require.Equal(t, "nonce hedge", fmt.Sprintf(verb, *h))
		require.Equal(t, "nonce stream", fmt.Sprintf(verb, *h.Stream("label", 0)))
	}
}
