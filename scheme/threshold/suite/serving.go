package suite

import (
	"context"
	"sync"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/runner/flags"
	"github.com/zkatbench/zkatbench/scheme/threshold/codec"
)

// The axes of the signing service.
var (
	Scheme = &bench.Axis[string]{
		Name: "scheme", Flag: "scheme", Default: "robust,ot,frost", Brief: "robust", Values: flags.Names("robust", "ot", "frost"),
		Usage: "schemes of a signing service, comma-separated; triples of ot come from a dealer",
	}
	Pool = &bench.Axis[int]{
		Name: "pool", Flag: "pool", Default: "32", Values: flags.Numbers(1, 1<<16), Show: bench.IfChosen,
		Usage: "presignatures that the pool of a signing service holds, comma-separated",
	}
	Refill = &bench.Axis[int]{
		Name: "refill", Flag: "refill", Default: "1", Values: flags.Numbers(1, 1024), Show: bench.IfChosen,
		Usage: "presignatures that a signing service makes at the same time, comma-separated",
	}
)

// Service signs with a presignature from a pool, which is refilled in the
// background: under load, it has the throughput of a signing service.
var Service = serviceOp(nil)

// serviceOp is Service with a function that gets each service when it is made, for
// its statistics. All environments of a case share one service, so that there is
// one pool.
func serviceOp(made func(bench.Case, *SigningService)) bench.Op {
	var mu sync.Mutex
	services := map[ServiceConfig]*SigningService{}
	get := func(c bench.Case, seed uint64) (*SigningService, error) {
		encoding, err := codec.ByName(codecName.Of(c))
		if err != nil {
			return nil, err
		}
		key := ServiceConfig{Scheme: Scheme.Of(c), MaxMalicious: MaxMalicious.Of(c), Codec: encoding, Pool: Pool.Of(c), Refill: Refill.Of(c)}
		mu.Lock()
		defer mu.Unlock()
		if v := services[key]; v != nil {
			return v, nil
		}
		config := key
		config.Seed = seed
		v, err := NewService(config)
		if err == nil && made != nil {
			made(c, v)
		}
		services[key] = v
		return v, err
	}
	return bench.Op{
		Name:       "ThresholdService",
		Without:    bench.Axes(Case, Mode, Party, Coordinator),
		Concurrent: func(bench.Case) bool { return true },
		Setup: func(c bench.Case, seed uint64) (bench.Instance, error) {
			v, err := get(c, seed)
			if err != nil {
				return bench.Instance{}, err
			}
			return bench.Instance{
				Work: func() ([]byte, error) {
					message, signature, err := v.Sign(context.Background())
					return append(message, signature...), err
				},
				Check: func(out []byte) error {
					if len(out) < messageLen {
						return errSignature
					}
					return v.Verify(out[:messageLen], out[messageLen:])
				},
			}, nil
		},
	}
}
