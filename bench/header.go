package bench

import (
	"fmt"
	"io"
)

// Header describes the results in Go benchmark format, so that benchstat and
// similar tools know how to read them.
type Header struct {
	// Exact lists the units of figures without variation: one sample suffices,
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
