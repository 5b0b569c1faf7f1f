package render_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner/judge"
	"github.com/zkatbench/zkatbench/runner/render"
	"github.com/zkatbench/zkatbench/runner/result"
)

// TestPartsAreTheText checks that each line of the text report before the pictures
// is in the parts, and the reverse.
func TestPartsAreTheText(t *testing.T) {
	for _, name := range []string{"closed", "open"} {
		t.Run(name, func(t *testing.T) {
			r := saved(t, name)
			r.Stack = "goroutine 1:\nmain.f()"
			r.Failed, r.Errors = 7, map[string]uint64{"refused": 7}
			text := text(t, r, render.Options{Name: name, Width: 500})
			parts, err := render.Parts(r, render.Options{Name: name})
			require.NoError(t, err)
			require.Contains(t, parts[0].Title, ": "+name)
			lines, failures := 0, 0
			for _, p := range parts {
				require.Contains(t, text, p.Title)
				lines++
				for _, l := range p.Lines {
					if l == (render.Line{Value: "7 ×", Remark: "refused"}) {
						failures++
					}
					for _, words := range []string{l.Name, l.Value, l.Remark} {
						for line := range strings.Lines(words) {
							require.Contains(t, text, strings.TrimSpace(line))
						}
					}
					lines += 1 + strings.Count(l.Remark, "\n")
				}
			}
			require.Equal(t, 1, failures, "%v", parts)
			figures, _, _ := strings.Cut(text, "\nLatency heatmap")
			_, rest, _ := strings.Cut(text, "\nMachine")
			machine, _, _ := strings.Cut(rest, "\nAnalysis")
			written := 0
			for line := range strings.Lines(figures + machine) {
				if strings.TrimSpace(line) != "" {
					written++
				}
			}
			require.Equal(t, written, lines, "%s:\n%v", name, parts)
		})
	}
	_, err := render.Parts(&result.Result{Version: result.Version, Done: 1}, render.Options{})
	require.ErrorIs(t, err, judge.ErrLaw)
}
