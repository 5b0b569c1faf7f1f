package gate

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/internal/text"
	"github.com/zkatbench/zkatbench/runner/stats"
)

// Contention is a benchmark that takes more time with more processors (go test -cpu).
type Contention struct {
	Benchmark  result.Key // without the number of processors
	Best, From int        // the fastest number of processors, and the first from which on all are slower
	Most       int        // the largest number
	Slower     float64    // relative change of the time from Best to Most
	Base       int        // From in BASE; 0 if it is not so there
}

// contentionLevel is the level of the test of two numbers of processors, corrected for the
// numbers of a benchmark.
const contentionLevel = 0.01

// contended returns the benchmarks of head that are slower with more processors than with
// fewer, from some number on up to the largest one.
func contended(base, head *result.Data, limit float64) (all []Contention) {
	before := map[result.Key]int{}
	for _, c := range contendedIn(base, limit) {
		before[c.Benchmark] = c.From
	}
	all = contendedIn(head, limit)
	for i := range all {
		all[i].Base = before[all[i].Benchmark]
	}
	return all
}

// parallel is the time of a benchmark with a number of processors.
type parallel struct {
	processors int
	seconds    []float64
}

func contendedIn(d *result.Data, limit float64) (all []Contention) {
	var order []result.Key
	series := map[result.Key][]parallel{}
	for _, k := range d.Cases {
		seconds := d.Values[k][wallTime]
		if len(seconds) < fewestResults {
			continue
		}
		name, n := processorsOf(k.Name)
		k.Name = name
		if series[k] == nil {
			order = append(order, k)
		}
		series[k] = append(series[k], parallel{n, seconds})
	}
	for _, k := range order {
		if c, found := contention(series[k], limit); found {
			c.Benchmark = k
			all = append(all, c)
		}
	}
	return all
}

// processorsOf cuts the number of processors off a name. Without a number it is 1.
func processorsOf(name string) (string, int) {
	if i := strings.LastIndexByte(name, '-'); i >= 0 {
		if n, err := strconv.Atoi(name[i+1:]); err == nil && n > 0 {
			return name[:i], n
		}
	}
	return name, 1
}

// contention finds the number of processors from which on every time is longer than with
// the fastest number, by more than limit and by a test.
func contention(all []parallel, limit float64) (c Contention, found bool) {
	slices.SortFunc(all, func(a, b parallel) int { return cmp.Compare(a.processors, b.processors) })
	best := slices.MinFunc(all, func(a, b parallel) int {
		return cmp.Compare(stats.Median(a.seconds), stats.Median(b.seconds))
	})
	for _, p := range slices.Backward(all) {
		slower := stats.Median(p.seconds)/stats.Median(best.seconds) - 1
		if p.processors <= best.processors || !(slower > limit) ||
			pValue(best.seconds, p.seconds)*float64(len(all)) >= contentionLevel {
			break
		}
		if !found {
			c = Contention{Best: best.processors, Most: p.processors, Slower: slower}
		}
		c.From, found = p.processors, true
	}
	return c, found
}

// String describes the effect of more processors.
func (c Contention) String() string {
	base := "not so in BASE"
	if c.Base > 0 {
		base = fmt.Sprintf("in BASE from %d on", c.Base)
	}
	return fmt.Sprintf("%s, from %d processors on: %s with %d against %d; %s",
		Cell{Key: c.Benchmark}, c.From, text.Change(c.Slower), c.Most, c.Best, base)
}
