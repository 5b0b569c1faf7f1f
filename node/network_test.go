package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	cfg "github.com/cometbft/cometbft/config"
	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/node/internal/foreign"
	"github.com/zkatbench/zkatbench/node/network"
	"github.com/zkatbench/zkatbench/node/payments"
	"github.com/zkatbench/zkatbench/node/store"
	"github.com/zkatbench/zkatbench/runner/judge"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
)

// Flags of BenchmarkNetwork, beside those of all benchmarks.
var (
	validatorsFlag  = flag.String("validators", "1,4", "validators of a network")
	networkRateFlag = flag.Int("networkRate", 50, "payments a second")
)

// networkBound is longer than any condition takes to come true.
const networkBound = 5 * time.Minute

// sayings is what validators say.
type sayings struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *sayings) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

func (s *sayings) has(text string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Contains(s.text.String(), text)
}

// trial is a cluster under test.
type trial struct {
	*cluster
	t    *testing.T
	ctx  context.Context
	says *sayings
}

func (c *trial) eventually(what string, condition func() bool) {
	c.t.Helper()
	require.Eventually(c.t, condition, networkBound, 50*time.Millisecond, what)
}

// kill ends a validator with SIGKILL.
func (c *trial) kill(i int) {
	require.NoError(c.t, c.processes[i].Process.Kill())
	_ = c.processes[i].Wait()
	c.processes[i] = nil
}

func (c *trial) restart(i int) { require.NoError(c.t, c.start(c.ctx, i, 1)) }

// final waits until a validator has applied a request.
func (c *trial) final(i int, anchor string) (r store.Receipt) {
	c.eventually(fmt.Sprintf("%s at validator %d", anchor, i), func() bool {
		var found bool
		var err error
		r, found, err = c.clients[i].Receipt(c.ctx, anchor)
		return err == nil && found
	})
	return r
}

// pay sends requests to validators in turn.
func (c *trial) pay(list []validator.Submission, to ...int) {
	for k, s := range list {
		tx, err := network.Transaction(s)
		require.NoError(c.t, err)
		r, err := c.clients[to[k%len(to)]].BroadcastTxSync(c.ctx, tx)
		require.NoError(c.t, err)
		require.Zero(c.t, r.Code, r.Log)
	}
}

// same waits until all validators have the same block and no waiting request, and compares their
// states and receipts.
func (c *trial) same(list []validator.Submission) {
	type state struct {
		height int64
		hash   string
	}
	c.eventually("equal heights", func() bool {
		states := map[state]bool{}
		for _, client := range c.clients {
			info, err := client.ABCIInfo(c.ctx)
			waiting, err2 := client.NumUnconfirmedTxs(c.ctx)
			if err != nil || err2 != nil || waiting.Total > 0 {
				return false
			}
			states[state{info.Response.LastBlockHeight, string(info.Response.LastBlockAppHash)}] = true
		}
		return len(states) == 1
	})
	for _, s := range list {
		want := c.final(0, s.Anchor)
		for i := range c.clients {
			require.Equal(c.t, want, c.final(i, s.Anchor), "%s at validator %d", s.Anchor, i)
		}
	}
}

