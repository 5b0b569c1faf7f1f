package cost

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/zkatbench/zkatbench/runner/outfile"
)

// format changes when older files would be misread.
const format = 3

// File contains costs by the name of the curve.
type File struct {
	Format int               `json:"format"`
	Curves map[string]*Costs `json:"curves"`
}

// ErrNoCosts reports a file without costs of a curve on a machine.
var ErrNoCosts = errors.New("no unit costs")

// errNoFile reports JSON of another kind.
var errNoFile = errors.New("not a file of unit costs")

// Load reads a file written by Save; a file of another version is read as empty, and JSON without costs
// is an error, because a command would replace it.
func Load(path string) (*File, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	f := new(File)
	if err := json.Unmarshal(b, f); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if f.Format == 0 && f.Curves == nil {
		return nil, fmt.Errorf("%s: %w", path, errNoFile)
	}
	if f.Format != format {
		return &File{Curves: map[string]*Costs{}}, nil
	}
	return f, nil
}

// Save writes f, and creates its folder if necessary.
func (f *File) Save(path string) error {
	f.Format = format
	b, err := json.MarshalIndent(f, "", "\t")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return outfile.WriteBytes(path, append(b, '\n'))
}

// Of returns the costs of a curve, or ErrNoCosts if the file lacks costs for machine.
func (f *File) Of(curve, machine string) (*Costs, error) {
	if c := f.Curves[curve]; c != nil && c.Machine == machine {
		return c, nil
	}
	return nil, fmt.Errorf("%w of %s on %s", ErrNoCosts, curve, machine)
}

// Keep writes the costs of a curve to a file, which it makes if there is none, beside the
// costs of other curves.
func Keep(path, curve string, c *Costs) error {
	f, err := Load(path)
	if errors.Is(err, fs.ErrNotExist) {
		f, err = &File{Curves: map[string]*Costs{}}, nil
	}
	if err != nil {
		return err
	}
	f.Curves[curve] = c
	return f.Save(path)
}
