package main

import (
	"io"
	"os"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"github.com/zkatbench/zkatbench/bench/result"
)

// runBar is a line that says how far a measurement is and when it will be over.
// Its bar is nil unless it is shown on a terminal.
type runBar struct{ bar *progressbar.ProgressBar }

func newRunBar(w io.Writer) runBar {
	f, isFile := w.(*os.File)
	if !isFile || !term.IsTerminal(int(f.Fd())) {
		return runBar{}
	}
	return runBar{progressbar.NewOptions(-1,
		progressbar.OptionSetWriter(w), progressbar.OptionSetDescription("looking for benchmarks"),
		progressbar.OptionSetPredictTime(true), progressbar.OptionShowCount(),
		progressbar.OptionUseANSICodes(true), progressbar.OptionSetWidth(20), progressbar.OptionSetRenderBlankState(true),
	)}
}

func (b runBar) show(p result.Progress) {
	if b.bar == nil {
		return
	}
	b.bar.ChangeMax(p.Of)
	b.bar.Describe(p.Case.String())
	_ = b.bar.Set(p.Done) // a terminal that went away ends nothing
}

func (b runBar) wipe() {
	if b.bar != nil {
		_ = b.bar.Clear()
	}
}
