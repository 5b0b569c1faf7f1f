package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/drive"
	"github.com/zkatbench/zkatbench/runner/flags"
	"github.com/zkatbench/zkatbench/scheme/threshold/codec"
	"github.com/zkatbench/zkatbench/scheme/threshold/service"
	"github.com/zkatbench/zkatbench/scheme/threshold/study"
)

const serviceHelp = `Runs a signing service under load: each operation signs another message with a presignature from a pool,
which is refilled in the background. All parties run in this process. The report of the load runner is
followed by the statistics of the pool: how often it was empty, and how long signatures waited.`

// serviceFlags are the flags of the service; those of the load runner are added.
type serviceFlags struct {
	scheme                  *string
	malicious, pool, refill *int
	encoding                *codec.Codec
	load                    *drive.Options
}

func serviceLine(s streams) *commandLine {
	l := newLine("threshold service", "[flags]", "run a service that signs from a pool of presignatures under load")
	l.help = serviceHelp
	f := serviceFlags{
		scheme: flags.One(&l.flags, "scheme", service.Schemes[0], "scheme: "+strings.Join(service.Schemes, ", ")+" (its triples come from a dealer)",
			flags.Names(service.Schemes...)),
		malicious: flags.One(&l.flags, "max_malicious", "6", "maximum number of malicious parties", flags.Numbers(1, service.MaxMalicious)),
		encoding:  codecFlag(&l.flags),
		pool:      flags.One(&l.flags, "pool", "64", "presignatures that the pool holds when it is full", flags.Numbers(1, service.MaxPool)),
		refill:    flags.One(&l.flags, "refill", "1", "presignatures that are made at the same time", flags.Numbers(1, service.MaxRefill)),
		load:      drive.Register(&l.flags),
	}
	l.exec = func(ctx context.Context, _ []string) error {
		return f.run(ctx, service.Config{
			Scheme: *f.scheme, MaxMalicious: *f.malicious, Codec: *f.encoding, Pool: *f.pool, Refill: *f.refill, Seed: f.load.Config.Seed,
		}, s)
	}
	return l
}

func (f *serviceFlags) run(ctx context.Context, c service.Config, s streams) error {
	ctx, stop := drive.Interruptible(ctx)
	defer stop()
	err := f.measure(ctx, c, s)
	if errors.Is(err, drive.ErrInterrupted) {
		return exitError{status: interrupted, error: fmt.Errorf("zkatbench: threshold service: %w", err)}
	}
	return inside("threshold service", err)
}

// measure makes a service for each number of workers, and loads it.
func (f *serviceFlags) measure(ctx context.Context, c service.Config, s streams) error {
	x, err := drive.Start(ctx, f.load, drive.Streams{Out: s.out, Err: s.err})
	if err != nil {
		return err
	}
	defer x.Close()
	fmt.Fprintln(s.out, study.Header)
	config := f.load.Config
	var firsts, all []*runner.Result
	name := fmt.Sprintf("ThresholdService/scheme=%s/malicious=%d", c.Scheme, c.MaxMalicious)
	for _, config.Workers = range f.load.Workers {
		signer, err := service.New(c)
		if err != nil {
			return err
		}
		signer.TakeStats()
		start := time.Now()
		rs, err := x.Measure(ctx, fmt.Sprintf("%s/workers=%d", name, config.Workers), config, runner.Func(func(ctx context.Context) error {
			_, _, err := signer.Sign(ctx)
			return err
		}))
		if err != nil {
			return err
		}
		all, firsts = append(all, rs...), append(firsts, rs[0])
		if err := signer.TakeStats().Write(s.out, c, time.Since(start)); err != nil {
			return err
		}
		fmt.Fprintln(s.out, "rates include the warm-up")
		fmt.Fprintln(s.out)
		if rs[len(rs)-1].Interrupted {
			break
		}
	}
	if err := x.Scaling(name, firsts); err != nil {
		return err
	}
	return drive.Verdict(all...)
}
