package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"github.com/zkatbench/zkatbench/bench/result"
)

// runBar is a line that shows the progress and the remaining time of a
// measurement. bar is nil unless the output is a terminal.
type runBar struct {
	bar   *progressbar.ProgressBar
	width int // of the text next to the bar
}

// barWidth is the width of percent, bar and counts.
const barWidth = 45

func newRunBar(w io.Writer) runBar {
	f, isFile := w.(*os.File)
	if !isFile || !term.IsTerminal(int(f.Fd())) {
		return runBar{}
	}
	// The bar does not draw itself from time to time: that could be between a wipe and
	// a result.
	return runBar{width: max(columns(f)-barWidth, 10), bar: progressbar.NewOptions(-1,
		progressbar.OptionSetWriter(w), progressbar.OptionSetDescription("looking for benchmarks"),
		progressbar.OptionSetElapsedTime(false), progressbar.OptionSetPredictTime(false), progressbar.OptionShowCount(),
		progressbar.OptionSetWidth(20), progressbar.OptionSetSpinnerChangeInterval(0),
		progressbar.OptionUseANSICodes(true), progressbar.OptionSetRenderBlankState(true),
	)}
}

func (b runBar) show(p result.Progress) {
	if b.bar == nil {
		return
	}
	text := []rune(fmt.Sprintf("%v left, %s", p.Remaining.Round(time.Second), p.Case.Name))
	if len(text) > b.width {
		text = append(text[:b.width-1], '…')
	}
	b.bar.ChangeMax(p.Of)
	b.bar.Describe(string(text))
	_ = b.bar.Set(p.Done) // an error of the terminal does not end the run
}

func (b runBar) wipe() {
	if b.bar != nil {
		_ = b.bar.Clear()
	}
}
