package cost_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/count/cost"
)

// TestKeep: costs of one curve leave the costs of others in their file.
func TestKeep(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new folder", "costs.json")
	require.NoError(t, cost.Keep(path, "a", &cost.Costs{Machine: "first"}))
	require.NoError(t, cost.Keep(path, "b", &cost.Costs{Machine: "second"}))
	require.NoError(t, cost.Keep(path, "a", &cost.Costs{Machine: "third"}))
	f, err := cost.Load(path)
	require.NoError(t, err)
	require.Len(t, f.Curves, 2)
	require.Equal(t, "third", f.Curves["a"].Machine)
	require.Equal(t, "second", f.Curves["b"].Machine)

	require.NoError(t, os.WriteFile(path, []byte("{"), 0o600))
	require.Error(t, cost.Keep(path, "a", &cost.Costs{}))
}
