package frost_test

import (
	"bytes"
	"crypto/ed25519"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"testing/iotest"

	"filippo.io/edwards25519"
	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/count"
	"github.com/zkatbench/zkatbench/internal/nightly"
	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/scheme/threshold/codec"
	"github.com/zkatbench/zkatbench/scheme/threshold/engine"
	"github.com/zkatbench/zkatbench/scheme/threshold/frost"
	"github.com/zkatbench/zkatbench/scheme/threshold/internal/enginetest"
	"github.com/zkatbench/zkatbench/scheme/threshold/internal/vectors"
	"github.com/zkatbench/zkatbench/scheme/threshold/ops"
)

// vector is a file of known answers; scalars are little-endian.
type vector struct {
	Signers    []uint32
	Message    engine.Bytes
	PublicKey  engine.Bytes `json:"public_key"`
	Polynomial []engine.Bytes
	Shares     map[string]engine.Bytes
	Commit     map[string]struct {
		Rand1 engine.Bytes `json:"rand_1"`
		Rand2 engine.Bytes `json:"rand_2"`
		SD    engine.Bytes `json:"d"`
		SE    engine.Bytes `json:"e"`
	}
	Points    map[string]map[string]string `json:"-"`
	Z         map[string]engine.Bytes
	Signature engine.Bytes
}

func load(t *testing.T) (all []vector) {
	t.Helper()
	for _, b := range vectors.Files(t, "frost-ed25519-rfc9591.json", "signers") {
		// d and D are different fields, which package json would not tell apart.
		b = bytes.ReplaceAll(bytes.ReplaceAll(b, []byte(`"D":`), []byte(`"PointD":`)), []byte(`"E":`),
			[]byte(`"PointE":`))
		var v vector
		require.NoError(t, json.Unmarshal(b, &v))
		require.NotEmpty(t, v.Signers)
		all = append(all, v)
	}
	return all
}

func TestVectorsOfRFC9591(t *testing.T) {
	for _, v := range load(t) {
		checkVector(t, v)
	}
}

func checkVector(t *testing.T, v vector) {
	t.Helper()
	var polynomial []*edwards25519.Scalar
	for _, c := range v.Polynomial {
		s, err := frost.DecodeScalar(c)
		require.NoError(t, err)
		polynomial = append(polynomial, s)
	}
	keys := frost.Dealt(polynomial, len(v.Shares))
	for _, k := range keys {
		require.Equal(t, []byte(v.Shares[fmt.Sprint(k.ID)]), frost.Secret(k).Bytes())
		require.Equal(t, []byte(v.PublicKey), k.Public)
	}
	c := frost.Config{IDs: v.Signers, Coordinator: v.Signers[0], Message: v.Message}
	var parties []engine.Party
	for _, id := range v.Signers {
		r := v.Commit[strconv.Itoa(int(id))]
		random := bytes.NewReader(append(bytes.Clone(r.Rand1), r.Rand2...))
		parties = append(parties, frost.NewSigner(c, keys[id-1], random))

		n, err := frost.Commit(keys[id-1], bytes.NewReader(append(bytes.Clone(r.Rand1), r.Rand2...)))
		require.NoError(t, err)
		d, e := n.Opened()
		require.Equal(t, []byte(r.SD), d.Bytes())
		require.Equal(t, []byte(r.SE), e.Bytes())
	}
	_, err := engine.Run(parties)
	require.NoError(t, err)
	require.Equal(t, []byte(v.Signature), parties[0].Output())
	for i, id := range v.Signers[1:] {
		require.Equal(t, []byte(v.Z[fmt.Sprint(id)]), parties[i+1].Output(), "share of signer %d", id)
	}
}

// run is a case of n parties.
type run struct {
	keys    []frost.Key
	config  frost.Config
	seed    uint64
	presign []*frost.Presigned
}

func newRun(t *testing.T, seed uint64, n int, c codec.Codec) *run {
	t.Helper()
	dealer, err := engine.Random(seed, engine.Place{Case: "frost", Parties: n, MaxMalicious: n - 1})
	require.NoError(t, err)
	keys, err := frost.Deal(dealer, n, n-1)
	require.NoError(t, err)
	r := &run{keys: keys, seed: seed,
		config: frost.Config{Coordinator: 1, Message: []byte("message"), Codec: c}}
	for _, k := range keys {
		r.config.IDs = append(r.config.IDs, k.ID)
	}
	return r
}

func (r *run) signer(t *testing.T, id uint32) engine.Party {
	t.Helper()
	random, err := engine.Random(r.seed,
		engine.Place{Case: "frost-sign", Parties: len(r.keys), MaxMalicious: len(r.keys) - 1, ID: id})
	require.NoError(t, err)
	return frost.NewSigner(r.config, r.keys[id-1], random)
}

func (r *run) signers(t *testing.T) (parties []engine.Party) {
	for _, id := range r.config.IDs {
		parties = append(parties, r.signer(t, id))
	}
	return parties
}