// TestANetworkWithFaults: of 200 requests that spend one token at four validators, one wins
// everywhere. A validator that is killed under load catches up. Without two validators the network
// stops and says so, and it goes on when one returns. All end with the same ledger.
func TestANetworkWithFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("starts four processes")
	}
	pool := smallPool(t)
	ctx, cancel := context.WithTimeout(t.Context(), 2*networkBound)
	defer cancel()
	says := new(sayings)
	made, err := (&settings{validators: 4, batch: 64, reserve: 1}).startCluster(ctx, pool, says)
	defer func() { require.NoError(t, made.stop()) }()
	require.NoError(t, err)
	c := &trial{made, t, ctx, says}

	wallet, err := pool.NewWallet(1000)
	require.NoError(t, err)
	issued, err := wallet.Issue("contested", 60, 40)
	require.NoError(t, err)
	_, err = c.clients[3].Submit(ctx, issued.Submission)
	require.NoError(t, err)
	c.same([]validator.Submission{issued.Submission})
	var rivals []validator.Submission
	for i := range 200 {
		r, err := wallet.Transfer(fmt.Sprint("rival-", i), issued.Tokens, 75, 25)
		require.NoError(t, err)
		rivals = append(rivals, r.Submission)
	}
	var running sync.WaitGroup
	for i, r := range rivals {
		running.Go(func() {
			tx, err := network.Transaction(r)
			if err == nil {
				_, err = c.clients[i%4].BroadcastTxSync(ctx, tx)
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	running.Wait()
	c.same(nil)
	var winners []validator.Submission
	for _, r := range rivals {
		_, found, err := c.clients[0].Receipt(ctx, r.Anchor)
		require.NoError(t, err)
		if found {
			winners = append(winners, r)
		}
	}
	require.Len(t, winners, 1)

	issues, transfers, err := makePayments(pool, 40)
	require.NoError(t, err)
	c.pay(issues, 0, 1, 2, 3)
	c.same(issues)
	c.pay(transfers[:8], 0, 1, 2, 3)
	c.final(0, transfers[0].Anchor)
	c.pay(transfers[8:16], 1, 2, 3)
	c.kill(0)
	c.pay(transfers[16:24], 1, 2, 3)
	c.final(1, transfers[23].Anchor)
	c.restart(0)
	c.pay(transfers[24:32], 1, 2, 3)
	c.same(transfers[:32])

	c.kill(0)
	c.kill(1)
	c.pay(transfers[32:36], 2, 3)
	c.eventually("the network says that it has stopped", func() bool {
		return says.has("the network has stopped")
	})
	c.restart(1)
	c.final(1, transfers[35].Anchor)
	c.eventually("the network says that it goes on", func() bool { return says.has("the network goes on") })
	c.restart(0)
	c.pay(transfers[36:], 0, 1, 2, 3)
	c.same(append(append(transfers, winners...), issues...))
}

// TestHomesThatAreRefused: one line and status 2, before anything is written.
func TestHomesThatAreRefused(t *testing.T) {
	pool, dir := smallPool(t), t.TempDir()
	other := smallPoolOf(t, "v1").Network.Params
	edit := func(home, file string, oldNew ...string) {
		raw, err := os.ReadFile(filepath.Join(home, file))
		require.NoError(t, err)
		changed := strings.NewReplacer(oldNew...).Replace(string(raw))
		require.NotEqual(t, string(raw), changed)
		require.NoError(t, os.WriteFile(filepath.Join(home, file), []byte(changed), 0o600))
	}
	const config, genesis = "config/config.toml", "config/genesis.json"
	homes, err := network.Make(filepath.Join(dir, "network"), pool.Network.Params, 64, 2)
	require.NoError(t, err)
	others, err := network.Make(filepath.Join(dir, "other"), pool.Network.Params, 64, 2)
	require.NoError(t, err)
	for i, home := range others { // both networks have the same addresses
		edit(home.RootDir, config, home.P2P.ListenAddress, homes[i].P2P.ListenAddress,
			home.RPC.ListenAddress, homes[i].RPC.ListenAddress)
	}
	rpc, encoded := homes[0].RPC, base64.StdEncoding.EncodeToString
	own, power := encoded(pool.Network.Params.Encode()), `"power": "1"`
	open := network.ErrOpen.Error()
	for name, c := range map[string]struct {
		file    string
		oldNew  []string // texts in the file; nil removes it
		running *cfg.Config
		text    string
	}{
		"no configuration":       {config, nil, nil, "config.toml"},
		"no genesis":             {genesis, nil, nil, "genesis.json"},
		"no key":                 {"config/priv_validator_key.json", nil, nil, "priv_validator_key.json"},
		"no memory of its votes": {"data/priv_validator_state.json", nil, nil, "priv_validator_state.json"},
		"changed genesis": {genesis,
			[]string{power, `"power": "7"`}, nil, network.ErrGenesis.Error()},
		"blocks without requests": {genesis, []string{`"requests": 64`, `"requests": 0`}, nil,
			"at least 1"},
		"other parameters": {genesis,
			[]string{own, encoded(other.Encode())}, nil, network.ErrGenesis.Error()},
		"bases of others": {genesis, []string{own, encoded(foreign.Generators(t, other))}, nil,
			"generators"},
		"clients of other machines": {config, []string{rpc.ListenAddress, "tcp://0.0.0.0:0"}, nil, open},
		"gRPC for other machines": {config,
			[]string{`grpc_laddr = ""`, `grpc_laddr = "tcp://0.0.0.0:0"`}, nil,
			open},
		"profiles for other machines": {config, []string{rpc.PprofListenAddress, "0.0.0.0:0"}, nil, open},
		"metrics for other machines": {config, []string{"prometheus = false", "prometheus = true",
			`prometheus_listen_addr = ":26660"`, `prometheus_listen_addr = "0.0.0.0:0"`}, nil, open},
		"a second peer with another genesis": {config, []string{`persistent_peers = "`,
			`persistent_peers = "` + strings.Repeat("0", 40) + "@127.0.0.1:1,"}, others[1],
			network.ErrPeer.Error()},
		"port in use": {config, []string{"moniker = ", "moniker  = "}, others[0], "in use"},
	} {
		t.Run(name, func(t *testing.T) {
			home := filepath.Join(t.TempDir(), "home")
			require.NoError(t, os.CopyFS(home, os.DirFS(homes[0].RootDir)))
			if c.oldNew == nil {
				require.NoError(t, os.Remove(filepath.Join(home, c.file)))
			} else {
				edit(home, c.file, c.oldNew...)
			}
			if c.running != nil {
				v, err := network.Start(c.running.RootDir,
					network.Options{Options: store.Options{Reserve: 1}})
				require.NoError(t, err)
				t.Cleanup(func() { require.NoError(t, v.Stop()) })
			}
			before := files(t, home)
			var stdout, stderr bytes.Buffer
			require.Equal(t, 2, run(ended(t), []string{"-home=" + home, "-reserve=1"}, &stdout, &stderr),
				stderr.String())
			require.Contains(t, stderr.String(), c.text)
			require.Equal(t, 1, strings.Count(stderr.String(), "\n"), stderr.String())
			require.Empty(t, stdout.String())
			require.Equal(t, before, files(t, home))
		})
	}
}

// files are the files of a folder with their content.
func files(t *testing.T, dir string) map[string]string {
	found := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			found[path] = ""
			return err
		}
		raw, err := os.ReadFile(path)
		found[path] = string(raw)
		return err
	}))
	return found
}

