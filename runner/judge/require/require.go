// Package require judges the Result of a load run against requirements such as
//
//	p99<2ms, errors<0.1%, throughput>400
//
// A percentile is judged by the share of operations beyond the limit, other
// figures by their intervals. A verdict is met or broken only if the evidence is
// clear with 95 % confidence; otherwise it is undecided.
package require

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/zkatbench/zkatbench/runner/stats"
)

// Syntax describes the text that Parse reads.
const Syntax = "requirements such as p99<2ms, errors<0.1%, throughput>400: a figure (mean, p50 to p99.99, " +
	"max, errors, throughput), < or >, and a limit; NAME.p99 is of one operation of a mix"

// ErrSyntax reports a malformed requirement.
var ErrSyntax = errors.New("is not one of the " + Syntax)

// kind is the quantity of a figure.
type kind int

const (
	latency kind = iota // in ns
	share
	rate // per second
)

// kinds lists the figures other than percentiles.
var kinds = map[string]kind{"mean": latency, "max": latency, "errors": share, "throughput": rate}

// A Requirement bounds a figure of a run.
type Requirement struct {
	Operation string  // name of an operation of a mix; empty for the whole run
	Figure    string  // mean, p50, p99.9, max, errors, throughput
	Below     bool    // the figure must be below the limit, otherwise above
	Limit     float64 // in ns; a share; operations a second
}

// Parse reads requirements that are separated by commas. Latencies are durations
// (2ms), shares are percentages or fractions (0.1%, 0.001), and throughput is a
// number of operations a second. Errors wrap ErrSyntax.
func Parse(text string) (rs []Requirement, err error) {
	for part := range strings.SplitSeq(text, ",") {
		part = strings.TrimSpace(part)
		r, ok := parse(part)
		if !ok {
			return nil, fmt.Errorf("%q %w", part, ErrSyntax)
		}
		rs = append(rs, r)
	}
	return rs, nil
}

func parse(text string) (r Requirement, ok bool) {
	i := strings.IndexAny(text, "<>")
	if i < 0 {
		return r, false
	}
	r.Below = text[i] == '<'
	r.Figure = strings.TrimSpace(text[:i])
	if _, known := r.kind(); !known {
		// A name may contain dots, and so may p99.9.
		for at := strings.LastIndex(r.Figure, "."); at > 0; at = strings.LastIndex(r.Figure[:at], ".") {
			whole := Requirement{Figure: r.Figure[at+1:]}
			_, known = whole.kind()
			if known {
				r.Operation, r.Figure = r.Figure[:at], whole.Figure
				break
			}
		}
	}
	k, known := r.kind()
	if !known {
		return r, false
	}
	limit, err := k.parse(strings.TrimSpace(text[i+1:]))
	r.Limit = limit
	return r, err == nil
}

// kind returns the quantity of the figure.
func (r Requirement) kind() (k kind, known bool) {
	if _, isQuantile := r.quantile(); isQuantile {
		return latency, true
	}
	k, known = kinds[r.Figure]
	return k, known
}

// quantile returns the quantile that the figure names: 0.99 for p99.
func (r Requirement) quantile() (q float64, ok bool) {
	digits, isP := strings.CutPrefix(r.Figure, "p")
	if !isP || strings.Trim(digits, "0123456789.") != "" {
		return 0, false
	}
	percent, err := strconv.ParseFloat(digits, 64)
	return percent / 100, err == nil && percent > 0 && percent < 100
}

var errLimit = errors.New("no limit")

func (k kind) parse(text string) (limit float64, err error) {
	switch k {
	case latency:
		d, err := time.ParseDuration(text)
		if err == nil && d <= 0 {
			err = errLimit
		}
		return float64(d), err
	case share:
		limit, err = stats.ParseShare(text)
		if err == nil && !(limit >= 0 && limit <= 1) {
			err = errLimit
		}
		return limit, err
	}
	limit, err = strconv.ParseFloat(strings.TrimSuffix(text, "/s"), 64)
	if err == nil && !(limit >= 0 && !math.IsInf(limit, 0)) {
		err = errLimit
	}
	return limit, err
}

// String returns the requirement in the syntax of Parse.
func (r Requirement) String() string {
	name, sign := r.Figure, ">"
	if r.Operation != "" {
		name = r.Operation + "." + name
	}
	if r.Below {
		sign = "<"
	}
	return name + sign + r.shown(r.Limit)
}

// shown formats a value of the figure with three digits.
func (r Requirement) shown(v float64) string {
	switch k, _ := r.kind(); k {
	case latency:
		return duration(v)
	case share:
		return strconv.FormatFloat(100*v, 'g', 3, 64) + "%"
	}
	return strconv.FormatFloat(v, 'g', 6, 64)
}

// duration formats nanoseconds as users write them, 1h and not 1h0m0s, with three
// digits. The bound of a mean with operations that were cut off is infinite.
func duration(ns float64) string {
	if math.IsInf(ns, 0) {
		return "∞"
	}
	text := rounded(ns).String()
	if s, ok := strings.CutSuffix(text, "m0s"); ok {
		text = s + "m"
	}
	if s, ok := strings.CutSuffix(text, "h0m"); ok {
		text = s + "h"
	}
	return text
}

// rounded rounds nanoseconds to three digits.
func rounded(ns float64) time.Duration {
	unit := 1.0
	for math.Abs(ns) >= 1000*unit {
		unit *= 10
	}
	return time.Duration(math.Round(ns/unit) * unit)
}

// Bounds reports whether one of the requirements bounds a figure of the whole
// run.
func Bounds(rs []Requirement, figure string) bool {
	return slices.ContainsFunc(rs, func(r Requirement) bool {
		return r.Operation == "" && r.Figure == figure && r.Below
	})
}
