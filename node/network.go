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
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/google/pprof/profile"

	"github.com/zkatbench/zkatbench/internal/text"
	"github.com/zkatbench/zkatbench/node/network"
	"github.com/zkatbench/zkatbench/node/payments"
	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/judge"
	load "github.com/zkatbench/zkatbench/runner/result"
	"github.com/zkatbench/zkatbench/runner/schedule"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
)

// validate runs the validator of a home until ctx ends.
func (s *settings) validate(ctx context.Context, stdout io.Writer) error {
	v, err := network.Open(s.home,
		network.Options{Reserve: s.reserve, Unchecked: s.unchecked, Anybody: s.insecure})
	if err != nil {
		return startError{err}
	}
	if err := v.Start(); err != nil {
		return errors.Join(err, v.Stop())
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
	addresses, err := network.Local(s.validators)
	if err != nil {
		return err
	}
	homes, err := network.Make(s.makeHomes, pool.Network.Params, s.batch, addresses)
	if err != nil {
		return startError{err}
	}
	for _, home := range homes {
		fmt.Fprintf(stdout, "node -home=%s\n", home)
	}
	return nil
}

// cluster is a network of processes on this machine.
type cluster struct {
	homes     []string
	addresses []network.Addresses
	processes []*exec.Cmd
	clients   []*network.Client
	says      io.Writer // has what validators say
}

// startCluster makes a network in a new folder, and starts its validators.
func (s *settings) startCluster(ctx context.Context, dir string, pool *payments.Pool,
	says io.Writer) (c *cluster, err error) {
	c = &cluster{processes: make([]*exec.Cmd, s.validators), says: says}
	c.addresses, err = network.Local(s.validators)
	if err != nil {
		return c, err
	}
	c.homes, err = network.Make(dir, pool.Network.Params, s.batch, c.addresses)
	if err != nil {
		return c, err
	}
	if err := (executor.Pool{Workers: s.validators}).Run(s.validators, func(i int) error {
		return c.start(ctx, i, s.reserve)
	}); err != nil {
		return c, err
	}
	for _, a := range c.addresses {
		client, err := network.Dial(ctx, a.Clients)
		if err != nil {
			return c, err
		}
		c.clients = append(c.clients, client)
	}
	return c, nil
}

// start starts a validator, and waits until it takes requests. What it says later goes to c.says.
func (c *cluster) start(ctx context.Context, i int, reserve uint64) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	p := exec.CommandContext(ctx, self, "-home="+c.homes[i], fmt.Sprint("-reserve=", reserve))
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

// stop ends all validators.
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
	return err
}

// outputs is the number of tokens of an issue: two for each payment.
const outputs = 8

// makePayments makes issues, and transfers that spend what they issue, on all processors.
func makePayments(pool *payments.Pool, n int) (issues, transfers []validator.Submission, err error) {
	groups := (n + outputs/2 - 1) / (outputs / 2)
	issues, transfers = make([]validator.Submission, groups), make([]validator.Submission, groups*outputs/2)
	err = executor.Pool{Workers: runtime.GOMAXPROCS(0)}.Run(groups, func(i int) error {
		wallet, err := pool.NewWallet(uint64(i))
		if err != nil {
			return err
		}
		issued, err := wallet.Issue(fmt.Sprint("issue-", i), slices.Repeat([]uint64{60, 40}, outputs/2)...)
		if err != nil {
			return err
		}
		issues[i] = issued.Submission
		for k := range outputs / 2 {
			anchor := fmt.Sprintf("transfer-%d-%d", i, k)
			paid, err := wallet.Transfer(anchor, issued.Tokens[2*k:2*k+2], 75, 25)
			if err != nil {
				return err
			}
			transfers[i*outputs/2+k] = paid.Submission
		}
		return nil
	})
	return issues, transfers[:n], err
}

// submit sends requests to the validators in turn, from as many callers.
func (c *cluster) submit(ctx context.Context, list []validator.Submission, callers int) error {
	return executor.Pool{Workers: callers}.Run(len(list), func(i int) error {
		_, err := c.clients[i%len(c.clients)].Submit(ctx, list[i])
		return err
	})
}

