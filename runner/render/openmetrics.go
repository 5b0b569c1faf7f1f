package render

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/zkatbench/zkatbench/runner/hist"
	"github.com/zkatbench/zkatbench/runner/result"
)

// writeOpenMetrics writes the main figures of r in the text format of OpenMetrics 1.0,
// which Prometheus reads. Latencies are one histogram with bounds of 1, 2 and 5
// times powers of ten.
func writeOpenMetrics(w io.Writer, r *result.Result, o Options) error {
	m := metrics{w: w, label: `name="` + labelValue.Replace(o.Name) + `"`}
	m.counter("operations", "Operations that succeeded in the window.", float64(r.Done))
	m.counter("failures", "Operations that failed in the window.", float64(r.Failed))
	m.family("workers", "gauge", "", "Workers.")
	m.sample("workers", "", float64(r.Config.Workers))
	m.family("window_seconds", "gauge", "seconds", "Time since the start of the window.")
	m.sample("window_seconds", "", r.Elapsed.Seconds())
	if r.Open != nil {
		m.counter("planned", "Planned starts in the window.", float64(r.Open.Offered))
		m.counter("started", "Planned starts that were taken.", float64(r.Open.Started))
	}
	m.family("latency_seconds", "histogram", "seconds",
		"Latencies of operations; in an open loop from the planned start.")
	m.histogram(r)
	m.printf("# EOF\n")
	return m.err
}

var labelValue = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

type metrics struct {
	w     io.Writer
	label string
	err   error
}

const metricPrefix = "zkatbench_load_"

func (m *metrics) printf(format string, args ...any) {
	if m.err == nil {
		_, m.err = fmt.Fprintf(m.w, format, args...)
	}
}

func (m *metrics) family(name, kind, unit, help string) {
	m.printf("# TYPE %s%s %s\n", metricPrefix, name, kind)
	if unit != "" {
		m.printf("# UNIT %s%s %s\n", metricPrefix, name, unit)
	}
	m.printf("# HELP %s%s %s\n", metricPrefix, name, help)
}

func (m *metrics) counter(name, help string, v float64) {
	m.family(name, "counter", "", help)
	m.sample(name+"_total", "", v)
}

func (m *metrics) sample(name, label string, v float64) {
	m.printf("%s%s{%s%s} %s\n", metricPrefix, name, m.label, label, strconv.FormatFloat(v, 'g', -1, 64))
}

// Bounds of the histogram in ns: all runs have the same buckets, which may be added up.
const (
	leastBound = 1e3
	mostBound  = 1e11
)

func (m *metrics) histogram(r *result.Result) {
	rows, all := make([]uint64, hist.Rows), uint64(0)
	r.Latency.Each(func(i int, n uint64) {
		low, _ := hist.Bounds(i)
		rows[hist.Row(low)] += n
		all += n
	})
	below := uint64(0)
	for k, n := range rows {
		below += n
		if _, high := hist.RowBounds(k); high >= leastBound && high <= mostBound {
			m.sample("latency_seconds_bucket",
				`,le="`+strconv.FormatFloat(float64(high)/1e9, 'g', -1, 64)+`"`, float64(below))
		}
	}
	m.sample("latency_seconds_bucket", `,le="+Inf"`, float64(all))
	m.sample("latency_seconds_sum", "", r.Moments.Mean*float64(r.Records)/1e9)
	m.sample("latency_seconds_count", "", float64(all))
}