func TestSignaturesVerify(t *testing.T) {
	for _, n := range []int{2, 3, 9} {
		for _, c := range []codec.Codec{codec.Compact, codec.Near} {
			r := newRun(t, 1, n, c)
			parties := r.signers(t)
			_, err := engine.Run(parties)
			require.NoError(t, err)
			require.True(t, ed25519.Verify(r.keys[0].Public, r.config.Message, parties[0].Output()))
		}
	}
}

func (r *run) presigned(t *testing.T) {
	t.Helper()
	r.presign = make([]*frost.Presigned, len(r.keys))
	var parties []engine.Party
	for i, k := range r.keys {
		random, err := engine.Random(r.seed, engine.Place{Case: "frost-presign", ID: k.ID})
		require.NoError(t, err)
		parties = append(parties,
			frost.NewPresigner(r.config, k, random, func(p *frost.Presigned) { r.presign[i] = p }))
	}
	sent, err := engine.Run(parties)
	require.NoError(t, err)
	list := map[uint32][]byte{}
	for _, m := range sent.Messages {
		list[m.From] = append(binary.BigEndian.AppendUint32(nil, m.From), m.Body...)
	}
	var want []byte
	for _, id := range r.config.IDs {
		want = append(want, list[id]...)
	}
	for _, p := range parties {
		require.Equal(t, want, p.Output())
	}
}

func TestPresignaturesSignOnce(t *testing.T) {
	r := newRun(t, 3, 4, codec.Compact)
	r.presigned(t)
	sign := func() ([]engine.Party, error) {
		var parties []engine.Party
		for i, k := range r.keys {
			parties = append(parties, frost.NewPresignedSigner(r.config, k, r.presign[i]))
		}
		_, err := engine.Run(parties)
		return parties, err
	}
	parties, err := sign()
	require.NoError(t, err)
	require.True(t, ed25519.Verify(r.keys[0].Public, r.config.Message, parties[0].Output()))
	_, err = sign()
	require.ErrorIs(t, err, frost.ErrReused)
}

// TestRightSharesOfAnotherKey: no party is named for a signature that does not verify
// although each share does.
func TestRightSharesOfAnotherKey(t *testing.T) {
	r, other := newRun(t, 5, 3, codec.Compact), newRun(t, 6, 3, codec.Compact)
	for i := range r.keys {
		r.keys[i].Public = other.keys[0].Public
	}
	_, err := engine.Run(r.signers(t))
	require.ErrorIs(t, err, frost.ErrSignature)
	fault := new(engine.Fault)
	require.ErrorAs(t, err, &fault)
	require.Zero(t, fault.From)
}

// TestWrongSharesAreNamed: of every sender, the first party too.
func TestWrongSharesAreNamed(t *testing.T) {
	r := newRun(t, 5, 3, codec.Compact)
	r.config.Coordinator = 2
	for _, from := range []uint32{1, 3} {
		_, err := engine.RunEdited(r.signers(t), enginetest.Edit(from, "share", func(share []byte) []byte {
			share[0] ^= 1
			return share
		}))
		enginetest.RequireFault(t, err, frost.ErrShare, from, "share")
	}
}

// TestOperationsOfTheCoordinator: the last round verifies one signature, and no share.
func TestOperationsOfTheCoordinator(t *testing.T) {
	r := newRun(t, 5, 3, codec.Compact)
	s, err := engine.Record(engine.Snapshot{Case: "frost-sign"}, r.signers(t))
	require.NoError(t, err)
	var counts []count.Counts
	_, err = engine.NewReplay(s, 1).Play(engine.Counting(r.signer(t, 1), &counts))
	require.NoError(t, err)
	for _, event := range []count.Event{ops.Decode, ops.BaseMul, ops.Mul} {
		require.EqualValues(t, 1, counts[len(counts)-1][event], event)
	}
}

// TestOwnCommitmentsAreChecked changes the commitments of a signer to other points in
// the list that it receives.
func TestOwnCommitmentsAreChecked(t *testing.T) {
	const pair = 4 + 32 + 32 // an entry of the list
	for _, at := range []int{4, 4 + 32} {
		r := newRun(t, 6, 3, codec.Compact)
		_, err := engine.RunEdited(r.signers(t), func(ms []engine.Message) []engine.Message {
			for i, m := range ms {
				if m.Step == "list" {
					own := m.Body[pair+at:][:32] // of party 2
					p, err := frost.DecodePoint(own)
					require.NoError(t, err)
					ms[i].Body = bytes.Clone(m.Body)
					copy(ms[i].Body[pair+at:], p.Add(p, edwards25519.NewGeneratorPoint()).Bytes())
				}
			}
			return ms
		})
		require.ErrorIs(t, err, frost.ErrNotListed)
	}
}

func TestAnEmptyKeyIsAnError(t *testing.T) {
	_, err := frost.Commit(frost.Key{}, bytes.NewReader(make([]byte, 64)))
	require.ErrorIs(t, err, frost.ErrKey)
}

