package capacity

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/zkatbench/zkatbench/runner/flags"
	"github.com/zkatbench/zkatbench/text"
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

// thisMachine stands for the number of processors of this machine.
const thisMachine = "NumCPU"

// Settings declares the flags of the settings of a network, and returns the Settings
// that set.Resolve fills.
func (s Subject) Settings(set *flags.Set) *Settings {
	p := new(Settings)
	add := func(name, normal, usage, allowed string, ok func(typed string) bool) {
		set.Add(flags.Flag{Name: name, Default: normal, Usage: usage, Allowed: allowed, Read: func(typed string) (string, bool) { return typed, ok(typed) }})
	}
	const aPrice, duration = "a price of at least 0", "a positive duration such as 250ms, or days such as 365d"
	whole := func(most int) string { return fmt.Sprintf("a number from 1 to %d", most) }
	add("rate", "", "requests a second, on average; required", "a number of requests a second above 0, at most 1e7", number(&p.Rate, 0, maxRate))
	add("peak", "", "requests a second in the busiest minute; default -rate", "a number of requests a second of at least -rate, at most 1e7", number(&p.Peak, 0, maxRate))
	add("mix", s.Mix, "shares of actions, in shapes such as transfer:4x2", fmt.Sprintf("shares of %s that sum to 1, such as %s=1", strings.Join(s.Actions, ", "), s.Actions[0]),
		func(typed string) (ok bool) { p.Mix, ok = s.parseMix(typed); return ok })
	add("burst", "1", "index of dispersion; 1: Poisson", "a number from 1 to 1e6", number(&p.Burst, 1, 1e6))
	add("block", "1", "requests that arrive together", whole(maxParts), count(&p.Block, maxParts))
	add("arrivals", "", "`file` of arrivals: seconds, one a line", "a file", func(typed string) bool { p.Arrivals = typed; return true })
	add("endorsers", "2", "endorsers that validate each request", whole(maxParts), count(&p.Endorsers, maxParts))
	add("of", "3", "endorsers of the network", whole(maxParts), count(&p.Of, maxParts))
	audited := flags.One(set, "audited", "true", "an auditor signs each request", flags.Switch())
	add("utilisation", "0.6", "highest share of a core's time at peak", "a share between 0 and 1, without 0 and 1", number(&p.Utilisation, 1e-6, 1-1e-6))
	add("p99", "250ms", "time that a client may wait for validation at peak", duration, days(&p.P99))
	add("cores", thisMachine, "cores of one node", whole(maxParts)+", or NumCPU", count(&p.Cores, maxParts))
	add("retention", "365d", "time to keep the ledger", duration, days(&p.Retention))
	add("copies", "1", "copies of the ledger", whole(maxParts), count(&p.Copies, maxParts))
	add("batch", "1", "requests that a validator checks together", whole(maxBatch), count(&p.Batch, maxBatch))
	add("linger", "5ms", "longest time to collect a batch", duration, days(&p.Linger))
	add("core-hour", "0", "price of a core for an hour", aPrice, number(&p.CoreHour, 0, math.MaxFloat64))
	add("gb-month", "0", "price of a gigabyte for a month", aPrice, number(&p.GBMonth, 0, math.MaxFloat64))
	set.Check(func() error { p.Audited = *audited; return p.together(set) })
	return p
}

// number reads a number into to; the empty text is 0.
func number(to *float64, least, most float64) func(string) bool {
	return func(typed string) bool {
		v, err := strconv.ParseFloat(cmp.Or(typed, "0"), 64)
		*to = v
		return err == nil && v >= least && v <= most
	}
}

// count reads a number of at least 1 into to.
func count(to *int, most int) func(string) bool {
	return func(typed string) bool {
		if *to = runtime.NumCPU(); typed == thisMachine {
			return true
		}
		v, err := strconv.Atoi(typed)
		*to = v
		return err == nil && v >= 1 && v <= most
	}
}

// days reads a number of days such as 365d, or a duration, into to.
func days(to *time.Duration) func(string) bool {
	return func(typed string) bool {
		var err error
		n, found := strings.CutSuffix(typed, "d")
		if *to, err = time.ParseDuration(typed); found {
			var v float64
			ok := number(&v, 0, 1e5)(n)
			*to = time.Duration(v * float64(day))
			return ok && *to > 0
		}
		return err == nil && *to > 0
	}
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
		if s.gaps, err = readArrivals(s.Arrivals); err != nil {
			return fmt.Errorf("-arrivals: %s: %w", s.Arrivals, err)
		}
	case s.Endorsers > s.Of:
		return set.Bad("endorsers", strconv.Itoa(s.Endorsers), fmt.Sprintf("a number from 1 to -of, %d", s.Of))
	}
	return nil
}

// parseMix reads shares of actions such as transfer=0.66,transfer:4x2=0.3,issue=0.04. The
// result has all actions, in their order: each as a whole or in its shapes.
func (s Subject) parseMix(raw string) (mix []Share, ok bool) {
	sum, given := 0.0, map[string][]Share{}
	for item := range strings.SplitSeq(raw, ",") {
		name, typed, _ := strings.Cut(strings.TrimSpace(item), "=")
		action, shape, shaped := strings.Cut(name, ":")
		m := Share{Action: name}
		same := func(other Share) bool { return other.Action == name }
		if typed == "" || !number(&m.Share, 0, 1)(typed) || slices.ContainsFunc(given[action], same) || shaped && !s.allows(shape) {
			return nil, false
		}
		given[action] = append(given[action], m)
		sum += m.Share
	}
	for _, action := range s.Actions {
		if given[action] == nil {
			given[action] = []Share{{Action: action}}
		}
		mix = append(mix, given[action]...)
	}
	return mix, len(given) == len(s.Actions) && math.Abs(sum-1) <= maxSum
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
