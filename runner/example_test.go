package runner_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"sync"
	"time"

	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/judge"
	"github.com/zkatbench/zkatbench/runner/render"
	"github.com/zkatbench/zkatbench/runner/schedule"
)

// A pure function runs back to back on two workers until its mean is known to
// ±5 %, or for a fifth of a second.
func Example_pureFunction() {
	block := make([]byte, 64<<10)
	op := runner.Func(func(context.Context) error {
		runtime.KeepAlive(sha256.Sum256(block)) // keeps the compiler from removing the call
		return nil
	})
	c := runner.Config{Workers: 2, Duration: 200 * time.Millisecond, Precision: 0.05,
		HalfWidth: judge.HalfWidth}
	r, err := runner.Run(context.Background(), c, op)
	if err != nil {
		fmt.Println(err)
		return
	}
	p50 := judge.Quantile(r, 0.5)
	// no interval if a busy machine leaves too few effective samples
	if i := p50.Interval; i != nil && !i.Holds(p50.Value) {
		fmt.Println("impossible")
	}
	fmt.Println(p50.Shown(), r.Failed, r.Throughput() > 0)
	// Output: true 0 true
}

// An HTTP handler runs in an open loop: 200 requests a second arrive at random,
// independent of earlier answers. Each request is made outside the measured
// time.
func Example_httpHandler() {
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "hello, %s", r.URL.Path[1:])
	})
	op := runner.Each(
		func(context.Context, int) (*http.Request, error) {
			return httptest.NewRequest(http.MethodGet, "/you", nil), nil
		},
		func(ctx context.Context, req *http.Request) error {
			w := httptest.NewRecorder()
			handler.ServeHTTP(w, req.WithContext(ctx))
			if w.Code != http.StatusOK {
				return fmt.Errorf("status %d", w.Code)
			}
			return nil
		})
	c := runner.Config{Workers: 4, Duration: 300 * time.Millisecond,
		Plan: &schedule.Plan{Arrival: schedule.Poisson, Rate: 200}}
	r, err := runner.Run(context.Background(), c, op)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Open.Offered > 20, r.Open.Started+r.Open.Backlog == r.Open.Offered, r.Failed)
	// Output: true true 0
}

// table is a minimal database.
type table struct {
	mu   sync.RWMutex
	rows map[int]string
}

var errNoRow = errors.New("no such row")

func (t *table) get(id int) (string, error) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if row, ok := t.rows[id]; ok {
		return row, nil
	}
	return "", errNoRow
}

// A query walks a pool of keys in random order. Some keys are missing; these
// queries fail and are counted separately from the latencies.
func Example_databaseQuery() {
	db := &table{rows: map[int]string{}}
	keys := make([]int, 1000)
	for i := range keys {
		keys[i] = i
		if i%100 != 0 {
			db.rows[i] = fmt.Sprint("row ", i)
		}
	}
	op := runner.Pool(keys, func(_ context.Context, key int) error {
		row, err := db.get(key)
		runtime.KeepAlive(row)
		return err
	})
	r, err := runner.Run(context.Background(), runner.Config{Workers: 4, Ops: 10_000, WarmUp: -1}, op)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Done+r.Failed, "queries,", r.Inputs, "distinct keys")
	fmt.Println(r.Errors["no such row"] == r.Failed, len(r.Errors))
	// Output:
	// 10000 queries, 1000 distinct keys
	// true 1
}

// Text writes the report to any writer; only the caller knows whether the
// writer is a terminal, and its width.
func ExampleResult() {
	op := runner.Func(func(context.Context) error { time.Sleep(time.Millisecond); return nil })
	r, err := runner.Run(context.Background(), runner.Config{Workers: 2, Ops: 100, WarmUp: -1}, op)
	if err != nil {
		fmt.Println(err)
		return
	}
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer null.Close()
	fmt.Println(r.Done, render.Text(null, r, render.Options{Name: "sleep", Width: 100}))
	// Output: 100 <nil>
}
