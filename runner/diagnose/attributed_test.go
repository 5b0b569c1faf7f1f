package diagnose // attributedTo is private: profiles of a run have few kinds of stacks

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAttributedTo gives a sample of each measure to a function of its stack, innermost first.
func TestAttributedTo(t *testing.T) {
	run := ours + ".worker"
	for _, c := range []struct {
		measure string
		stack   []string
		at      int
	}{
		{"cpu", []string{"runtime.memmove", "bytes.Clone", "main.work"}, 0},
		{"heap", []string{"runtime.mallocgc", "sync.(*Pool).Get", "bytes.Clone", "main.work"}, 2},
		{"heap", []string{"runtime.mallocgc", "internal/x.f"}, 0},
		{"mutex", []string{"sync.(*Mutex).Unlock", "main.work", "main.main"}, 1},
		{"mutex", []string{"sync.(*Mutex).Unlock", run, "main.main"}, -1},
		{"mutex", []string{"sync.(*Mutex).Unlock", "runtime.x"}, 0},
		{"block", []string{"runtime.chanrecv", "sync.(*WaitGroup).Wait", "main.work", run}, 2},
		{"block", []string{"runtime.chanrecv", "testing.(*B).run1", "main.work"}, -1},
		{"block", []string{"runtime.chanrecv", "sync.(*WaitGroup).Wait"}, -1},
		{"block", nil, -1},
	} {
		t.Run(c.measure+" of "+strings.Join(c.stack, ", "), func(t *testing.T) {
			require.Equal(t, c.at, attributedTo(c.measure, c.stack))
		})
	}
}
