package report

import (
	"slices"
	"strings"

	"github.com/zkatbench/zkatbench/bench/result"
)

// environment lists what the files say about machine, source and command.
// What readers look for stands first, the rest by name.
func environment(files []string, all ...*result.Data) section {
	t := table{Head: []string{"what", "value"}}
	t.add("files", strings.Join(files, ", "))
	values := map[string][]string{}
	var keys []string
	for _, d := range all {
		for key, vs := range d.Config {
			if !slices.Contains(keys, key) {
				keys = append(keys, key)
			}
			for _, v := range vs {
				if !slices.Contains(values[key], v) {
					values[key] = append(values[key], v)
				}
			}
		}
	}
	slices.SortFunc(keys, func(a, b string) int { return strings.Compare(rank(a)+a, rank(b)+b) })
	for _, key := range keys {
		t.add(key, strings.Join(values[key], "; "))
	}
	return section{
		ID: "environment", Title: "Environment",
		Figures: []figure{{ID: "environment-table", Title: "As the files say", Table: t, Open: true}},
	}
}

// first are the keys that readers look for, in this order.
var first = []string{"interrupted", "revision", "command", "host", "cpu", "cpus", "goos", "goarch", "go", "started", "pkg"}

// rank sorts the keys of first before all others.
func rank(key string) string {
	if i := slices.Index(first, key); i >= 0 {
		return string(rune('a' + i))
	}
	return "z"
}
