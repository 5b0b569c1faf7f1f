package bench

import (
	"fmt"
	"io"
)

// Header is what a benchmark's output says beside results, in Go benchmark
// format, so that benchstat and its like know how to read them.
type Header struct {
	// Exact are the units of figures that do not vary: one sample is enough
	// and any change is real.
	Exact []string
	// Config are configuration lines, key and value.
	Config [][2]string
}

func (h Header) write(w io.Writer) {
	for _, unit := range h.Exact {
		fmt.Fprintf(w, "Unit %s assume=exact better=lower\n", unit)
	}
	for _, c := range h.Config {
		fmt.Fprintf(w, "%s: %s\n", c[0], c[1])
	}
}
