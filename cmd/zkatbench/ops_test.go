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

func try(args ...string) (out, complaints string, exit int) {
	var o, c bytes.Buffer
	exit = run(context.Background(), args, streams{out: &o, err: &c})
	return o.String(), c.String(), exit
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
		"-num_outputs=1,2", "-costs="+file)
	require.Zero(t, exit, complaints)
	for _, want := range []string{
		"Sender/bits=16/curve=BN254/inputs=2/outputs=1",
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
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"fly"}, "zkatbench: \"fly\" is not a command; zkatbench help lists the commands\n"},
		{[]string{"ops", "-bits=0"}, "zkatbench: ops: -bits: \"0\" is not one of 16, 32, 64\n"},
		{[]string{"ops", "-nothing"}, "zkatbench: ops: there is no flag -nothing\n"},
		{[]string{"costs", "-duration=-1s"},
			"zkatbench: costs: -duration: \"-1s\" is not a positive duration such as 500ms, 10s or 1m\n"},
		{[]string{"costs", "-costs="}, "zkatbench: costs: -costs: \"\" is not the name of a file\n"},
		{[]string{"costs", "BN254"},
			"zkatbench: costs: \"BN254\" is not an operation; zkatbench list shows them\n"},
	} {
		out, complaints, exit := try(c.args...)
		require.Equal(t, c.want, complaints)
		require.Empty(t, out)
		require.Equal(t, 2, exit)
	}
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

func TestHelp(t *testing.T) {
	for _, args := range [][]string{{"help"}, {"help", "ops"}, {"ops", "-h"}} {
		out, complaints, exit := try(args...)
		require.NotEmpty(t, out)
		require.Empty(t, complaints)
		require.Zero(t, exit)
	}
}
