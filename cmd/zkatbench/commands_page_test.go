package main

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPageNamesEveryCommand compares the table of docs/commands.md with the commands.
func TestPageNamesEveryCommand(t *testing.T) {
	page, err := os.ReadFile("../../docs/commands.md")
	require.NoError(t, err)
	_, table, found := strings.Cut(string(page), "\n| command | purpose |\n")
	require.True(t, found)
	table, _, _ = strings.Cut(table, "\n\n")
	var named, there []string
	for row := range strings.Lines(table) {
		cells := strings.Split(row, "|")
		require.Len(t, cells, 4, row)
		for _, m := range regexp.MustCompile("`([a-z0-9]+)`").FindAllStringSubmatch(cells[1], -1) {
			named = append(named, m[1])
		}
	}
	for _, l := range lines(streams{}) {
		there = append(there, l.name)
	}
	require.ElementsMatch(t, there, named)
}
