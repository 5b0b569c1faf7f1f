// Package suggest finds the name that a user meant by a mistyped one, and
// environment variables that are mistyped.
package suggest

import (
	"fmt"
	"slices"
	"strings"
)

// Nearest returns the name with the least edit distance from typed (Damerau
// 1964: insertions, deletions, replacements and swaps of neighbours). It returns
// the empty string if more than a third of the letters, and more than one,
// differ, or for two letters and less.
func Nearest(typed string, names []string) (nearest string) {
	if len(typed) < 3 {
		return ""
	}
	typed = strings.ToLower(typed)
	least := max(1, len(typed)/3) + 1
	for _, name := range names {
		if d := distance(typed, strings.ToLower(name)); d < least {
			least, nearest = d, name
		}
	}
	return nearest
}

// Meant returns a question for an error message, "; did you mean NAME?", or the
// empty string if no name is near.
func Meant(typed, prefix string, names []string) string {
	if name := Nearest(typed, names); name != "" {
		return "; did you mean " + prefix + name + "?"
	}
	return ""
}

// distance is the edit distance where a swap of neighbours counts as one
// (optimal string alignment).
func distance(a, b string) int {
	rows := [3][]int{make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)}
	for j := range rows[1] {
		rows[1][j] = j
	}
	for i := 1; i <= len(a); i++ {
		before, last, now := rows[0], rows[1], rows[2]
		now[0] = i
		for j := 1; j <= len(b); j++ {
			replace := last[j-1]
			if a[i-1] != b[j-1] {
				replace++
			}
			now[j] = min(replace, last[j]+1, now[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				now[j] = min(now[j], before[j-2]+1)
			}
		}
		rows = [3][]int{last, now, before}
	}
	return rows[1][len(b)]
}

// Environment returns an error for the first variable in environ (os.Environ)
// that begins with prefix and is near to the variable of a flag (in capitals, with
// underscores in place of hyphens), but is not the variable of any flag: ZKAT_BITZ for
// -bits. Other unknown variables may be for another program.
func Environment(environ []string, prefix string, flags []string) error {
	twin := func(f string) string { return strings.ToUpper(strings.ReplaceAll(f, "-", "_")) }
	for _, entry := range slices.Sorted(slices.Values(environ)) {
		name, _, _ := strings.Cut(entry, "=")
		rest, ours := strings.CutPrefix(name, prefix)
		if !ours || slices.ContainsFunc(flags, func(f string) bool { return rest == twin(f) }) {
			continue
		}
		if nearest := Nearest(rest, flags); nearest != "" {
			return fmt.Errorf("%s: no flag has this variable; did you mean %s%s?", name, prefix,
				twin(nearest))
		}
	}
	return nil
}