// TestSubgroup decodes sums of points of prime order and of each order that divides 8.
func TestSubgroup(t *testing.T) {
	encoded, err := hex.DecodeString("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a")
	require.NoError(t, err)
	order8, err := new(edwards25519.Point).SetBytes(encoded)
	require.NoError(t, err)
	random := rand.NewChaCha8([32]byte{5})
	for i := range nightly.Pick(20, 200, 2000) {
		var wide [64]byte
		random.Read(wide[:])
		s, err := edwards25519.NewScalar().SetUniformBytes(wide[:])
		require.NoError(t, err)
		p := new(edwards25519.Point).ScalarBaseMult(s)
		if i == 0 {
			p.Set(edwards25519.NewIdentityPoint())
		}
		for k := range 8 {
			_, err := frost.DecodePoint(p.Bytes())
			if k == 0 && i > 0 {
				require.NoError(t, err)
			} else {
				require.ErrorIs(t, err, frost.ErrSubgroup, "%d times a point of order 8", k)
			}
			p.Add(p, order8)
		}
	}
}

func TestAFailingSourceIsAnError(t *testing.T) {
	_, err := frost.Deal(io.MultiReader(bytes.NewReader(make([]byte, 191)), // of 192
		iotest.ErrReader(errors.New("empty"))), 3, 2)
	require.ErrorIs(t, err, frost.ErrRandom)
	require.EqualError(t, err, "frost: source of randomness failed: empty")
	r := newRun(t, 1, 3, codec.Compact)
	_, err = frost.Commit(r.keys[0], bytes.NewReader(make([]byte, 63)))
	require.ErrorIs(t, err, frost.ErrRandom)
	require.EqualError(t, err, "frost: source of randomness failed: unexpected EOF")
}

func TestSecretsAreNotPrinted(t *testing.T) {
	r := newRun(t, 1, 3, codec.Compact)
	n, err := frost.Commit(r.keys[0], bytes.NewReader(make([]byte, 64)))
	require.NoError(t, err)
	for _, verb := range []string{"%v", "%+v", "%#v", "%x", "%s", "%d"} {
		require.Equal(t, "FROST key of party 1", fmt.Sprintf(verb, r.keys[0]))
		require.Equal(t, "FROST nonces", fmt.Sprintf(verb, n))
		require.Equal(t, "FROST presignature", fmt.Sprintf(verb, frost.Presigned{}))
	}
}

// FuzzDecodePoint compares decoding with its definition, also for coordinates that are not
// reduced, signs of 0, and lengths next to the right one.
func FuzzDecodePoint(f *testing.F) {
	for _, p := range []*edwards25519.Point{
		edwards25519.NewIdentityPoint(), edwards25519.NewGeneratorPoint(),
	} {
		f.Add(p.Bytes())
		f.Add(p.Bytes()[:31])
		f.Add(append(p.Bytes(), 0))
	}
	f.Add(append(slices.Concat([]byte{1}, make([]byte, 30)), 0x80)) // x = 0 and a sign
	for first := 0xec; first <= 0xff; first++ {                     // p - 1, p and all larger coordinates
		for _, last := range []byte{0x7f, 0xff} {
			f.Add(slices.Concat([]byte{byte(first)}, bytes.Repeat([]byte{0xff}, 30), []byte{last}))
		}
	}
	prime := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 255), big.NewInt(19))
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := frost.DecodePoint(b)
		if err == nil {
			require.Equal(t, b, p.Bytes())
		}
		// The definition: canonical, not the identity, and (8⁻¹ mod ℓ)·(8·P) = P.
		want := false
		if q, err := new(edwards25519.Point).SetBytes(b); err == nil && bytes.Equal(q.Bytes(), b) {
			eight, _ := edwards25519.NewScalar().SetCanonicalBytes(append([]byte{8}, make([]byte, 31)...))
			again := new(edwards25519.Point).ScalarMult(eight.Invert(eight),
				new(edwards25519.Point).MultByCofactor(q))
			want = again.Equal(q) == 1 && q.Equal(edwards25519.NewIdentityPoint()) != 1
		}
		require.Equal(t, want, err == nil)
		if len(b) == 32 {
			y := bytes.Clone(b)
			slices.Reverse(y)
			y[0] &= 0x7f
			if new(big.Int).SetBytes(y).Cmp(prime) >= 0 {
				require.ErrorIs(t, err, frost.ErrPoint)
			}
		}
	})
}

// TestSignersNeedRandomness ends the source of the coordinator, of another signer and of a
// presigner.
func TestSignersNeedRandomness(t *testing.T) {
	r := newRun(t, 1, 2, codec.Compact)
	short := func() io.Reader { return bytes.NewReader(make([]byte, 63)) }
	for i := range r.keys {
		for _, presigns := range []bool{false, true} {
			parties := r.signers(t)
			parties[i] = frost.NewSigner(r.config, r.keys[i], short())
			if presigns {
				parties[i] = frost.NewPresigner(r.config, r.keys[i], short(), func(*frost.Presigned) {})
			}
			_, err := engine.Run(parties)
			require.ErrorIs(t, err, frost.ErrRandom)
		}
	}
}
