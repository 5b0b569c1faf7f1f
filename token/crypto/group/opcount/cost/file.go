package cost

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
)

// File is what a machine was measured to take, by the name of the curve.
type File struct {
	Machine string            `json:"machine"`
	Date    string            `json:"date"`
	Curves  map[string]*Costs `json:"curves"`
}

// ErrNoCosts says that a file has no costs of a curve.
var ErrNoCosts = errors.New("no unit costs")

// Load reads a file that Save wrote.
func Load(path string) (*File, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	f := new(File)
	if err := json.Unmarshal(b, f); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return f, nil
}

// Save writes f.
func (f *File) Save(path string) error {
	b, err := json.MarshalIndent(f, "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(b, '\n'), 0o644)
}

// Of returns the costs of a curve, ErrNoCosts if there are none.
func (f *File) Of(curve string) (*Costs, error) {
	if c := f.Curves[curve]; c != nil {
		return c, nil
	}
	return nil, fmt.Errorf("%w of %s", ErrNoCosts, curve)
}
