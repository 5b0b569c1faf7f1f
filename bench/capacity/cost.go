package capacity

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/runner/stats"
)

// Costs are the measured costs of a choice.
type Costs struct {
	Choice Choice
	// Roles has the samples of each role and action, Batches those of the
	// operation of a role on several requests, by size.
	Roles   [][]Sample
	Batches []map[int]Sample
}

// Sample is a measured operation.
type Sample struct {
	Rounds [][]float64 // processor time of an operation in seconds, by round of the measurement
	// Figures are the exact figures, by unit.
	Figures map[string]float64
}

func (s Sample) all() []float64 { return slices.Concat(s.Rounds...) }

// Estimate is a figure with its 95 % interval over the rounds of the measurement, which
// are minutes apart and differ by more than the values of one; without an interval of
// fewer than six rounds.
type Estimate struct {
	Median   float64         `json:"median"`
	Interval *stats.Interval `json:"interval,omitempty"`
	Mean     float64         `json:"mean"`
	Values   int             `json:"values"`
	Rounds   int             `json:"rounds"`
}

// estimate summarises the values of rounds.
func estimate(rounds [][]float64) Estimate {
	medians, all := stats.Medians(rounds), slices.Concat(rounds...)
	return Estimate{Median: stats.Median(medians), Interval: overRounds(medians), Mean: stats.Average(all), Values: len(all), Rounds: len(rounds)}
}

// overRounds is the 95 % interval of the median of a figure that each round has once.
func overRounds(figures []float64) *stats.Interval {
	low, high, ok := stats.Ranks(uint64(len(figures)), 0.5, 0.95)
	if !ok {
		return nil
	}
	sorted := slices.Sorted(slices.Values(figures))
	return &stats.Interval{Low: sorted[low-1], High: sorted[high-1]}
}

// Units of results files.
const (
	processorUnit = "cpu-sec/op"
	wallUnit      = "sec/op"
	roundUnit     = "round"
)

var procs = regexp.MustCompile(`-\d+$`)

// FromResults returns the costs of the choices from results of benchmarks. A
// result of one iteration is the time of an operation, and a result of several
// their mean.
func (s Subject) FromResults(d *result.Data, choices []Choice) (all []Costs, err error) {
	var missing []string
	needed := 0
	for _, c := range choices {
		jobs, err := s.jobs(c)
		if err != nil {
			return nil, err
		}
		costs := s.newCosts(c)
		for _, j := range jobs {
			needed++
			sample, found := sampleOf(d, j, c)
			if !found {
				missing = append(missing, j.op.Name+"/"+j.c.Name())
				continue
			}
			costs.set(j, sample)
		}
		all = append(all, costs)
	}
	if len(missing) > 0 {
		return nil, fmt.Errorf("%d of %d needed cases are missing, the first is %s", len(missing), needed, missing[0])
	}
	return all, nil
}

func (s Subject) newCosts(c Choice) Costs {
	costs := Costs{Choice: c}
	for _, r := range s.Roles {
		costs.Roles, costs.Batches = append(costs.Roles, make([]Sample, len(r.Ops))), append(costs.Batches, map[int]Sample{})
	}
	return costs
}

func (c *Costs) set(j job, s Sample) {
	if j.batch > 0 {
		c.Batches[j.role][j.batch] = s
	} else {
		c.Roles[j.role][j.action] = s
	}
}

// sampleOf returns the results of a job in d.
func sampleOf(d *result.Data, j job, c Choice) (Sample, bool) {
	s, byRound := Sample{Figures: map[string]float64{}}, map[float64][]float64{}
	for _, k := range d.Cases {
		if !strings.HasPrefix(k.Name, j.op.Name) {
			continue
		}
		name, params, _ := strings.Cut(procs.ReplaceAllString(k.Name, ""), "/")
		if name != j.op.Name || !j.c.Matches(params, c.Ignored...) {
			continue
		}
		values := d.Values[k]
		times := values[processorUnit]
		if len(times) == 0 {
			times = values[wallUnit]
		}
		for i, t := range times {
			round := 0.0
			if rounds := values[roundUnit]; len(rounds) == len(times) {
				round = rounds[i]
			}
			if t > 0 && !math.IsInf(t, 0) {
				byRound[round] = append(byRound[round], t)
			}
		}
		for unit, list := range values {
			if !strings.HasSuffix(unit, "/op") {
				s.Figures[unit] = list[0]
			}
		}
	}
	for _, round := range slices.Sorted(maps.Keys(byRound)) {
		s.Rounds = append(s.Rounds, byRound[round])
	}
	return s, len(s.Rounds) > 0
}
