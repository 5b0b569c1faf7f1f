package result

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Keys of the configuration lines after the last result of a file.
const (
	keyResults     = "results"     // number of results since the start of the file, or since the last such line
	keyInterrupted = "interrupted" // by ^C, with the number of results
	keyIncomplete  = "incomplete"  // the reason for which results are missing
)

// EndLine is the last line of a file with n results. A file without it was cut,
// or its run did not end.
func EndLine(n int) string { return fmt.Sprintf("%s: %d", keyResults, n) }

// An ending is the evidence in a file for and against its being whole.
type ending struct {
	ours    bool // written by a command of this program, which ends files by EndLine
	counted int  // by all lines EndLine
	ended   bool // no result follows the last EndLine
	doubts  []string
	failed  []string // lines of go test about a failure
}

// endingOf reads the lines of a file that are not results.
func endingOf(text string) (e ending) {
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		key, value, _ := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		switch {
		case isFailure(line):
			e.failed = append(e.failed, strings.TrimSpace(line))
		case strings.HasPrefix(line, "Benchmark"):
			e.ended = false
		case key == "started":
			e.ours = true
		case key == keyResults:
			if n, err := strconv.Atoi(value); err == nil {
				e.counted, e.ended = e.counted+n, true
			}
		case key == keyInterrupted:
			e.doubts = append(e.doubts, keyInterrupted+": "+value)
		case key == keyIncomplete:
			e.doubts = append(e.doubts, value)
		}
	}
	return e
}

// isFailure reports whether go test prints line for a test or a benchmark that
// failed.
func isFailure(line string) bool {
	return strings.HasPrefix(strings.TrimLeft(line, " \t"), "--- FAIL") || line == "FAIL" || strings.HasPrefix(line, "FAIL\t") ||
		strings.HasPrefix(line, "panic: ")
}

// partial returns the reasons why a file with n results is
// not whole.
func (e ending) partial(n int) []string {
	why := slices.Clone(e.doubts)
	switch {
	case e.ended && e.counted != n:
		why = append(why, fmt.Sprintf("it has %d results, but its lines %q count %d", n, keyResults+":", e.counted))
	case e.ours && !e.ended && len(why) == 0:
		why = append(why, fmt.Sprintf("it was cut, or its run did not end: no line \"%s: N\" follows the last of %d results", keyResults, n))
	}
	return why
}
