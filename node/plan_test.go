package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/capacity"
	"github.com/zkatbench/zkatbench/node/payments"
	"github.com/zkatbench/zkatbench/node/store"
	pb "github.com/zkatbench/zkatbench/node/validationpb"
	"github.com/zkatbench/zkatbench/runner/cputime"
	"github.com/zkatbench/zkatbench/runner/judge"
	"github.com/zkatbench/zkatbench/runner/stats"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
)

var planFlag = flag.Duration("plan", 0,
	"measure a node for this time against the plan of its capacity; 0 is a toy without verdict")

// The planned node.
const (
	plannedUse    = 0.6 // of one core
	plannedBatch  = 64
	plannedLinger = 2 * time.Millisecond
	plannedBlocks = 1 // validated; others wait for the disk meanwhile
	plannedPeers  = 4 // connections
)

const storeSeconds = "zkat_block_store_seconds_sum" // with waits for the disk

// nodeCosts are the processor times of a payment in seconds, by requests of a block.
type nodeCosts struct {
	validate, store map[int][]float64 // of several blocks
	grpc            float64           // with the queue, the scheduler and the collector
	// of a lone request, without processor time and linger: disk and loopback
	wait float64
}

// each is the mean cost of a payment in a block of n, interpolated in log n.
func (c nodeCosts) each(n float64) float64 {
	at := func(size int) float64 { return stats.Average(c.validate[size]) + stats.Average(c.store[size]) }
	sizes := slices.Sorted(maps.Keys(c.validate))
	for i, size := range sizes[1:] {
		if low := sizes[i]; n <= float64(size) || i == len(sizes)-2 {
			part := min(1, math.Log(n/float64(low))/math.Log(float64(size)/float64(low)))
			return at(low) + part*(at(size)-at(low)) + c.grpc
		}
	}
	return at(sizes[0]) + c.grpc
}

// plan returns the rate at which package capacity predicts the planned utilisation of one
// core, and the predicted wait.
func (c nodeCosts) plan() (rate float64, wait capacity.Wait, err error) {
	var alone []float64
	for _, v := range c.validate[1] {
		alone = append(alone, v+stats.Average(c.store[1])+c.grpc)
	}
	costs := capacity.Costs{Measured: []capacity.Measured{{Role: "node", Action: "payment",
		Rounds: [][]float64{alone}}}}
	for _, n := range slices.Sorted(maps.Keys(c.validate)) {
		costs.Measured = append(costs.Measured,
			capacity.Measured{Role: "node", Action: "payment", Batch: n,
				Rounds: [][]float64{{float64(n) * c.each(float64(n))}}})
	}
	subject := capacity.Subject{Actions: []string{"payment"},
		Roles: []capacity.Role{{Name: "node", Parties: capacity.Endorsers, Waits: true}}}
	rate = 0.5 * plannedUse / c.each(1)
	for range 20 {
		p := subject.NewPlan(capacity.Settings{
			Rate: rate, Peak: rate, Mix: []capacity.Share{{Action: "payment", Share: 1}}, Burst: 1, Block: 1,
			Endorsers: 1, Of: 1,
			Utilisation: 0.99, P99: time.Hour, Cores: 1, Copies: 1, Batch: plannedBatch,
			Linger: plannedLinger,
		}, capacity.Source{}, capacity.SpeedUp{}, []capacity.Costs{costs}, func(int, int) {})
		node := p.Choices[0].Roles[0]
		if math.Abs(node.Peak.Utilisation/plannedUse-1) < 1e-3 {
			return rate, *node.Wait, nil
		}
		rate *= plannedUse / node.Peak.Utilisation
	}
	return 0, wait, errors.New("no rate has the planned utilisation")
}

// planSize is the size of a measurement.
type planSize struct {
	bits, each, remote int // bits of values; payments for each size of blocks, and for the server
	window             time.Duration
	rate               float64 // 0: the planned one
}

