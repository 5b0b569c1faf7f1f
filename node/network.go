package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	cfg "github.com/cometbft/cometbft/config"
	"github.com/google/pprof/profile"

	"github.com/zkatbench/zkatbench/internal/text"
	"github.com/zkatbench/zkatbench/node/network"
	"github.com/zkatbench/zkatbench/node/payments"
	"github.com/zkatbench/zkatbench/node/store"
	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/render"
	load "github.com/zkatbench/zkatbench/runner/result"
	"github.com/zkatbench/zkatbench/runner/schedule"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
)

// validate runs the validator of a home until ctx ends.
func (s *settings) validate(ctx context.Context, stdout io.Writer) error {
	v, err := network.Start(s.home, network.Options{
		Options: store.Options{Reserve: s.reserve, Unchecked: s.unchecked}, Anybody: s.insecure})
	if err != nil {
		return startError{err}
	}
	fmt.Fprintf(stdout, "%s%s\n", validatingOn, v.Address())
	return errors.Join(v.Run(ctx, stdout), v.Stop())
}

const validatingOn = "validating on "

// writeHomes makes the homes of a network for trials.
func (s *settings) writeHomes(_ context.Context, stdout io.Writer) error {
	pool, err := payments.New(payments.Config{})
	if err != nil {
		return err
	}
	homes, err := network.Make(s.makeHomes, pool.Network.Params, s.batch, s.validators)
	if err != nil {
		return startError{err}
	}
	for _, home := range homes {
		fmt.Fprintf(stdout, "node -home=%s\n", home.RootDir)
	}
	return nil
}

// cluster is a network of processes on this machine.
type cluster struct {
	dir       string // with the homes
	homes     []*cfg.Config
	clients   []*network.Client
	processes []*exec.Cmd
	says      io.Writer     // has what validators say
	turn      atomic.Uint64 // requests that were submitted
}

// startCluster makes a network, and starts its validators.
func (s *settings) startCluster(ctx context.Context, pool *payments.Pool,
	says io.Writer) (c *cluster, err error) {
	c = &cluster{processes: make([]*exec.Cmd, s.validators), says: says}
	c.dir, err = os.MkdirTemp("", "network")
	if err != nil {
		return c, err
	}
	c.homes, err = network.Make(filepath.Join(c.dir, "homes"), pool.Network.Params, s.batch, s.validators)
	if err != nil {
		return c, err
	}
	for _, home := range c.homes {
		client, err := network.Dial(home.RPC.ListenAddress)
		if err != nil {
			return c, err
		}
		c.clients = append(c.clients, client)
	}
	return c, executor.Pool{Workers: s.validators}.Run(s.validators, func(i int) error {
		return c.start(ctx, i, s.reserve)
	})
}

// start starts a validator, and waits until it takes requests. What it says later goes to c.says.
func (c *cluster) start(ctx context.Context, i int, reserve uint64) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	p := exec.CommandContext(ctx, self, "-home="+c.homes[i].RootDir, fmt.Sprint("-reserve=", reserve))
	p.Cancel = func() error { return p.Process.Signal(syscall.SIGTERM) }
	p.WaitDelay = time.Minute
	p.Env = append(os.Environ(), serveVariable+"=1")
	var reasons bytes.Buffer
	p.Stderr = &reasons
	out, err := p.StdoutPipe()
	if err != nil {
		return err
	}
	if err := p.Start(); err != nil {
		return err
	}
	c.processes[i] = p
	lines := bufio.NewScanner(out)
	if !lines.Scan() || !strings.HasPrefix(lines.Text(), validatingOn) {
		return fmt.Errorf("validator %d: %w: %s", i, p.Wait(), bytes.TrimSpace(reasons.Bytes()))
	}
	go func() {
		for lines.Scan() {
			fmt.Fprintf(c.says, "validator %d: %s\n", i, lines.Text())
		}
	}()
	return nil
}

