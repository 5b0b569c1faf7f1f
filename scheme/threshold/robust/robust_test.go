package robust_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/scheme/threshold/codec"
	"github.com/zkatbench/zkatbench/scheme/threshold/engine"
	"github.com/zkatbench/zkatbench/scheme/threshold/internal/enginetest"
	"github.com/zkatbench/zkatbench/scheme/threshold/internal/vectors"
	"github.com/zkatbench/zkatbench/scheme/threshold/robust"
	"github.com/zkatbench/zkatbench/scheme/threshold/secp"
)

// known is the part of a file that this protocol has.
type known struct {
	Robust []struct {
		T, N int
		R    engine.Bytes
		Ri   map[string]engine.Bytes `json:"R_i"`
		Wi   map[string]engine.Bytes `json:"W_i"`
		vectors.Signing
	}
}

func load(t *testing.T) (all known) {
	t.Helper()
	for _, b := range vectors.Files(t, "threshold-ecdsa.json", "robust") {
		// w and W, w_i and W_i are different fields, which package json would not tell apart.
		b = bytes.ReplaceAll(bytes.ReplaceAll(b, []byte(`"w":`), []byte(`"masked":`)), []byte(`"w_i":`),
			[]byte(`"masked_i":`))
		var v known
		require.NoError(t, json.Unmarshal(b, &v))
		require.NotEmpty(t, v.Robust)
		all.Robust = append(all.Robust, v.Robust...)
	}
	return all
}

func TestVectors(t *testing.T) {
	for _, v := range load(t).Robust {
		// polynomial returns the bytes that are drawn for the coefficients of a polynomial.
		polynomial := func(name string, first, last int) (drawn []byte) {
			for degree := first; degree <= last; degree++ {
				drawn = append(drawn, vectors.Labelled("robust/%d/%s/%d", v.T, name, degree)...)
			}
			return drawn
		}
		keys, err := secp.Deal(bytes.NewReader(polynomial("x", 0, v.T)), v.N, v.T)
		require.NoError(t, err)
		c := robust.Config{MaxMalicious: v.T, IDs: secp.IDs(v.N), Coordinator: 1}
		pres := make([]*robust.Presignature, v.N)
		var parties []engine.Party
		for i, k := range keys {
			var draws []byte
			for _, secret := range []string{"k", "a"} {
				draws = append(draws, polynomial(fmt.Sprint(k.ID, "/", secret), 0, v.T)...)
			}
			for _, secret := range []string{"b", "d", "e"} { // 0 at 0
				draws = append(draws, polynomial(fmt.Sprint(k.ID, "/", secret), 1, 2*v.T)...)
			}
			p, err := robust.NewPresigner(c, k, bytes.NewReader(draws),
				func(p *robust.Presignature) { pres[i] = p })
			require.NoError(t, err)
			parties = append(parties, p)
		}
		transcript, err := engine.Run(parties)
		require.NoError(t, err)
		for _, m := range transcript.Messages {
			switch m.Step {
			case "R, w":
				require.Equal(t, []byte(v.Ri[fmt.Sprint(m.From)]), m.Body[:secp.PointLen])
			case "W":
				require.Equal(t, []byte(v.Wi[fmt.Sprint(m.From)]), m.Body)
			}
		}
		for i := range keys {
			require.Equal(t, []byte(v.R), pres[i].R.Encode())
			require.Equal(t, pres[i].Encode(), parties[i].Output())
		}
		v.Check(t, keys, func(i int, tweak secp.Tweak, delta *secp.Scalar) (*secp.Point, *secp.Scalar) {
			return robust.SignWith(c, keys[i], pres[i], tweak, delta)
		})
	}
}

// run is a case of 2t+1 parties.
type run struct {
	robust.Config
	keys []secp.Key
	pres []*robust.Presignature
}

