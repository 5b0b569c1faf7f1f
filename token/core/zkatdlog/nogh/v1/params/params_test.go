package params_test

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/curves"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
	"github.com/zkatbench/zkatbench/token/internal/networktest"
	"github.com/zkatbench/zkatbench/token/internal/pb"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

var options = params.Options{Group: curves.ByID, TableBytes: 1}

func setup(t testing.TB, curve string, bits int, systems ...rangeproof.Kind) *params.Params {
	t.Helper()
	p, err := params.Setup(params.Config{
		Group: vectors.Curve(t, curve), Bits: bits, Systems: systems, TableBytes: 1,
		Issuers: [][]byte{{1}}, Auditors: [][]byte{{2}, {3}}, Metadata: map[string][]byte{"b": {1}, "a": {2}},
	})
	require.NoError(t, err)
	return p
}

func TestParametersRoundTrip(t *testing.T) {
	for _, curve := range nightly.Pick(curves.Names[:2], curves.Names, curves.Names) {
		for _, bits := range nightly.Pick([]int{16, 64}, []int{16, 32, 64}, []int{16, 32, 64}) {
			for _, systems := range [][]rangeproof.Kind{nil, {rangeproof.Bulletproof},
				{rangeproof.Bulletproof, rangeproof.CSP}} {
				if bits != 16 && curve != "BN254" {
					continue // other properties of the length do not depend on the curve
				}
				p := setup(t, curve, bits, systems...)
				q, err := params.Decode(p.Encode(), options)
				require.NoError(t, err)
				require.Equal(t, p.Digest(), q.Digest())
				require.Equal(t, p.Encode(), q.Encode())
				require.Equal(t, p.Kind(), q.Kind())
				for _, kind := range systems {
					_, err := q.RangeProof(kind)
					require.NoError(t, err, kind)
				}
				require.Equal(t, p.Issuers(), q.Issuers())
				require.Equal(t, p.Auditors(), q.Auditors())
				require.Equal(t, bits, q.Bits())
				require.Equal(t, ^uint64(0)>>(64-bits), q.MaxValue())
			}
		}
	}
}

func TestSoundSystemIsTheDefault(t *testing.T) {
	require.Equal(t, rangeproof.CSP, setup(t, "BN254", 16).Kind())
	_, err := setup(t, "BN254", 16).RangeProof(rangeproof.Bulletproof)
	require.ErrorIs(t, err, params.ErrNoSystem)
}

func TestSetupRefusesWhatTheFormatCannotHold(t *testing.T) {
	g := vectors.Curve(t, "BN254")
	for _, bits := range []int{-1, 0, 8, 20, 33, 63, 65, 128} {
		_, err := params.Setup(params.Config{Group: g, Bits: bits})
		require.ErrorIs(t, err, params.ErrInvalid)
	}
	_, err := params.Setup(params.Config{Group: g, Bits: 16, Systems: []rangeproof.Kind{"snark"}})
	require.ErrorIs(t, err, params.ErrInvalid)
}

// TestRecordedParameters reads the parameters of negative.json.
// docs/security.md lists the rules in addition to the reference.
func TestRecordedParameters(t *testing.T) {
	stricter := map[string]bool{"pp-trailing": true, "pp-inner-version": true, "pp-equal-generators": true,
		"pp-other-generators": true}
	type file struct {
		Params []struct {
			ID      string
			Raw     []byte `json:"pp_raw"`
			Verdict string `json:"peer_verdict"`
		}
	}
	for set, f := range vectors.Sets[file](t, "negative_params.json") {
		t.Run(set, func(t *testing.T) {
			require.NotEmpty(t, f.Params, set)
			for _, v := range f.Params {
				_, err := params.Decode(v.Raw, options)
				require.Equal(t, v.Verdict == "accept" && !stricter[v.ID], err == nil, "%s: %v", v.ID, err)
				foreign := options
				foreign.AllowForeignGenerators = true
				_, err = params.Decode(v.Raw, foreign)
				require.Equal(t, v.Verdict == "accept" && (!stricter[v.ID] || v.ID == "pp-other-generators"),
					err == nil, "%s: %v", v.ID, err)
			}
		})
	}
}

