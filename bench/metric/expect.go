package metric

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"text/tabwriter"

	"github.com/zkatbench/zkatbench/runner/outfile"
)

// Figures are exact results, by case and unit. They do not depend on the
// machine, so any difference is a change of the program.
type Figures map[string]map[string]float64

// LoadFigures reads a file written by Save. A missing file gives empty figures,
// so that the first accepting run creates it.
func LoadFigures(path string) (Figures, error) {
	b, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return Figures{}, nil
	}
	if err != nil {
		return nil, err
	}
	var f Figures
	if err := json.Unmarshal(b, &f); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return f, nil
}

// Save writes f in a deterministic order.
func (f Figures) Save(path string) error {
	b, err := json.MarshalIndent(f, "", "\t")
	if err != nil {
		return err
	}
	return outfile.WriteBytes(path, append(b, '\n'))
}

// Change is a figure that changed. Nil means that the figure is absent.
type Change struct {
	Case, Unit string
	Was, Is    *float64
}

// Diff returns the changes, by case and unit.
func Diff(was, is Figures) (changes []Change) {
	for _, name := range keys(was, is) {
		for _, unit := range keys(was[name], is[name]) {
			c := Change{name, unit, figure(was, name, unit), figure(is, name, unit)}
			if c.Was == nil || c.Is == nil || *c.Was != *c.Is {
				changes = append(changes, c)
			}
		}
	}
	return changes
}

func figure(f Figures, name, unit string) *float64 {
	if v, ok := f[name][unit]; ok {
		return &v
	}
	return nil
}

// keys returns the keys of both maps in order, without duplicates.
func keys[V any](a, b map[string]V) []string {
	all := maps.Clone(b)
	if all == nil {
		all = map[string]V{}
	}
	maps.Copy(all, a)
	return slices.Sorted(maps.Keys(all))
}

// Percent is the relative change; empty if one figure is absent or the old one
// was 0.
func (c Change) Percent() string {
	if c.Was == nil || c.Is == nil || *c.Was == 0 {
		return ""
	}
	return fmt.Sprintf("%+.1f%%", 100*(*c.Is / *c.Was - 1))
}

// Table formats changes as text, one on each line.
func Table(changes []Change) string {
	var b bytes.Buffer
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "case\tunit\twas\tis\tchange")
	for _, c := range changes {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", c.Case, c.Unit, text(c.Was), text(c.Is), c.Percent())
	}
	w.Flush()
	return b.String()
}

func text(v *float64) string {
	if v == nil {
		return "-"
	}
	return strconv.FormatFloat(*v, 'f', -1, 64)
}
