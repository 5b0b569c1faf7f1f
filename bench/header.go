package bench

import (
	"fmt"
	"io"
	"slices"
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
	// the first result, and returns configuration lines about it. It may be nil.
	Prepare func() [][2]string
}

func (h Header) write(w io.Writer) {
	for _, unit := range h.Exact {
		fmt.Fprintf(w, "Unit %s assume=exact better=lower\n", unit)
	}
	config := h.Config
	if h.Prepare != nil {
		config = append(slices.Clip(config), h.Prepare()...)
	}
	for _, c := range config {
		fmt.Fprintf(w, "%s: %s\n", c[0], c[1])
	}
}
