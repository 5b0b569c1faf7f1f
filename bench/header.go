package bench

import (
	"fmt"
	"io"

	"github.com/zkatbench/zkatbench/bench/metric"
)

// Header describes the results in Go benchmark format, so that benchstat and
// similar tools know how to read them.
type Header struct {
	// Exact lists the units of figures without variation: one sample suffices,
	// and any change is real.
	Exact []string
	// Config are configuration lines, key and value.
	Config [][2]string
	// Prepare does work that all results share, such as building tables, before
	// the first result, and returns a line about it. It may be nil.
	Prepare func() string
}

func (h Header) write(w io.Writer) {
	for _, unit := range h.Exact {
		fmt.Fprintf(w, "Unit %s assume=exact better=lower\n", unit)
	}
	for _, c := range h.Config {
		fmt.Fprintf(w, "%s: %s\n", c[0], c[1])
	}
	// These lines begin with a capital, so that they are no configuration: benchstat
	// makes a table for each value of that.
	if h.Prepare != nil {
		fmt.Fprintln(w, h.Prepare())
	}
	fmt.Fprintln(w, "Memory:", metric.Access())
}