// serveVariable makes a test binary this program.
const serveVariable = "ZKAT_NODE_SERVE"

// stop ends all validators, and removes their homes.
func (c *cluster) stop() (err error) {
	for _, p := range c.processes {
		if p != nil {
			_ = p.Process.Signal(syscall.SIGTERM) // it may have ended
		}
	}
	for _, p := range c.processes {
		if p != nil && p.ProcessState == nil {
			err = errors.Join(err, p.Wait())
		}
	}
	return errors.Join(err, os.RemoveAll(c.dir))
}

// makePayments makes issues, and a transfer for each that spends its tokens, on all processors.
func makePayments(pool *payments.Pool, n int) (issues, transfers []validator.Submission, err error) {
	issues, transfers = make([]validator.Submission, n), make([]validator.Submission, n)
	err = executor.Pool{Workers: runtime.GOMAXPROCS(0)}.Run(n, func(i int) error {
		wallet, err := pool.NewWallet(uint64(i))
		if err == nil {
			issues[i], transfers[i], err = wallet.Pay(fmt.Sprint("transfer-", i))
		}
		return err
	})
	return issues, transfers, err
}

// submit sends a request to the next validator, and waits until it is final.
func (c *cluster) submit(ctx context.Context, r validator.Submission) error {
	_, err := c.clients[c.turn.Add(1)%uint64(len(c.clients))].Submit(ctx, r)
	return err
}

// networkReport is what a load on a network costs.
type networkReport struct {
	result     *load.Result
	blocks     float64
	cpu        map[string]float64 // seconds of a payment on all validators, by part
	wire, disk float64            // bytes of a payment, of all validators
}

// loadNetwork starts validators, loads them, and reports.
func (s *settings) loadNetwork(ctx context.Context, stdout io.Writer) error {
	pool, err := payments.New(payments.Config{})
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout,
		"making %d payments (v2, BN254, 64 bits, X.509, 2 inputs, 2 outputs) and starting %d validators\n",
		s.count, s.validators)
	r, err := s.measure(ctx, pool)
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%d validators, from submission to commit:\n%s\n%.0f blocks of %.1f payments\n",
		s.validators, strings.Join(render.Figures(r.result), "\n"), r.blocks,
		float64(r.result.Done)/r.blocks)
	sum := 0.0
	fmt.Fprint(stdout, "processor time of a payment on all validators, ms:")
	for _, part := range slices.Sorted(maps.Keys(r.cpu)) {
		fmt.Fprintf(stdout, " %s %.2f,", part, 1e3*r.cpu[part])
		sum += r.cpu[part]
	}
	_, err = fmt.Fprintf(stdout,
		" in all %.2f\nbytes of a payment on all validators: %.0f sent to other validators, %.0f on disk\n",
		1e3*sum, r.wire, r.disk)
	return err
}

// measure starts a network, issues, and measures transfers in an open loop at the rate of the flags.
// A profile of the planned length divides the processor time.
func (s *settings) measure(ctx context.Context, pool *payments.Pool) (r *networkReport, err error) {
	issues, transfers, err := makePayments(pool, s.count)
	if err != nil {
		return nil, err
	}
	c, err := s.startCluster(ctx, pool, text.Printer{Writer: os.Stderr})
	defer func() { err = errors.Join(err, c.stop()) }()
	if err != nil {
		return nil, err
	}
	err = executor.Pool{Workers: 2 * s.batch}.Run(len(issues), func(i int) error {
		return c.submit(ctx, issues[i])
	})
	if err != nil {
		return nil, err
	}
	before, err := c.usage(ctx)
	if err != nil {
		return nil, err
	}
	r = new(networkReport)
	ended := make(chan error, 1)
	go func() {
		var err error
		r.result, err = runner.Run(ctx, runner.Config{
			Workers: min(s.count, 64+5*s.rate), Ops: int64(s.count), WarmUp: -1, Timeout: time.Minute,
			Plan: &schedule.Plan{Arrival: schedule.Poisson, Rate: float64(s.rate), Seed: 1},
		}, pay(transfers, func(ctx context.Context, transfer validator.Submission) error {
			return c.submit(ctx, transfer)
		}))
		ended <- errors.Join(err, complete(r.result))
	}()
	r.cpu, err = c.profile(max(1, s.count/s.rate))
	err = errors.Join(<-ended, err)
	if err != nil {
		return nil, err
	}
	after, err := c.usage(ctx)
	done := float64(r.result.Done)
	for part := range r.cpu {
		r.cpu[part] *= (after.cpu - before.cpu) / done
	}
	r.blocks, r.wire, r.disk = after.blocks-before.blocks, (after.wire-before.wire)/done,
		(after.disk-before.disk)/done
	return r, err
}

