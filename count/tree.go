package count

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// Walk visits a root called name and the phases in the tree given by their names, parents
// first and children by name, with the counts of a phase and all phases inside it.
func (p Phases) Walk(name string, visit func(depth int, name string, c Counts)) {
	sums := map[string]Counts{}
	for path, counts := range p {
		for end := range len(path) + 1 {
			if end > 0 && (end == len(path) || path[end] == '/') {
				if sums[path[:end]] == nil {
					sums[path[:end]] = Counts{}
				}
				sums[path[:end]].Merge(counts)
			}
		}
	}
	visit(0, name, p.Total())
	steps := func(path string) []string { return strings.Split(path, "/") }
	for _, path := range slices.SortedFunc(maps.Keys(sums), func(a, b string) int {
		return slices.Compare(steps(a), steps(b))
	}) {
		parts := steps(path)
		visit(len(parts), parts[len(parts)-1], sums[path])
	}
}

// Shallow adds the counts of phases below some levels, such as the rounds of an argument, to
// their parents. Names get points between levels and no blanks, as the format of Go benchmarks
// needs; the phase without a name is called none.
func (p Phases) Shallow(levels int) Phases {
	sum := Phases{}
	for path, counts := range p {
		parts := strings.Split(strings.ReplaceAll(path, " ", "-"), "/")
		name := cmp.Or(strings.Join(parts[:min(levels, len(parts))], "."), "none")
		if sum[name] == nil {
			sum[name] = Counts{}
		}
		sum[name].Merge(counts)
	}
	return sum
}