// networkReport is what a load on a network costs.
type networkReport struct {
	validators int64
	rate       float64
	result     *load.Result
	blocks     float64
	cpu        map[string]float64 // seconds of a payment on all validators, by part
	wire, disk float64            // bytes of a payment, of all validators
}

// loadNetwork starts validators, loads them, and reports.
func (s *settings) loadNetwork(ctx context.Context, stdout io.Writer) (err error) {
	pool, err := payments.New(payments.Config{})
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "network")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	fmt.Fprintf(stdout,
		"making %d payments (v2, BN254, 64 bits, X.509, 2 inputs, 2 outputs) and starting %d validators\n",
		s.count, s.validators)
	issues, transfers, err := makePayments(pool, s.count)
	if err != nil {
		return err
	}
	r, err := s.measure(ctx, filepath.Join(dir, "homes"), pool, issues, transfers)
	if err != nil {
		return err
	}
	return r.write(stdout)
}

// measure starts a network, issues, and measures transfers in an open loop at the rate of the flags.
func (s *settings) measure(ctx context.Context, dir string, pool *payments.Pool, issues,
	transfers []validator.Submission) (r *networkReport, err error) {
	c, err := s.startCluster(ctx, dir, pool, text.Printer{Writer: os.Stderr})
	defer func() { err = errors.Join(err, c.stop()) }()
	if err != nil {
		return nil, err
	}
	if err := c.submit(ctx, issues, 2*s.batch); err != nil {
		return nil, err
	}
	before, err := c.usage()
	if err != nil {
		return nil, err
	}
	profiled := c.profile(time.Duration(len(transfers)/s.rate) * time.Second)
	var next atomic.Int64
	r = &networkReport{validators: int64(s.validators), rate: float64(s.rate), cpu: map[string]float64{}}
	r.result, err = runner.Run(ctx, runner.Config{
		Workers: min(len(transfers), 64+5*s.rate), Ops: int64(len(transfers)), WarmUp: -1,
		Timeout: time.Minute,
		Plan:    &schedule.Plan{Arrival: schedule.Poisson, Rate: float64(s.rate), Seed: 1},
	}, runner.Func(func(ctx context.Context) error {
		i := next.Add(1) - 1
		_, err := c.clients[int(i)%len(c.clients)].Submit(ctx, transfers[i])
		return err
	}))
	if err != nil {
		return nil, err
	}
	if r.result.Done == 0 || r.result.Failed > 0 {
		return nil,
			fmt.Errorf("%d of %d payments failed: %v", r.result.Failed, r.result.Done+r.result.Failed,
				r.result.Errors)
	}
	parts, err := profiled()
	if err != nil {
		return nil, err
	}
	after, err := c.usage()
	if err != nil {
		return nil, err
	}
	each := func(name string) float64 { return (after[name] - before[name]) / float64(r.result.Done) }
	for part, share := range parts {
		r.cpu[part] = share * each("process_cpu_seconds_total")
	}
	r.wire, r.disk = each("cometbft_p2p_message_send_bytes_total"), each(onDisk)
	r.blocks = (after["cometbft_consensus_height"] - before["cometbft_consensus_height"]) /
		float64(s.validators)
	return r, nil
}

const onDisk = "bytes on disk"

// usage sums the metrics of all validators, and the bytes in their homes.
func (c *cluster) usage() (map[string]float64, error) {
	sums := map[string]float64{}
	for i, a := range c.addresses {
		response, err := http.Get("http://" + a.Metrics + "/metrics")
		if err != nil {
			return nil, err
		}
		for lines := bufio.NewScanner(response.Body); lines.Scan(); {
			name, _, _ := strings.Cut(lines.Text(), "{")
			fields := strings.Fields(lines.Text())
			if len(fields) < 2 || fields[0] == "#" {
				continue
			}
			if name == lines.Text() {
				name = fields[0]
			}
			if value, err := strconv.ParseFloat(fields[len(fields)-1], 64); err == nil {
				sums[name] += value
			}
		}
		response.Body.Close()
		err = filepath.WalkDir(c.homes[i], func(_ string, f fs.DirEntry, err error) error {
			if info, missing := f.Info(); err == nil && missing == nil && !f.IsDir() {
				sums[onDisk] += float64(info.Size())
			}
			return nil // files come and go
		})
		if err != nil {
			return nil, err
		}
	}
	return sums, nil
}

