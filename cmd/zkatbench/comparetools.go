package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
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
	for _, a := range []struct{ name, variable, value, values, usage string }{
		{"go", "GOTOOLCHAIN", `.+`, "values", "releases of Go for BASE and HEAD, `go1.26.8,go1.27.1`"},
		{"goamd64", "GOAMD64", `v[1-4]`, "levels v1 to v4", "levels of x86-64 for BASE and HEAD, `v1,v3`; a third value is compared with the first too"},
		{"goexperiment", "GOEXPERIMENT", `.+`, "values", "experiments of the Go runtime and compiler for BASE and HEAD, `nosimd,simd`"},
		{"gogc", "GOGC", `\d+|off`, "percentages or off", "GOGC of BASE and HEAD, `100,400`"},
		{"pgo", "", `.+`, "values", "profiles for the compiler of BASE and HEAD, `off,cpu.pprof`"},
	} {
		side := regexp.MustCompile(`^(?:` + a.value + `)$`)
		values := flags.Values[[]string]{
			Allowed: "two or more " + a.values + " with commas, the first of BASE",
			Text:    func(sides []string) string { return strings.Join(sides, ",") },
			Parse: func(text string) ([][]string, bool) {
				if text == "" {
					return [][]string{nil}, true
				}
				sides := strings.Split(text, ",")
				return [][]string{sides}, len(sides) > 1 && !slices.ContainsFunc(sides, func(s string) bool { return !side.MatchString(s) })
			},
		}
		all = append(all, toolAxis{a.name, a.variable, flags.One(set, a.name, "", a.usage, values)})
	}
	return all
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
				if value, err = filepath.Abs(value); err == nil {
					_, err = os.Stat(value)
				}
				if err != nil {
					return t, ofFlag(a.name, err)
				}
			}
			t.build = append(t.build, "-"+a.name+"="+value)
		}
	}
	t.label = strings.Join(labels, " ")
	return t, nil
}