func newRun(t *testing.T, max int, c codec.Codec) *run {
	t.Helper()
	n := 2*max + 1
	keys, err := secp.Deal(random(t, "dealer", 0), n, max)
	require.NoError(t, err)
	return &run{robust.Config{MaxMalicious: max, IDs: secp.IDs(n), Coordinator: 1, Codec: c}, keys,
		make([]*robust.Presignature, n)}
}

func random(t *testing.T, name string, id uint32) io.Reader {
	t.Helper()
	r, err := engine.Random(1, engine.Place{Case: name, ID: id})
	require.NoError(t, err)
	return r
}

func (r *run) presigners(t *testing.T) (parties []engine.Party) {
	t.Helper()
	for i := range r.keys {
		parties = append(parties, r.presigner(t, i, nil))
	}
	return parties
}

// presigner returns party i, with a source that begins with the bytes that are drawn first.
func (r *run) presigner(t *testing.T, i int, first []byte) engine.Party {
	t.Helper()
	source := io.MultiReader(bytes.NewReader(first), random(t, "robust-presign", r.keys[i].ID))
	p, err := robust.NewPresigner(r.Config, r.keys[i], source, func(p *robust.Presignature) { r.pres[i] = p })
	require.NoError(t, err)
	return p
}

func (r *run) tweak() secp.Tweak {
	return secp.Tweak{Public: r.keys[0].Public, Epsilon: secp.Int(5), Hash: secp.Int(77), IDs: r.IDs}
}

func (r *run) signers(t *testing.T) (parties []engine.Party) {
	t.Helper()
	for i, k := range r.keys {
		p, err := robust.NewSigner(r.Config, k, r.pres[i], r.tweak())
		require.NoError(t, err)
		parties = append(parties, p)
	}
	return parties
}

func (r *run) sign(t *testing.T) ([]byte, error) {
	t.Helper()
	parties := r.signers(t)
	_, err := engine.Run(parties)
	return parties[0].Output(), err
}

// copied makes the presignatures new.
func (r *run) copied() {
	for i, p := range r.pres {
		r.pres[i] = p.Copy()
	}
}

func TestPresignaturesSignOnce(t *testing.T) {
	for _, c := range []codec.Codec{codec.Compact, codec.Near} {
		r := newRun(t, 2, c)
		_, err := engine.Run(r.presigners(t))
		require.NoError(t, err)
		signature, err := r.sign(t)
		require.NoError(t, err)
		require.Len(t, signature, 65)
		_, err = r.sign(t)
		require.ErrorIs(t, err, robust.ErrReused)
		r.copied()
		again, err := r.sign(t)
		require.NoError(t, err)
		require.Equal(t, signature, again)
	}
}

func TestSecretsAreNotPrinted(t *testing.T) {
	r := newRun(t, 1, codec.Compact)
	_, err := engine.Run(r.presigners(t))
	require.NoError(t, err)
	for _, verb := range []string{"%v", "%+v", "%#v", "%x", "%s", "%d"} {
		require.Equal(t, "Robust ECDSA presignature", fmt.Sprintf(verb, *r.pres[0]))
	}
}

func TestParametersAreChecked(t *testing.T) {
	r := newRun(t, 1, codec.Compact)
	wrong := r.Config
	wrong.IDs = secp.IDs(4)
	_, err := robust.NewPresigner(wrong, r.keys[0], random(t, "x", 1), nil)
	require.ErrorIs(t, err, robust.ErrParties)
	require.EqualError(t, err, "parties must be 2t+1: 4 parties for t = 1")
	_, err = robust.NewSigner(wrong, r.keys[0], &robust.Presignature{}, r.tweak())
	require.ErrorIs(t, err, robust.ErrParties)
	_, err = robust.NewPresigner(robust.Config{IDs: secp.IDs(1)}, r.keys[0], random(t, "x", 1), nil)
	require.EqualError(t, err, "parties must be 2t+1: 1 parties for t = 0")
	tweak := r.tweak()
	for _, hash := range []*secp.Scalar{nil, new(secp.Scalar)} {
		tweak.Hash = hash
		_, err = robust.NewSigner(r.Config, r.keys[0], &robust.Presignature{}, tweak)
		require.ErrorIs(t, err, robust.ErrHash)
	}
	_, err = robust.NewSigner(r.Config, r.keys[0], nil, r.tweak())
	require.ErrorIs(t, err, secp.ErrIncomplete)
}

