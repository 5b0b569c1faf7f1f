package main

import (
	"bytes"
	"flag"
	"fmt"
	gofmt "go/format"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write doc.go anew")

// TestGodocIsTheHelp holds the package's documentation to what the commands say
// of themselves.
func TestGodocIsTheHelp(t *testing.T) {
	var b strings.Builder
	b.WriteString("// Command zkatbench measures, compares and judges Go benchmarks, and answers\n// questions about the engine that go test does not.\n")
	b.WriteString("//\n" + block(t))
	for _, c := range commands {
		fmt.Fprintf(&b, "//\n// # %s\n//\n%s", c.name, block(t, c.name, "-h"))
	}
	b.WriteString("package main\n\n//go:generate go test -run TestGodocIsTheHelp -update\n")
	want, err := gofmt.Source([]byte(b.String()))
	require.NoError(t, err)
	if *update {
		require.NoError(t, os.WriteFile("doc.go", want, 0o600))
	}
	doc, err := os.ReadFile("doc.go")
	require.NoError(t, err)
	require.True(t, bytes.Equal(want, doc), "doc.go is not what the commands say; go generate ./cmd/zkatbench writes it anew")
}

// block is what the command prints, as preformatted text of a comment. The home
// of whoever runs it is theirs.
func block(t *testing.T, args ...string) string {
	var out, complaints bytes.Buffer
	require.Zero(t, run(t.Context(), args, streams{out: &out, err: &complaints}), complaints.String())
	text := strings.ReplaceAll(out.String(), strings.TrimSuffix(defaultCosts(), "/zkatbench/costs.json"), "~/.cache")
	text = strings.ReplaceAll(text, "    \t", "    ")
	var b strings.Builder
	for line := range strings.Lines(strings.Trim(text, "\n")) {
		b.WriteString(strings.TrimRight("//\t"+strings.TrimRight(line, " \n"), "\t") + "\n")
	}
	return b.String()
}
