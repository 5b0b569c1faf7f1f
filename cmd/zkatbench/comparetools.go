package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/zkatbench/zkatbench/runner/flags"
)

// toolAxis is a setting of the tool chain in which the sides of a comparison
// differ.
type toolAxis struct {
	name, variable string // of the flag, and of the environment; -pgo has no variable
	values         *[2]string
}

// toolAxes declares the flags of settings.
func toolAxes(set *flags.Set) (all []toolAxis) {
	pairs := flags.Func("two values with a comma, of BASE and HEAD", parsePair, func(p [2]string) string { return strings.Join(p[:], ",") })
	for _, a := range []struct{ name, variable, usage string }{
		{"go", "GOTOOLCHAIN", "releases of Go for BASE and HEAD, `go1.26.8,go1.27.1`"},
		{"goamd64", "GOAMD64", "levels of x86-64 for BASE and HEAD, `v1,v3`"},
		{"goexperiment", "GOEXPERIMENT", "experiments of the Go runtime and compiler for BASE and HEAD, `none,name`"},
		{"gogc", "GOGC", "GOGC of BASE and HEAD, `100,400`"},
		{"pgo", "", "profiles for the compiler of BASE and HEAD, `off,cpu.pprof`"},
	} {
		all = append(all, toolAxis{a.name, a.variable, flags.One(set, a.name, "", a.usage, pairs)})
	}
	return all
}

func parsePair(text string) (p [2]string, err error) {
	base, head, found := strings.Cut(text, ",")
	switch {
	case text == "":
		return p, nil
	case !found || base == "" || head == "" || strings.Contains(head, ","):
		return p, fmt.Errorf("%q is no pair", text)
	}
	return [2]string{base, head}, nil
}

// tools are the settings of one side.
type tools struct {
	env, build []string
	label      string // empty if nothing is set
}

// toolsOf returns the settings of side i.
func toolsOf(axes []toolAxis, i int) (t tools, err error) {
	var labels []string
	for _, a := range axes {
		value := a.values[i]
		switch {
		case value == "":
			continue
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
