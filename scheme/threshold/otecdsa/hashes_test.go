package otecdsa // instance and its hashes are private: known answers are about each of them

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/scheme/threshold/codec"
	"github.com/zkatbench/zkatbench/scheme/threshold/engine"
	"github.com/zkatbench/zkatbench/scheme/threshold/internal/vectors"
	"github.com/zkatbench/zkatbench/scheme/threshold/secp"
)

func TestHashVectors(t *testing.T) {
	for _, b := range vectors.Files(t, "threshold-ecdsa.json", "hashes") {
		checkHashes(t, b)
	}
}

func checkHashes(t *testing.T, b []byte) {
	t.Helper()
	var file struct {
		Hashes map[string]json.RawMessage
	}
	require.NoError(t, json.Unmarshal(b, &file))
	value := func(name string) []byte {
		var v engine.Bytes
		require.NoError(t, json.Unmarshal(file.Hashes[name], &v), name)
		return v
	}
	in := instance{value("sid"), 1, 2}
	key := in.baseKey(5, value("X_i"), value("Y"), value("P"))
	require.Equal(t, value("base_ot_key_sender1_receiver2_i5"), key)
	require.Equal(t, value("ot_prg_of_that_key_128_bytes"), in.column(key))
	require.Equal(t, value("kos_chi_8x16"), checkWeights(value("seed")))
	output := in.rowHash()(5, value("row"))
	require.Equal(t, value("ot_out_i5"), secp.Encode(output))
	chi := productWeights(value("seed"))
	require.Len(t, chi, kappa-1)
	require.Equal(t, value("mta_chi_2"), secp.Encode(chi[0]))
	require.Equal(t, value("mta_chi_384"), secp.Encode(chi[kappa-2]))

	var r struct {
		X, Epsilon, H, R, Entropy, Delta engine.Bytes
		IDs                              []uint32
	}
	require.NoError(t, json.Unmarshal(file.Hashes["rerandomize"], &r))
	tweak := secp.Tweak{Public: vectors.Point(t, r.X), Entropy: [32]byte(r.Entropy), IDs: r.IDs,
		Epsilon: vectors.Scalar(t, r.Epsilon), Hash: vectors.Scalar(t, r.H)}
	delta, err := tweak.Delta(vectors.Point(t, r.R))
	require.NoError(t, err)
	require.Equal(t, []byte(r.Delta), secp.Encode(delta))
}

// TestProductsAreProducts runs one multiplication without the rest of the protocol.
func TestProductsAreProducts(t *testing.T) {
	random := rand.NewChaCha8([32]byte{3})
	in := instance{make([]byte, 32), 1, 2}
	draw := func() *secp.Scalar {
		s, err := secp.Uniform(random)
		require.NoError(t, err)
		return s
	}
	first := &product{a: draw(), b: draw(), share: new(secp.Scalar)}
	second := &product{a: draw(), b: draw(), share: new(secp.Scalar)}
	var err error
	second.recv, err = newReceiverOT(in, random)
	require.NoError(t, err)
	first.sender, err = newSenderOT(in, random, second.recv.public)
	require.NoError(t, err)
	xs, err := decodePoints(first.sender.points)
	require.NoError(t, err)
	require.NoError(t, second.recv.receivePoints(xs))
	u := second.recv.u
	first.sender.extend(u)
	first.sender.seed = bytes.Repeat([]byte{7}, 32)
	answer := second.recv.answer(first.sender.seed)
	require.NoError(t, first.sender.check(answer))
	for k := range 2 {
		vector, err := first.mask(random, k)
		require.NoError(t, err)
		seed := bytes.Repeat([]byte{byte(k)}, 32)
		chi, err := second.unmask(k, vector, seed)
		require.NoError(t, err)
		first.settle(k, chi, seed)
	}
	want := secp.Add(secp.Mul(first.a, second.b), secp.Mul(first.b, second.a))
	require.True(t, want.Equals(secp.Add(first.share, second.share)))

	// A receiver with other choices in one column is found by the check.
	for j := range baseOTs {
		if bit(first.sender.delta, j) == 0 {
			continue // the sender did not read U of this column
		}
		changed := bytes.Clone(u)
		changed[column*j] ^= 1
		cheated := *first.sender
		cheated.q = nil
		cheated.extend(changed)
		require.ErrorIs(t, cheated.check(answer), errExtension, fmt.Sprint(j))
	}
}