// usage is the height of a network, the seconds of processors that all validators have taken, and the
// bytes that they have sent to others and written to their homes.
type usage struct{ blocks, cpu, wire, disk float64 }

// usage asks the engines for their messages, the applications for their processor times, and walks
// through the homes.
func (c *cluster) usage(ctx context.Context) (u usage, err error) {
	for _, client := range c.clients {
		peers, err := client.NetInfo(ctx)
		if err != nil {
			return u, err
		}
		for _, peer := range peers.Peers {
			u.wire += float64(peer.ConnectionStatus.SendMonitor.Bytes)
		}
		info, err := client.ABCIInfo(ctx)
		if err != nil {
			return u, err
		}
		cpu, err := time.ParseDuration(info.Response.Data)
		if err != nil {
			return u, err
		}
		u.cpu += cpu.Seconds()
		u.blocks = float64(info.Response.LastBlockHeight)
	}
	err = filepath.WalkDir(c.dir, func(_ string, f fs.DirEntry, err error) error {
		if info, missing := f.Info(); err == nil && missing == nil && !f.IsDir() {
			u.disk += float64(info.Size())
		}
		return nil // files come and go
	})
	return u, err
}

// profile profiles all validators for a time, and returns the share of each part.
func (c *cluster) profile(seconds int) (map[string]float64, error) {
	all := make([]*profile.Profile, len(c.homes))
	err := executor.Pool{Workers: len(all)}.Run(len(all), func(i int) error {
		response, err := http.Get(fmt.Sprintf("http://%s/debug/pprof/profile?seconds=%d",
			c.homes[i].RPC.PprofListenAddress, seconds))
		if err != nil {
			return err
		}
		defer response.Body.Close()
		all[i], err = profile.Parse(response.Body)
		return err
	})
	if err != nil {
		return nil, err
	}
	shares, samples := map[string]float64{}, 0.0
	for _, p := range all {
		for _, s := range p.Sample {
			shares[partOf(s)] += float64(s.Value[0])
			samples += float64(s.Value[0])
		}
	}
	for part := range shares {
		shares[part] /= samples
	}
	return shares, nil
}

// codeParts has the parts of a validator by the packages of their code. The first one that fits the
// innermost function counts; without one, it is of Go's runtime.
var codeParts = []struct {
	part     string
	packages *regexp.Regexp
}{
	{"validation", regexp.MustCompile(`^github.com/zkatbench/zkatbench/token/`)},
	{"store", regexp.MustCompile(`^github.com/(cockroachdb/|syndtr/goleveldb|cometbft/cometbft/store|` +
		`zkatbench/zkatbench/node/store)`)},
	{"network", regexp.MustCompile(`^(net/|github.com/cometbft/cometbft/(p2p|mempool|rpc))`)},
	{"consensus", regexp.MustCompile(`^github.com/(cometbft/|zkatbench/zkatbench/node/network)`)},
}

func partOf(s *profile.Sample) string {
	for _, at := range s.Location {
		for _, line := range at.Line {
			for _, c := range codeParts {
				if c.packages.MatchString(line.Function.Name) {
					return c.part
				}
			}
		}
	}
	return "runtime"
}
