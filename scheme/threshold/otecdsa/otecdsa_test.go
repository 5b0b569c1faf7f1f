package otecdsa_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/scheme/threshold/codec"
	"github.com/zkatbench/zkatbench/scheme/threshold/engine"
	"github.com/zkatbench/zkatbench/scheme/threshold/internal/vectors"
	"github.com/zkatbench/zkatbench/scheme/threshold/otecdsa"
	"github.com/zkatbench/zkatbench/scheme/threshold/secp"
)

// known is the part of a file that presigning and signing have.
type known struct {
	Cases []struct {
		T     int
		R     engine.Bytes
		Ei    map[string]engine.Bytes `json:"e_i"`
		Alpha map[string]engine.Bytes `json:"alpha_i"`
		Beta  map[string]engine.Bytes `json:"beta_i"`
		Sigma map[string]engine.Bytes `json:"sigma_i"`
		vectors.Signing
	} `json:"ot_presign_sign"`
}

func TestVectorsOfPresigningAndSigning(t *testing.T) {
	var cases known
	for _, b := range vectors.Files(t, "threshold-ecdsa.json", "ot_presign_sign") {
		var file known
		require.NoError(t, json.Unmarshal(b, &file))
		cases.Cases = append(cases.Cases, file.Cases...)
	}
	require.NotEmpty(t, cases.Cases)
	for _, v := range cases.Cases {
		polynomial := func(name string) (p secp.Polynomial) {
			for degree := range v.T {
				p = append(p, secp.Reduce(vectors.Labelled("ot/%d/%s/%d", v.T, name, degree)))
			}
			return p
		}
		keys := polynomial("x").Keys(v.T)
		r := &run{Config: otecdsa.Config{IDs: secp.IDs(v.T), Coordinator: 1}, keys: keys,
			first:  otecdsa.Dealt([3]secp.Polynomial{polynomial("a"), polynomial("b"), polynomial("c")}, v.T),
			second: otecdsa.Dealt([3]secp.Polynomial{polynomial("k"), polynomial("d"), polynomial("e")}, v.T)}
		parties := r.presigners(t)
		transcript, err := engine.Run(parties)
		require.NoError(t, err)
		for _, m := range transcript.Messages {
			id := fmt.Sprint(m.From)
			want := slices.Concat(v.Alpha[id], v.Beta[id])
			if m.Step == "e" {
				want = v.Ei[id]
			}
			require.Equal(t, []byte(want), m.Body)
		}
		for i, k := range keys {
			output, sigma := parties[i].Output(), []byte(v.Sigma[fmt.Sprint(k.ID)])
			require.Len(t, output, secp.PointLen+2*secp.ScalarLen)
			require.Equal(t, []byte(v.R), output[:secp.PointLen])
			require.Equal(t, sigma, output[secp.PointLen+secp.ScalarLen:])
			require.Equal(t, []byte(v.R), r.pres[i].R.Encode())
			require.Equal(t, sigma, secp.Encode(r.pres[i].Sigma()))
		}
		v.Check(t, keys, func(i int, tweak secp.Tweak, delta *secp.Scalar) (*secp.Point, *secp.Scalar) {
			return otecdsa.SignWith(r.Config, keys[i], r.pres[i], tweak, delta)
		})
	}
}

// run is a case of n parties that presign and sign together.
type run struct {
	otecdsa.Config
	keys          []secp.Key
	first, second []*otecdsa.Triple
	pres          []*otecdsa.Presignature
}

func newRun(t *testing.T, n int, coordinator uint32) *run {
	t.Helper()
	r := &run{Config: otecdsa.Config{IDs: secp.IDs(n), Coordinator: coordinator}}
	var err error
	r.keys, err = secp.Deal(random(t, 4, "dealer", 0), n, n-1)
	require.NoError(t, err)
	r.first, err = otecdsa.DealTriple(random(t, 4, "triples", 0), n, n-1)
	require.NoError(t, err)
	r.second, err = otecdsa.DealTriple(random(t, 5, "triples", 0), n, n-1)
	require.NoError(t, err)
	return r
}

