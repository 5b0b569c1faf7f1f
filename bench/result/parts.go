package result

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"
)

// A run is one start of a command: the configuration keys that tell runs apart.
type run struct{ host, command, started, side, shard string }

func runOf(r *benchfmt.Result) run {
	return run{r.GetConfig("host"), r.GetConfig("command"), r.GetConfig("started"), r.GetConfig("side"), r.GetConfig("shard")}
}

// String names a run in messages.
func (r run) String() string {
	text := "the run that started " + r.started
	if r.shard != "" {
		text = "shard " + r.shard + " of " + text
	}
	return text
}

// A part is one file of a merge.
type part struct {
	content
	name string
	runs []run  // in the order of their first results
	text string // of all results
}

// parts are the files of a merge.
type parts []part

func partOf(name string, c content) part {
	p := part{content: c, name: name}
	var b strings.Builder
	for _, r := range c.results {
		id := runOf(r)
		if !slices.Contains(p.runs, id) {
			p.runs = append(p.runs, id)
		}
		fmt.Fprintln(&b, id, r.GetConfig("pkg"), r.Name, r.Iters, r.Values)
	}
	p.text = b.String()
	return p
}

// doubles describes the results that are present twice: equal files, one run in
// two files, and one shard of two runs.
func (ps parts) doubles() (found []string) {
	for i, b := range ps {
		for _, a := range ps[:i] {
			if a.text == b.text {
				found = append(found, fmt.Sprintf("%s and %s have the same results", a.name, b.name))
				continue
			}
			for _, r := range b.runs {
				if r.started != "" && slices.Contains(a.runs, r) {
					found = append(found, fmt.Sprintf("%s and %s both have results of %v", a.name, b.name, r))
				}
			}
		}
	}
	if len(found) > 0 {
		return found
	}
	names := map[string]string{} // of files, by their shards
	for _, p := range ps {
		for _, r := range p.runs {
			switch other, twice := names[r.shard]; {
			case r.shard == "" || !twice:
			case other == p.name:
				found = append(found, fmt.Sprintf("%s has shard %s of two runs", p.name, r.shard))
			default:
				found = append(found, fmt.Sprintf("shard %s is in %s and in %s", r.shard, other, p.name))
			}
			names[r.shard] = p.name
		}
	}
	return found
}

// maxMissing bounds the missing shards that are listed.
const maxMissing = 10

// missing describes the shards i/n that no part has although one has a shard
// of n.
func (ps parts) missing() (gaps []string) {
	has := map[int]map[int]bool{}
	for _, p := range ps {
		for _, r := range p.runs {
			s, err := ParseShard(r.shard, func(string) string { return "" })
			if err != nil || s.Of == 0 {
				continue
			}
			if has[s.Of] == nil {
				has[s.Of] = map[int]bool{}
			}
			has[s.Of][s.Index] = true
		}
	}
	for _, shards := range slices.Sorted(maps.Keys(has)) {
		listed := 0
		for i := 1; i <= shards && listed < maxMissing; i++ {
			if !has[shards][i] {
				gaps = append(gaps, fmt.Sprintf("no file has shard %v", Shard{i, shards}))
				listed++
			}
		}
		if more := shards - len(has[shards]) - listed; more > 0 {
			gaps = append(gaps, fmt.Sprintf("%d more shards of %d are missing", more, shards))
		}
	}
	return gaps
}
