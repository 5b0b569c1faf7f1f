package faults_test

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/scheme/threshold/codec"
	"github.com/zkatbench/zkatbench/scheme/threshold/engine"
	"github.com/zkatbench/zkatbench/scheme/threshold/frost"
	"github.com/zkatbench/zkatbench/scheme/threshold/secp"
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
	{"robust-presign", 1, codec.Compact, [3]int{40, 600, 22_000}},
	{"robust-presign", 2, codec.Near, [3]int{10, 100, 3_000}},
	{"robust-sign", 1, codec.Compact, [3]int{40, 300, 10_000}},
	{"ot-presign", 2, codec.Compact, [3]int{40, 300, 12_000}},
	{"ot-sign", 2, codec.Compact, [3]int{30, 300, 10_000}},
	{"ot-triples", 1, codec.Compact, [3]int{3, 30, 5_000}},
	{"ot-triples", 1, codec.Near, [3]int{1, 10, 500}},
}

// exception is a message where flipped bits may have another end than an error that
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

// TestFaultyMessagesAreRefused tries faults in the messages of each protocol: each kind for each whole
// message, but few of them where there are hundreds of messages, and flips of a regular sample of bits.
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
				faults := Flips(recording.All(), left)
				left -= len(faults)
				whole := Whole(recording.All())
				n := min(len(whole), nightly.Pick(100, 1000, 10_000))
				if s.name == "ot-triples" {
					n = nightly.Pick(2, 20, n)
				}
				for i := range n {
					faults = append(faults, whole[i*len(whole)/n])
				}
				for _, f := range faults {
					s.try(t, r, f, seen)
				}
			}
			t.Log(seen)
		})
	}
}

// reasons are the errors of bodies that are empty, or that have bytes that are no points or scalars.
var reasons = []error{codec.ErrBody, frost.ErrPoint, frost.ErrScalar, frost.ErrSubgroup, secp.ErrPoint,
	secp.ErrScalar}

// checked are steps with shares that are checked against public values of their sender.
var checked = []string{"share", "e", "alpha, beta"}

func (s scenario) try(t *testing.T, r *suite.Run, f Fault, seen map[string]int) {
	t.Helper()
	verdict, refused, err := Try(r, f)
	require.NoError(t, err)
	seen[verdict.String()]++
	fault := new(engine.Fault)
	switch {
	case f.Kind == Reorder:
		require.Equal(t, Harmless, verdict, "%v: %v", f, refused)
	case verdict != Named:
		require.GreaterOrEqual(t, f.Kind, Ones, "%v: %v", f, refused)
		require.True(t, slices.ContainsFunc(exceptions, func(e exception) bool {
			return e.name == s.name && e.verdict == verdict && e.step.MatchString(f.Message.Step)
		}), "%v: %v: %v", f, verdict, refused)
	case f.Kind >= Empty && slices.Contains(checked, f.Message.Step),
		f.Kind >= Empty && f.Kind < Flip && s.name != "ot-triples":
		require.ErrorAs(t, refused, &fault)
		require.Equal(t, f.Message.From, fault.From, "%v: %v", f, refused)
		require.Equal(t, f.Message.Step, fault.Step, "%v: %v", f, refused)
		require.True(t, f.Kind == Flip || slices.ContainsFunc(reasons, func(reason error) bool {
			return errors.Is(refused, reason)
		}), "%v: %v", f, refused)
	}
}

func TestFaultsAreEnumerated(t *testing.T) {
	messages := []engine.Message{{From: 1, Round: 1, Step: "a", Body: []byte{0}},
		{From: 2, Round: 2, Step: "b", Body: []byte{0, 0}}}
	seen := map[string]bool{}
	for _, f := range append(Flips(messages, 100), Whole(messages)...) {
		seen[f.String()] = true
	}
	require.Len(t, seen, 2*8+24)
	require.Contains(t, seen, "round 2: party 2: b: bit flipped (15)")
	require.Contains(t, seen, "round 1: party 1: a: from a stranger")
}
