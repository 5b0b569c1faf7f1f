package result

import (
	"fmt"
	"hash/maphash"
	"maps"
	"slices"

	"golang.org/x/perf/benchfmt"
)

// runKeys are the configuration keys that tell runs apart. A run is one start
// of a command.
var runKeys = [...]string{"host", "command", "started", "side", "shard"}

// A runID has the values of runKeys.
type runID [len(runKeys)]string

func (id runID) started() string { return id[2] }
func (id runID) shard() string   { return id[4] }

// String names a run in messages.
func (id runID) String() string {
	text := "the run that started " + id.started()
	if id.shard() != "" {
		text = "shard " + id.shard() + " of " + text
	}
	return text
}

// A part is the results of one file.
type part struct {
	name string
	runs map[runID]bool
	sum  uint64 // hash of all results
}

// parts are the files of a merge.
type parts []part

var partSeed = maphash.MakeSeed()

func partsOf(names []string) (ps parts, err error) {
	for _, name := range names {
		p := part{name: name, runs: map[runID]bool{}}
		var h maphash.Hash
		h.SetSeed(partSeed)
		err := eachOf(name, func(r *benchfmt.Result) error {
			var id runID
			for i, key := range runKeys {
				id[i] = r.GetConfig(key)
			}
			p.runs[id] = true
			fmt.Fprintln(&h, id, r.GetConfig("pkg"), r.Name, r.Iters, r.Values)
			return nil
		}, func(*benchfmt.UnitMetadata) error { return nil })
		if err != nil {
			return nil, err
		}
		p.sum = h.Sum64()
		ps = append(ps, p)
	}
	return ps, nil
}

// doubles describes the results that are present twice: equal files, one run in
// two files, and one shard of two runs.
func (ps parts) doubles() (found []string) {
	for i, b := range ps {
		for _, a := range ps[:i] {
			if a.sum == b.sum {
				found = append(found, fmt.Sprintf("%s and %s have the same results", a.name, b.name))
				continue
			}
			for _, id := range b.sorted() {
				if id.started() != "" && a.runs[id] {
					found = append(found, fmt.Sprintf("%s and %s both have results of %v", a.name, b.name, id))
				}
			}
		}
	}
	if len(found) > 0 {
		return found
	}
	by := map[string]part{}
	for _, p := range ps {
		seen := map[string]runID{}
		for _, id := range p.sorted() {
			if _, twice := seen[id.shard()]; twice && id.shard() != "" {
				found = append(found, fmt.Sprintf("%s has shard %s of two runs", p.name, id.shard()))
			}
			seen[id.shard()] = id
		}
		for _, shard := range slices.Sorted(maps.Keys(seen)) {
			if other, twice := by[shard]; twice && shard != "" {
				found = append(found, fmt.Sprintf("shard %s is in %s and in %s", shard, other.name, p.name))
			}
			by[shard] = p
		}
	}
	return found
}

// sorted returns the runs of a part in the order of their text.
func (p part) sorted() []runID {
	return slices.SortedFunc(maps.Keys(p.runs), func(a, b runID) int { return slices.Compare(a[:], b[:]) })
}

// maxMissing bounds the missing shards that are listed.
const maxMissing = 10

// missing describes the shards i/n that no part has although one has a shard
// of n.
func (ps parts) missing() (gaps []string) {
	has := map[int]map[int]bool{}
	for _, p := range ps {
		for id := range p.runs {
			s, err := ParseShard(id.shard(), func(string) string { return "" })
			if err != nil || s.Of == 0 {
				continue
			}
			if has[s.Of] == nil {
				has[s.Of] = map[int]bool{}
			}
			has[s.Of][s.Index] = true
		}
	}
	for _, of := range slices.Sorted(maps.Keys(has)) {
		left := of - len(has[of])
		for i, shown := 1, 0; i <= of && shown < min(left, maxMissing); i++ {
			if !has[of][i] {
				gaps = append(gaps, fmt.Sprintf("no file has shard %v", Shard{i, of}))
				shown++
			}
		}
		if left > maxMissing {
			gaps = append(gaps, fmt.Sprintf("%d more shards of %d are missing", left-maxMissing, of))
		}
	}
	return gaps
}
