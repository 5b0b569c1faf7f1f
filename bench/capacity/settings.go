package capacity

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Settings are the load of a network, its rules and its limits.
type Settings struct {
	Rate        float64       `json:"rate"`         // requests a second, average
	Peak        float64       `json:"peak"`         // requests a second in the busiest minute
	Mix         []Share       `json:"mix"`          // shares of the actions; their sum is 1
	Endorsers   int           `json:"endorsers"`    // that validate each request
	Of          int           `json:"of"`           // all endorsers
	Audited     bool          `json:"audited"`      // an auditor opens and signs each request
	Utilisation float64       `json:"utilisation"`  // highest share of a core's time at peak
	P99         time.Duration `json:"p99_ns"`       // that a client may wait for validation at peak
	Cores       int           `json:"cores"`        // of one node
	Retention   time.Duration `json:"retention_ns"` // for which the ledger is kept
	Batch       int           `json:"batch"`        // requests that a validator checks together
	Linger      time.Duration `json:"linger_ns"`    // for which a validator collects them at most
}

// Share is the share of an action in all requests.
type Share struct {
	Action string  `json:"action"`
	Share  float64 `json:"share"`
}

// SettingError reports a setting with a forbidden value. Its text is
// one line without a prefix.
type SettingError struct{ Flag, Value, Allowed string }

func (e *SettingError) Error() string {
	return fmt.Sprintf("-%s: %q is not %s", e.Flag, e.Value, e.Allowed)
}

// The bounds of settings.
const (
	maxRate  = 1e7
	maxParts = 1000
	maxBatch = 64
	maxSum   = 1e-9 // difference of the sum of shares from 1
)

// Check returns a *SettingError for the first wrong setting.
func (s Settings) Check() error {
	for _, c := range []struct {
		ok                   bool
		flag, value, allowed string
	}{
		{s.Rate > 0 && s.Rate <= maxRate, "rate", text(s.Rate), "a number of requests a second above 0, at most 1e7"},
		{s.Peak >= s.Rate && s.Peak <= maxRate, "peak", text(s.Peak), fmt.Sprintf("a number of requests a second of at least -rate, %s, at most 1e7", text(s.Rate))},
		{s.Of >= 1 && s.Of <= maxParts, "of", strconv.Itoa(s.Of), "a number from 1 to 1000"},
		{s.Endorsers >= 1 && s.Endorsers <= s.Of, "endorsers", strconv.Itoa(s.Endorsers), fmt.Sprintf("a number from 1 to -of, %d", s.Of)},
		{s.Utilisation > 0 && s.Utilisation < 1, "utilisation", text(s.Utilisation), "a share between 0 and 1, without 0 and 1"},
		{s.P99 > 0, "p99", s.P99.String(), "a positive duration such as 250ms"},
		{s.Cores >= 1 && s.Cores <= maxParts, "cores", strconv.Itoa(s.Cores), "a number from 1 to 1000"},
		{s.Retention > 0, "retention", s.Retention.String(), "a positive number of days such as 365d, or a duration"},
		{s.Batch >= 1 && s.Batch <= maxBatch, "batch", strconv.Itoa(s.Batch), "a number from 1 to 64"},
		{s.Linger > 0, "linger", s.Linger.String(), "a positive duration such as 5ms"},
	} {
		if !c.ok {
			return &SettingError{c.flag, c.value, c.allowed}
		}
	}
	return nil
}

func text(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// ParseMix reads shares of actions such as transfer=0.96,issue=0.02,redeem=0.02.
// The result has all actions, in their order. The error is a *SettingError.
func ParseMix(raw string, actions []string) ([]Share, error) {
	bad := func(why string) error {
		return &SettingError{"mix", raw, fmt.Sprintf("shares of %s that sum to 1, such as %s=1: %s", strings.Join(actions, ", "), actions[0], why)}
	}
	mix := make([]Share, len(actions))
	given := make([]bool, len(actions))
	sum := 0.0
	for i, a := range actions {
		mix[i].Action = a
	}
	for item := range strings.SplitSeq(raw, ",") {
		name, number, found := strings.Cut(strings.TrimSpace(item), "=")
		i := slices.Index(actions, name)
		share, err := strconv.ParseFloat(number, 64)
		switch {
		case !found || err != nil || !(share >= 0 && share <= 1):
			return nil, bad(fmt.Sprintf("%q is no share", item))
		case i < 0:
			return nil, bad(fmt.Sprintf("%q is no action", name))
		case given[i]:
			return nil, bad(fmt.Sprintf("%q is given twice", name))
		}
		mix[i].Share, given[i] = share, true
		sum += share
	}
	if math.Abs(sum-1) > maxSum {
		return nil, bad("the sum is " + strconv.FormatFloat(sum, 'g', 6, 64))
	}
	return mix, nil
}

// mixText is the inverse of ParseMix.
func mixText(mix []Share) string {
	var parts []string
	for _, m := range mix {
		if m.Share > 0 {
			parts = append(parts, m.Action+"="+text(m.Share))
		}
	}
	return strings.Join(parts, ",")
}

const day = 24 * time.Hour

// ParseRetention reads a number of days such as 365d, or a duration.
func ParseRetention(raw string) (time.Duration, error) {
	bad := &SettingError{"retention", raw, "a positive number of days such as 365d, or a duration"}
	if days, found := strings.CutSuffix(raw, "d"); found {
		n, err := strconv.ParseFloat(days, 64)
		if err != nil || !(n > 0 && n <= 1e5) {
			return 0, bad
		}
		return time.Duration(n * float64(day)), nil
	}
	d, err := time.ParseDuration(raw)
	if err != nil || d <= 0 {
		return 0, bad
	}
	return d, nil
}

// retentionText is the inverse of ParseRetention.
func retentionText(d time.Duration) string {
	if d%day == 0 {
		return fmt.Sprintf("%dd", d/day)
	}
	return d.String()
}