// codeParts has the parts of a validator by the packages of their code. The innermost function of
// a list counts; without one, it is of Go's runtime.
var codeParts = []struct {
	part     string
	packages []string
}{
	{"validation", []string{"github.com/zkatbench/zkatbench/token/"}},
	{"store",
		[]string{"github.com/zkatbench/zkatbench/node/store", "github.com/cockroachdb/",
			"github.com/syndtr/goleveldb", "github.com/cometbft/cometbft/store"}},
	{"network",
		[]string{"github.com/cometbft/cometbft/p2p", "github.com/cometbft/cometbft/mempool",
			"github.com/cometbft/cometbft/rpc", "net/"}},
	{"consensus", []string{"github.com/cometbft/", "github.com/zkatbench/zkatbench/node/network"}},
}

// profile profiles all validators for a time, and returns a function that waits for the share of
// each part in their processor time.
func (c *cluster) profile(length time.Duration) func() (map[string]float64, error) {
	samples, errs := make([]map[string]float64, len(c.addresses)), make([]error, len(c.addresses))
	var running sync.WaitGroup
	for i, a := range c.addresses {
		running.Go(func() {
			url := fmt.Sprintf("http://%s/debug/pprof/profile?seconds=%d", a.Profiles,
				max(1, int(length.Seconds())))
			response, err := http.Get(url)
			if err != nil {
				errs[i] = err
				return
			}
			defer response.Body.Close()
			p, err := profile.Parse(response.Body)
			if err != nil {
				errs[i] = err
				return
			}
			samples[i] = partsOfProfile(p)
		})
	}
	return func() (map[string]float64, error) {
		running.Wait()
		shares, all := map[string]float64{}, 0.0
		for _, s := range samples {
			for part, n := range s {
				shares[part] += n
				all += n
			}
		}
		for part := range shares {
			shares[part] /= all
		}
		return shares, errors.Join(errs...)
	}
}

func partsOfProfile(p *profile.Profile) map[string]float64 {
	parts := map[string]float64{}
	for _, s := range p.Sample {
		parts[partOf(s)] += float64(s.Value[0])
	}
	return parts
}

func partOf(s *profile.Sample) string {
	for _, at := range s.Location {
		for _, line := range at.Line {
			for _, c := range codeParts {
				if slices.ContainsFunc(c.packages, func(p string) bool {
					return strings.HasPrefix(line.Function.Name, p)
				}) {
					return c.part
				}
			}
		}
	}
	return "runtime"
}

func (r *networkReport) write(w io.Writer) error {
	fmt.Fprintf(w, "%d validators, %d payments at %.0f a second (Poisson): %.1f a second are final\n",
		r.validators, r.result.Done, r.rate, float64(r.result.Done)/r.result.Elapsed.Seconds())
	fmt.Fprint(w, "from submission to commit:")
	for _, q := range []float64{0.5, 0.99, 0.999} {
		if e := judge.Quantile(r.result, q); e.Shown() {
			fmt.Fprintf(w, " P%g %.0f ms", 100*q, e.Value/1e6)
		}
	}
	fmt.Fprintf(w, "\nblocks: %.0f of %.1f payments\nprocessor time of a payment on all validators, ms:",
		r.blocks, float64(r.result.Done)/r.blocks)
	sum := 0.0
	for _, part := range slices.Sorted(maps.Keys(r.cpu)) {
		fmt.Fprintf(w, " %s %.2f,", part, 1e3*r.cpu[part])
		sum += r.cpu[part]
	}
	_, err := fmt.Fprintf(w,
		" in all %.2f\nbytes of a payment on all validators: %.0f sent to other validators, %.0f on disk\n",
		1e3*sum, r.wire, r.disk)
	return err
}
