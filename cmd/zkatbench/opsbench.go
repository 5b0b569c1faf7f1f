package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/zkatbench/zkatbench/count"
)

// The values of -format.
const (
	asText  = "text"
	asBench = "bench"
	asJSON  = "json"
)

// benchCounts writes the counts of each phase as a line of the Go benchmark
// format, without timing.
func benchCounts(req *request, out io.Writer) error {
	for _, u := range req.subject.CountUnits(nil) {
		fmt.Fprintf(out, "Unit %s assume=exact better=lower\n", u.Name)
	}
	for _, op := range req.ops {
		for _, c := range req.cases(op) {
			all, err := op.Count(c, false)
			if err != nil {
				return fmt.Errorf("%s/%s: %w", op.Name, c.Name(), err)
			}
			phases := shallow(all)
			for _, phase := range slices.Sorted(maps.Keys(phases)) {
				fmt.Fprintf(out, "Benchmark%s/%s/phase=%s 1", op.Name, c.Name(), phase)
				for _, u := range req.subject.CountUnits(phases[phase]) {
					fmt.Fprintf(out, " %d %s", u.Value, u.Name)
				}
				if _, err := fmt.Fprintln(out); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// maxDepth is the number of levels of phases to report. Counts of deeper
// phases, such as the rounds of an argument, are added to their parents.
const maxDepth = 2

// shallow sums phases below maxDepth, with names that are valid in the format.
func shallow(all count.Phases) count.Phases {
	sum := count.Phases{}
	for path, counts := range all {
		levels := strings.Split(strings.ReplaceAll(path, " ", "-"), "/")
		name := cmp.Or(strings.Join(levels[:min(maxDepth, len(levels))], "."), "none")
		if sum[name] == nil {
			sum[name] = count.Counts{}
		}
		for event, n := range counts {
			sum[name][event] += n
		}
	}
	return sum
}
