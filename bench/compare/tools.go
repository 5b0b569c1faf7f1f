package compare

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Tools are settings of the tool chain for one side.
type Tools struct {
	Env   []string // variables of go and of the binaries
	Build []string // flags of go build
	Label string   // names the settings; empty without one
}

// Setting is a setting of the tool chain that differs between the sides of a comparison.
type Setting struct {
	Name     string   // of the flag
	Variable string   // of the environment; a flag of go build has none
	Values   []string // of BASE and of each HEAD; empty: not set
}

// Heads returns the number of sides that are compared with BASE. All settings that have
// values have as many.
func Heads(settings []*Setting) (int, error) {
	several := 0
	for _, s := range settings {
		switch n := len(s.Values); {
		case n == 0:
		case several != 0 && n != several:
			return 0,
				fmt.Errorf("-%s has %d values, another flag %d: name one for each side", s.Name, n, several)
		default:
			several = n
		}
	}
	return max(1, several-1), nil
}

// ToolsOf returns the settings of side i: 0 is BASE.
func ToolsOf(settings []*Setting, i int) (t Tools, err error) {
	var labels []string
	for _, s := range settings {
		if len(s.Values) == 0 {
			continue
		}
		value := s.Values[i]
		switch {
		case s.Variable != "":
			t.Env = append(t.Env, s.Variable+"="+value)
			labels = append(labels, s.Variable+"="+value)
		default:
			labels = append(labels, s.Name+"="+value)
			if value != "off" && value != "auto" { // the compiler runs in the folder of the side
				value, err = filepath.Abs(value)
				if err == nil {
					_, err = os.Stat(value)
				}
				if err != nil {
					return t, fmt.Errorf("-%s: %w", s.Name, err)
				}
			}
			t.Build = append(t.Build, "-"+s.Name+"="+value)
		}
	}
	t.Label = strings.Join(labels, " ")
	return t, nil
}
