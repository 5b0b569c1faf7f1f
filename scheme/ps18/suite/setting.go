package suite

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"io"
	"math/big"
	random "math/rand/v2"
	"sync"
	"sync/atomic"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/count"
	"github.com/zkatbench/zkatbench/scheme/ps18"
	"github.com/zkatbench/zkatbench/scheme/ps18/curve"
	"github.com/zkatbench/zkatbench/token/crypto/group/curves"
)

// setting is the curve of a case and the random values of an environment.
type setting struct {
	curve    curve.Curve
	messages int
	batch    int
	how      ps18.Method
	prepared bool
	decodes  bool      // the work begins with decoding its inputs
	seeded   io.Reader // of set-up
	random   io.Reader // of work
}

// newSetting returns the setting of a case, with its curve, its shape and its sources of
// randomness, of which one is seeded.
func newSetting(c bench.Case, seed uint64, tools bench.Tools) (s setting, err error) {
	find := curve.Find
	if tools.Counts != (count.Bucket{}) {
		find = func(name, backend string) (curve.Curve, error) {
			return curve.FindCounted(name, backend, tools.Counts)
		}
	}
	s.curve, err = find(curveName.Of(c), backend.Of(c))
	if err != nil {
		return s, err
	}
	if tools.Steps != nil {
		s.curve = curve.Steps(s.curve, tools.Steps.Steps())
	}
	s.messages, s.batch, s.prepared = messages.Of(c), batch.Of(c), key.Of(c) == prepared
	s.decodes = bench.InputUse.Of(c) == bench.DecodeInputs
	if verify.Of(c) == plain {
		s.how = ps18.Plain
	}
	var key [32]byte
	binary.LittleEndian.PutUint64(key[:], seed)
	s.seeded = random.NewChaCha8(key)
	s.random = tools.Random
	if s.random == nil {
		s.random = rand.Reader
	}
	return s, nil
}

// operation is a bench.Op with environments that prepare makes.
func operation(name string, prepare func(setting) (bench.Instance, error), without ...bench.Param) bench.Op {
	on := func(c bench.Case, seed uint64, tools bench.Tools) (bench.Instance, error) {
		s, err := newSetting(c, seed, tools)
		if err != nil {
			return bench.Instance{}, err
		}
		return prepare(s)
	}
	return bench.Op{
		Name: name, Without: without, Yardstick: yardstick, On: on,
		Setup: func(c bench.Case, seed uint64) (bench.Instance, error) { return on(c, seed, bench.Tools{}) },
	}
}

// yardstick is the yardstick of the token operations.
func yardstick(c bench.Case) (bench.Yardstick, error) {
	work, err := curves.Yardstick(curveName.Of(c))
	return bench.Yardstick{Unit: "eq-mul/op", Work: work}, err
}

// signed is a key pair with a signature of random messages.
type signed struct {
	secret    *ps18.SecretKey
	public    *ps18.PublicKey
	messages  []*big.Int
	signature *ps18.Signature
}

// newSigned makes keys, messages and a signature. It encodes no point, so the
// work that a library leaves over happens in the operation, where -purity finds
// it.
func (s setting) newSigned() (d signed, err error) {
	d.secret, d.public, err = ps18.KeyGen(s.curve, s.messages, s.seeded)
	if err != nil {
		return d, err
	}
	if s.prepared {
		d.public = d.public.Prepare()
	}
	return d, s.sign(&d)
}

// sign draws messages and signs them.
func (s setting) sign(d *signed) (err error) {
	d.messages = make([]*big.Int, s.messages)
	for i := range d.messages {
		d.messages[i], err = rand.Int(s.seeded, s.curve.Order())
		if err != nil {
			return err
		}
	}
	d.signature, err = d.secret.Sign(d.messages, s.seeded)
	return err
}

// sizes are the exact figures.
func (s setting) sizes() []bench.Metric {
	c := s.curve
	return []bench.Metric{
		{Value: float64(32 + 2*c.LenG1()), Unit: sigUnit},
		{Value: float64(2 + (s.messages+3)*c.LenG2()), Unit: keyUnit},
	}
}

// errAccepted says that a verifier accepts a wrong input.
var errAccepted = errors.New("a changed input is accepted")

// firstAlone returns work with first uses one at a time: a library may rewrite
// its arguments when they are first used.
func firstAlone(work func() ([]byte, error)) func() ([]byte, error) {
	var first sync.Mutex
	var used atomic.Bool
	return func() ([]byte, error) {
		if used.Load() {
			return work()
		}
		first.Lock()
		defer first.Unlock()
		out, err := work()
		used.Store(true)
		return out, err
	}
}
