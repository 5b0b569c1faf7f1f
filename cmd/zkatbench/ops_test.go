package main

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/runner/drive"
)

// try runs a command line in this process.
func try(args ...string) (out, complaints string, exit int) {
	var o, c bytes.Buffer
	exit = run(context.Background(), args, streams{in: strings.NewReader(""), out: &o, err: &c})
	return o.String(), c.String(), exit
}

// refuses runs command lines that must end with a status of failure and one line that contains a
// complaint, and print nothing.
func refuses(t *testing.T, complaintOf map[string]string) {
	t.Helper()
	for line, want := range complaintOf {
		t.Run(line, func(t *testing.T) {
			out, complaints, exit := try(strings.Fields(line)...)
			require.True(t, strings.HasPrefix(complaints, "zkatbench: "), complaints)
			require.Contains(t, complaints, want)
			require.Equal(t, 1, strings.Count(complaints, "\n"), complaints)
			require.Equal(t, failed, exit, complaints)
			require.Empty(t, out)
		})
	}
}

func TestOps(t *testing.T) {
	file := filepath.Join(t.TempDir(), "new folder", "costs.json")
	out, complaints, exit := try("costs", "-nolock", "-curves=BN254", "-duration=1us", "-costs="+file)
	require.Zero(t, exit, complaints)
	require.Contains(t, out, "BN254/native")
	require.Contains(t, out, "fixed-msm, table of 70 points")

	out, complaints, exit = try("ops", "-nolock", "-op=Issuer", "-bits=16", "-curves=BN254", "-costs="+file)
	require.Zero(t, exit, complaints)
	require.Equal(t, 1, strings.Count(out, "\npredicted "), out)
	if testing.Short() {
		return // all operations take long
	}
	out, complaints, exit = try("ops", "-nolock", "-bits=16", "-curves=BN254", "-duration=1us",
		"-num_outputs=2", "-costs="+file)
	require.Zero(t, exit, complaints)
	for _, want := range []string{
		"Sender/bits=16/curve=BN254/inputs=2/outputs=2",
		"VerificationSenderProof/bits=16/curve=BN254/inputs=2/outputs=2", "ValidatorIssue/bits=16",
		"unit costs: ",
		"Issuer/bits=16/curve=BN254/outputs=2", "range proof", "type and sum", "total double", "predicted",
		"ratio", "100.0%",
	} {
		require.Contains(t, out, want)
	}
	require.NotContains(t, out, "not predicted")
}

func TestOpsAsBenchmarks(t *testing.T) {
	out, complaints, exit := try("ops", "-format=bench", "-op=Sender", "-bits=16,32", "-curves=BN254")
	require.Zero(t, exit, complaints)
	d := result.NewData()
	require.NoError(t, d.Read(strings.NewReader(out), "ops"))
	require.Greater(t, len(d.Cases), 2*3, "phases of two cases")
	for _, k := range d.Cases {
		require.Regexp(t, `^Sender/bits=(16|32)/curve=BN254/inputs=2/outputs=2/phase=\S+$`, k.Name)
	}
	require.Equal(t, "exact", d.Meta.Get("point-add/op", "assume").Value)
}

func TestBadCommandLines(t *testing.T) {
	const notOne = " is not an operation; zkatbench list shows them"
	refuses(t, map[string]string{
		"fly":          "\"fly\" is not a command; zkatbench help lists the commands\n",
		"ops -bits=0":  "ops: -bits: \"0\" is not one of 16, 32, 64\n",
		"ops -nothing": "ops: there is no flag -nothing\n",
		"costs -duration=-1s": "costs: -duration: \"-1s\" is not a positive duration such as 500ms, 10s or " +
			"1m\n",
		"costs -costs=":                     "costs: -costs: \"\" is not the name of a file\n",
		"costs BN254":                       "costs: \"BN254\"" + notOne + "\n",
		"ops -op=Send":                      "ops: -op: \"Send\"" + notOne + "\n",
		"ops -op=Sender,Sendr":              "ops: -op: \"Sendr\"" + notOne + "; did you mean Sender?\n",
		"ops Send -curves=BN254":            "ops: \"Send\"" + notOne + "\n",
		"ops Sender -messages=1":            "ops: there is no flag -messages\n",
		"run Sendr":                         "run: \"Sendr\"" + notOne + "; did you mean Sender?\n",
		"run ct/Sender":                     "run: \"ct/Sender\"" + notOne + "; did you mean Sender?\n",
		"inside Sendr -what=time":           "inside: \"Sendr\"" + notOne + "; did you mean Sender?\n",
		"inside ct/Sender -what=time":       "inside: \"ct/Sender\"" + notOne + "; did you mean Sender?\n",
		"list x":                            "list: ",
		"ps18":                              "ps18: ",
		"ps18 verify":                       "ps18 verify: ",
		"ps18 verify a b":                   "ps18 verify: ",
		"ps18 verify no-such-file":          "ps18 verify: ",
		"shots -nolock PS18Verify -forks=0": "shots: -forks: \"0\" is not a number from 1 to 1000\n",
		"shots -nolock PS18Verify -skip=[":  "shots: -skip: \"[\" is not a regular expression\n",
		"shots -nolock PS18Verify -skip=.":  "shots: -skip leaves no case\n",
		"shots -nolock PS18Verify -inputs=cold": "shots: -inputs: \"cold\" is not one of reuse, fresh, " +
			"decode\n",
		"shots -nolock PS18Verify Sender": "shots: PS18Verify is an operation of ps18 and Sender of token: " +
			"name operations of one subject at a time\n",
		"score -unit=fast a":    "score: -unit: \"fast\" is not one of avgt, thrpt\n",
		"score -format=xml a":   "score: -format: \"xml\" is not one of text, json\n",
		"score -unit=avgt":      "score: name files or packages, as in zkatbench score bench.txt\n",
		"score -unit=avgt none": "score: open none: no such file or directory\n",
	})
}

func TestInterrupted(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, name := range []string{"costs", "ops"} {
		var out, complaints bytes.Buffer
		require.Equal(t, interrupted,
			run(ctx, []string{name, "-costs=" + filepath.Join(t.TempDir(), "costs.json")},
				streams{out: &out, err: &complaints}))
		require.Empty(t, out.String())
		require.Contains(t, complaints.String(), "interrupted")
		// Nothing holds the lock of the machine, which has its own folder here.
		wait, stop := context.WithTimeout(context.Background(), time.Minute)
		unlock, err := drive.Lock(wait, nil)
		stop()
		require.NoError(t, err)
		unlock()
	}
}

// TestHelpIsShort checks that measuring takes nine commands at most.
func TestHelpIsShort(t *testing.T) {
	out, _, _ := try("help")
	require.Len(t, headings, 4)
	require.LessOrEqual(t, len(headings[0].lines), 9)
	for _, h := range headings {
		require.Contains(t, out, "\n"+h.title+"\n")
	}
}