// presigners returns parties with copies of the triples.
func (r *run) presigners(t *testing.T) (parties []engine.Party) {
	t.Helper()
	r.pres = make([]*otecdsa.Presignature, len(r.keys))
	for i, k := range r.keys {
		p, err := otecdsa.NewPresigner(r.Config, k, r.first[i].Copy(), r.second[i].Copy(),
			func(p *otecdsa.Presignature) { r.pres[i] = p })
		require.NoError(t, err)
		parties = append(parties, p)
	}
	return parties
}

// signers returns parties with the presignatures, to sign a hash.
func (r *run) signers(t *testing.T, hash *secp.Scalar) (parties []engine.Party) {
	t.Helper()
	for i, k := range r.keys {
		p, err := otecdsa.NewSigner(r.Config, k, r.pres[i],
			secp.Tweak{Public: k.Public, Epsilon: secp.Int(9), Hash: hash, IDs: r.IDs})
		require.NoError(t, err)
		parties = append(parties, p)
	}
	return parties
}

func random(t *testing.T, seed uint64, name string, id uint32) io.Reader {
	t.Helper()
	r, err := engine.Random(seed, engine.Place{Case: name, ID: id})
	require.NoError(t, err)
	return r
}

// makers returns the parties that make triples, which are kept in made.
func makers(t *testing.T, seed uint64, n int, c codec.Codec,
	made [][2]*otecdsa.Triple) (parties []engine.Party) {
	t.Helper()
	config := otecdsa.Config{IDs: secp.IDs(n), Coordinator: 1, Codec: c}
	for i, id := range config.IDs {
		parties = append(parties,
			otecdsa.NewTripleMaker(config, id, random(t, seed, "ot-triples", id),
				func(ts [2]*otecdsa.Triple) { made[i] = ts }))
	}
	return parties
}

func TestTriplesMultiply(t *testing.T) {
	for _, n := range nightly.Pick([]int{3}, []int{2, 3, 5}, []int{2, 3, 10}) {
		for seed := range uint64(max(1, nightly.Pick(1, 10, 200)/(n*n))) {
			made := make([][2]*otecdsa.Triple, n)
			transcript, err := engine.Run(makers(t, seed, n, codec.Compact, made))
			require.NoError(t, err)
			require.Equal(t, 9, engine.Rounds(transcript.Messages))
			require.Equal(t, 143*n*(n-1), engine.Sent(transcript.Messages, n))
			for k := range 2 {
				var shares []*otecdsa.Triple
				for i := range made {
					shares = append(shares, made[i][k])
				}
				require.NoError(t, otecdsa.VerifyTriple(shares))
				shares[0], shares[1] = shares[1], shares[0]
				require.ErrorIs(t, otecdsa.VerifyTriple(shares), otecdsa.ErrTriple)
			}
		}
	}
}

// TestSharesThatCancelAreRefused: no sum of the parties' shares may be zero.
func TestSharesThatCancelAreRefused(t *testing.T) {
	const degree = 1
	config := otecdsa.Config{IDs: secp.IDs(2), Coordinator: 1, Codec: codec.Compact}
	minusOne := new(secp.Scalar).NegateVal(secp.Int(1))
	for name, index := range map[string]int{"a": 0, "b": degree + 1} { // of the scalar drawn
		var parties []engine.Party
		for i, constant := range []*secp.Scalar{secp.Int(1), minusOne} {
			random := random(t, 1, "cancel", config.IDs[i])
			drawn := make([]byte, (index+1)*64)
			_, err := io.ReadFull(random, drawn)
			require.NoError(t, err)
			chosen := drawn[index*64:]
			clear(chosen)
			copy(chosen[len(chosen)-secp.ScalarLen:], secp.Encode(constant))
			parties = append(parties,
				otecdsa.NewTripleMaker(config, config.IDs[i], io.MultiReader(bytes.NewReader(drawn), random),
					func([2]*otecdsa.Triple) {}))
		}
		_, err := engine.Run(parties)
		require.ErrorIs(t, err, secp.ErrZero, name)
	}
}

