package result

import (
	"strconv"
	"strings"
	"time"
)

// Processor time is in cpuUnit if the benchmark records it, and otherwise, when
// results are measured in turns, in processUnit: of its whole process.
const (
	cpuUnit     = " cpu-ns/op"
	processUnit = "process-cpu-ns/op"
)

// The processor time of a process includes its start and the set-up of the
// benchmark. A second process with startIterations has the same: package testing
// calls the function of a benchmark once for one iteration and once for all if it
// counts to b.N, and once in all if it loops with b.Loop, in both processes. The
// difference is the time of the iterations alone.
const startIterations = 2

// processTime is the least processor time of the iterations of a result: the
// start of a process varies by milliseconds.
const processTime = 200 * time.Millisecond

// enough returns the number of iterations that take processTime, if n take cpu. It is n
// if that is not known, or so little that the benchmark waits.
func enough(n int, cpu time.Duration) int {
	const most = 50 // times as many
	if cpu < processTime/most || cpu >= processTime {
		return n
	}
	return startIterations + int(float64(n-startIterations)*float64(processTime)/float64(cpu)*1.1)
}

// untimed returns the number of iterations of the only result among the lines, if it
// has no processor time and more of them than its start.
func untimed(lines []printed) (iterations int) {
	results := 0
	for _, line := range lines {
		if line.Benchmark == "" {
			continue
		}
		results++
		fields := strings.Fields(line.Text)
		if n, err := strconv.Atoi(fields[min(1, len(fields)-1)]); err == nil && n > startIterations && !strings.Contains(line.Text, cpuUnit) {
			iterations = n
		}
	}
	if results != 1 {
		return 0
	}
	return iterations
}

// layoutUnit has the layout of the binary that made a result.
const layoutUnit = "layout"

// addFigure adds a figure with its unit to the results among lines.
func addFigure(lines []printed, figure string) {
	for i, line := range lines {
		if line.Benchmark != "" {
			lines[i].Text += "\t" + figure
		}
	}
}
