package study_test

import (
	"bytes"
	"io"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/count"
	"github.com/zkatbench/zkatbench/internal/golden"
	"github.com/zkatbench/zkatbench/scheme/threshold/ops"
	"github.com/zkatbench/zkatbench/scheme/threshold/study"
	"github.com/zkatbench/zkatbench/scheme/threshold/suite"
)

// setSteps sets the time of each step of the coordinator.
func setSteps(p *study.Phase, d time.Duration) {
	for _, s := range p.Samples {
		for k := range s.Took[1] {
			s.Took[1][k] = d
		}
	}
}

// crossing returns FROST with 4 steps of 1 ms in 3 rounds, and FROST with presigning
// with 2 + 2 steps of 5 ms in 2 rounds: 3L + 4 ms and 2L + 20 ms, if peers take as
// long as the coordinator. They cross at L = 16 ms.
func crossing(t *testing.T) study.Phases {
	ps := measured(t, []string{"frost-sign", "frost-presign", "frost-presigned-sign"}, 1)
	setSteps(ps["frost-sign"], time.Millisecond)
	setSteps(ps["frost-presign"], 5*time.Millisecond)
	setSteps(ps["frost-presigned-sign"], 5*time.Millisecond)
	return ps
}

func TestCrossingsAreMarked(t *testing.T) {
	charts := crossing(t).Pictures(study.Network{Peers: study.Same}, 1)
	require.Len(t, charts, 4)
	latency := charts[0]
	require.Equal(t, "Time to a signature over latency, f = 2, all phases", latency.Title)
	require.Len(t, latency.Series, 2)
	require.Len(t, latency.Series[0].Points, 24)
	require.InDelta(t, 0.2, latency.Series[0].Points[23].X, 1e-9)
	require.InDelta(t, 3*0.2+0.004, latency.Series[0].Points[23].Y, 1e-9)
	require.Len(t, latency.Marks, 1)
	require.InDelta(t, 0.016, latency.Marks[0].X, 1e-6)
	require.InDelta(t, 3*0.016+0.004, latency.Marks[0].Y, 1e-5)
	require.Equal(t, "FROST is faster than FROST, presigned up to 16.0 ms, slower above",
		latency.Marks[0].Text)

	bandwidth := charts[1].Series[0].Points
	require.Greater(t, bandwidth[0].Y, 10*bandwidth[12].Y, "10 kbit/s and 10 Gbit/s")

	prepared := charts[2]
	require.Equal(t, "Time to a signature over latency, f = 2, presignatures exist", prepared.Title)
	require.InDelta(t, 0.2+0.010, prepared.Series[1].Points[23].Y, 1e-9)

	// Lines that differ by less than 5 % on one side are equal within the noise.
	ps := crossing(t)
	setSteps(ps["frost-presign"], 980*time.Microsecond)
	setSteps(ps["frost-presigned-sign"], 1040*time.Microsecond)
	require.Empty(t, ps.Pictures(study.Network{Peers: study.Same}, 1)[0].Marks)
	require.Equal(t, "No two schemes cross in this range.",
		ps.Pictures(study.Network{Peers: study.Same}, 1)[0].Note)
}

func TestGrowth(t *testing.T) {
	g := study.Growth{}
	for _, f := range []int{30, 1, 2, 4, 8, 10, 12, 16, 24} {
		took := time.Duration(f*f) * time.Millisecond
		more := 0
		if f == 1 || f == 10 { // where the fits of exponents begin
			took, more = took+took/2, f*f*f
		}
		p := &study.Phase{Scenario: suite.Scenario{MaxMalicious: f}, Real: []uint32{1}}
		for range 6 {
			p.Samples = append(p.Samples, study.Sample{Took: map[uint32][]time.Duration{1: {took}}})
		}
		p.Ops = []count.Counts{{ops.BaseMul: uint64(f), ops.Mul: uint64(f),
			ops.MSM(1): uint64(2*f*f*f - 2*f + more), ops.Decode: 99}}
		g[f] = study.Phases{"robust-presign": p}
	}
	g[2]["robust-sign"] = &study.Phase{Scenario: suite.Scenario{MaxMalicious: 2}}
	var b bytes.Buffer
	require.NoError(t, g.Write(&b))
	golden.Equal(t, "testdata/growth.txt", b.String())
	reader, closed := io.Pipe()
	require.NoError(t, reader.Close())
	require.ErrorIs(t, g.Write(closed), io.ErrClosedPipe)
}

// TestRobustPresigningIsQuadratic fits exact counts, which do not depend on the
// machine: each of two rounds checks f points of others and interpolates, each with
// f + 1 points.
func TestRobustPresigningIsQuadratic(t *testing.T) {
	g := study.Growth{}
	for _, f := range []int{6, 8, 12} {
		var err error
		g[f], err = study.Measure(t.Context(), suite.Scenario{MaxMalicious: f, Seed: 1},
			[]string{"robust-presign"},
			study.Options{Party: "coordinator", Samples: 1, Count: true})
		require.NoError(t, err)
	}
	law, err := g.Fit("robust-presign", 1, func(p *study.Phase) (sum float64) {
		for _, c := range p.Ops {
			sum += float64(c.Calls(count.FixedMSM) + c.Calls(count.ScalarMul) + c.Terms(count.MSM))
		}
		return sum
	})
	require.NoError(t, err)
	require.InDelta(t, 2, law.Exponent, 0.3) // (f+1)² over f is a little below f²
	require.False(t, math.IsNaN(law.Bounds.Low))
}
