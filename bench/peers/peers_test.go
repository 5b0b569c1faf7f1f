package peers // start and race are private: most other systems cannot be built here

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/internal/nightly"
	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
)

// TestProgramsThatCannotBeHad are named with their reasons, and no error.
func TestProgramsThatCannotBeHad(t *testing.T) {
	tools := t.TempDir()
	for _, name := range []string{"bash", "dirname", "grep", "mkdir", "sed", "tail", "env"} {
		path, err := exec.LookPath(name)
		require.NoError(t, err)
		require.NoError(t, os.Symlink(path, filepath.Join(tools, name)))
	}
	t.Setenv("PATH", tools)
	var progress bytes.Buffer
	peers, config, stop, err := start(t.Context(), t.TempDir(), "", &progress)
	stop()
	require.NoError(t, err)
	require.Empty(t, peers)
	text := strings.Join(config, "\n")
	require.Equal(t, 7, strings.Count(text, "peer-absent-"), text)
	require.Regexp(t, `peer-absent-bulletproofs: .*cargo.*No such file`, text)
	require.Contains(t, progress.String(), "peers: building gnark\n")
	for _, line := range []string{"peer-gnark: 0.16.0", "peer-bulletproofs: 5.0.0",
		"peer-tari_bulletproofs_plus: 0.5.3", "peer-bp-pp: 0.1.1", "peer-monero-bulletproofs: 0.1.0",
		"peer-solana-zk-sdk: 8.1.0"} {
		require.Contains(t, config, line)
	}

	t.Chdir(t.TempDir())
	_, _, _, err = start(t.Context(), t.TempDir(), "", &progress)
	require.ErrorIs(t, err, ErrNoClone)
}

func TestPeersArePinned(t *testing.T) {
	manifests, err := filepath.Glob("../../peers/rust/*/Cargo.toml")
	require.NoError(t, err)
	require.Len(t, manifests, 5)
	for _, name := range manifests {
		manifest, err := os.ReadFile(name)
		require.NoError(t, err)
		_, list, _ := strings.Cut(string(manifest), "[dependencies]\n")
		list, _, _ = strings.Cut(list, "\n\n")
		for line := range strings.SplitSeq(list, "\n") {
			require.Contains(t, line, `"=`, "%s: a dependency without an exact version", name)
		}
	}
}

// TestPeersTakeTurns: each round has one line for each operation and peer.
func TestPeersTakeTurns(t *testing.T) {
	var order []string
	named := func(name string, batch bool) peer {
		return peer{name: name, facts: []string{"7 proof-B"}, batch: batch,
			time: func(op string, count int) (time.Duration, error) {
				order = append(order, op+" "+name)
				return time.Duration(count) * 50 * time.Millisecond, nil
			}}
	}
	var out bytes.Buffer
	require.NoError(t,
		race(context.Background(), &out, 2, []peer{named("a", true), named("b", false)},
			[]string{"peer-absent-c: reason"}))
	require.Equal(t, []string{"prove a", "prove b", "verify a", "verify b", "batch a"}, order[len(order)-5:])
	require.Len(t, order, 3*5, "two rounds and a warm-up")
	require.Contains(t, out.String(), "peer-absent-c: reason\n")
	require.Contains(t, out.String(),
		"BenchmarkPeers/op=prove/b \t      10\t    50000000 cpu-ns/op\t7 proof-B\n")
	require.Contains(t, out.String(), "BenchmarkPeers/op=batch/a \t      64\t    50000000 cpu-ns/op\n")

	ctx, stop := context.WithCancel(context.Background())
	stop()
	require.ErrorIs(t, race(ctx, &out, 1, []peer{named("a", false)}, nil), context.Canceled)
	failing := peer{name: "f", time: func(string, int) (time.Duration, error) {
		return 0, errors.New("refused")
	}}
	require.EqualError(t, race(context.Background(), &out, 1, []peer{failing}, nil), "f: refused")
	require.ErrorContains(t, race(context.Background(), &out, 1, nil, nil), "-only")
}

// TestOurPeers builds our program, and measures a case of each kind.
func TestOurPeers(t *testing.T) {
	folder := t.TempDir()
	cases := []struct{ name, bytes string }{
		{"statement=ranges/library=zkatbench/system=v1-csp/values=1/curve=BN254", "2082 proof-B"},
		{"statement=transfer/library=zkatbench/system=v2/curve=BN254", "1409 proof-B"},
	}
	for _, c := range cases[:nightly.Pick(1, 2, 2)] {
		t.Run(c.name, func(t *testing.T) {
			peers, _, stop, err := start(t.Context(), folder, c.name, io.Discard)
			require.NoError(t, err)
			defer stop()
			require.Len(t, peers, 1)
			require.Contains(t, peers[0].facts, c.bytes)
			for _, op := range peers[0].operations() {
				elapsed, err := peers[0].time(op, warmCount(op))
				require.NoError(t, err)
				require.Positive(t, elapsed, op)
			}
			_, err = peers[0].time("sign", 1)
			require.Error(t, err)
		})
	}
}

// TestAlternativesPage holds the tables and pictures of the page to the kept file.
func TestAlternativesPage(t *testing.T) {
	docs := filepath.Join("..", "..", "docs")
	pictures := t.TempDir()
	tables, err := exec.Command("../../peers/page", filepath.Join(docs, "results", "alternatives.txt"),
		pictures).Output()
	require.NoError(t, err)
	page, err := os.ReadFile(filepath.Join(docs, "alternatives.md"))
	require.NoError(t, err)
	require.Contains(t, string(page), string(tables), "peers/page docs/results/alternatives.txt docs")
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
	require.Error(t, exec.Command("../../peers/page", filepath.Join(docs, "alternatives.md")).Run())
}