// TestParametersOfRecordedRequestsLoad needs the whole set.
func TestParametersOfRecordedRequestsLoad(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(vectors.SharedDir(), "requests", "*.json"))
	require.NoError(t, err)
	for i, name := range files {
		if i%nightly.Pick(3, 1, 1) != 0 {
			continue
		}
		b, err := os.ReadFile(name)
		require.NoError(t, err)
		var v struct {
			Raw  []byte `json:"pp_raw"`
			Bits int
			ID   int `json:"curve_id"`
		}
		require.NoError(t, json.Unmarshal(b, &v))
		p, err := params.Decode(v.Raw, options)
		require.NoError(t, err, name)
		require.Equal(t, v.Bits, p.Bits())
		require.Equal(t, v.ID, p.Group().ID())
		require.Equal(t, v.Raw, p.Encode())
	}
}

// TestRelatedGeneratorsAreRefused replaces the second Pedersen generator by a
// point that depends on the first.
func TestRelatedGeneratorsAreRefused(t *testing.T) {
	p := setup(t, "BN254", 16, rangeproof.Bulletproof)
	g, first := p.Group(), p.Pedersen().Base(0)
	foreign := options
	foreign.AllowForeignGenerators = true
	for name, pt := range map[string]group.Point{
		"equal":    first,
		"opposite": g.SubPoints(group.Point{}, first),
		"identity": {},
		"double":   g.AddPoints(first, first),
	} {
		t.Run(name, func(t *testing.T) {
			replace := networktest.EditFields(t, "PublicParameters", func(m pb.Fields) {
				m.Set("pedersen_generators.1", pb.Fields{"raw": wire.AppendJSONPoint(nil, g, pt)})
			})
			b := networktest.EditParams(t, p, replace)
			_, err := params.Decode(b, options)
			require.ErrorIs(t, err, params.ErrInvalid)
			_, err = params.Decode(b, foreign)
			require.Equal(t, name == "double", err == nil, "this relation cannot be detected: %v", err)
		})
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(setup(f, "BN254", 16, rangeproof.Bulletproof).Encode())
	f.Add(setup(f, "BLS12_381_BBS_GURVY", 16).Encode())
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := params.Decode(b, options)
		switch malformed := new(wire.DecodeError); {
		case err == nil:
			require.Equal(t, b, p.Encode())
		case !errors.As(err, &malformed):
			require.ErrorIs(t, err, params.ErrInvalid)
		}
	})
}

// TestZeroOptions checks that curves are found without Options, and that
// parameters without a group are an error.
func TestZeroOptions(t *testing.T) {
	for _, curve := range []string{"BN254", "BLS12_381_BBS_GURVY", "FP256BN_AMCL"} {
		p := setup(t, curve, 16)
		q, err := params.Decode(p.Encode(), params.Options{})
		require.NoError(t, err)
		require.Equal(t, curve, q.Group().Name())
	}
	_, err := params.Decode(nil, params.Options{})
	require.Error(t, err)
	_, err = params.Setup(params.Config{})
	require.ErrorIs(t, err, params.ErrInvalid)
	require.ErrorIs(t, new(params.Params).Check(), params.ErrInvalid)
	require.NoError(t, setup(t, "BN254", 16).Check())
	require.Empty(t, new(params.Params).Kind())
}

// TestAnchorPrefixIsTheDigest checks that the prefix has 64 characters, so that
// a transaction id of Fabric fits after it.
func TestAnchorPrefixIsTheDigest(t *testing.T) {
	p := setup(t, "BN254", 16)
	digest := p.Digest()
	require.Equal(t, hex.EncodeToString(digest[:]), p.AnchorPrefix())
	require.Len(t, p.AnchorPrefix(), 64)
}

// TestKeysOfNetworksWithoutIdemix: of the curve if it has credentials, otherwise of BN254.
func TestKeysOfNetworksWithoutIdemix(t *testing.T) {
	bbs := setup(t, "BLS12_381_BBS", 16).IdemixKeys()[0].PublicKey
	bn254 := setup(t, "BN254", 16).IdemixKeys()[0].PublicKey
	require.NotEqual(t, bbs, bn254)
	for _, name := range curves.Names {
		p := setup(t, name, 16)
		want := params.IdemixKey{PublicKey: bn254, Curve: 1}
		if id := p.Group().ID(); id >= 6 && id <= 8 {
			want = params.IdemixKey{PublicKey: bbs, Curve: id}
		}
		require.Equal(t, []params.IdemixKey{want}, p.IdemixKeys(), name)
	}
	given := []params.IdemixKey{{PublicKey: bbs, Curve: 7}, {PublicKey: bn254, Curve: 1}}
	p, err := params.Setup(params.Config{Group: vectors.Curve(t, "BN254"), Bits: 16, TableBytes: 1,
		Idemix: given})
	require.NoError(t, err)
	require.Equal(t, given, p.IdemixKeys())
	again, err := params.Decode(p.Encode(), options)
	require.NoError(t, err)
	require.Equal(t, given, again.IdemixKeys())
}

