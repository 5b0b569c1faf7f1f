package drive

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/render"
)

// exporter serves the figures of a running measurement.
type exporter struct {
	server *http.Server

	mu   sync.Mutex
	text []byte
}

// metricsEvery is the time between two readings of the figures. Each takes the
// locks of the workers for some microseconds.
const metricsEvery = time.Second

const openMetricsType = "application/openmetrics-text; version=1.0.0; charset=utf-8"

// export starts to serve at an address; it returns the address in use.
func export(ctx context.Context, address string) (*exporter, string, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err != nil {
		return nil, "", fmt.Errorf("-metrics: %w", err)
	}
	e := &exporter{text: []byte("# EOF\n")}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, _ *http.Request) {
		e.mu.Lock()
		text := e.text
		e.mu.Unlock()
		w.Header().Set("Content-Type", openMetricsType)
		_, _ = w.Write(text) // the client is gone if this fails
	})
	e.server = &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go func() { _ = e.server.Serve(listener) }() // ends with Close
	return e, listener.Addr().String(), nil
}

func (e *exporter) set(name string, r *runner.Result) {
	var b bytes.Buffer
	if render.OpenMetrics(&b, r, render.Options{Name: name}) != nil {
		return
	}
	e.mu.Lock()
	e.text = b.Bytes()
	e.mu.Unlock()
}

// watch adds the exporter to a callback of progress.
func (e *exporter) watch(name string, show func(runner.Progress)) func(runner.Progress) {
	var last time.Duration
	return func(p runner.Progress) {
		if show != nil {
			show(p)
		}
		if p.Elapsed < last {
			last = 0
		}
		if p.Phase == "window" && (last == 0 || p.Elapsed-last >= metricsEvery) {
			last = p.Elapsed
			e.set(name, p.SoFar())
		}
	}
}

func (e *exporter) close() { _ = e.server.Close() }
