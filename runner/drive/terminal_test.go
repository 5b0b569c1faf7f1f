package drive // progressLine is private: a run shows times that are not known

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner/result"
)

func TestProgressIsOneLineThatFits(t *testing.T) {
	p := result.Progress{Phase: "window", Elapsed: 1234 * time.Millisecond, Limit: 10 * time.Second, Done: 77}
	require.Equal(t, "window: 1.2s of 10s, 77 operations hash/workers=2", progressLine(p, "hash/workers=2"))
	show, wipe := progress(&bytes.Buffer{}, "")
	require.Nil(t, show, "not a terminal")
	wipe()
}
