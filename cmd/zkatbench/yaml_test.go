package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestYAMLIsReadAsFlags(t *testing.T) {
	names := []string{"rate", "owner", "audited", "mix", "p99", "retention"}
	text := "rate: 800\nowner: [x509, idemix]\naudited: true\nmix: [transfer=0.9, issue=0.1]\np99: " +
		"250ms\nretention: 365d\n"
	read, err := readYAML(strings.NewReader(text), names)
	require.NoError(t, err)
	require.Equal(t,
		[]string{"-audited=true", "-mix=transfer=0.9,issue=0.1", "-owner=x509,idemix", "-p99=250ms",
			"-rate=800", "-retention=365d"}, read)
	for text, complaint := range map[string]string{
		"raet: 800":         `there is no setting raet; did you mean rate?`,
		"rate: 1\nrate: 2":  "already defined",
		"- rate":            "yaml: ",
		"rate: {a: 1}":      "rate is a value, or a list of values",
		"rate: [[1]]":       "rate is a value, or a list of values",
		"rate:":             "rate is a value, or a list of values",
		"rate: [":           "yaml: ",
		"rate: 1\n\tpeak: ": "yaml: ",
	} {
		t.Run(text, func(t *testing.T) {
			_, err := readYAML(strings.NewReader(text), names)
			require.ErrorContains(t, err, complaint, text)
			require.NotContains(t, err.Error(), "\n")
		})
	}
	read, err = readYAML(strings.NewReader(""), names)
	require.NoError(t, err)
	require.Empty(t, read)
}

// FuzzReadYAML: a file is refused with one line, or read.
func FuzzReadYAML(f *testing.F) {
	f.Add("rate: 800\nowner: [x509, idemix]\n")
	f.Add("rate: &a [1, 2]\npeak: *a\n")
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := readYAML(strings.NewReader(text), []string{"rate", "peak", "owner"}); err != nil {
			require.NotContains(t, err.Error(), "\n")
		}
	})
}
