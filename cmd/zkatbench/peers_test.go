package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/result"
)

// TestProgramsThatCannotBeHad are named with their reasons, and no error.
func TestProgramsThatCannotBeHad(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	var progress bytes.Buffer
	peers, absent, stop := startPrograms(context.Background(), peerPrograms, t.TempDir(), "", &progress)
	stop()
	require.Empty(t, peers)
	require.Len(t, absent, len(peerPrograms))
	require.Contains(t, absent[1], `peer-absent-bulletproofs: cargo: exec: "cargo": executable file not found`)
	for _, line := range absent {
		require.Contains(t, progress.String(), line+"\n")
	}

	t.Chdir(t.TempDir())
	_, absent, stop = startPrograms(context.Background(), peerPrograms, t.TempDir(), "library=gnark", &progress)
	stop()
	require.Equal(t, []string{"peer-absent-gnark: " + errNoClone.Error()}, absent)
}

func TestPeersArePinned(t *testing.T) {
	versions := strings.Join(peerVersions(), "\n")
	for _, line := range []string{"peer-gnark: 0.16.0", "peer-bulletproofs: 5.0.0", "peer-tari_bulletproofs_plus: 0.5.3", "peer-bp-pp: 0.1.1", "peer-monero-bulletproofs: 0.1.0", "peer-solana-zk-sdk: 8.1.0"} {
		require.Contains(t, versions, line)
	}
	folder, err := peersFolder()
	require.NoError(t, err)
	for _, p := range peerPrograms {
		if p.rust == "" {
			continue
		}
		manifest, err := os.ReadFile(filepath.Join(folder, "rust", p.rust, "Cargo.toml"))
		require.NoError(t, err)
		_, list, _ := strings.Cut(string(manifest), "[dependencies]\n")
		list, _, _ = strings.Cut(list, "\n\n")
		for line := range strings.SplitSeq(list, "\n") {
			require.Contains(t, line, `"=`, "%s: a dependency without an exact version", p.name)
		}
	}
}

// TestPeersTakeTurns: each round has one line for each operation and peer.
func TestPeersTakeTurns(t *testing.T) {
	var order []string
	named := func(name string, batch bool) peer {
		return peer{name: name, facts: []string{"7 proof-B"}, batch: batch, time: func(op string, count int) (time.Duration, error) {
			order = append(order, op+" "+name)
			return time.Duration(count) * 50 * time.Millisecond, nil
		}}
	}
	var out bytes.Buffer
	require.NoError(t, race(context.Background(), &out, 2, []peer{named("a", true), named("b", false)}, []string{"peer-absent-c: reason"}))
	require.Equal(t, []string{"prove a", "prove b", "verify a", "verify b", "batch a"}, order[len(order)-5:])
	require.Len(t, order, 3*5, "two rounds and a warm-up")
	require.Contains(t, out.String(), "peer-absent-c: reason\n")
	require.Contains(t, out.String(), "BenchmarkPeers/op=prove/b \t      10\t    50000000 cpu-ns/op\t7 proof-B\n")
	require.Contains(t, out.String(), "BenchmarkPeers/op=batch/a \t      64\t    50000000 cpu-ns/op\n")

	ctx, stop := context.WithCancel(context.Background())
	stop()
	require.ErrorIs(t, race(ctx, &out, 1, []peer{named("a", false)}, nil), errInterrupted)
	failing := peer{name: "f", time: func(string, int) (time.Duration, error) { return 0, errors.New("refused") }}
	require.EqualError(t, race(context.Background(), &out, 1, []peer{failing}, nil), "zkatbench: peers: f: refused")
	require.ErrorIs(t, race(context.Background(), &out, 1, nil, nil), errUsage)
}

// TestServePeers asks the command's own cases as a program does.
func TestServePeers(t *testing.T) {
	const name = "statement=transfer/library=zkatbench/system=v2/curve=BN254"
	var out bytes.Buffer
	require.NoError(t, servePeers(strings.NewReader("prove 2 "+name+"\nbatch 64 "+name+"\n"), &out, name))
	require.Regexp(t, `^case `+name+` batch=yes( proof-B=1409| key-B=\d+){2}\nready\n\d+\n\d+\n$`, out.String())
	require.ErrorContains(t, servePeers(strings.NewReader("prove 0 "+name), &out, name), "is not OPERATION COUNT NAME")
	require.ErrorContains(t, servePeers(strings.NewReader("prove 1 other"), &out, name), `no case "other"`)
}

func TestOurPeers(t *testing.T) {
	peers, err := ourPeers("system=v2/curve=BN254")
	require.NoError(t, err)
	require.Len(t, peers, 1)
	require.NotEmpty(t, peers[0].facts)
	for _, op := range []string{"prove", "verify", "batch"} {
		elapsed, err := peers[0].time(op, 1)
		require.NoError(t, err)
		require.Positive(t, elapsed, op)
	}
	ranges, err := ourPeers("system=v1-csp/values=1/curve=BN254")
	require.NoError(t, err)
	require.Len(t, ranges, 1)
	_, err = ranges[0].time("batch", peerBatch)
	require.NoError(t, err)
}

// TestAlternativesPage holds the tables and pictures of the page to the kept file.
func TestAlternativesPage(t *testing.T) {
	docs := filepath.Join("..", "..", "docs")
	pictures := t.TempDir()
	var tables bytes.Buffer
	require.NoError(t, peerPage(&tables, filepath.Join(docs, "results", "alternatives.txt"), pictures))
	page, err := os.ReadFile(filepath.Join(docs, "alternatives.md"))
	require.NoError(t, err)
	require.Contains(t, string(page), tables.String(), "go run ./cmd/zkatbench peers -from docs/results/alternatives.txt -o docs")
	for _, name := range []string{"alternatives-prove.svg", "alternatives-verify.svg"} {
		want, err := os.ReadFile(filepath.Join(pictures, name))
		require.NoError(t, err)
		got, err := os.ReadFile(filepath.Join(docs, name))
		require.NoError(t, err)
		require.Equal(t, string(want), string(got), name)
	}
	pairs, err := result.ParseRenames("@" + filepath.Join(docs, "results", "reference-pairs.txt"))
	require.NoError(t, err)
	require.Len(t, pairs, 8)
	require.ErrorIs(t, peerPage(&tables, filepath.Join(docs, "alternatives.md"), ""), errUsage)
}
