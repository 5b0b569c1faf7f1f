package report

import (
	"maps"
	"slices"
	"strings"
)

// environment lists the configuration in the files of results: machine, source and
// command, without the findings. The most important keys come first, the rest by name.
func environment(in Input) section {
	t := table{Head: []string{"what", "value"}}
	if len(in.Files) > 0 {
		t.add("files", strings.Join(in.Files, ", "))
	}
	values := map[string][]string{}
	for _, d := range sides(in) {
		for key, vs := range d.Config {
			for _, v := range vs {
				if disturbances[key] == "" && !slices.Contains(values[key], v) {
					values[key] = append(values[key], v)
				}
			}
		}
	}
	for _, key := range slices.Concat(first, slices.Sorted(maps.Keys(values))) {
		if vs := values[key]; len(vs) > 0 {
			t.add(key, strings.Join(vs, "; "))
			delete(values, key)
		}
	}
	if len(t.Rows) == 0 {
		return section{}
	}
	return section{
		ID: "environment", Title: "Environment",
		Figures: []figure{{Title: "Configuration in the files", Table: t}},
	}
}

// first lists the most important keys in their order.
var first = []string{"revision", "command", "host", "cpu", "cpus", "goos", "goarch", "go", "started", "pkg"}
