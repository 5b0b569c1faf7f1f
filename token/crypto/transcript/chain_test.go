package transcript_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/token/crypto/transcript"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// TestExpandXMD uses the vectors of RFC 9380, appendix K.1.
func TestExpandXMD(t *testing.T) {
	const domain = "QUUX-V01-CS02-with-expander-SHA256-128"
	for msg, want := range map[string]string{
		"":    "68a985b87eb6b46952128911f2a4412bbc302a9d759667f87f7a21d803f07235",
		"abc": "d8ccab23b5985ccea865c6c97b6e5b8350e794e603b4b97902f53a8a0d605615",
	} {
		got := make([]byte, 32)
		transcript.ExpandXMD(got, []byte(msg), domain)
		require.Equal(t, want, hex.EncodeToString(got), "%q", msg)
	}
	long := make([]byte, 128)
	transcript.ExpandXMD(long, nil, domain)
	require.Equal(t,
		"af84c27ccfd45d41914fdff5df25293e221afc53d8ad2ac06d5e3e29485dadbe"+
			"e0d121587713a3e0dd4d5e69e93eb7cd4f5df4cd103e188cf60cb02edc3edf18"+
			"eda8576c412b18ffb658e3dd6ec849469b979d444cf7b26911a08e63cf31f9dc"+
			"c541708d3491184472c2c29bb749d4286b004ceb5ee6b9a7fa5b646c993f0ced", hex.EncodeToString(long))
}

// TestBlocks counts the blocks of SHA-256: nine bytes of padding and length end the last one.
func TestBlocks(t *testing.T) {
	for n, want := range map[int]int{0: 1, 55: 1, 56: 2, 64: 2, 119: 2, 120: 3} {
		require.Equal(t, want, transcript.Blocks(n), n)
	}
	var c transcript.Chain
	c.Link("a", make([]byte, 51)) // 56 bytes with the label
	require.Equal(t, 2, c.Blocks)
	c.Challenges(vectors.Curve(t, "BN254"), vectors.Values(t, vectors.Curve(t, "BN254"), []string{"0"}),
		"domain")
	require.Equal(t, 2+2+2*1, c.Blocks, "64 + 32 + 2 + 1 + 7 bytes, then 32 + 1 + 7 twice")
	c.Reset()
	require.Zero(t, c.Blocks)
}

func TestALinkCoversTheOnesBefore(t *testing.T) {
	var c transcript.Chain
	c.Link("a", []byte("x"))
	first := sha256.Sum256(append([]byte{0, 0, 0, 1, 'a'}, 'x'))
	require.Equal(t, first, c.State())
	c.Link("bc", []byte("y"))
	second := append(append([]byte{0, 0, 0, 2, 'b', 'c'}, first[:]...), 'y')
	require.Equal(t, sha256.Sum256(second), c.State())
	c.Reset()
	c.Link("a", []byte("x"))
	require.Equal(t, first, c.State())
}

func TestChallengesAreHashToField(t *testing.T) {
	g := vectors.Curve(t, "BN254")
	var c transcript.Chain
	c.Link("a", nil)
	state := c.State()
	require.Panics(t, func() {
		c.Challenges(g, vectors.Values(t, g, []string{"0", "0", "0", "0", "0", "0"}), "domain")
	}, "six")
	for n := range 6 {
		bytes, got := make([]byte, 48*n), vectors.Scalars(t, g, make([]vectors.Hex, 0)...)
		transcript.ExpandXMD(bytes, state[:], "domain")
		got = append(got, vectors.Values(t, g, []string{"0", "0", "0", "0", "0"}[:n])...)
		c.Challenges(g, got, "domain")
		for i := range got {
			require.Equal(t, g.Reduce(bytes[48*i:48*i+48]), got[i])
		}
	}
}

// expanded is expand_message_xmd as RFC 9380 writes it.
func expanded(msg []byte, domain string, n int) (out []byte) {
	hash := func(parts ...[]byte) []byte {
		sum := sha256.Sum256(bytes.Join(parts, nil))
		return sum[:]
	}
	prime := append([]byte(domain), byte(len(domain)))
	b0 := hash(make([]byte, 64), msg, []byte{byte(n >> 8), byte(n), 0}, prime)
	b := hash(b0, []byte{1}, prime)
	out = []byte{}
	for i := 2; len(out) < n; i++ {
		out = append(out, b...)
		mixed := make([]byte, len(b))
		for k := range mixed {
			mixed[k] = b0[k] ^ b[k]
		}
		b = hash(mixed, []byte{byte(i)}, prime)
	}
	return out[:n]
}

// TestExpandXMDOfAllLengths: outputs, messages and domains of all lengths, up to the
// bounds of the standard, beyond which it panics.
func TestExpandXMDOfAllLengths(t *testing.T) {
	for _, n := range []int{0, 1, 31, 32, 33, 255, 256, 1000, 255 * 32} {
		for _, domain := range []int{0, 1, 100, 254, 255} {
			for _, length := range []int{0, 1, 36, 190, 300} {
				msg, label := bytes.Repeat([]byte{7}, length), strings.Repeat("d", domain)
				out := make([]byte, n)
				transcript.ExpandXMD(out, msg, label)
				require.Equal(t, expanded(msg, label, n), out, "%d bytes, %d of domain, %d of message", n,
					domain, length)
			}
		}
	}
	require.Panics(t, func() { transcript.ExpandXMD(make([]byte, 32), nil, strings.Repeat("d", 256)) })
	require.Panics(t, func() { transcript.ExpandXMD(make([]byte, 255*32+1), nil, "d") })
}