// BenchmarkNetwork measures payments to finality in an open loop at -networkRate, on validators that are
// processes of this machine.
func BenchmarkNetwork(b *testing.B) {
	networks(b, func(b *testing.B, pool *payments.Pool) {
		for _, validators := range numbers(b, *validatorsFlag) {
			for _, batch := range numbers(b, *batchFlag) {
				b.Run(fmt.Sprintf("validators=%d/batch=%d", validators, batch), func(b *testing.B) {
					s := settings{validators: validators, batch: batch, count: b.N, rate: *networkRateFlag,
						reserve: 1}
					r, err := s.measure(b.Context(), pool)
					require.NoError(b, err)
					b.ReportMetric(float64(r.result.Done)/r.result.Elapsed.Seconds(), "tx/s")
					for unit, q := range map[string]float64{"p50-ns": 0.5, "p99-ns": 0.99,
						"p99.9-ns": 0.999} {
						if e := judge.Quantile(r.result, q); e.Shown() {
							b.ReportMetric(e.Value, unit)
						}
					}
					for part, each := range r.cpu {
						b.ReportMetric(each*1e9, part+"-cpu-ns/op")
					}
					b.ReportMetric(r.wire, "wire-B/op")
					b.ReportMetric(r.disk, "disk-B/op")
					b.ReportMetric(float64(r.result.Done)/r.blocks, "tx/block")
					b.ReportMetric(0, "ns/op")
				})
			}
		}
	})
}