// TestPlanHolds plans a node on one core from the parts of its processor time, puts the
// planned load on it over loopback, and compares. Without -plan a toy passes the same
// way, and no time is looked at.
func TestPlanHolds(t *testing.T) {
	size := planSize{bits: 16, each: 64, remote: 8, window: 300 * time.Millisecond, rate: 100}
	if *planFlag > 0 {
		size = planSize{bits: 64, each: 512, remote: 2000, window: *planFlag}
	}
	pool, err := payments.New(payments.Config{Bits: size.bits})
	require.NoError(t, err)
	pool.Network.Params.Precompute()
	c := measureNode(t, pool, size)
	rate, predicted := size.rate, capacity.Wait{}
	if rate == 0 {
		rate, predicted, err = c.plan()
		require.NoError(t, err)
	}
	list, err := pool.Take(int(1.2*rate*size.window.Seconds()) + 100)
	require.NoError(t, err)
	r, clients := plannedNode(t, pool, list)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // the generator has one core, too
	before := r.figures(t)
	result := poisson(t, clients, list, 4*plannedBatch, rate, size.window)
	after := r.figures(t)
	server := after[processorSeconds] - before[processorSeconds]
	require.NotZero(t, result.Done)
	require.Positive(t, server)
	if *planFlag == 0 {
		return
	}
	v := capacity.Verification{Choice: "node", Workers: 1, Rate: rate, Wake: time.Duration(c.wait * 1e9),
		Window: size.window, Figures: []capacity.Compared{
			{Name: "utilisation, %", Predicted: 100 * plannedUse,
				Measured: 100 * server / result.Elapsed.Seconds(), Allowed: 0.10},
			{Name: "P50, ms", Predicted: 1e3 * (predicted.P50 + c.wait),
				Measured: 1e-6 * judge.Quantile(result, 0.5).Value},
			{Name: "P99, ms", Predicted: 1e3 * (predicted.P99 + c.wait),
				Measured: 1e-6 * judge.Quantile(result, 0.99).Value, Allowed: 0.25},
		}}
	for _, f := range judge.Findings(result) {
		if slices.Contains([]string{"noisy machine", "stolen time", "throttled"}, f.Kind) {
			v.Machine = append(v.Machine, f.Observed)
		}
	}
	blocks, stored := after["zkat_block_requests_count"]-before["zkat_block_requests_count"],
		after[storeSeconds]-before[storeSeconds]
	t.Logf("payments of a block: %.2f; ms of a block in the store: %.2f", float64(result.Done)/blocks,
		1e3*stored/blocks)
	for _, stage := range []string{"queue", "validation", "store", "sync", "answer"} {
		t.Logf("%-10s P50 %6.2f ms, P99 %6.2f ms", stage, 1e3*stageQuantile(before, after, stage, 0.5),
			1e3*stageQuantile(before, after, stage, 0.99))
	}
	if result.Service != nil {
		t.Logf("P99 of the server alone, without late starts of the generator: %.2f ms",
			1e-6*result.Service.Quantile(0.99))
	}
	var text bytes.Buffer
	require.NoError(t, v.Text(&text, 80))
	t.Log("\n" + text.String())
	if holds, decided := v.Verdict(); decided {
		require.True(t, holds, "the prediction does not hold")
	}
}

// stageQuantile is a quantile of the time of requests in a stage, in seconds, between two
// readings of the metrics: the upper end of its bucket.
func stageQuantile(before, after map[string]float64, stage string, q float64) float64 {
	label := fmt.Sprintf("{stage=%q", stage)
	count := "zkat_request_seconds_count" + label + "}"
	wanted, least := q*(after[count]-before[count]), math.Inf(1)
	for name, value := range after {
		text, found := strings.CutPrefix(name, "zkat_request_seconds_bucket"+label+`,le="`)
		end, err := strconv.ParseFloat(strings.TrimSuffix(text, `"}`), 64)
		if found && err == nil && value-before[name] >= wanted {
			least = min(least, end)
		}
	}
	return least
}

// TestStages: the stages of requests are measured, and their quantiles are read.
func TestStages(t *testing.T) {
	reading := func(counts ...float64) map[string]float64 {
		m := map[string]float64{`zkat_request_seconds_count{stage="sync"}`: counts[2]}
		for i, end := range []string{"0.001", "0.01", "+Inf"} {
			m[`zkat_request_seconds_bucket{stage="sync",le="`+end+`"}`] = counts[i]
		}
		return m
	}
	before, after := reading(50, 50, 50), reading(140, 149, 150)
	require.InDelta(t, 0.001, stageQuantile(before, after, "sync", 0.5), 1e-9)
	require.InDelta(t, 0.01, stageQuantile(before, after, "sync", 0.99), 1e-9)
	require.True(t, math.IsInf(stageQuantile(before, after, "sync", 1), 1))

	pool, list := take(t, 1)
	server := startRemote(t, newLedger(t, pool, list), "-reserve=1")
	start := server.figures(t)
	require.NoError(t, submit(t.Context(), server.connect(t, 1)[0], list[0]))
	end := server.figures(t)
	for _, stage := range []string{"queue", "validation", "store", "sync", "answer"} {
		require.Less(t, stageQuantile(start, end, stage, 0.5), math.Inf(1), stage)
	}
}

// plannedNode starts a server with one processor that knows the inputs of payments.
// With -plan, where taskset exists, it has core 0, and this process has core 1.
func plannedNode(t *testing.T, pool *payments.Pool, list []payments.Payment) (*remote,
	[]pb.ValidationClient) {
	t.Setenv("GOMAXPROCS", "1")
	r := startRemote(t, newLedger(t, pool, list), fmt.Sprint("-batch=", plannedBatch),
		fmt.Sprint("-linger=", plannedLinger), fmt.Sprint("-workers=", plannedBlocks))
	if path, err := exec.LookPath("taskset"); *planFlag > 0 && err == nil && runtime.NumCPU() > 1 {
		for core, process := range []int{r.process.Process.Pid, os.Getpid()} {
			out, err := exec.Command(path, "-acp", strconv.Itoa(core), strconv.Itoa(process)).CombinedOutput()
			require.NoError(t, err, "%s", out)
		}
	}
	return r, r.connect(t, plannedPeers)
}

