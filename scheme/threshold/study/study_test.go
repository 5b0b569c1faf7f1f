package study_test

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/count"
	"github.com/zkatbench/zkatbench/internal/golden"
	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/scheme/threshold/codec"
	"github.com/zkatbench/zkatbench/scheme/threshold/ops"
	"github.com/zkatbench/zkatbench/scheme/threshold/study"
	"github.com/zkatbench/zkatbench/scheme/threshold/suite"
)

var quick = []string{"robust-presign", "robust-sign", "frost-sign", "frost-presign", "frost-presigned-sign",
	"ot-presign", "ot-sign"}

// measured returns real recordings with invented times and group operations: sample
// i of a phase takes i+1 times 1 ms a round, and the naive run 1.1 times the replays
// of all parties.
func measured(t *testing.T, names []string, samples int) study.Phases {
	t.Helper()
	phases, err := study.Measure(t.Context(), suite.Scenario{MaxMalicious: 2, Seed: 1}, names,
		study.Options{Party: "coordinator", Naive: true, Samples: samples, Every: true, Count: true})
	require.NoError(t, err)
	for _, p := range phases {
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
				ops.BaseMul: n, ops.Mul: n + 1, ops.MSM(1): n + 1, ops.MSM(2): 1, ops.PointAdd: n + 4,
				ops.Decode: n + 5,
			}
		}
	}
	return phases
}

// TestTimesAreDifferences: the clock runs before the work.
func TestTimesAreDifferences(t *testing.T) {
	at := 5 * time.Second
	now := func() time.Duration { return at }
	require.Equal(t, 2*time.Second, study.Timed(now, func() { at += 2 * time.Second }))
}

func TestTables(t *testing.T) {
	phases := measured(t, quick, 7)
	var b bytes.Buffer
	jitter := study.Jitter{Shape: "exponential", Scale: 10 * time.Millisecond, Seed: 1}
	ok, err := phases.Write(&b, study.Tables{Draws: 200, Rounds: true, Networks: []study.Network{
		{},
		{Latency: 100 * time.Millisecond, Jitter: jitter, Peers: study.Same},
		{Latency: 5 * time.Millisecond, Bandwidth: 1e6, Peers: study.Recorded},
	}})
	require.NoError(t, err)
	require.True(t, ok)
	golden.Equal(t, "testdata/tables.txt", b.String())
}

// write returns the tables of phases.
func write(t *testing.T, phases study.Phases) (text string, asSpecified bool) {
	t.Helper()
	var b strings.Builder
	ok, err := phases.Write(&b, study.Tables{})
	require.NoError(t, err)
	return b.String(), ok
}

func TestNearSizesAreComparedInSigmas(t *testing.T) {
	phases, err := study.Measure(t.Context(), suite.Scenario{MaxMalicious: 2, Codec: codec.Near, Seed: 1},
		[]string{"robust-sign"},
		study.Options{Party: "coordinator", Samples: 40})
	require.NoError(t, err)
	p := phases["robust-sign"]
	require.Len(t, p.Traffic, 40)
	require.Len(t, p.Samples, 40)
	text, ok := write(t, phases)
	require.True(t, ok, text)
	require.Regexp(t,
		`^received B, 40 seeds +mean +expected +of one +deviation\n`+
			`robust-sign +\d+\.\d +364\.0 +± 5\.7 +[+-]\d\.\d\d sigmas\n`, text)
	for _, byParty := range p.Traffic { // 100 bytes more are found
		byParty[0].Bytes += 100
	}
	_, ok = write(t, phases)
	require.False(t, ok)
}

func TestMeasureEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := study.Measure(ctx, suite.Scenario{MaxMalicious: 1}, []string{"frost-sign"},
		study.Options{Party: "coordinator", Samples: 1})
	require.ErrorIs(t, err, context.Canceled)
	_, err = study.Measure(t.Context(), suite.Scenario{MaxMalicious: 1}, []string{"frost-sign"},
		study.Options{Party: "5", Samples: 1})
	require.ErrorContains(t, err, "-party")
}

// TestAllPartiesAreTimed runs more parties than eight, each once as the real one.
func TestAllPartiesAreTimed(t *testing.T) {
	phases, err := study.Measure(t.Context(), suite.Scenario{MaxMalicious: 5, Seed: 1},
		[]string{"robust-sign"},
		study.Options{Party: "coordinator", Samples: 1, Naive: true, Every: true})
	require.NoError(t, err)
	p := phases["robust-sign"]
	require.Equal(t, 11, p.Every)
	require.Len(t, p.Samples[0].Recorded, 11)
	for id, took := range p.Samples[0].Recorded {
		require.NotEmpty(t, took, "party %d", id)
	}
	p.Every = 1
	text, _ := write(t, phases)
	require.Contains(t, text, "every party as the real one: 1, all complete, byte-equal and verified\n")
	p.Every = 0
	text, _ = write(t, phases)
	require.NotContains(t, text, "every party")
	p.Traffic[0][0].Bytes++
	text, ok := write(t, phases)
	require.False(t, ok)
	require.Regexp(t, `robust-sign .* differs\n`, text)
}

func TestEveryPartyCanBeTheRealOne(t *testing.T) {
	phases, err := study.Measure(t.Context(), suite.Scenario{MaxMalicious: 1, Seed: 1},
		[]string{"robust-sign"},
		study.Options{Party: "all", Samples: 2, Naive: true})
	require.NoError(t, err)
	p := phases["robust-sign"]
	require.Equal(t, 6, p.Replays)
	require.Equal(t, []uint32{1, 2, 3}, p.Real)
	for _, s := range p.Samples {
		require.Positive(t, s.Naive)
		require.Len(t, s.Took, 3)
		require.Len(t, s.Recorded, 3)
		for id, took := range s.Took {
			require.Len(t, took, len(s.Recorded[id]))
		}
	}
}
