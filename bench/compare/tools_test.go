package compare_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/compare"
)

func TestSettings(t *testing.T) {
	profile := filepath.Join(t.TempDir(), "cpu.pprof")
	require.NoError(t, os.WriteFile(profile, nil, 0o600))
	level := &compare.Setting{Name: "goamd64", Variable: "GOAMD64", Values: []string{"v1", "v3"}}
	guided := &compare.Setting{Name: "pgo", Values: []string{"off", profile}}
	unset := &compare.Setting{Name: "gogc", Variable: "GOGC"}
	all := []*compare.Setting{level, unset, guided}

	n, err := compare.Heads(all)
	require.NoError(t, err)
	require.Equal(t, 1, n)
	base, err := compare.ToolsOf(all, 0)
	require.NoError(t, err)
	require.Equal(t, compare.Tools{Env: []string{"GOAMD64=v1"}, Build: []string{"-pgo=off"},
		Label: "GOAMD64=v1 pgo=off"}, base)
	head, err := compare.ToolsOf(all, 1)
	require.NoError(t, err)
	require.Equal(t, compare.Tools{Env: []string{"GOAMD64=v3"}, Build: []string{"-pgo=" + profile},
		Label: "GOAMD64=v3 pgo=" + profile}, head)

	n, err = compare.Heads([]*compare.Setting{unset})
	require.NoError(t, err)
	require.Equal(t, 1, n)
	guided.Values = []string{"off", "auto", "absent"}
	_, err = compare.Heads(all)
	require.EqualError(t, err, "-pgo has 3 values, another flag 2: name one for each side")
	_, err = compare.ToolsOf([]*compare.Setting{guided}, 2)
	require.ErrorIs(t, err, os.ErrNotExist)
	require.ErrorContains(t, err, "-pgo: ")
}
