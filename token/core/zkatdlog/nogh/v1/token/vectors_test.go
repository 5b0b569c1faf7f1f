package token_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/pedersen"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

type primitives struct {
	Curves []struct {
		Curve           string
		SetupGenerators []struct {
			String string
			G1     vectors.Hex
		} `json:"setup_generators"`
		Commitments  []commitment
		TokenFormats []format `json:"token_formats"`
	}
	FabtokenFormats []format `json:"fabtoken_formats"`
}

type format struct {
	Format    string
	Precision int
}

type commitment struct {
	Type, Value    string
	TypeScalar     vectors.Hex `json:"type_scalar"`
	Blinding       vectors.Hex `json:"blinding_factor"`
	Commitment     vectors.Hex
	Owner          vectors.Hex `json:"token_owner"`
	Token          vectors.Hex `json:"token_serialized"`
	TokenNoOwner   vectors.Hex `json:"token_serialized_no_owner"`
	Issuer         vectors.Hex `json:"metadata_issuer"`
	Opening        vectors.Hex `json:"metadata_serialized_with_issuer"`
	OpeningNoOwner vectors.Hex `json:"metadata_serialized_no_issuer"`
}

// key is the commitment key of the documented strings.
func key(g group.Group) *pedersen.Key {
	var bases [3]group.Point
	for i := range bases {
		bases[i] = g.HashToPoint([]byte("lfdt-panurus.zkatdlognogh.1.PedersenGenerators." + strconv.Itoa(i)))
	}
	return pedersen.NewKey(g, bases)
}

func TestVectors(t *testing.T) {
	for name, set := range vectors.Sets[primitives](t, "primitives.json") {
		checked := 0
		for _, c := range set.Curves {
			if len(c.Commitments) == 0 {
				continue
			}
			t.Run(name+"/"+c.Curve, func(t *testing.T) {
				g := vectors.Curve(t, c.Curve)
				k := key(g)
				for _, v := range c.Commitments {
					testCommitment(t, k, v)
					checked++
				}
				for _, f := range c.TokenFormats {
					require.Equal(t, f.Format, token.Format(k, f.Precision))
				}
			})
		}
		require.Positive(t, checked)
		for _, f := range set.FabtokenFormats {
			require.Equal(t, f.Format, token.ClearFormat(f.Precision))
		}
	}
}

func testCommitment(t *testing.T, k *pedersen.Key, v commitment) {
	g := k.Group()
	require.Equal(t, []byte(v.TypeScalar), g.AppendScalar(nil, token.TypeScalar(g, v.Type)))
	value, err := strconv.ParseUint(v.Value, 10, 64)
	require.NoError(t, err)
	blinding, err := g.DecodeScalar(v.Blinding)
	require.NoError(t, err)
	point := token.Commit(k, v.Type, value, blinding)
	require.Equal(t, []byte(v.Commitment), g.AppendPoint(nil, point))

	owned := token.Token{Owner: v.Owner, Data: point}
	require.Equal(t, []byte(v.Token), owned.Encode(g))
	require.Equal(t, []byte(v.TokenNoOwner), token.Token{Data: point}.Encode(g))
	require.True(t, token.Token{Data: point}.IsRedeemed())
	require.False(t, owned.IsRedeemed())
	opening := token.Opening{Type: v.Type, Value: g.Uint64(value), Blinding: blinding, Issuer: v.Issuer}
	require.Equal(t, []byte(v.Opening), opening.Encode(g))
	require.NoError(t, opening.Open(k, owned))

	for _, b := range [][]byte{v.Token, v.TokenNoOwner} {
		got, err := token.Decode(g, b)
		require.NoError(t, err)
		require.True(t, g.Equal(point, got.Data))
		require.Equal(t, b, got.Encode(g))
	}
	for _, b := range [][]byte{v.Opening, v.OpeningNoOwner} {
		got, err := token.DecodeOpening(g, b)
		require.NoError(t, err)
		require.NoError(t, got.Open(k, owned))
		require.Equal(t, b, got.Encode(g))
		number, err := got.Uint64(g)
		require.NoError(t, err)
		require.Equal(t, value, number)
	}
}

// seeds are the encodings of the compact set on every curve.
func seeds(tb testing.TB, pick func(commitment) [][]byte) (out [][]byte) {
	for _, c := range vectors.Sets[primitives](tb, "primitives.json")["compact"].Curves {
		for _, v := range c.Commitments {
			out = append(out, pick(v)...)
		}
	}
	return out
}

func FuzzDecode(f *testing.F) {
	g := vectors.Curve(f, "BN254")
	all := seeds(f, func(v commitment) [][]byte { return [][]byte{v.Token, v.TokenNoOwner, v.Opening} })
	vectors.FuzzDecoder(f, all, func(b []byte) ([]byte, error) {
		t, err := token.Decode(g, b)
		return t.Encode(g), err
	})
}

func FuzzDecodeOpening(f *testing.F) {
	g := vectors.Curve(f, "BN254")
	all := seeds(f, func(v commitment) [][]byte { return [][]byte{v.Opening, v.OpeningNoOwner, v.Token} })
	vectors.FuzzDecoder(f, all, func(b []byte) ([]byte, error) {
		o, err := token.DecodeOpening(g, b)
		return o.Encode(g), err
	})
}

func FuzzDecodeClear(f *testing.F) {
	clear, err := token.Clear{Owner: []byte("owner"), Type: "A&B", Quantity: "0x64"}.Encode()
	require.NoError(f, err)
	vectors.FuzzDecoder(f, [][]byte{clear}, func(b []byte) ([]byte, error) {
		c, err := token.DecodeClear(b)
		if err != nil {
			return nil, err
		}
		return c.Encode()
	})
}
