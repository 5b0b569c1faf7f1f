package faults_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/scheme/threshold/codec"
	"github.com/zkatbench/zkatbench/scheme/threshold/engine"
	"github.com/zkatbench/zkatbench/scheme/threshold/suite"
)

// scenario is a case with its share of the trials.
type scenario struct {
	name      string
	malicious int
	codec     codec.Codec
	trials    [3]int // short, usual, nightly
}

var scenarios = []scenario{
	{"frost-sign", 2, codec.Compact, [3]int{60, 600, 17_000}},
	{"frost-sign", 2, codec.Near, [3]int{30, 100, 4_000}},
	{"frost-presign", 2, codec.Compact, [3]int{60, 300, 9_000}},
	{"frost-presigned-sign", 2, codec.Compact, [3]int{60, 300, 9_000}},
	{"robust-presign", 1, codec.Compact, [3]int{60, 600, 22_000}},
	{"robust-presign", 2, codec.Near, [3]int{30, 100, 3_000}},
	{"robust-sign", 1, codec.Compact, [3]int{60, 300, 10_000}},
	{"ot-presign", 2, codec.Compact, [3]int{60, 300, 12_000}},
	{"ot-sign", 2, codec.Compact, [3]int{30, 300, 10_000}},
	{"ot-triples", 1, codec.Compact, [3]int{4, 30, 5_000}},
	{"ot-triples", 1, codec.Near, [3]int{2, 10, 500}},
}

// exception is a message where a flipped bit may have another end than an error that
// names round and sender.
type exception struct {
	name    string
	step    *regexp.Regexp
	verdict Verdict
}

var exceptions = []exception{
	// A commitment is any point; the share of its party does not fit it.
	{"frost-presign", regexp.MustCompile("^commitments$"), Late},
	// Robust ECDSA does not commit to its polynomials: w lacks redundancy, and d
	// and e are used in signing only.
	{"robust-presign", regexp.MustCompile("^(shares|R, w)$"), Unnamed},
	{"robust-presign", regexp.MustCompile("^shares$"), Late},
	{"robust-sign", regexp.MustCompile("^share$"), Unnamed},
	// The sender of a multiplication does not use half of the columns, the receiver half
	// of the vectors. Products are checked as a sum.
	{"ot-triples", regexp.MustCompile("^t[01]/(u|mask/[01])$"), Harmless},
	{"ot-triples", regexp.MustCompile("^t[01]/(mask|chi)/[01]$"), Unnamed},
}

// TestFaultyMessagesAreRefused tries faults in all messages of each protocol: each
// kind for each message and each bit, or a regular sample of them.
func TestFaultyMessagesAreRefused(t *testing.T) {
	for _, s := range scenarios {
		t.Run(fmt.Sprintf("%s/malicious=%d/codec=%s", s.name, s.malicious, s.codec), func(t *testing.T) {
			t.Parallel()
			seen := map[string]int{}
			left := nightly.Pick(s.trials[0], s.trials[1], s.trials[2])
			for seed := uint64(1); left > 0; seed++ {
				r, err := suite.New(suite.Scenario{Case: s.name, MaxMalicious: s.malicious, Codec: s.codec,
					Seed: seed})
				require.NoError(t, err)
				recording, err := r.Record()
				require.NoError(t, err)
				messages := recording.All()
				all := Count(messages)
				tried := min(left, all)
				for i := range tried {
					s.try(t, r, At(messages, i*all/tried), seen)
				}
				left -= tried
			}
			t.Log(seen)
		})
	}
}

func (s scenario) try(t *testing.T, r *suite.Run, f Fault, seen map[string]int) {
	t.Helper()
	verdict, refused, err := Try(r, f)
	require.NoError(t, err)
	seen[verdict.String()]++
	switch {
	case f.Kind == Reorder:
		require.Equal(t, Harmless, verdict, "%v: %v", f, refused)
	case verdict != Named:
		require.Equal(t, Flip, f.Kind, "%v: %v", f, refused)
		require.True(t, slices.ContainsFunc(exceptions, func(e exception) bool {
			return e.name == strings.TrimSuffix(s.name, "-batched") && e.verdict == verdict &&
				e.step.MatchString(f.Message.Step)
		}), "%v: %v: %v", f, verdict, refused)
	}
}

func TestFaultsAreEnumerated(t *testing.T) {
	messages := []engine.Message{{From: 1, Round: 1, Step: "a", Body: []byte{0}},
		{From: 2, Round: 2, Step: "b", Body: []byte{0, 0}}}
	require.Equal(t, 2*5+24, Count(messages))
	seen := map[string]bool{}
	for i := range Count(messages) {
		seen[At(messages, i).String()] = true
	}
	require.Len(t, seen, 34)
	require.Contains(t, seen, "round 2: party 2: b: bit flipped (15)")
	require.Contains(t, seen, "round 1: party 1: a: from a stranger")
	require.Panics(t, func() { At(messages, 34) })
}
