package metric_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/metric"
	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
)

func TestDiff(t *testing.T) {
	was := metric.Figures{"a": {"proof-B": 1000, "msm/op": 4}, "b": {"msm/op": 0}, "gone": {"msm/op": 1}}
	is := metric.Figures{"a": {"proof-B": 1100, "msm/op": 4}, "b": {"msm/op": 2}, "new": {"msm/op": 3}}
	changes := metric.Diff(was, is)
	require.Equal(t, `case  unit     was   is    change
a     proof-B  1000  1100  +10.0%
b     msm/op   0     2     
gone  msm/op   1     -     
new   msm/op   -     3     
`, metric.Table(changes))
	require.Empty(t, metric.Diff(was, was))
	require.Len(t, metric.Diff(nil, is), 4)
}

func TestFiguresInAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "figures.json")
	none, err := metric.LoadFigures(path)
	require.NoError(t, err)
	require.Empty(t, none)
	f := metric.Figures{"a": {"proof-B": 1000.5}}
	require.NoError(t, f.Save(path))
	back, err := metric.LoadFigures(path)
	require.NoError(t, err)
	require.Equal(t, f, back)

	require.NoError(t, os.WriteFile(path, []byte("{"), 0o600))
	_, err = metric.LoadFigures(path)
	require.ErrorContains(t, err, path)
	_, err = metric.LoadFigures(filepath.Dir(path))
	require.Error(t, err)
}
