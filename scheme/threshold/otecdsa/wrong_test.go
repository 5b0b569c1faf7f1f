package otecdsa_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/scheme/threshold/codec"
	"github.com/zkatbench/zkatbench/scheme/threshold/engine"
	"github.com/zkatbench/zkatbench/scheme/threshold/internal/enginetest"
	"github.com/zkatbench/zkatbench/scheme/threshold/otecdsa"
	"github.com/zkatbench/zkatbench/scheme/threshold/secp"
)

// changed adds 1 to the scalar at byte at of the messages of one sender and step.
func changed(t *testing.T, from uint32, step string, at int) func([]engine.Message) []engine.Message {
	return enginetest.Edit(from, step, func(body []byte) []byte {
		s, err := secp.DecodeScalar(body[at:][:secp.ScalarLen])
		require.NoError(t, err)
		copy(body[at:], secp.Encode(secp.Add(s, secp.Int(1))))
		return body
	})
}

// honest are parties that make triples.
func honest(t *testing.T, n int) []engine.Party {
	return makers(t, 1, n, codec.Compact, make([][2]*otecdsa.Triple, n))
}

// TestWrongSharesOfTriplesAreNamed changes e(i) and f(i) of both triples, and ĉ(i) of one.
func TestWrongSharesOfTriplesAreNamed(t *testing.T) {
	const n, from = 3, 3 // the last party, behind one with right shares
	for k := 0; k < 4; k += nightly.Pick(3, 1, 1) {
		_, err := engine.RunEdited(honest(t, n),
			changed(t, from, "shares", k*secp.ScalarLen))
		enginetest.RequireFault(t, err, otecdsa.ErrShares, from, "shares")
	}
	_, err := engine.RunEdited(honest(t, n),
		enginetest.Send(from, "shares", bytes.Repeat([]byte{0xff}, 4*secp.ScalarLen)))
	enginetest.RequireFault(t, err, secp.ErrScalar, from, "shares")
	_, err = engine.RunEdited(honest(t, n),
		changed(t, from, "c hat", secp.ScalarLen))
	enginetest.RequireFault(t, err, otecdsa.ErrShares, from, "c hat")
}

// TestMasksAreScalars sends the receiver of a product numbers above the order.
func TestMasksAreScalars(t *testing.T) {
	const n = 2
	for _, step := range []string{"t0/mask/0", "t1/mask/1"} {
		var from uint32
		_, err := engine.RunEdited(honest(t, n),
			func(ms []engine.Message) []engine.Message {
				for i, m := range ms {
					if m.Step == step {
						from, ms[i].Body = m.From, bytes.Repeat([]byte{0xff}, len(m.Body))
					}
				}
				return ms
			})
		enginetest.RequireFault(t, err, secp.ErrScalar, from, step)
	}
}

// TestEachOpeningIsChecked changes the random bytes of an opening, and the proofs that its sender
// knows e(0) and f(0), of both triples.
func TestEachOpeningIsChecked(t *testing.T) {
	const n, points, proof = 2, (3*2 - 1) * secp.PointLen, 2 * secp.ScalarLen
	const triple = points + 32 + 2*proof
	for at, want := range map[int]error{points: otecdsa.ErrCommitment, points + 32: otecdsa.ErrProof,
		points + 32 + proof: otecdsa.ErrProof} {
		for _, at := range []int{at, triple + at} {
			_, err := engine.RunEdited(honest(t, n),
				enginetest.Edit(2, "opening", func(opening []byte) []byte {
					opening[at] ^= 1
					return opening
				}))
			enginetest.RequireFault(t, err, want, 2, "opening")
		}
	}
}

// TestPointsOfTransfersAreNotY answers a base oblivious transfer with the Y of its receiver.
func TestPointsOfTransfersAreNotY(t *testing.T) {
	const n = 2
	ys := map[string][]byte{} // by triple
	var from uint32
	var step string
	_, err := engine.RunEdited(honest(t, n),
		func(ms []engine.Message) []engine.Message {
			for i, m := range ms {
				switch m.Step {
				case "t0/y", "t1/y":
					ys[m.Step[:2]] = m.Body
				case "t0/x/5":
					ms[i].Body = ys["t0"]
					from, step = m.From, "t0/x"
				}
			}
			return ms
		})
	enginetest.RequireFault(t, err, otecdsa.ErrChoice, from, step)
}

func TestSecretsAreNotPrinted(t *testing.T) {
	triples, err := otecdsa.DealTriple(random(t, 4, "triples", 0), 2, 1)
	require.NoError(t, err)
	for _, verb := range []string{"%v", "%+v", "%#v", "%x", "%s", "%d"} {
		require.Equal(t, "multiplication triple", fmt.Sprintf(verb, triples[0]))
		require.Equal(t, "multiplication triple", fmt.Sprintf(verb, *triples[0]))
		require.Equal(t, "OT ECDSA presignature", fmt.Sprintf(verb, otecdsa.Presignature{}))
	}
}

var errSource = errors.New("source failed")

// failing is a source with one failing read. It counts reads of the usual size and
// of other sizes.
type failing struct {
	from         io.Reader
	usual, other int // reads until now
	at           int // the read of another size that fails, from 1, or 0
	atUsual      int // the same for a read of the usual size
}

func (f *failing) Read(b []byte) (int, error) {
	const scalar = 64
	if len(b) == scalar {
		f.usual++
		if f.usual == f.atUsual {
			return 0, errSource
		}
	} else {
		f.other++
		if f.other == f.at {
			return 0, errSource
		}
	}
	return f.from.Read(b)
}

// TestEachReadOfTheSourceIsChecked lets single reads of the source of randomness fail:
// all that are not for a scalar, and some that are.
func TestEachReadOfTheSourceIsChecked(t *testing.T) {
	const n = 2
	run := func(f *failing) error {
		f.from = random(t, 1, "ot-triples", 1)
		parties := honest(t, n)
		parties[0] = otecdsa.NewTripleMaker(otecdsa.Config{IDs: secp.IDs(n), Coordinator: 1}, 1, f,
			func([2]*otecdsa.Triple) {})
		_, err := engine.Run(parties)
		return err
	}
	all := new(failing)
	require.NoError(t, run(all))
	require.Greater(t, all.other, 4)
	for at := 1; at <= all.other; at++ {
		err := run(&failing{at: at})
		require.ErrorIs(t, err, secp.ErrRandom, "read %d", at)
		require.ErrorContains(t, err, secp.ErrRandom.Error()+"\n"+errSource.Error(), "the cause comes last")
	}
	scalars := []int{all.usual / 2, all.usual}
	for at := 0; at < 30; at += nightly.Pick(8, 1, 1) { // scalars of polynomials and their proofs
		scalars = append(scalars, at+1)
	}
	for _, at := range scalars {
		require.ErrorIs(t, run(&failing{atUsual: at}), secp.ErrRandom, "scalar %d", at)
	}
}

// TestWrongProductsOfTriplesAreNamed: Ĉ is not a point, or its proof is about another point.
func TestWrongProductsOfTriplesAreNamed(t *testing.T) {
	const n = 2
	for _, step := range []string{"C", "C hat"} {
		for at, want := range map[int]error{0: secp.ErrPoint, secp.PointLen: otecdsa.ErrProof} {
			_, err := engine.RunEdited(honest(t, n),
				enginetest.Edit(2, step, func(body []byte) []byte {
					body[at] ^= 0x40
					return body
				}))
			enginetest.RequireFault(t, err, want, 2, step)
		}
	}
}
