package study_test

import (
	"bytes"
	"context"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/count"
	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/scheme/threshold/codec"
	"github.com/zkatbench/zkatbench/scheme/threshold/network"
	"github.com/zkatbench/zkatbench/scheme/threshold/ops"
	"github.com/zkatbench/zkatbench/scheme/threshold/study"
	"github.com/zkatbench/zkatbench/scheme/threshold/suite"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares text with a file.
func golden(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), text)
}

var quick = []string{"robust-presign", "robust-sign", "frost-sign", "frost-presign", "frost-presigned-sign", "ot-presign", "ot-sign"}

// measured returns real recordings with invented times and group operations: sample
// i of a phase takes i+1 times 1 ms a round, and the naive run 1.1 times the replays
// of all parties.
func measured(t *testing.T, names []string, samples int) study.Phases {
	t.Helper()
	phases := study.Phases{}
	for _, name := range names {
		p, err := study.Measure(t.Context(), suite.Scenario{Case: name, MaxMalicious: 2, Seed: 1},
			study.Options{Party: "coordinator", Naive: true, Samples: samples, Every: true, Count: true})
		require.NoError(t, err)
		for i := range p.Samples {
			s := &p.Samples[i]
			sum := time.Duration(0)
			for k := range s.Took[1] {
				s.Took[1][k] = time.Duration(i+1) * time.Millisecond
				sum += s.Took[1][k]
			}
			for id, took := range s.Recorded {
				for k := range took {
					s.Recorded[id][k] = time.Duration(id) * time.Millisecond
				}
			}
			s.Naive = time.Duration(float64(sum) * float64(p.Parties()) * (1.1 + 0.01*float64(i)))
		}
		for round := range p.Ops {
			n := uint64(10 * round)
			p.Ops[round] = count.Counts{
				ops.BaseMul: n, ops.Mul: n + 1, ops.MSM(1): n + 1, ops.MSM(2): 1, ops.PointAdd: n + 4, ops.Decode: n + 5,
			}
		}
		phases[name] = p
	}
	return phases
}

func TestTables(t *testing.T) {
	phases := measured(t, quick, 7)
	var b bytes.Buffer
	jitter := network.Jitter{Shape: "exponential", Scale: 10 * time.Millisecond, Seed: 1}
	for _, n := range []study.Net{
		{},
		{Network: network.Network{Latency: 100 * time.Millisecond, Jitter: jitter}, Peers: network.Same},
		{Network: network.Network{Latency: 5 * time.Millisecond, Bandwidth: 1e6}, Peers: network.Recorded},
	} {
		require.NoError(t, phases.WriteSchemes(&b, 2, n))
		require.NoError(t, phases.WriteClock(&b, quick, n))
		if n.Jitter.Shape != "" {
			require.NoError(t, phases.WriteJitter(&b, n, 200))
		}
	}
	require.NoError(t, phases.WritePhases(&b, quick))
	require.NoError(t, phases.WriteRounds(&b, quick))
	ok, err := phases.WriteSizes(&b, quick)
	require.NoError(t, err)
	require.True(t, ok)
	require.NoError(t, phases.WriteRatios(&b, quick))
	golden(t, "tables.txt", b.String())
}

// TestSameIsRoundsTimesLatency holds to the nanosecond, for every phase.
func TestSameIsRoundsTimesLatency(t *testing.T) {
	for _, p := range measured(t, quick, 1) {
		n := study.Net{Network: network.Network{Latency: 100 * time.Millisecond}, Peers: network.Same}
		if p.Case == "frost-sign" { // messages go from and to the coordinator only
			continue
		}
		require.Equal(t, p.InRounds(n), p.Finish(n), p.Case)
	}
}

func TestRatioHasAnIntervalFromSixSamplesOn(t *testing.T) {
	p := measured(t, []string{"frost-sign"}, 5)["frost-sign"]
	require.False(t, p.Ratio().Bounded)
	p = measured(t, []string{"frost-sign"}, 7)["frost-sign"]
	f := p.Ratio()
	require.True(t, f.Bounded)
	require.InDelta(t, 1.13, f.Mid, 1e-6)
	require.InDelta(t, 1.10, f.Interval.Low, 1e-6)
	require.InDelta(t, 1.16, f.Interval.High, 1e-6)
}

func TestNearSizesAreComparedInSigmas(t *testing.T) {
	p, err := study.Measure(t.Context(), suite.Scenario{Case: "robust-sign", MaxMalicious: 2, Codec: codec.Near, Seed: 1},
		study.Options{Party: "coordinator", Samples: 1, Seeds: 40})
	require.NoError(t, err)
	require.Len(t, p.Bytes, 40)
	require.Len(t, p.Samples, 1)
	var b strings.Builder
	ok, err := study.Phases{"robust-sign": p}.WriteSizes(&b, []string{"robust-sign"})
	require.NoError(t, err)
	require.True(t, ok, b.String())
	require.Regexp(t, `^received B, 40 seeds +mean +expected +of one +deviation\nrobust-sign +\d+\.\d +364\.0 +± 5\.7 +[+-]\d\.\d\d sigmas\n$`, b.String())
	for _, byParty := range p.Bytes { // 100 bytes more are found
		byParty[0] += 100
	}
	ok, err = study.Phases{"robust-sign": p}.WriteSizes(io.Discard, []string{"robust-sign"})
	require.NoError(t, err)
	require.False(t, ok)
}

func TestADifferentSizeIsFound(t *testing.T) {
	p := measured(t, []string{"frost-sign"}, 1)["frost-sign"]
	p.Bytes[0][0]++
	var b strings.Builder
	ok, err := study.Phases{"frost-sign": p}.WriteSizes(&b, []string{"frost-sign"})
	require.NoError(t, err)
	require.False(t, ok)
	require.Contains(t, b.String(), "differs")
}

func TestMeasureEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := study.Measure(ctx, suite.Scenario{Case: "frost-sign", MaxMalicious: 1}, study.Options{Party: "coordinator", Samples: 1})
	require.ErrorIs(t, err, context.Canceled)
	_, err = study.Measure(t.Context(), suite.Scenario{Case: "frost-sign", MaxMalicious: 1}, study.Options{Party: "5", Samples: 1})
	require.True(t, suite.IsScenario(err))
}

func TestEveryPartyCanBeTheRealOne(t *testing.T) {
	p, err := study.Measure(t.Context(), suite.Scenario{Case: "robust-sign", MaxMalicious: 1, Seed: 1},
		study.Options{Party: "all", Samples: 2})
	require.NoError(t, err)
	require.Equal(t, 6, p.Replays)
	require.Equal(t, []uint32{1, 2, 3}, p.Real)
}