// TestBaseTransfersRefuseTheIdentity: neither X_i nor x_i·Y of any transfer is the identity.
func TestBaseTransfersRefuseTheIdentity(t *testing.T) {
	one, two, zero := secp.Int(1), secp.Int(2), new(secp.Scalar)
	minusOne := new(secp.Scalar).NegateVal(one)
	for what, v := range map[string]struct {
		x      *secp.Scalar
		choice byte
		want   error
	}{
		"x + Δ = 0":        {minusOne, 1, secp.ErrZero},
		"x = -1 and Δ = 0": {minusOne, 0, nil},
		"x = 0":            {zero, 1, secp.ErrZero},
		"x = 0 and Δ = 0":  {zero, 0, secp.ErrZero},
		"neither":          {two, 1, nil},
	} {
		t.Run(what, func(t *testing.T) {
			for _, i := range []int{0, baseOTs - 1} {
				delta := make([]byte, keyLen)
				delta[i/8] = v.choice << (i % 8)
				drawn := slices.Concat(delta,
					bytes.Repeat(slices.Concat(make([]byte, 32), secp.Encode(two)), baseOTs))
				copy(drawn[keyLen+64*i+32:], secp.Encode(v.x))
				in := instance{make([]byte, 32), 1, 2}
				_, err := newSenderOT(in, bytes.NewReader(drawn), secp.Base(one))
				require.Equal(t, v.want, err, "transfer %d", i)
			}
		})
	}
}

// TestDealtTriplesNeedTheirRandomness: the constant term of the product is not drawn.
func TestDealtTriplesNeedTheirRandomness(t *testing.T) {
	const degree, drawn = 2, 64 * (3*(2+1) - 1)
	for n, want := range map[int64]error{drawn: nil, drawn - 1: secp.ErrRandom} {
		_, err := DealTriple(io.LimitReader(rand.NewChaCha8([32]byte{1}), n), 3, degree)
		require.ErrorIs(t, err, want)
	}
}

// inOrder requires of the triples of all parties that an encoding has the points and the
// shares in their order, and that each party knows the others' shares times the generator.
func inOrder(t *testing.T, triples []*Triple) {
	t.Helper()
	for i, s := range triples {
		b := s.encode()
		require.Len(t, b, 3*secp.PointLen+3*secp.ScalarLen)
		for k, point := range []*secp.Point{s.A, s.B, s.C} {
			require.Equal(t, point.Encode(), b[k*secp.PointLen:][:secp.PointLen])
			scalar, err := secp.DecodeScalar(b[3*secp.PointLen+k*secp.ScalarLen:][:secp.ScalarLen])
			require.NoError(t, err)
			for j, other := range triples {
				pa, pb, pc := other.publicShares(uint32(i + 1))
				share := []*secp.Point{pa, pb, pc}[k]
				require.True(t, secp.Base(scalar).Equal(share), "share %d of party %d, known to party %d",
					k, i+1, j+1)
			}
		}
	}
}

func TestOrderInEncodedTriples(t *testing.T) {
	triples, err := DealTriple(rand.NewChaCha8([32]byte{1}), 2, 1)
	require.NoError(t, err)
	inOrder(t, triples)
}

// TestOutputOfAMakerIsBothTriples, and both are in order.
func TestOutputOfAMakerIsBothTriples(t *testing.T) {
	config := Config{IDs: secp.IDs(2), Coordinator: 1, Codec: codec.Compact}
	var parties []engine.Party
	made := make([][batch]*Triple, len(config.IDs))
	for i, id := range config.IDs {
		keep := func(ts [batch]*Triple) { made[i] = ts }
		parties = append(parties, NewTripleMaker(config, id, rand.NewChaCha8([32]byte{byte(id)}), keep))
	}
	_, err := engine.Run(parties)
	require.NoError(t, err)
	for i, p := range parties {
		require.Equal(t, append(made[i][0].encode(), made[i][1].encode()...), p.Output())
	}
	for k := range batch {
		inOrder(t, []*Triple{made[0][k], made[1][k]})
	}
}
