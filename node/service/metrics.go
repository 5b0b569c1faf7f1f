package service

import (
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/zkatbench/zkatbench/runner/cputime"
)

// metrics are the figures of a service.
type metrics struct {
	registry                        *prometheus.Registry
	accepted, refused, busy, failed prometheus.Counter
	requests, validation, writing   prometheus.Histogram
	stages                          [stageCount]prometheus.Observer // of a request
}

// newMetrics creates and registers all metrics of a service, with their names, help texts and
// buckets.
func newMetrics(queue func() float64) *metrics {
	m := &metrics{registry: prometheus.NewRegistry()}
	verdicts := prometheus.NewCounterVec(prometheus.CounterOpts{Name: "zkat_requests_total",
		Help: "Requests by outcome."}, []string{"outcome"})
	m.accepted, m.refused = verdicts.WithLabelValues("accepted"), verdicts.WithLabelValues("refused")
	m.busy, m.failed = verdicts.WithLabelValues("busy"), verdicts.WithLabelValues("failed")
	histogram := func(name, help string, buckets []float64) prometheus.Histogram {
		return prometheus.NewHistogram(prometheus.HistogramOpts{Name: name, Help: help, Buckets: buckets})
	}
	seconds := prometheus.ExponentialBuckets(0.0002, 2, 14)
	m.requests = histogram("zkat_block_requests", "Requests of a block.",
		prometheus.ExponentialBuckets(1, 2, 11))
	m.validation = histogram("zkat_block_validation_seconds", "Time to validate a block.", seconds)
	m.writing = histogram("zkat_block_store_seconds", "Time to decide a block.", seconds)
	stages := prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "zkat_request_seconds",
		Help: "Time of a request in a stage.", Buckets: prometheus.ExponentialBuckets(1e-4, 1.25, 42)},
		[]string{"stage"})
	for i, name := range stageNames {
		m.stages[i] = stages.WithLabelValues(name)
	}
	m.registry.MustRegister(verdicts, m.requests, m.validation, m.writing, stages,
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "zkat_queue_requests",
			Help: "Requests that wait for a block."}, queue),
		prometheus.NewCounterFunc(prometheus.CounterOpts{Name: "zkat_processor_seconds_total",
			Help: "Processor time of the process."},
			func() float64 { return cputime.Process().Seconds() }))
	return m
}

func (m *metrics) block(requests int, validation, writing time.Duration) {
	m.requests.Observe(float64(requests))
	m.validation.Observe(validation.Seconds())
	m.writing.Observe(writing.Seconds())
}

// The stages of a request: it waits for its block and for a worker, the block is validated, it
// is decided, it waits for the disk, and its answer is taken by the server.
const (
	queued = iota
	validated
	decidedOn
	synced
	answered
	stageCount
)

var stageNames = [stageCount]string{"queue", "validation", "store", "sync", "answer"}

// times are the ends of the stages of a block.
type times [stageCount]time.Time

// request notes the stages of a request that entered at a time.
func (m *metrics) request(entered time.Time, ends times) {
	for i, end := range ends {
		m.stages[i].Observe(end.Sub(entered).Seconds())
		entered = end
	}
}

func (m *metrics) verdict(refusal error) {
	if refusal == nil {
		m.accepted.Inc()
	} else {
		m.refused.Inc()
	}
}

// Metrics serves the figures of the service as OpenMetrics text.
func (s *Service) Metrics() http.Handler {
	return promhttp.HandlerFor(s.m.registry, promhttp.HandlerOpts{EnableOpenMetrics: true})
}
