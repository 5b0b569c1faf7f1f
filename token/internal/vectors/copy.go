package vectors

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCopy runs go test with files in place of the module's files at the same paths. It
// does not change the module. It returns the output.
func TestCopy(t *testing.T, files map[string]string, args ...string) string {
	t.Helper()
	dir := t.TempDir()
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	for file, text := range files {
		path, err := filepath.Abs(file)
		require.NoError(t, err)
		overlay.Replace[path] = write(fmt.Sprint(len(overlay.Replace), ".go"), text)
	}
	b, err := json.Marshal(overlay)
	require.NoError(t, err)
	list := write("overlay.json", string(b))
	out, err := exec.Command("go",
		append([]string{"test", "-short", "-vet=off", "-count=1", "-overlay", list},
			args...)...).CombinedOutput()
	require.NoError(t, err, "%s", out)
	return string(out)
}
