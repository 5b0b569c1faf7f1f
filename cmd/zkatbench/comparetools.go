package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/zkatbench/zkatbench/bench/compare"
	"github.com/zkatbench/zkatbench/runner/flags"
)

// toolAxis is a setting of the tool chain that differs between the sides of a
// comparison.
type toolAxis struct {
	name, variable string   // of the flag, and of the environment; -pgo has no variable
	values         []string // empty if the flag is not given
}

// toolAxes declares the flags of settings.
func toolAxes(set *flags.Set) (all []*toolAxis) {
	for _, a := range []struct{ name, variable, value, values string }{
		{name: "go", variable: "GOTOOLCHAIN", value: `.+`, values: "values"},
		{name: "goamd64", variable: "GOAMD64", value: `v[1-4]`, values: "levels v1 to v4"},
		{name: "goexperiment", variable: "GOEXPERIMENT", value: `.+`, values: "values"},
		{name: "gogc", variable: "GOGC", value: `\d+|off`, values: "percentages or off"},
		{name: "pgo", value: `.+`, values: "values"},
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
				return [][]string{sides}, len(sides) > 1 &&
					!slices.ContainsFunc(sides, func(s string) bool { return !side.MatchString(s) })
			},
		}
		axis := &toolAxis{name: a.name, variable: a.variable}
		flags.Into(set, &axis.values, a.name, "", "", values)
		all = append(all, axis)
	}
	return all
}

// heads returns the number of sides that are compared with BASE: all flags that are
// given have as many values.
func heads(axes []*toolAxis) (int, error) {
	several := 0
	for _, a := range axes {
		switch n := len(a.values); {
		case n == 0:
		case several != 0 && n != several:
			return 0,
				fmt.Errorf("-%s has %d values, another flag %d: name one for each side", a.name, n, several)
		default:
			several = n
		}
	}
	return max(1, several-1), nil
}

// toolsOf returns the settings of side i: 0 is BASE.
func toolsOf(axes []*toolAxis, i int) (t compare.Tools, err error) {
	var labels []string
	for _, a := range axes {
		if len(a.values) == 0 {
			continue
		}
		value := a.values[i]
		switch {
		case a.variable != "":
			t.Env = append(t.Env, a.variable+"="+value)
			labels = append(labels, a.variable+"="+value)
		default:
			labels = append(labels, a.name+"="+value)
			if value != "off" && value != "auto" { // the compiler runs in the folder of the side
				value, err = filepath.Abs(value)
				if err == nil {
					_, err = os.Stat(value)
				}
				if err != nil {
					return t, ofFlag(a.name, err)
				}
			}
			t.Build = append(t.Build, "-"+a.name+"="+value)
		}
	}
	t.Label = strings.Join(labels, " ")
	return t, nil
}
