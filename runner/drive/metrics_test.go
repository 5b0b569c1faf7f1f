package drive

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"regexp"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/flags"
)

// TestMetricsOfARunningMeasurement reads the figures from inside an operation.
func TestMetricsOfARunningMeasurement(t *testing.T) {
	var set flags.Set
	o := Register(&set)
	_, _, err := set.Parse([]string{"-metrics=:0", "-nolock", "-operations=200", "-duration=1h", "-warmup=-1s"})
	require.NoError(t, err)
	require.NoError(t, set.Resolve(nil))
	require.Equal(t, "127.0.0.1:0", o.Metrics)
	var out, complaints bytes.Buffer
	x, err := Start(t.Context(), o, Streams{Out: &out, Err: &complaints})
	require.NoError(t, err)
	address := regexp.MustCompile(`http://\S+/metrics`).FindString(complaints.String())
	get := func() string {
		answer, err := http.Get(address)
		require.NoError(t, err)
		defer answer.Body.Close()
		require.Equal(t, openMetricsType, answer.Header.Get("Content-Type"))
		text, err := io.ReadAll(answer.Body)
		require.NoError(t, err)
		return string(text)
	}
	var during atomic.Value
	o.Config.Workers = 1
	_, err = x.Measure(t.Context(), "op", o.Config, runner.Func(func(context.Context) error {
		for during.Load() == nil { // until the first reading
			text := get()
			if bytes.Contains([]byte(text), []byte("operations_total")) {
				during.Store(text)
			}
			time.Sleep(time.Millisecond)
		}
		return nil
	}))
	require.NoError(t, err)
	require.Contains(t, during.Load(), `zkatbench_load_operations_total{name="op"} 0`)
	require.Contains(t, get(), `zkatbench_load_operations_total{name="op"} 200`)
	x.Close()
	_, err = http.Get(address)
	require.Error(t, err, "closed with the session")
}
