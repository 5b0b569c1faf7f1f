package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/zkatbench/zkatbench/runner/flags"
)

// toolAxis is a setting of the tool chain in which the sides of a comparison
// differ.
type toolAxis struct {
	name, variable string    // of the flag, and of the environment; -pgo has no variable
	values         *[]string // empty if the flag is not given
}

// toolAxes declares the flags of settings.
func toolAxes(set *flags.Set) (all []toolAxis) {
	values := flags.Func("two or more values with commas, the first of BASE", parseSides, func(vs []string) string { return strings.Join(vs, ",") })
	for _, a := range []struct{ name, variable, usage string }{
		{"go", "GOTOOLCHAIN", "releases of Go for BASE and HEAD, `go1.26.8,go1.27.1`"},
		{"goamd64", "GOAMD64", "levels of x86-64 for BASE and HEAD, `v1,v3`; a third value is compared with the first too"},
		{"goexperiment", "GOEXPERIMENT", "experiments of the Go runtime and compiler for BASE and HEAD, `none,name`"},
		{"gogc", "GOGC", "GOGC of BASE and HEAD, `100,400`"},
		{"pgo", "", "profiles for the compiler of BASE and HEAD, `off,cpu.pprof`"},
	} {
		all = append(all, toolAxis{a.name, a.variable, flags.One(set, a.name, "", a.usage, values)})
	}
	return all
}

func parseSides(text string) ([]string, error) {
	if text == "" {
		return nil, nil
	}
	vs := strings.Split(text, ",")
	if len(vs) < 2 || slices.Contains(vs, "") {
		return nil, fmt.Errorf("%q is not a list of two values", text)
	}
	return vs, nil
}

// heads returns the number of sides that are compared with BASE: all flags that are
// given have as many values.
func heads(axes []toolAxis) (int, error) {
	several := 0
	for _, a := range axes {
		switch n := len(*a.values); {
		case n == 0:
		case several != 0 && n != several:
			return 0, fmt.Errorf("-%s has %d values, another flag %d: name one for each side", a.name, n, several)
		default:
			several = n
		}
	}
	return max(1, several-1), nil
}

// tools are the settings of one side.
type tools struct {
	env, build []string
	label      string // empty without a setting
}

// toolsOf returns the settings of side i: 0 is BASE.
func toolsOf(axes []toolAxis, i int) (t tools, err error) {
	var labels []string
	for _, a := range axes {
		if len(*a.values) == 0 {
			continue
		}
		value := (*a.values)[i]
		switch {
		case a.variable != "":
			t.env = append(t.env, a.variable+"="+value)
			labels = append(labels, a.variable+"="+value)
		default:
			labels = append(labels, a.name+"="+value)
			if value != "off" && value != "auto" { // the compiler runs in the folder of the side
				if value, err = filepath.Abs(value); err != nil {
					return t, err
				}
			}
			t.build = append(t.build, "-"+a.name+"="+value)
		}
	}
	t.label = strings.Join(labels, " ")
	return t, nil
}
