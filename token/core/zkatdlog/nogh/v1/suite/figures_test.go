package suite_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"text/tabwriter"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner/outfile"
)

// figures are exact results, by case and unit. They do not depend on the
// machine, so any difference is a change of the program.
type figures map[string]map[string]float64

// loadFigures reads a file written by save. A missing file gives empty figures,
// so that the first accepting run creates it.
func loadFigures(path string) (figures, error) {
	b, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return figures{}, nil
	}
	if err != nil {
		return nil, err
	}
	var f figures
	if err := json.Unmarshal(b, &f); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return f, nil
}

// save writes f in a deterministic order.
func (f figures) save(path string) error {
	b, err := json.MarshalIndent(f, "", "\t")
	if err != nil {
		return err
	}
	return outfile.WriteBytes(path, append(b, '\n'))
}

// figureChange is a figure that changed. Nil means that the figure is absent.
type figureChange struct {
	Case, Unit string
	Was, Is    *float64
}

// diff returns the changes, by case and unit.
func diff(was, is figures) (changes []figureChange) {
	for _, name := range bothKeys(was, is) {
		for _, unit := range bothKeys(was[name], is[name]) {
			c := figureChange{name, unit, oneFigure(was, name, unit), oneFigure(is, name, unit)}
			if c.Was == nil || c.Is == nil || *c.Was != *c.Is {
				changes = append(changes, c)
			}
		}
	}
	return changes
}

func oneFigure(f figures, name, unit string) *float64 {
	if v, ok := f[name][unit]; ok {
		return &v
	}
	return nil
}

// bothKeys returns the keys of both maps in order, without duplicates.
func bothKeys[V any](a, b map[string]V) []string {
	all := maps.Clone(b)
	if all == nil {
		all = map[string]V{}
	}
	maps.Copy(all, a)
	return slices.Sorted(maps.Keys(all))
}

// percent is the relative change; empty if one figure is absent or the old one
// was 0.
func (c figureChange) percent() string {
	if c.Was == nil || c.Is == nil || *c.Was == 0 {
		return ""
	}
	return fmt.Sprintf("%+.1f%%", 100*(*c.Is / *c.Was - 1))
}

// changeTable formats changes as text, one on each line.
func changeTable(changes []figureChange) string {
	var b bytes.Buffer
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "case\tunit\twas\tis\tchange")
	for _, c := range changes {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", c.Case, c.Unit, figureText(c.Was), figureText(c.Is), c.percent())
	}
	w.Flush()
	return b.String()
}

func figureText(v *float64) string {
	if v == nil {
		return "-"
	}
	return strconv.FormatFloat(*v, 'f', -1, 64)
}

func TestDiff(t *testing.T) {
	was := figures{"a": {"proof-B": 1000, "msm/op": 4}, "b": {"msm/op": 0}, "gone": {"msm/op": 1}}
	is := figures{"a": {"proof-B": 1100, "msm/op": 4}, "b": {"msm/op": 2}, "new": {"msm/op": 3}}
	changes := diff(was, is)
	require.Equal(t, `case  unit     was   is    change
a     proof-B  1000  1100  +10.0%
b     msm/op   0     2     
gone  msm/op   1     -     
new   msm/op   -     3     
`, changeTable(changes))
	require.Empty(t, diff(was, was))
	require.Len(t, diff(nil, is), 4)
}

func TestFiguresInAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "figures.json")
	none, err := loadFigures(path)
	require.NoError(t, err)
	require.Empty(t, none)
	f := figures{"a": {"proof-B": 1000.5}}
	require.NoError(t, f.save(path))
	back, err := loadFigures(path)
	require.NoError(t, err)
	require.Equal(t, f, back)

	require.NoError(t, os.WriteFile(path, []byte("{"), 0o600))
	_, err = loadFigures(path)
	require.ErrorContains(t, err, path)
	_, err = loadFigures(filepath.Dir(path))
	require.Error(t, err)
}
