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

// Costs are the measured operations of a choice.
type Costs struct {
	Choice
	Measured []Measured `json:"measured"`
}

// Measured is a measured operation.
type Measured struct {
	Role    string   `json:"role"`
	Action  string   `json:"action"`
	Batch   int      `json:"batch,omitempty"` // requests of the operation; 0 is one
	Seconds Estimate `json:"seconds"`         // of processor time; a plan has it

	// processor time of an operation in seconds, by round of the measurement
	Rounds  [][]float64        `json:"-"`
	Figures map[string]float64 `json:"-"` // exact ones, by unit
}

// Estimate is a figure with its 95 % interval over the rounds of the measurement, which
// are minutes apart and differ by more than the values of one; without an interval of
// fewer than six rounds.
type Estimate struct {
	Median   float64        `json:"median"`
	Interval stats.Interval `json:"interval,omitzero"`
	Mean     float64        `json:"mean"`
	Values   int            `json:"values"`
	Rounds   int            `json:"rounds"`
}

// estimate summarises the values of rounds.
func estimate(rounds [][]float64) Estimate {
	medians, all := stats.Medians(rounds), slices.Concat(rounds...)
	e := Estimate{Median: stats.Median(medians), Mean: stats.Average(all), Values: len(all),
		Rounds: len(rounds)}
	e.Interval, _ = stats.MedianInterval(medians)
	return e
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
		costs := Costs{Choice: c}
		for _, j := range jobs {
			needed++
			if !j.find(d, c) {
				missing = append(missing, j.op.Name+"/"+j.c.Name())
			}
			costs.Measured = append(costs.Measured, j.Measured)
		}
		all = append(all, costs)
	}
	if len(missing) > 0 {
		return nil,
			fmt.Errorf("%d of %d needed cases are missing, the first is %s", len(missing), needed, missing[0])
	}
	return all, nil
}

// find reads the results of a job, and reports whether there are any.
func (j *job) find(d *result.Data, c Choice) bool {
	byRound := map[float64][]float64{}
	for _, k := range d.Cases {
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
				j.Figures[unit] = list[0]
			}
		}
	}
	for _, round := range slices.Sorted(maps.Keys(byRound)) {
		j.Rounds = append(j.Rounds, byRound[round])
	}
	return len(j.Rounds) > 0
}