// TestEnvelopesNameTheDriver with its version.
func TestEnvelopesNameTheDriver(t *testing.T) {
	for _, identifier := range []string{"", "zkatdlognogh", "zkatdlognogh.v2"} {
		b, err := json.Marshal(map[string]any{"identifier": identifier, "raw": []byte{}})
		require.NoError(t, err)
		_, err = params.Decode(b, options)
		require.ErrorIs(t, err, params.ErrInvalid, identifier)
		require.ErrorContains(t, err, `identifier is not "zkatdlognogh.v1"`, identifier)
	}
}

// TestEnvelopesAreBounded: an envelope of twice the bound of the message is read.
func TestEnvelopesAreBounded(t *testing.T) {
	for n, want := range map[int]error{8 << 20: wire.ErrMalformed, 8<<20 + 1: wire.ErrTooLarge} {
		_, err := params.Decode(make([]byte, n), options)
		require.ErrorIs(t, err, want)
	}
	for n, want := range map[int]error{4 << 20: wire.ErrMissing, 4<<20 + 1: wire.ErrTooLarge} {
		b, err := json.Marshal(map[string]any{"identifier": "zkatdlognogh.v1", "raw": make([]byte, n)})
		require.NoError(t, err)
		_, err = params.Decode(b, options)
		if want == wire.ErrMissing {
			require.NotErrorIs(t, err, wire.ErrTooLarge, "zeros are no message")
			require.Error(t, err)
			continue
		}
		require.ErrorIs(t, err, want)
	}
}

// TestListsOfIdentitiesAreBounded: 1024 of each are read, 1025 are not.
func TestListsOfIdentitiesAreBounded(t *testing.T) {
	for n, want := range map[int]error{1024: nil, 1025: wire.ErrTooLarge} {
		for name, c := range map[string]params.Config{
			"issuers":  {Issuers: slices.Repeat([][]byte{{1}}, n)},
			"auditors": {Auditors: slices.Repeat([][]byte{{1}}, n)},
			"keys":     {Idemix: slices.Repeat([]params.IdemixKey{{PublicKey: []byte{1}, Curve: 1}}, n)},
		} {
			t.Run(name, func(t *testing.T) {
				c.Group, c.Bits, c.TableBytes = vectors.Curve(t, "BN254"), 16, 1
				p, err := params.Setup(c)
				require.NoError(t, err)
				_, err = params.Decode(p.Encode(), options)
				require.ErrorIs(t, err, want, "%d %s", n, name)
			})
		}
	}
}

// TestPrecomputeIsTheMemoryOfTables: of the commitment key, of each system of v1, of v2.
func TestPrecomputeIsTheMemoryOfTables(t *testing.T) {
	memory := func(protocols params.Protocols, systems ...rangeproof.Kind) (total, key int) {
		p, err := params.Setup(params.Config{Group: vectors.Curve(t, "BN254"), Bits: 16, TableBytes: 1,
			Systems: systems, Protocols: protocols})
		require.NoError(t, err)
		return p.Precompute(), p.Pedersen().Table().Bytes()
	}
	both := []rangeproof.Kind{rangeproof.Bulletproof, rangeproof.CSP}
	csp, key := memory(params.Protocols{}, rangeproof.CSP)
	bulletproof, _ := memory(params.Protocols{}, rangeproof.Bulletproof)
	v2, _ := memory(params.Protocols{V2: true}, rangeproof.CSP)
	require.Positive(t, key)
	require.Greater(t, csp, key)
	require.Greater(t, bulletproof, key)
	require.Greater(t, v2, key)
	all, _ := memory(params.Protocols{V1: true, V2: true}, both...)
	require.Equal(t, csp+bulletproof+v2-2*key, all)
}
