package main

import (
	"fmt"
	"io"
	"time"

	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/text"
)

// percent returns a function that shows the progress of an activity on one line of w,
// and a function that clears this line. Both do nothing unless w is a terminal.
func percent(w io.Writer, activity string) (show func(done, all int), wipe func()) {
	line, last := text.StatusOn(w), time.Time{}
	show = func(done, all int) {
		if time.Since(last) > 100*time.Millisecond {
			last = time.Now()
			line.Show(fmt.Sprintf("%s: %d %%", activity, 100*done/all))
		}
	}
	return show, line.Erase
}

// runBar is a line that shows the progress and the remaining time of a
// measurement.
type runBar struct{ text.Status }

func newRunBar(w io.Writer) runBar {
	b := runBar{text.StatusOn(w)}
	b.Show("looking for benchmarks")
	return b
}

func (b runBar) show(p result.Progress) {
	b.Show(fmt.Sprintf("%d of %d, %v left, %s", p.Done, p.Of, p.Remaining.Round(time.Second), p.Case.Name))
}
