package capacity

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/zkatbench/zkatbench/internal/text"
	"github.com/zkatbench/zkatbench/runner/flags"
)

// Settings are the load of a network, its rules and its limits.
type Settings struct {
	Rate        float64       `json:"rate"`         // requests a second, average
	Peak        float64       `json:"peak"`         // requests a second in the busiest minute
	Mix         []Share       `json:"mix"`          // shares of the actions; their sum is 1
	Burst       float64       `json:"burst"`        // index of dispersion of the arrivals; 1 is Poisson
	Block       int           `json:"block"`        // requests that arrive together
	Arrivals    string        `json:"arrivals"`     // file of measured arrivals; empty without
	Endorsers   int           `json:"endorsers"`    // that validate each request
	Of          int           `json:"of"`           // all endorsers
	Audited     bool          `json:"audited"`      // an auditor opens and signs each request
	Utilisation float64       `json:"utilisation"`  // highest share of a core's time at peak
	P99         time.Duration `json:"p99_ns"`       // that a client may wait for validation at peak
	Cores       int           `json:"cores"`        // of one node
	Retention   time.Duration `json:"retention_ns"` // for which the ledger is kept
	Copies      int           `json:"copies"`       // of the ledger
	Batch       int           `json:"batch"`        // requests that a validator checks together
	Linger      time.Duration `json:"linger_ns"`    // for which a validator collects them at most
	CoreHour    float64       `json:"core_hour"`    // price of a core for an hour; 0 is unknown
	GBMonth     float64       `json:"gb_month"`     // price of 10⁹ bytes for a month; 0 is unknown

	// Consensus is the number of validators that agree on blocks; 0: none.
	Consensus int `json:"consensus,omitempty"`

	gaps []float64 // between the measured arrivals, with mean 1
}

// Share is the share of an action in all requests. An action of another shape has it after
// a colon: transfer:4x2.
type Share struct {
	Action string  `json:"action"`
	Share  float64 `json:"share"`
}

// The bounds of settings.
const (
	maxParts = 1000
	maxSum   = 1e-9 // difference of the sum of shares from 1
	maxRate  = 1e7
	maxBatch = 64
)

// Settings declares the flags of the settings of a network, and returns the Settings
// that set.Resolve fills.
func (s Subject) Settings(set *flags.Set) *Settings {
	p := new(Settings)
	price, duration, whole := decimals("a price of at least 0", 0, math.MaxFloat64), durations(),
		flags.Numbers(1, maxParts)
	flags.Into(set, &p.Rate, "rate", "", ": on average; required",
		decimals("a number of requests a second above 0, at most 1e7", 0, maxRate))
	flags.Into(set, &p.Peak, "peak", "", "",
		decimals("a number of requests a second of at least -rate, at most 1e7", 0, maxRate))
	flags.Into(set, &p.Mix, "mix", s.Mix, "",
		flags.Func(fmt.Sprintf("shares of %s that sum to 1, such as %s=1", strings.Join(s.Actions, ", "),
			s.Actions[0]), s.parseMix, nil))
	flags.Into(set, &p.Burst, "burst", "1", "",
		decimals("a number from 1 to 1e6", 1, 1e6))
	flags.Into(set, &p.Block, "block", "1", "", whole)
	flags.Into(set, &p.Arrivals, "arrivals", "", "", flags.Text("a file"))
	flags.Into(set, &p.Endorsers, "endorsers", "2", "", whole)
	flags.Into(set, &p.Of, "of", "3", "", whole)
	flags.Into(set, &p.Consensus, "consensus", "0", ": 0 is none",
		flags.Numbers(0, maxValidators).Where(fmt.Sprintf("0, or a number from 4 to %d", maxValidators),
			func(n int) bool { return n == 0 || n >= commitValidators }))
	flags.Into(set, &p.Audited, "audited", "true", "", flags.Switch())
	flags.Into(set, &p.Utilisation, "utilisation", "0.6", "",
		decimals("a share between 0 and 1, without 0 and 1", 1e-6, 1-1e-6))
	flags.Into(set, &p.P99, "p99", "250ms", "", duration)
	flags.Into(set, &p.Cores, "cores", "NumCPU", "",
		flags.Workers().Where(whole.Allowed+", or NumCPU", func(n int) bool { return n <= maxParts }))
	flags.Into(set, &p.Retention, "retention", "365d", "", duration)
	flags.Into(set, &p.Copies, "copies", "1", "", whole)
	flags.Into(set, &p.Batch, "batch", "1", ": requests, by a validator",
		flags.Numbers(1, maxBatch))
	flags.Into(set, &p.Linger, "linger", "5ms", "", duration)
	flags.Into(set, &p.CoreHour, "core-hour", "0", "", price)
	flags.Into(set, &p.GBMonth, "gb-month", "0", "", price)
	set.Check(func() error { return p.together(set) })
	return p
}

