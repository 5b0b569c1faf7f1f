package gate

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchmath"
	"golang.org/x/perf/benchproc"
	"golang.org/x/perf/benchunit"

	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/runner/stats"
)

// Kind selects the comparison of the values of a unit.
type Kind string

// The kinds.
const (
	exact   Kind = "exact"   // by equality
	bounded Kind = "bounded" // by lower quartiles: bytes and counts, which noise only increases
	noisy   Kind = "noisy"   // by medians; both by a statistical test
)

// Rule defines a change of a unit.
type Rule struct {
	Kind   Kind
	Limit  float64 // relative shifts up to it do not count
	Better Direction
}

// Direction says which change of a unit is bad.
type Direction int

// The directions.
const (
	Lower      Direction = iota - 1 // lower values are better
	Undirected                      // not known: a change is neither good nor bad
	Higher                          // higher values are better
	Either                          // every change is bad
)

// Default limits, for units without a rule.
const (
	noisyLimit   = 0.03
	boundedLimit = 0.01
	instrLimit   = 0.002 // of instructions
)

// instructions is the unit of zkatbench inside -what=instr. Its results vary by
// less than instrLimit.
const instructions = "instr/op"

// Rules define regressions. The zero Rules are the defaults.
type Rules struct {
	Limit   float64 // of noisy units without a rule; 0 means noisyLimit
	Wall    bool    // judge wall time also where there is processor time
	Strict  bool    // a comparison without a verdict does not pass
	units   map[string]stated
	ignored []ignored
}

// stated is the content of a unit line.
type stated struct {
	rule   Rule // Limit is 0 if it is not stated
	hasWay bool
}

// ignored is a filter of results to exclude.
type ignored struct {
	filter *benchproc.Filter
	byUnit bool // the filter names units, so it does not apply to whole cases
}

// errRule reports an invalid line of a rule file.
var errRule = errors.New("is neither unit NAME [exact|bounded|noisy] [N%] [lower|higher|either], nor " +
	"ignore FILTER")

// ParseRules reads a rule file with lines of the form
//
//	unit NAME [exact|bounded|noisy] [N%] [lower|higher|either]
//	ignore FILTER
//
// FILTER uses the syntax of benchstat (go doc
// golang.org/x/perf/benchproc/syntax) over names, pkg and .unit. A # begins a
// comment.
func ParseRules(from io.Reader, name string) (r Rules, err error) {
	r.units = map[string]stated{}
	lines := bufio.NewScanner(from)
	for n := 1; lines.Scan(); n++ {
		text, _, _ := strings.Cut(lines.Text(), "#")
		words := strings.Fields(text)
		if len(words) == 0 {
			continue
		}
		if err := r.line(words, strings.TrimSpace(text)); err != nil {
			return r, fmt.Errorf("%s:%d: %q %w", name, n, strings.TrimSpace(text), err)
		}
	}
	return r, lines.Err()
}

func (r *Rules) line(words []string, text string) error {
	switch {
	case words[0] == "ignore" && len(words) > 1:
		query := strings.TrimPrefix(text, "ignore")
		filter, err := benchproc.NewFilter(query)
		if err != nil {
			return fmt.Errorf("%w: %s", errRule, strings.ReplaceAll(err.Error(), "\n", " "))
		}
		r.ignored = append(r.ignored, ignored{filter, strings.Contains(query, ".unit")})
		return nil
	case words[0] != "unit" || len(words) < 3:
		return errRule
	}
	_, unit := benchunit.Tidy(1, words[1])
	if _, again := r.units[unit]; again {
		return errors.New("there is already a rule for this unit")
	}
	var s stated
	for _, w := range words[2:] {
		if !s.word(w) {
			return errRule
		}
	}
	r.units[unit] = s
	return nil
}

// ways maps the keywords for directions to rule.Better.
var ways = map[string]Direction{"lower": Lower, "higher": Higher, "either": Either}

// word reads one word of a rule. Each kind of word may occur once.
func (s *stated) word(w string) bool {
	better, isWay := ways[w]
	switch {
	case slices.Contains([]Kind{exact, bounded, noisy}, Kind(w)) && s.rule.Kind == "":
		s.rule.Kind = Kind(w)
	case isWay && !s.hasWay:
		s.rule.Better, s.hasWay = better, true
	case s.rule.Limit == 0:
		var err error
		s.rule.Limit, err = ParseLimit(w)
		return err == nil
	default:
		return false
	}
	return true
}

// ParseLimit reads a limit such as 3% as a share.
func ParseLimit(text string) (float64, error) {
	v, err := stats.ParseShare(text)
	if err != nil || !strings.HasSuffix(text, "%") || !(v > 0 && v <= 10) {
		return 0, fmt.Errorf("%q is not a share such as 3%%, above 0 and up to 1000%%", text)
	}
	return v, nil
}

// ignores reports whether a unit of a case is excluded. A filter that excludes
// wall time excludes processor time too.
func (r Rules) ignores(k result.Key, unit string) bool {
	if unit == cpuTime && r.ignores(k, wallTime) {
		return true
	}
	return slices.ContainsFunc(r.ignored, func(i ignored) bool { return i.matches(k, unit) })
}

// ignoresCase reports whether a case is excluded with all its units.
func (r Rules) ignoresCase(k result.Key) bool {
	return slices.ContainsFunc(r.ignored, func(i ignored) bool { return !i.byUnit && i.matches(k, "") })
}

func (i ignored) matches(k result.Key, unit string) bool {
	res := &benchfmt.Result{Name: benchfmt.Name(k.Name), Values: []benchfmt.Value{{Unit: unit}}}
	res.SetConfig("pkg", k.Package)
	m, err := i.filter.Match(res)
	return err == nil && m.Any()
}

// names reports whether a file of rules names a unit.
func (r Rules) names(unit string) bool { _, named := r.units[unit]; return named }

// of returns the rule of a unit: the rule file has priority, then the unit
// metadata in the results, then the defaults.
func (r Rules) of(unit string, meta benchfmt.UnitMetadataMap) Rule {
	declared, found := r.units[unit]
	if !found && (unit == cpuTime || unit == processTime) {
		declared = r.units[wallTime]
	}
	rule := declared.rule
	if rule.Kind == "" {
		rule.Kind = kindOf(unit, meta)
	}
	if !declared.hasWay {
		rule.Better = betterOf(unit, meta)
	}
	if rule.Limit == 0 {
		switch rule.Kind {
		case bounded:
			rule.Limit = boundedLimit
			if unit == instructions {
				rule.Limit = instrLimit
			}
		case noisy:
			rule.Limit = r.Limit
			if rule.Limit == 0 {
				rule.Limit = noisyLimit
			}
		}
	}
	return rule
}

func kindOf(unit string, meta benchfmt.UnitMetadataMap) Kind {
	switch {
	case meta.GetAssumption(unit) == benchmath.AssumeExact:
		return exact
	case unit == "B/op" || unit == "allocs/op" || unit == instructions:
		return bounded
	}
	return noisy
}

// betterOf returns the direction of a unit: of its metadata, or by its name.
func betterOf(unit string, meta benchfmt.UnitMetadataMap) Direction {
	switch meta.GetBetter(unit) {
	case 1:
		return Higher
	case -1:
		return Lower
	}
	if meta.Get(unit, "better") != nil {
		return Either
	}
	return directionOf(unit)
}
