package history_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/history"
	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/internal/golden"
)

// series returns 26 revisions with some noise, and a step in the last four.
func series() history.Series {
	s := history.Series{Key: result.Key{Package: "p", Name: "Sum/n=1"}, Unit: "sec/op",
		Machine: "here, Some Processor", Better: -1}
	for i := range 26 {
		us := 1000 + float64(i*37%11)
		if i >= 22 {
			us += 150
		}
		s.Points = append(s.Points, history.Point{
			Revision: string(rune('a'+i)) + "123456789012345678901234567890123456789",
			Started:  epoch.Add(time.Duration(i) * 24 * time.Hour),
			Values:   []float64{1e-6 * (us - 9), 1e-6 * us, 1e-6 * (us + 20)},
		})
	}
	return s
}

func TestLists(t *testing.T) {
	var b bytes.Buffer
	short := series()
	short.Key.Name, short.Points = "Verify", short.Points[:1]
	better := series()
	better.Better = 1
	require.NoError(t, history.WriteCases(&b, []history.Series{series(), short, better}))
	require.NoError(t, history.WriteRuns(&b, []history.Run{
		{Revision: series().Points[0].Revision + "+changes", Machine: "here\x1b[2J", Started: epoch,
			Cases: 54}, {Revision: "v1.2", Started: epoch},
		{Revision: strings.Repeat("0123456789abcdef", 4), Started: epoch}, // of SHA-256
	}))
	golden.Equal(t, "testdata/lists.txt", b.String())
}
