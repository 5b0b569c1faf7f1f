package diagnose

import (
	"fmt"
	"io"
	"strings"

	"github.com/zkatbench/zkatbench/internal/text"
)

// Text writes the most expensive functions and the trace of the slowest
// operation. It returns the first error of w.
func (r *Report) Text(w io.Writer) error {
	var b strings.Builder
	b.WriteString("Diagnosis from a separate pass; profiling disturbs its figures\n")
	if r.Result.Interrupted {
		fmt.Fprintf(&b, "INTERRUPTED (%s): the report covers the time until then\n", r.Result.End)
	}
	for _, h := range r.Hot {
		if h.Total == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n%s: %s\n", h.Title, amount(h.Total, h.Unit))
		for _, f := range h.Top {
			fmt.Fprintf(&b, "  %5.1f %%  %s\n", 100*f.Share, f.Name)
			if f.Callers != "" {
				fmt.Fprintf(&b, "           < %s\n", f.Callers)
			}
		}
	}
	if t := r.Slow; t.Latency > 0 {
		fmt.Fprintf(&b, "\nSlowest operation: %s, %s into the window, worker %d; worst.trace ends with it\n",
			text.Duration(float64(t.Latency)), text.Duration(float64(t.From)), t.Worker)
	}
	b.WriteString("\nFiles, for go tool pprof and go tool trace:\n")
	for _, f := range r.Files {
		fmt.Fprintf(&b, "  %s\n", f)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func amount(v int64, unit string) string {
	if unit == "nanoseconds" {
		return text.Duration(float64(v))
	}
	return text.Bytes(float64(v))
}
