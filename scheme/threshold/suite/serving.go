package suite

import (
	"context"
	"sync"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/runner/flags"
	"github.com/zkatbench/zkatbench/scheme/threshold/codec"
	"github.com/zkatbench/zkatbench/scheme/threshold/service"
)

// The axes of the signing service.
var (
	scheme = &bench.Axis[string]{
		Name: "scheme", Flag: "scheme", Default: "robust,ot,frost", Brief: "robust", Values: flags.Names(service.Schemes...),
		Usage: "schemes of a signing service, comma-separated; triples of ot come from a dealer",
	}
	pool = &bench.Axis[int]{
		Name: "pool", Flag: "pool", Default: "32", Values: flags.Numbers(1, service.MaxPool), Show: bench.IfChosen,
		Usage: "presignatures that the pool of a signing service holds, comma-separated",
	}
	refill = &bench.Axis[int]{
		Name: "refill", Flag: "refill", Default: "1", Values: flags.Numbers(1, service.MaxRefill), Show: bench.IfChosen,
		Usage: "presignatures that a signing service makes at the same time, comma-separated",
	}
)

// Service signs with a presignature from a pool, which is refilled in the
// background: under load, its throughput is that of a signing service.
var Service = ServiceOp(nil)

// ServiceOp is Service with a function that gets each service when it is made, for
// its statistics. All environments of a case share one service, so that there is
// one pool.
func ServiceOp(made func(bench.Case, *service.Service)) bench.Op {
	var mu sync.Mutex
	services := map[service.Config]*service.Service{}
	get := func(c bench.Case, config service.Config) (s *service.Service, err error) {
		mu.Lock()
		defer mu.Unlock()
		key := config
		key.Seed = 0
		if s = services[key]; s != nil {
			return s, nil
		}
		if s, err = service.New(config); err != nil {
			return nil, err
		}
		services[key] = s
		if made != nil {
			made(c, s)
		}
		return s, nil
	}
	return bench.Op{
		Name:       "ThresholdService",
		Without:    bench.Axes(Case, Mode, Party, Coordinator),
		Concurrent: func(bench.Case) bool { return true },
		Setup: func(c bench.Case, seed uint64) (bench.Instance, error) {
			encoding, err := codec.ByName(codecName.Of(c))
			if err != nil {
				return bench.Instance{}, err
			}
			s, err := get(c, service.Config{
				Scheme: scheme.Of(c), MaxMalicious: MaxMalicious.Of(c), Codec: encoding, Seed: seed, Pool: pool.Of(c), Refill: refill.Of(c),
			})
			if err != nil {
				return bench.Instance{}, err
			}
			return bench.Instance{
				Work: func() ([]byte, error) {
					message, signature, err := s.Sign(context.Background())
					return append(message, signature...), err
				},
				Check: func(out []byte) error {
					if len(out) < service.MessageLen {
						return errSignature
					}
					return s.Verify(out[:service.MessageLen], out[service.MessageLen:])
				},
			}, nil
		},
	}
}
