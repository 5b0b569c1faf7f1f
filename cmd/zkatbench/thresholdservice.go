package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/drive"
	"github.com/zkatbench/zkatbench/scheme/threshold/codec"
	"github.com/zkatbench/zkatbench/scheme/threshold/service"
	"github.com/zkatbench/zkatbench/scheme/threshold/study"
)

const serviceHelp = `Runs a signing service under load: each operation signs another message with a presignature from a pool,
which is refilled in the background. All parties run in this process. The report of the load runner is
followed by the statistics of the pool: how often it was empty, and how long signatures waited.`

// serviceFlags are the flags of the service; those of the load runner are added.
type serviceFlags struct {
	service.Config
	codec string
	load  *drive.Options
}

func serviceCommand(s streams) *commandLine {
	fs, f := flag.NewFlagSet("", flag.ContinueOnError), new(serviceFlags)
	fs.StringVar(&f.Scheme, "scheme", service.Schemes[0], "scheme: "+strings.Join(service.Schemes, ", ")+" (its triples come from a dealer)")
	fs.IntVar(&f.MaxMalicious, "max_malicious", 6, "maximum number of malicious parties")
	fs.StringVar(&f.codec, "codec", codec.Names[0], "encoding of messages: "+strings.Join(codec.Names, ", "))
	fs.IntVar(&f.Pool, "pool", 64, "presignatures that the pool holds when it is full")
	fs.IntVar(&f.Refill, "refill", 1, "presignatures that are made at the same time")
	f.load = drive.Register(fs)
	return &commandLine{
		name: "threshold service", takes: "[flags]", summary: "run a service that signs from a pool of presignatures under load",
		help: serviceHelp, flags: fs, mixed: true,
		exec: func(ctx context.Context, args []string) error {
			if len(args) > 0 {
				return usageError("threshold service takes flags only, not %q", args[0])
			}
			return f.run(ctx, s)
		},
	}
}

func (f *serviceFlags) run(ctx context.Context, s streams) error {
	if !slices.Contains(service.Schemes, f.Scheme) {
		return usageError("-scheme: %q is not one of %s", f.Scheme, strings.Join(service.Schemes, ", "))
	}
	for _, n := range []struct {
		flag            string
		value, greatest int
	}{{"max_malicious", f.MaxMalicious, service.MaxMalicious}, {"pool", f.Pool, service.MaxPool}, {"refill", f.Refill, service.MaxRefill}} {
		if n.value < 1 || n.value > n.greatest {
			return usageError("-%s: %d is not a number from 1 to %d", n.flag, n.value, n.greatest)
		}
	}
	var err error
	if f.Codec, err = codec.ByName(f.codec); err != nil {
		return usageError("-codec: %w", err)
	}
	if err := f.load.Check(); err != nil {
		return usageError("threshold service: %w", err)
	}
	f.Seed = f.load.Config.Seed
	ctx, stop := drive.Interruptible(ctx)
	defer stop()
	err = f.measure(ctx, s)
	if errors.Is(err, drive.ErrInterrupted) {
		return exitError{status: interrupted, error: fmt.Errorf("zkatbench: threshold service: %w", err)}
	}
	return inside("threshold service", err)
}

// measure makes a service for each number of workers, and loads it.
func (f *serviceFlags) measure(ctx context.Context, s streams) error {
	x, err := drive.Start(ctx, f.load, drive.Streams{Out: s.out, Err: s.err})
	if err != nil {
		return err
	}
	defer x.Close()
	fmt.Fprintln(s.out, study.Header)
	config := f.load.Config
	var firsts, all []*runner.Result
	name := fmt.Sprintf("ThresholdService/scheme=%s/malicious=%d", f.Scheme, f.MaxMalicious)
	for _, config.Workers = range f.load.Workers {
		signer, err := service.New(f.Config)
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
		if err := signer.TakeStats().Write(s.out, f.Config, time.Since(start)); err != nil {
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
