package capacity

import (
	"fmt"
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
	// Tables is the memory of tables in bytes; 0 if unknown.
	Tables float64
}

// Sample is a measured operation.
type Sample struct {
	Name    string
	Seconds []float64 // processor time of an operation
	// Each is the number of operations that each of Seconds is the mean of.
	Each float64
	// Figures are the exact figures, by unit.
	Figures map[string]float64
	// Allocated is the memory that an operation allocates, in bytes; 0 if unknown.
	Allocated float64
}

// Estimate is a median with its 95 % interval, or without one for few values.
type Estimate struct {
	Median   float64         `json:"median"`
	Interval *stats.Interval `json:"interval,omitempty"`
	Mean     float64         `json:"mean"`
	Values   int             `json:"values"`
}

// estimate summarises values.
func estimate(values []float64) Estimate {
	e := Estimate{Median: stats.Median(values), Mean: mean(values), Values: len(values)}
	if low, high, ok := stats.Ranks(uint64(len(values)), 0.5, 0.95); ok {
		sorted := slices.Sorted(slices.Values(values))
		e.Interval = &stats.Interval{Low: sorted[low-1], High: sorted[high-1]}
	}
	return e
}

func mean(values []float64) (sum float64) {
	for _, v := range values {
		sum += v / float64(len(values))
	}
	return sum
}

// MissingError reports cases that a results file does not have.
type MissingError struct {
	Missing []string
	All     int
}

func (e *MissingError) Error() string {
	return fmt.Sprintf("%d of %d needed cases are missing, the first is %s", len(e.Missing), e.All, e.Missing[0])
}

// Units of results files.
const (
	processorUnit = "cpu-sec/op"
	wallUnit      = "sec/op"
	tablesUnit    = "tables-B"
)

var procs = regexp.MustCompile(`-\d+$`)

// FromResults returns the costs of the choices from results of benchmarks. A
// result of one iteration is the time of an operation, and a result of several
// their mean. The error is a *MissingError.
func (s Subject) FromResults(d *result.Data, choices []Choice) (all []Costs, err error) {
	names := map[string][]result.Key{} // by operation
	for _, k := range d.Cases {
		op, _, _ := strings.Cut(k.Name, "/")
		op = procs.ReplaceAllString(op, "")
		names[op] = append(names[op], k)
	}
	missing := &MissingError{}
	for _, c := range choices {
		jobs, err := s.jobs(c)
		if err != nil {
			return nil, err
		}
		costs := s.newCosts(c)
		for _, j := range jobs {
			missing.All++
			sample, found := sampleOf(d, names[j.op.Name], j, c)
			if !found {
				missing.Missing = append(missing.Missing, j.op.Name+"/"+j.c.Name())
				continue
			}
			costs.set(j, sample)
			costs.Tables = max(costs.Tables, sample.Figures[tablesUnit])
		}
		all = append(all, costs)
	}
	if len(missing.Missing) > 0 {
		return nil, missing
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
	s.Name = j.op.Name
	if j.batch > 0 {
		c.Batches[j.role][j.batch] = s
	} else {
		c.Roles[j.role][j.action] = s
	}
}

// sampleOf returns the results of a job in d.
func sampleOf(d *result.Data, keys []result.Key, j job, c Choice) (s Sample, found bool) {
	s = Sample{Figures: map[string]float64{}}
	for _, k := range keys {
		_, params, _ := strings.Cut(procs.ReplaceAllString(k.Name, ""), "/")
		if !j.c.Matches(params, c.Ignored...) {
			continue
		}
		values := d.Values[k]
		times := values[processorUnit]
		if len(times) == 0 {
			times = values[wallUnit]
		}
		s.Seconds = append(s.Seconds, times...)
		s.Each = max(s.Each, d.Iters[k])
		for unit, of := range values {
			if !strings.HasSuffix(unit, "/op") {
				s.Figures[unit] = of[0]
			}
		}
		if of := values["B/op"]; len(of) > 0 {
			s.Allocated = stats.Median(of)
		}
	}
	s.Seconds = slices.DeleteFunc(s.Seconds, func(t float64) bool { return !(t > 0) || math.IsInf(t, 0) })
	return s, len(s.Seconds) > 0
}
