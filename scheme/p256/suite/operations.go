package suite

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io"
	chacha "math/rand/v2"
	"sync/atomic"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/count"
	"github.com/zkatbench/zkatbench/scheme/p256/curve"
	ours "github.com/zkatbench/zkatbench/scheme/p256/ecdsa"
)

// ecdsaSign hashes a message and signs it.
var ecdsaSign = bench.Op{Name: "ECDSASign", Setup: newSigner, On: counted(newSigner)}

// keyPairGen draws a secret key and computes its public key.
var keyPairGen = bench.Op{Name: "KeyPairGen", Without: bench.Axes(messageLength), Setup: newGenerator,
	On: counted(newGenerator)}

// errWrong says that a result fails under crypto/ecdsa.
var errWrong = errors.New("the result is wrong under crypto/ecdsa")

// environment is the seeded randomness of one instance.
type environment struct {
	secrets ours.Nonces
	stream  io.Reader
}

func newEnvironment(seed uint64, label string) environment {
	var key [32]byte
	binary.LittleEndian.PutUint64(key[:], seed)
	copy(key[8:], "p256 "+label)
	secrets := chacha.NewChaCha8(key)
	key[31] = 1
	return environment{ours.From(secrets), chacha.NewChaCha8(key)}
}

// newSigner prepares a key and a message.
func newSigner(c bench.Case, seed uint64) (bench.Instance, error) {
	env := newEnvironment(seed, "sign")
	message := make([]byte, messageLength.Of(c))
	if _, err := io.ReadFull(env.stream, message); err != nil {
		return bench.Instance{}, err
	}
	if field.Of(c) == std {
		return standardSigner(message)
	}
	g := groupOf(field.Of(c))
	key, err := ours.GenerateKey(g, env.secrets)
	if err != nil {
		return bench.Instance{}, err
	}
	public, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), key.PublicKey.Bytes())
	if err != nil {
		return bench.Instance{}, err
	}
	var ops counts
	return bench.Instance{
		Work: func() ([]byte, error) {
			s, took, err := ours.Sign(g, key, message, env.secrets)
			if err != nil {
				return nil, err
			}
			ops.store(took)
			return s.Bytes(), nil
		},
		Check: func(out []byte) error {
			s, err := ours.DecodeSignature(out)
			if err != nil {
				return err
			}
			digest := sha256.Sum256(message)
			if !ecdsa.Verify(public, digest[:], s.R, s.S) {
				return errWrong
			}
			return nil
		},
		Exact:  func([]byte) []bench.Metric { return ops.metrics() },
		Inputs: func() [][]byte { return [][]byte{message} },
	}, nil
}

// standardSigner signs with crypto/ecdsa, including its nonces.
func standardSigner(message []byte) (bench.Instance, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return bench.Instance{}, err
	}
	return bench.Instance{
		Work: func() ([]byte, error) {
			digest := sha256.Sum256(message)
			return ecdsa.SignASN1(rand.Reader, key, digest[:])
		},
		Check: func(out []byte) error {
			digest := sha256.Sum256(message)
			if !ecdsa.VerifyASN1(&key.PublicKey, digest[:], out) {
				return errWrong
			}
			return nil
		},
		Inputs: func() [][]byte { return [][]byte{message} },
	}, nil
}

// newGenerator prepares a source of secret keys.
func newGenerator(c bench.Case, seed uint64) (bench.Instance, error) {
	if field.Of(c) == std {
		return bench.Instance{
			Work: func() ([]byte, error) {
				key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
				if err != nil {
					return nil, err
				}
				secret, err := key.Bytes()
				if err != nil {
					return nil, err
				}
				public, err := key.PublicKey.Bytes()
				return append(secret, public...), err
			},
			Check: checkKey,
		}, nil
	}
	env, g := newEnvironment(seed, "key"), groupOf(field.Of(c))
	var ops counts
	return bench.Instance{
		Work: func() ([]byte, error) {
			d, err := env.secrets()
			if err != nil {
				return nil, err
			}
			var k [32]byte
			x, y, took := g.BaseMult((*[32]byte)(d.FillBytes(k[:])))
			ops.store(took)
			return append(k[:], ours.PublicKey{X: x, Y: y}.Bytes()...), nil
		},
		Check: checkKey,
		Exact: func([]byte) []bench.Metric { return ops.metrics() },
	}, nil
}

// checkKey computes the public key of a secret key d ‖ 4 ‖ x ‖ y by crypto/ecdsa.
func checkKey(out []byte) error {
	key, err := ecdsa.ParseRawPrivateKey(elliptic.P256(), out[:32])
	if err != nil {
		return err
	}
	want, err := key.PublicKey.Bytes()
	if err != nil || !bytes.Equal(want, out[32:]) {
		return errWrong
	}
	return nil
}

// counts holds the field operations of the last work done. They are the same
// every time, so concurrent work may store them in any order.
type counts struct{ last atomic.Pointer[curve.Ops] }

func (c *counts) store(ops curve.Ops) {
	if c.last.Load() == nil {
		c.last.Store(&ops)
	}
}

func (c *counts) metrics() []bench.Metric {
	ops := c.last.Load()
	if ops == nil || ops.Mul == 0 {
		return nil // not counted: a library
	}
	return []bench.Metric{
		{Value: float64(ops.Mul), Unit: mulUnit},
		{Value: float64(ops.Square), Unit: squareUnit},
		{Value: float64(ops.Reduce), Unit: reduceUnit},
	}
}

// counted is a set-up with tools: each work multiplies the generator once, by the
// field multiplications of its arithmetic.
func counted(setup func(bench.Case, uint64) (bench.Instance, error)) func(bench.Case, uint64,
	bench.Tools) (bench.Instance, error) {
	return func(c bench.Case, seed uint64, tools bench.Tools) (bench.Instance, error) {
		in, err := setup(c, seed)
		if err != nil {
			return in, err
		}
		work, exact := in.Work, in.Exact
		in.Work = func() ([]byte, error) {
			out, err := work()
			if err != nil {
				return nil, err
			}
			tools.Counts.Count(count.One(count.FixedMSM), 1)
			if exact != nil {
				for _, m := range exact(out) {
					if m.Unit == mulUnit || m.Unit == squareUnit {
						tools.Counts.Count(count.One(count.FieldMul), uint64(m.Value))
					}
				}
			}
			return out, nil
		}
		return in, nil
	}
}
