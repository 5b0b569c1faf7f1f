package main

import (
	"fmt"
	"io"
	"time"

	"github.com/zkatbench/zkatbench/internal/text"
)

// percent returns a function that shows the progress of an activity on one line of w,
// and a function that clears this line. Unless w is a terminal, both have no effect.
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
