package main

import (
	"regexp"
	"slices"
	"strings"

	"github.com/zkatbench/zkatbench/bench/compare"
	"github.com/zkatbench/zkatbench/runner/flags"
)

// toolAxes declares the flags of settings.
func toolAxes(set *flags.Set) (all []*compare.Setting) {
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
		axis := &compare.Setting{Name: a.name, Variable: a.variable}
		flags.Into(set, &axis.Values, a.name, "", "", values)
		all = append(all, axis)
	}
	return all
}
