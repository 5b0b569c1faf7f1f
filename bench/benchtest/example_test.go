package benchtest_test

import (
	"bytes"
	"crypto/ed25519"
	"encoding/binary"
	"errors"
	"testing"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/bench/benchtest"
	"github.com/zkatbench/zkatbench/runner/flags"
)

var length = &bench.Axis[int]{
	Name: "length", Flag: "length", Default: "64,4096", Values: flags.Numbers(1, 1<<20),
	Usage: "bytes of the message, comma-separated",
}

var subject = bench.Subject{
	Name: "ed25519", Summary: "signatures of the standard library", Package: "./bench/benchtest",
	Axes: bench.Axes(length), Ops: []bench.Op{{Name: "Sign", Setup: sign}, {Name: "Verify", Setup: verify}},
	Header: func(*bench.Selection) bench.Header { return bench.Header{Exact: []string{"sig-B"}} },
}

// inputs are a key and a message that follow from the seed.
func inputs(c bench.Case, seed uint64) (ed25519.PrivateKey, []byte) {
	s := binary.LittleEndian.AppendUint64(make([]byte, ed25519.SeedSize-8), seed)
	return ed25519.NewKeyFromSeed(s), bytes.Repeat(s[len(s)-8:], (length.Of(c)+7)/8)[:length.Of(c)]
}

func check(key ed25519.PrivateKey, message, sig []byte) error {
	if !ed25519.Verify(key.Public().(ed25519.PublicKey), message, sig) {
		return errors.New("signature rejected")
	}
	return nil
}

func sign(c bench.Case, seed uint64) (bench.Instance, error) {
	key, message := inputs(c, seed)
	return bench.Instance{
		Work:  func() ([]byte, error) { return ed25519.Sign(key, message), nil },
		Check: func(sig []byte) error { return check(key, message, sig) },
		Exact: func(sig []byte) []bench.Metric {
			return []bench.Metric{{Value: float64(len(sig)), Unit: "sig-B"}}
		},
		Inputs: func() [][]byte { return [][]byte{key, message} },
	}, nil
}

func verify(c bench.Case, seed uint64) (bench.Instance, error) {
	key, message := inputs(c, seed)
	sig := ed25519.Sign(key, message)
	return bench.Instance{
		Work: func() ([]byte, error) { return nil, check(key, message, sig) },
		Check: func([]byte) error {
			if check(key, append([]byte{^message[0]}, message[1:]...), sig) == nil {
				return errors.New("another message is accepted")
			}
			return nil
		},
		Inputs: func() [][]byte { return [][]byte{key, message, sig} },
	}, nil
}

var drive = benchtest.New(subject)

func TestMain(m *testing.M)                    { drive.Main(m) }
func BenchmarkSign(b *testing.B)               { drive.Benchmark(b) }
func BenchmarkVerify(b *testing.B)             { drive.Benchmark(b) }
func BenchmarkParallelVerify(b *testing.B)     { drive.BenchmarkParallel(b) }
func TestParallelBenchmarkVerify(t *testing.T) { drive.Load(t) }
func TestSubject(t *testing.T)                 { benchtest.Conform(t, subject, "-length=1,64") }
