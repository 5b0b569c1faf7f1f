package params // protocolTexts and metadata are private: entries of parameters by their text

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/pedersen"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// TestProtocolsAreInTheBytes checks that parameters accept the same protocols
// after encoding and decoding, and that a network of v1 alone lacks an entry for
// them. The digest in owners by hash is the digest of v2.
func TestProtocolsAreInTheBytes(t *testing.T) {
	g := vectors.Curve(t, "BN254")
	plain, err := Setup(Config{Group: g, Bits: 16, TableBytes: 1})
	require.NoError(t, err)
	require.Equal(t, Protocols{V1: true}, plain.Protocols())
	require.Empty(t, plain.metadata)
	_, err = plain.V2()
	require.ErrorIs(t, err, ErrProtocol)
	require.Len(t, protocolTexts, 9)
	for protocols := range protocolTexts {
		p, err := Setup(Config{Group: g, Bits: 16, TableBytes: 1, Protocols: protocols,
			Metadata: map[string][]byte{"a": []byte("b")}})
		require.NoError(t, err)
		again, err := Decode(p.Encode(), Options{TableBytes: 1})
		require.NoError(t, err)
		require.Equal(t, protocols, again.Protocols())
		require.Equal(t, map[string][]byte{"a": []byte("b"), protocolsKey: []byte(protocolTexts[protocols])},
			again.metadata)
		require.NotEqual(t, plain.Digest(), again.Digest())
		engine, err := again.V2()
		require.Equal(t, protocols.V2, err == nil)
		digest, notHashed := again.OwnerDigest()
		require.Equal(t, protocols.HashedOwners, notHashed == nil)
		if protocols.HashedOwners {
			require.Equal(t, engine.Digest(), digest)
		} else {
			require.ErrorIs(t, notHashed, ErrProtocol)
		}
		if err == nil {
			require.Equal(t, 16, engine.Bits())
			for _, view := range []group.Group{g, struct{ group.Group }{g}} {
				shared, err := again.On(view).V2()
				require.NoError(t, err)
				require.Equal(t, engine.Digest(), shared.Digest())
				require.Equal(t, view, shared.Group())
			}
		}
	}
}

// TestOtherKeysAreRefused: a network with another Pedersen generator has no
// parameters of v2.
func TestOtherKeysAreRefused(t *testing.T) {
	g := vectors.Curve(t, "BN254")
	p, err := Setup(Config{Group: g, Bits: 16, TableBytes: 1, Protocols: Protocols{V2: true}})
	require.NoError(t, err)
	engine, err := p.V2()
	require.NoError(t, err)
	want := engine.TokenGenerators()
	require.NoError(t, sameKey(g, p.Pedersen(), want))
	for i := range want {
		other := want
		other[i] = g.Generator()
		require.ErrorIs(t, sameKey(g, p.Pedersen(), other), ErrInvalid, i)

		foreign, err := Setup(Config{Group: g, Bits: 16, TableBytes: 2 + i, Protocols: Protocols{V2: true}})
		require.NoError(t, err)
		foreign.engine.pedersen = pedersen.NewKey(g, other)
		_, err = foreign.V2()
		require.ErrorIs(t, err, ErrInvalid, i)
	}
}

func TestProtocolsThatAreRefused(t *testing.T) {
	g := vectors.Curve(t, "BN254")
	_, err := Setup(Config{Group: g, Bits: 16, TableBytes: 1, Protocols: Protocols{SoundV1: true}})
	require.ErrorIs(t, err, ErrInvalid)
	_, err = Setup(Config{Group: g, Bits: 16, TableBytes: 1,
		Metadata: map[string][]byte{protocolsKey: []byte("v2")}})
	require.ErrorIs(t, err, ErrInvalid)
	for _, p := range []Protocols{{HashedOwners: true}, {V1: true, HashedOwners: true},
		{V1: true, SoundV1: true, HashedOwners: true}} {
		_, err = Setup(Config{Group: g, Bits: 16, TableBytes: 1, Protocols: p})
		require.ErrorIs(t, err, ErrInvalid)
	}
	for _, text := range []string{"", "v2 ", "v2,v1", "V2", "v3", "hashed owners", "v1,hashed owners",
		"v1 sound,hashed owners", "v2,hashed owners ", "v2,hashed owners,hashed owners"} {
		_, err := readProtocols(map[string][]byte{protocolsKey: []byte(text)})
		require.ErrorIs(t, err, ErrInvalid, "%q", text)
		require.ErrorContains(t, err,
			`zkatbench.protocols is not one of "v1 sound", "v1 sound,v2", "v1 sound,v2,hashed owners", `+
				`"v1 tokens,v2", "v1 tokens,v2,hashed owners", "v1,v2", "v1,v2,hashed owners", `+
				`"v2", "v2,hashed owners"`)
	}
	_, err = new(Params).V2()
	require.ErrorIs(t, err, ErrInvalid)
	_, err = new(Params).OwnerDigest()
	require.ErrorIs(t, err, ErrInvalid)
}
