package main // a program has no exported names

import (
	"testing"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
)

// TestDistances: a imports b, which imports c; the tests of t import c, and u imports t.
func TestDistances(t *testing.T) {
	all := []pkg{
		{ImportPath: "a", Imports: []string{"fmt", "b"}}, {ImportPath: "b", Imports: []string{"c"}},
		{ImportPath: "c", Dir: "/c"}, {ImportPath: "d", Dir: "/d"},
		{ImportPath: "t", XTestImports: []string{"c"}}, {ImportPath: "u", Imports: []string{"t"}},
		{ImportPath: "v", Imports: []string{"a"}, TestImports: []string{"c"}},
	}
	require.Equal(t, map[string]int{"a": 2, "b": 1, "c": 0, "t": 1, "v": 1},
		distances(all, map[string]bool{"/c": true}))
	require.Empty(t, distances(all, nil))
}