// measureNode measures the parts of the processor time of a payment.
func measureNode(t *testing.T, pool *payments.Pool, size planSize) nodeCosts {
	sizes := []int{1, 4, 16, 64}
	list, err := pool.Take(len(sizes)*size.each + size.each)
	require.NoError(t, err)
	c := nodeCosts{validate: map[int][]float64{}, store: map[int][]float64{}}
	kept, err := store.Open(filepath.Join(t.TempDir(), "store"),
		store.Options{Digest: pool.Network.Params.Digest()})
	require.NoError(t, err)
	defer func() { require.NoError(t, kept.Close()) }()
	require.NoError(t, credit(kept, list))
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	open := pool.Network.Validator(validator.Options{Ledger: kept})
	block := func(list []payments.Payment) (validating, storing float64) {
		var requests []validator.Submission
		for _, p := range list {
			requests = append(requests, p.Submission)
		}
		begin := cputime.Process()
		verdicts := open.ValidateBatch(requests)
		validated := cputime.Process()
		var accepted []store.Request
		for _, v := range verdicts {
			require.NoError(t, v.Err)
			accepted = append(accepted, store.Request{Accepted: v.Accepted})
		}
		ready := cputime.Process()
		decided, err := kept.Apply(accepted)
		stored := cputime.Process()
		require.NoError(t, err)
		for _, v := range decided {
			require.NoError(t, v.Err)
		}
		n := float64(len(list))
		return (validated - begin).Seconds() / n, (stored - ready).Seconds() / n
	}
	for i := 0; i < size.each; i += 64 { // warm caches
		block(list[i : i+64])
	}
	list = list[size.each:]
	for from := 0; from < size.each; from += 64 { // all sizes meet the same weather
		for i, n := range sizes {
			for at := from; at < from+64; at += n {
				validate, store := block(list[i*size.each+at : i*size.each+at+n])
				c.validate[n], c.store[n] = append(c.validate[n], validate), append(c.store[n], store)
			}
		}
	}
	c.remote(t, pool, size)
	t.Log("ms of processor time of a payment, by payments of a block")
	for _, row := range []struct {
		name string
		by   map[int][]float64
	}{{"validate", c.validate}, {"store", c.store}} {
		line := fmt.Sprintf("%-8s", row.name)
		for _, n := range sizes {
			line += fmt.Sprintf("  %d: %.4f", n, 1e3*stats.Average(row.by[n]))
		}
		t.Log(line)
	}
	t.Logf("%-8s  %.4f", "gRPC", 1e3*c.grpc)
	return c
}

// remote measures the rest of the server: the time that gRPC and the queue add to validation and
// store, with as many clients as connections, and the time that a lone request waits.
func (c *nodeCosts) remote(t *testing.T, pool *payments.Pool, size planSize) {
	list, err := pool.Take(size.remote + size.remote/4)
	require.NoError(t, err)
	r, clients := plannedNode(t, pool, list)
	defer r.kill()
	before := r.figures(t)
	inParallel(t, size.remote, plannedPeers, func(i int) error {
		return submit(t.Context(), clients[i%plannedPeers], list[i])
	})
	after := r.figures(t)
	blocks, n := after["zkat_block_requests_count"]-before["zkat_block_requests_count"], float64(size.remote)
	t.Logf("ms of a block in the store, with %d clients: %.2f", plannedPeers,
		1e3*(after[storeSeconds]-before[storeSeconds])/blocks)
	c.grpc = max(0, (after[processorSeconds]-before[processorSeconds])/n-c.each(n/blocks))
	begin := time.Now()
	alone := list[size.remote:]
	for i, p := range alone {
		require.NoError(t, submit(t.Context(), clients[i%plannedPeers], p))
	}
	c.wait = max(0, time.Since(begin).Seconds()/float64(len(alone))-plannedLinger.Seconds()-c.each(1))
}

// TestPlanOfKnownCosts: a payment that costs 1 ms in blocks of every size uses 60 % of a
// core at 600 a second. Cheaper large blocks allow more.
func TestPlanOfKnownCosts(t *testing.T) {
	flat := func(each float64) map[int][]float64 {
		return map[int][]float64{1: {each, each}, 4: {each}, 16: {each}, 64: {each}}
	}
	c := nodeCosts{validate: flat(0.5e-3), store: flat(0.3e-3), grpc: 0.2e-3}
	require.InDelta(t, 1e-3, c.each(300), 1e-12)
	rate, wait, err := c.plan()
	require.NoError(t, err)
	require.InDelta(t, 600, rate, 1)
	require.Greater(t, wait.P50, 2e-3, "a payment waits for its block, and is validated")
	require.Less(t, wait.P50, wait.P99)
	for n, each := range map[int]float64{4: 0.25e-3, 16: 0.2e-3, 64: 0.1e-3} {
		c.validate[n] = []float64{each}
	}
	require.InDelta(t, 0.725e-3, c.each(8), 1e-9, "half way between 4 and 16")
	faster, _, err := c.plan()
	require.NoError(t, err)
	require.Greater(t, faster, rate, "larger blocks are cheaper")
}
