package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// environment lists the configuration in the files: machine, source and
// command, except what the findings say. The most important keys come first, the rest by name.
func environment(in Input) section {
	t := table{Head: []string{"what", "value"}}
	if len(in.Files) > 0 {
		t.add("files", strings.Join(in.Files, ", "))
	}
	values := map[string][]string{}
	note := func(key, value string) {
		if !slices.Contains(values[key], value) {
			values[key] = append(values[key], value)
		}
	}
	for _, d := range sides(in) {
		for key, vs := range d.Config {
			for _, v := range vs {
				if !slices.Contains(disturbances, key) {
					note(key, v)
				}
			}
		}
	}
	for _, l := range in.Loads {
		b := l.Result.Before
		for key, v := range map[string]string{"cpu": b.CPU, "cpus": fmt.Sprint(b.CPUs), "gomaxprocs": fmt.Sprint(b.GOMAXPROCS), "go": b.Go, "governor": b.Governor, "quota": b.Quota} {
			note(key, v)
		}
		note("started", l.Result.Started.UTC().Format(time.RFC3339))
	}
	keys := slices.Collect(maps.Keys(values))
	slices.SortFunc(keys, func(a, b string) int { return strings.Compare(rank(a)+a, rank(b)+b) })
	for _, key := range keys {
		t.add(key, strings.Join(values[key], "; "))
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

// rank sorts the keys of first before all others.
func rank(key string) string {
	if i := slices.Index(first, key); i >= 0 {
		return string(rune('a' + i))
	}
	return "z"
}