// TestMessagesOfTriplesStay compares the messages of each round, by seed, with recorded
// digests: another version of the protocol could not talk to this one.
func TestMessagesOfTriplesStay(t *testing.T) {
	for _, c := range []struct {
		n      int
		codec  codec.Codec
		rounds []string
	}{
		{2, codec.Compact, []string{
			"a2bf434740811dea", "139865a489de3f0b", "92acee88e939329f", "3d56062ff09d9809",
			"fa4b8f878b837fa1",
			"84efb609758e8a32", "b833d8b6538d2d2b", "55aca5578865e680", "0e1ed57fae44eff9",
		}},
		{3, codec.Near, []string{
			"909cd84a0a203b74", "086218339bc09774", "50b51f50549f65c7", "87696a552b3c8b4f",
			"f6fe0ae746726de1",
			"442d25f8c34972b3", "098aa7a0da1173ac", "672cfa50b43dfa2b", "9a3b40be8c837797",
		}},
	}[:nightly.Pick(1, 2, 2)] {
		made := make([][2]*otecdsa.Triple, c.n)
		transcript, err := engine.Run(makers(t, 5, c.n, c.codec, made))
		require.NoError(t, err)
		digests := make([]string, engine.Rounds(transcript.Messages))
		for i := range digests {
			h := sha256.New()
			for _, m := range transcript.Messages {
				if m.Round == i+1 {
					fmt.Fprintf(h, "%d %d %s %x\n", m.From, m.To, m.Step, m.Body)
				}
			}
			digests[i] = hex.EncodeToString(h.Sum(nil)[:8])
		}
		require.Equal(t, c.rounds, digests, "%d parties", c.n)
	}
}

func TestSigningWithMadeTriples(t *testing.T) {
	const n = 2
	made := make([][2]*otecdsa.Triple, n)
	_, err := engine.Run(makers(t, 4, n, codec.Compact, made))
	require.NoError(t, err)
	r := newRun(t, n, 2)
	for i, k := range r.keys {
		r.first[i], r.second[i] = made[i][0].Copy(), made[i][1].Copy()
		_, err := otecdsa.NewPresigner(r.Config, k, made[i][0], made[i][1], nil)
		require.NoError(t, err)
		for _, reused := range [][2]*otecdsa.Triple{made[i], {made[i][0], r.second[i].Copy()},
			{r.first[i].Copy(), made[i][1]}, {r.first[i], r.first[i]}} {
			_, err = otecdsa.NewPresigner(r.Config, k, reused[0], reused[1], nil)
			require.ErrorIs(t, err, otecdsa.ErrTripleReused)
		}
	}
	_, err = engine.Run(r.presigners(t)) // copies are for another run of the same presigning
	require.NoError(t, err)
	_, err = engine.Run(r.signers(t, secp.Int(1234)))
	require.NoError(t, err)
	_, err = engine.Run(r.signers(t, secp.Int(1234)))
	require.ErrorIs(t, err, otecdsa.ErrReused)
	_, err = otecdsa.NewSigner(r.Config, r.keys[0], r.pres[0], secp.Tweak{Hash: new(secp.Scalar)})
	require.ErrorIs(t, err, otecdsa.ErrHash)
}

// TestManyPartiesOpenToEach: in the second round each of ten parties sends its shares to each
// other party, and the parts of transfers to the parties from which it receives.
func TestManyPartiesOpenToEach(t *testing.T) {
	const n = 10
	shares, transfers := map[[2]uint32]int{}, map[[2]uint32]int{}
	all := makers(t, 1, n, codec.Compact, make([][2]*otecdsa.Triple, n))
	_, err := engine.RunEdited(all, func(ms []engine.Message) []engine.Message {
		for _, m := range ms {
			switch pair := [2]uint32{m.From, m.To}; m.Step {
			case "shares":
				shares[pair]++
			case "t0/y", "t1/y":
				transfers[pair]++
			}
		}
		if len(shares) > 0 {
			return nil // the round after is not of interest
		}
		return ms
	})
	require.ErrorIs(t, err, engine.ErrMissing)
	require.Len(t, shares, n*(n-1))
	sent := 0
	for pair, count := range shares {
		require.Equal(t, 1, count, pair)
		sent += transfers[pair]
	}
	require.Equal(t, n*(n-1), sent, "of two triples, in one direction each")
}