// TestEveryCheckOfAPointFinds changes the points of one party to other points of
// the curve: only the checks of the protocol can find that.
func TestEveryCheckOfAPointFinds(t *testing.T) {
	for _, step := range []string{"R, w", "W"} {
		for from := uint32(1); from <= 5; from++ {
			r := newRun(t, 2, codec.Compact)
			_, err := engine.RunEdited(r.presigners(t), enginetest.Edit(from, step, func(body []byte) []byte {
				p, err := secp.DecodePoint(body[:33])
				require.NoError(t, err)
				return append(p.Plus(secp.Base(secp.Int(1))).Encode(), body[33:]...)
			}))
			require.ErrorIs(t, err, robust.ErrDegree, "%s of party %d", step, from)
		}
	}
	r := newRun(t, 2, codec.Compact)
	_, err := engine.RunEdited(r.presigners(t), enginetest.Edit(3, "R, w", func(body []byte) []byte {
		body[64] ^= 1
		return body
	}))
	require.ErrorIs(t, err, robust.ErrInconsistent)
}

// TestEachReadOfTheSourceIsChecked: a party whose source of randomness ends early makes no
// presignature.
func TestEachReadOfTheSourceIsChecked(t *testing.T) {
	const drawn = 2 + 2 + 3*2 // scalars of polynomials for t = 1; the last three are 0 at 0
	for scalars := range drawn + 1 {
		r := newRun(t, 1, codec.Compact)
		parties := r.presigners(t)
		source := io.LimitReader(random(t, "robust-presign", r.keys[0].ID), int64(64*scalars))
		var err error
		parties[0], err = robust.NewPresigner(r.Config, r.keys[0], source, func(*robust.Presignature) {})
		require.NoError(t, err)
		_, err = engine.Run(parties)
		if scalars < drawn {
			require.ErrorIs(t, err, secp.ErrRandom, "after %d scalars", scalars)
		} else {
			require.NoError(t, err)
		}
	}
}

// TestZeroIsRefused: parties with polynomials for k or a that add up to one with value 0 at
// 0, or at the identifier of a party, get no presignature.
func TestZeroIsRefused(t *testing.T) {
	minus := new(secp.Scalar).NegateVal(secp.Int(1))
	zeroAt0, zeroAt1 := [2]*secp.Scalar{new(secp.Scalar), secp.Int(1)}, [2]*secp.Scalar{secp.Int(1), minus}
	usual := [2]*secp.Scalar{secp.Int(5), secp.Int(7)}
	for name, sums := range map[string][2][2]*secp.Scalar{ // the coefficients of k and of a
		"usual": {usual, usual}, "R": {zeroAt0, usual}, "a nonce": {zeroAt1, usual}, "w": {usual, zeroAt0},
		"a product": {usual, zeroAt1},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRun(t, 1, codec.Compact)
			var parties []engine.Party
			for i := range r.keys {
				var draws []byte
				for _, coefficient := range slices.Concat(sums[0][:], sums[1][:]) { // 9 and 11 of the others
					own := secp.Int(uint32(7 + 2*i))
					if i == 0 {
						own = secp.Sub(coefficient, secp.Int(20))
					}
					draws = append(append(draws, make([]byte, 32)...), secp.Encode(own)...)
				}
				parties = append(parties, r.presigner(t, i, draws))
			}
			_, err := engine.Run(parties)
			if name == "usual" {
				require.NoError(t, err)
				_, err = r.sign(t)
				require.NoError(t, err)
				return
			}
			require.ErrorIs(t, err, secp.ErrZero)
		})
	}
}
