package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/zkatbench/zkatbench/bench/step"
	"github.com/zkatbench/zkatbench/node/payments"
	"github.com/zkatbench/zkatbench/node/store"
	pb "github.com/zkatbench/zkatbench/node/validationpb"
	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/cputime"
	"github.com/zkatbench/zkatbench/runner/judge"
	load "github.com/zkatbench/zkatbench/runner/result"
	"github.com/zkatbench/zkatbench/runner/schedule"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/opcount"
)

// Flags of the benchmarks. Lists are comma-separated.
var (
	protocolFlag    = flag.String("protocol", "v2", "protocols of payments: v1, v2")
	curvesFlag      = flag.String("curves", "BN254", "curves of the network")
	ownerFlag       = flag.String("owner", "x509", "owners of tokens: x509, idemix, idemixnym")
	bitsFlag        = flag.Int("bits", 64, "bits of values")
	batchFlag       = flag.String("batch", "64", "most requests of a block")
	connectionsFlag = flag.String("numConn", "1,4", "connections of clients")
)

func TestMain(m *testing.M) {
	if os.Getenv(serveVariable) != "" {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

func list(text string) []string { return strings.Split(text, ",") }

func numbers(b *testing.B, text string) (values []int) {
	for _, field := range list(text) {
		n, err := strconv.Atoi(field)
		if err != nil || n <= 0 {
			b.Fatalf("%q is not a positive number", field)
		}
		values = append(values, n)
	}
	return values
}

var pools = map[payments.Config]*payments.Pool{}

// networks runs a benchmark for each network of the flags.
func networks(b *testing.B, run func(b *testing.B, pool *payments.Pool)) {
	for _, protocol := range list(*protocolFlag) {
		for _, curve := range list(*curvesFlag) {
			for _, owner := range list(*ownerFlag) {
				c := payments.Config{Protocol: protocol, Curve: curve, Owners: owner, Bits: *bitsFlag}
				b.Run(fmt.Sprintf("bits=%d/protocol=%s/curve=%s/owner=%s", c.Bits, protocol, curve, owner),
					func(b *testing.B) {
						if pools[c] == nil {
							pool, err := payments.New(c)
							require.NoError(b, err)
							pool.Network.Params.Precompute()
							pools[c] = pool
						}
						run(b, pools[c])
					})
			}
		}
	}
}

// report adds transactions a second and the processor time of one.
func report(b *testing.B, cpu time.Duration) {
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "tx/s")
	b.ReportMetric(float64(cpu.Nanoseconds())/float64(b.N), "cpu-ns/op")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkLocalTokenValidation validates requests one by one, without ledger. The
// parts of a validation are measured in a separate pass.
func BenchmarkLocalTokenValidation(b *testing.B) {
	networks(b, func(b *testing.B, pool *payments.Pool) {
		list, err := pool.Take(min(b.N, 256))
		require.NoError(b, err)
		v := pool.Network.Validator(validator.Options{})
		begin := cputime.Process()
		b.ResetTimer()
		for i := range b.N {
			p := list[i%len(list)]
			if _, err := v.Validate(p.Anchor, p.Raw); err != nil {
				b.Fatal(err)
			}
		}
		b.StopTimer()
		report(b, cputime.Process()-begin)
		for part, each := range partsOf(b, pool, list) {
			b.ReportMetric(each, part+"-ns/op")
		}
	})
}

// partsOf returns the wall time of the parts of a validation in ns.
func partsOf(b *testing.B, pool *payments.Pool, list []payments.Payment) map[string]float64 {
	times, root := step.NewRun("validation", step.Times, nil)
	observed := pool.Network.On(func(g group.Group) group.Group { return opcount.Steps(g, root.Steps()) })
	v := observed.Validator(validator.Options{})
	times.Start(root)
	for _, p := range list {
		if _, err := v.Validate(p.Anchor, p.Raw); err != nil {
			b.Fatal(err)
		}
	}
	parts := map[string]float64{}
	for path, row := range times.Stop() {
		part := "rest"
		if _, below, found := strings.Cut(path, "/"); found {
			part, _, _ = strings.Cut(below, "/")
		}
		parts[part] += float64(row[step.TimeNs]) / float64(len(list))
	}
	return parts
}

// BenchmarkAPI submits requests to a service in this process, with its queue, blocks
// and store.
func BenchmarkAPI(b *testing.B) {
	networks(b, func(b *testing.B, pool *payments.Pool) {
		for _, batch := range numbers(b, *batchFlag) {
			b.Run(fmt.Sprint("batch=", batch), func(b *testing.B) {
				list, err := pool.Take(b.N)
				require.NoError(b, err)
				s := settings{batch: batch}
				l, err := s.newLocal(pool, list)
				require.NoError(b, err)
				begin := cputime.Process()
				b.ResetTimer()
				inParallel(b, b.N, 2*batch*runtime.GOMAXPROCS(0), func(i int) error {
					v, err := l.Submit(b.Context(), list[i].Anchor, list[i].Raw)
					return errors.Join(err, v.Err)
				})
				b.StopTimer()
				report(b, cputime.Process()-begin)
				w := httptest.NewRecorder()
				l.Metrics().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
				reportParts(b, figures(b, w.Body), nil)
				require.NoError(b, l.close())
			})
		}
	})
}

// inParallel calls f(0) … f(n-1) from a number of callers.
func inParallel(b testing.TB, n, callers int, f func(i int) error) {
	var next atomic.Int64
	var running sync.WaitGroup
	for range min(callers, n) {
		running.Go(func() {
			for i := int(next.Add(1) - 1); i < n; i = int(next.Add(1) - 1) {
				if err := f(i); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	running.Wait()
}

// figures reads the sums and counters of OpenMetrics text.
func figures(t testing.TB, text io.Reader) map[string]float64 {
	values := map[string]float64{}
	for lines := bufio.NewScanner(text); lines.Scan(); {
		if name, value, found := strings.Cut(lines.Text(), " "); found && name != "#" {
			number, err := strconv.ParseFloat(value, 64)
			require.NoError(t, err)
			values[name] = number
		}
	}
	return values
}

// reportParts adds the wall time of validation and store for a request, between two
// readings of the metrics.
func reportParts(b *testing.B, after, before map[string]float64) {
	for unit, name := range map[string]string{"validate-ns/op": "zkat_block_validation_seconds_sum",
		"store-ns/op": "zkat_block_store_seconds_sum"} {
		b.ReportMetric((after[name]-before[name])*1e9/float64(b.N), unit)
	}
	blocks := "zkat_block_requests_count"
	b.ReportMetric(float64(b.N)/(after[blocks]-before[blocks]), "tx/block")
}

// remote is a server in another process.
type remote struct {
	process          *exec.Cmd
	address, metrics string
	errors           *bytes.Buffer
}

// startRemote starts a server on the ledger in dir. It is killed when the test ends.
func startRemote(t testing.TB, dir string, flags ...string) *remote {
	t.Helper()
	args := append([]string{"-listen=127.0.0.1:0", "-metrics=127.0.0.1:0",
		"-params=" + filepath.Join(dir, "params"), "-dir=" + filepath.Join(dir, "store")}, flags...)
	r := &remote{process: exec.Command(os.Args[0], args...), errors: new(bytes.Buffer)}
	r.process.Env = append(os.Environ(), serveVariable+"=1")
	r.process.Stderr = r.errors
	out, err := r.process.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, r.process.Start())
	t.Cleanup(r.kill)
	lines := bufio.NewScanner(out)
	for r.address == "" && lines.Scan() {
		if metrics, found := strings.CutPrefix(lines.Text(), "metrics on "); found {
			r.metrics = metrics
		}
		r.address, _ = strings.CutPrefix(lines.Text(), "listening on ")
		if r.address == lines.Text() {
			r.address = ""
		}
	}
	require.NotEmpty(t, r.address, "the server does not listen: %s", r.errors)
	return r
}

func (r *remote) kill() {
	_ = r.process.Process.Kill()
	_ = r.process.Wait()
}

func (r *remote) figures(t testing.TB) map[string]float64 {
	response, err := http.Get(r.metrics)
	require.NoError(t, err)
	defer response.Body.Close()
	return figures(t, response.Body)
}

// connect opens connections, each with its own transport.
func (r *remote) connect(t testing.TB, connections int) (clients []pb.ValidationClient) {
	for range connections {
		c, err := grpc.NewClient(r.address, grpc.WithTransportCredentials(insecure.NewCredentials()))
		require.NoError(t, err)
		t.Cleanup(func() { c.Close() })
		clients = append(clients, pb.NewValidationClient(c))
	}
	return clients
}

// newLedger makes a folder with the parameters and a ledger with the inputs of
// payments.
func newLedger(t testing.TB, pool *payments.Pool, list []payments.Payment) (dir string) {
	dir = t.TempDir()
	p := pool.Network.Params
	require.NoError(t, os.WriteFile(filepath.Join(dir, "params"), p.Encode(), 0o600))
	s, err := store.Open(filepath.Join(dir, "store"), store.Options{Digest: p.Digest()})
	require.NoError(t, err)
	require.NoError(t, credit(s, list))
	require.NoError(t, s.Close())
	return dir
}

func submit(ctx context.Context, c pb.ValidationClient, p payments.Payment, how ...grpc.CallOption) error {
	v, err := c.Submit(ctx, &pb.Submission{Anchor: p.Anchor, Request: p.Raw}, how...)
	if err == nil && !v.GetAccepted() {
		return errors.New(v.GetReason())
	}
	return err
}

const processorSeconds = "zkat_processor_seconds_total"

// BenchmarkAPIGRPC submits requests over gRPC to a server in another process. cpu-ns/op
// is the processor time of the server, client-share the share of the clients in the
// processor time of both. arrival=poisson is an open loop at half the throughput of the
// closed loop before it, with percentiles of its latency.
func BenchmarkAPIGRPC(b *testing.B) {
	networks(b, func(b *testing.B, pool *payments.Pool) {
		for _, batch := range numbers(b, *batchFlag) {
			for _, connections := range numbers(b, *connectionsFlag) {
				var perSecond float64
				b.Run(fmt.Sprintf("batch=%d/connections=%d", batch, connections), func(b *testing.B) {
					perSecond = closedLoop(b, pool, batch, connections, singleCalls)
				})
				b.Run(fmt.Sprintf("batch=%d/connections=%d/calls=stream", batch, connections),
					func(b *testing.B) {
						closedLoop(b, pool, batch, connections, streams)
					})
				b.Run(fmt.Sprintf("batch=%d/connections=%d/arrival=poisson", batch, connections),
					func(b *testing.B) {
						if perSecond == 0 {
							b.Skip("the rate follows from the closed loop, which -bench excludes")
						}
						openLoop(b, pool, batch, connections, perSecond/2)
					})
			}
		}
	})
}

// driving submits payments over connections, callers at the same time.
type driving func(b *testing.B, clients []pb.ValidationClient, list []payments.Payment, callers int)

func singleCalls(b *testing.B, clients []pb.ValidationClient, list []payments.Payment, callers int) {
	inParallel(b, len(list), callers, func(i int) error {
		return submit(b.Context(), clients[i%len(clients)], list[i])
	})
}

// streams has one stream on each connection.
func streams(b *testing.B, clients []pb.ValidationClient, list []payments.Payment, callers int) {
	var running sync.WaitGroup
	for n, client := range clients {
		stream, err := client.Stream(b.Context())
		require.NoError(b, err)
		own := list[n*len(list)/len(clients) : (n+1)*len(list)/len(clients)]
		free := make(chan struct{}, max(1, callers/len(clients)))
		running.Go(func() {
			for _, p := range own {
				free <- struct{}{}
				if err := stream.Send(&pb.Submission{Anchor: p.Anchor, Request: p.Raw}); err != nil {
					b.Error(err)
				}
			}
		})
		running.Go(func() {
			for range own {
				v, err := stream.Recv()
				if err != nil || !v.GetAccepted() {
					b.Error(err, v.GetReason())
				}
				<-free
			}
		})
	}
	running.Wait()
}

func closedLoop(b *testing.B, pool *payments.Pool, batch, connections int, run driving) (perSecond float64) {
	list, err := pool.Take(b.N)
	require.NoError(b, err)
	r := startRemote(b, newLedger(b, pool, list), fmt.Sprint("-batch=", batch))
	clients := r.connect(b, connections)
	before, own := r.figures(b), cputime.Process()
	b.ResetTimer()
	run(b, clients, list, max(connections, 2*batch*runtime.GOMAXPROCS(0)))
	b.StopTimer()
	own = cputime.Process() - own
	after := r.figures(b)
	server := after[processorSeconds] - before[processorSeconds]
	report(b, time.Duration(server*1e9))
	b.ReportMetric(100*own.Seconds()/(own.Seconds()+server), "client-share-%")
	reportParts(b, after, before)
	r.kill()
	return float64(b.N) / b.Elapsed().Seconds()
}

func openLoop(b *testing.B, pool *payments.Pool, batch, connections int, rate float64) {
	const window = 5 * time.Second
	list, err := pool.Take(int(1.2*rate*window.Seconds()) + 100)
	require.NoError(b, err)
	r := startRemote(b, newLedger(b, pool, list), fmt.Sprint("-batch=", batch))
	clients := r.connect(b, connections)
	before, own := r.figures(b), cputime.Process()
	b.ResetTimer()
	result := poisson(b, clients, list, 4*batch, rate, window)
	b.StopTimer()
	own = cputime.Process() - own
	server := r.figures(b)[processorSeconds] - before[processorSeconds]
	b.ReportMetric(rate, "offered-tx/s")
	b.ReportMetric(float64(result.Done)/result.Elapsed.Seconds(), "tx/s")
	b.ReportMetric(server*1e9/float64(result.Done), "cpu-ns/op")
	b.ReportMetric(100*own.Seconds()/(own.Seconds()+server), "client-share-%")
	b.ReportMetric(0, "ns/op")
	for unit, q := range map[string]float64{"p50-ns": 0.5, "p99-ns": 0.99} {
		if e := judge.Quantile(result, q); e.Shown() {
			b.ReportMetric(e.Value, unit)
		}
	}
	r.kill()
}

// poisson submits payments in an open loop with Poisson arrivals. All must be accepted.
func poisson(t testing.TB, clients []pb.ValidationClient, list []payments.Payment, workers int, rate float64,
	window time.Duration) *load.Result {
	var next atomic.Int64
	result, err := runner.Run(t.Context(), runner.Config{
		Workers: workers, Duration: window, WarmUp: -1,
		Plan: &schedule.Plan{Arrival: schedule.Poisson, Rate: rate, Seed: 1},
	}, pay(list, func(ctx context.Context, p payments.Payment) error {
		return submit(ctx, clients[int(next.Add(1))%len(clients)], p)
	}))
	require.NoError(t, err)
	require.Zero(t, result.Failed, result.Errors)
	return result
}