// number reads a number; the empty text is 0.
func number(typed string, least, most float64) (v float64, err error) {
	v, err = strconv.ParseFloat(cmp.Or(typed, "0"), 64)
	if !(v >= least && v <= most) {
		err = strconv.ErrRange
	}
	return v, err
}

func decimals(allowed string, least, most float64) flags.Values[float64] {
	return flags.Func(allowed, func(typed string) (float64, error) {
		return number(typed, least, most)
	}, text.Number)
}

// durations are numbers of days such as 365d, and durations.
func durations() flags.Values[time.Duration] {
	read := func(typed string) (time.Duration, error) {
		if days, found := strings.CutSuffix(typed, "d"); found {
			v, err := number(days, 0, 1e5)
			return time.Duration(v * float64(day)), err
		}
		return time.ParseDuration(typed)
	}
	return flags.Func("", read, time.Duration.String).
		Where("a positive duration such as 250ms, or days such as 365d", func(d time.Duration) bool {
			return d > 0
		})
}

// together checks combinations of flags.
func (s *Settings) together(set *flags.Set) error {
	bad := func(name string) error { f := set.Lookup(name); return set.Bad(name, f.Text(), f.Allowed) }
	if set.Lookup("peak").Text() == "" {
		s.Peak = s.Rate
	}
	switch {
	case set.Lookup("rate").Given() && s.Rate <= 0:
		return bad("rate")
	case s.Peak < s.Rate:
		return bad("peak")
	case s.Arrivals != "" && s.Burst > 1:
		return errors.New("-arrivals: measured arrivals have their own bursts, without -burst")
	case s.Arrivals != "":
		var err error
		s.gaps, err = readArrivals(s.Arrivals)
		if err != nil {
			return fmt.Errorf("-arrivals: %s: %w", s.Arrivals, err)
		}
	case s.Endorsers > s.Of:
		return set.Bad("endorsers", strconv.Itoa(s.Endorsers),
			fmt.Sprintf("a number from 1 to -of, %d", s.Of))
	}
	return nil
}

// parseMix reads shares of actions such as transfer=0.66,transfer:4x2=0.3,issue=0.04. The
// result has all actions, in their order: each as a whole or in its shapes.
func (s Subject) parseMix(raw string) (mix []Share, err error) {
	sum, given := 0.0, map[string][]Share{}
	for item := range strings.SplitSeq(raw, ",") {
		name, typed, _ := strings.Cut(strings.TrimSpace(item), "=")
		action, shape, shaped := strings.Cut(name, ":")
		share, err := number(typed, 0, 1)
		same := func(other Share) bool { return other.Action == name }
		if err != nil || typed == "" || slices.ContainsFunc(given[action], same) || shaped &&
			!s.allows(shape) {
			return nil, strconv.ErrSyntax
		}
		given[action] = append(given[action], Share{name, share})
		sum += share
	}
	for _, action := range s.Actions {
		if given[action] == nil {
			given[action] = []Share{{Action: action}}
		}
		mix = append(mix, given[action]...)
	}
	if len(given) != len(s.Actions) || !(math.Abs(sum-1) <= maxSum) {
		return nil, strconv.ErrRange
	}
	return mix, nil
}

// mixText is a mix without the actions that it lacks.
func mixText(mix []Share) string {
	var parts []string
	for _, m := range mix {
		if m.Share > 0 {
			parts = append(parts, m.Action+"="+text.Number(m.Share))
		}
	}
	return strings.Join(parts, ", ")
}

const day = 24 * time.Hour
