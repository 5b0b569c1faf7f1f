package result

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"
)

// Renames says which benchmarks of a newer run have other names in an older one.
type Renames []Rename

// A Rename replaces the name New, whole or at the beginning of a longer name, by
// Old. Names have no "Benchmark" in front.
type Rename struct{ New, Old string }

// errRename reports a rename that cannot be parsed or applied.
var errRename = errors.New("rename")

// ParseRenames parses new=old[,new=old…]. Names can contain "=" themselves, as in
// Sign/field=9x29=Sign/field=10x26, if both contain the same number of them. The
// text @file reads a file instead, for names with commas too: a line NEW OLD for
// each pair, and comments that begin with #.
func ParseRenames(text string) (rs Renames, err error) {
	if text == "" {
		return nil, nil
	}
	if file, found := strings.CutPrefix(text, "@"); found {
		return readRenames(file)
	}
	for item := range strings.SplitSeq(text, ",") {
		parts := strings.Split(item, "=")
		half := len(parts) / 2
		r := Rename{trim(parts[:half]), trim(parts[half:])}
		if len(parts)%2 != 0 || r.New == "" || r.Old == "" {
			return nil, fmt.Errorf("%q is not new=old", item)
		}
		rs = append(rs, r)
	}
	return rs, nil
}

func readRenames(file string) (rs Renames, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	number := 0
	for line := range strings.Lines(string(text)) {
		number++
		fields := strings.Fields(line)
		if len(fields) == 0 || line[0] == '#' {
			continue
		}
		if len(fields) != 2 {
			return nil, fmt.Errorf("%s:%d: %q is not NEW OLD", file, number, strings.TrimSpace(line))
		}
		rs = append(rs, Rename{trim(fields[:1]), trim(fields[1:])})
	}
	return rs, nil
}

// trim joins the parts of a name and removes "Benchmark".
func trim(parts []string) string { return strings.TrimPrefix(strings.Join(parts, "="), "Benchmark") }

// Old returns the older name of a benchmark: by a rename of the exact name if
// there is one, otherwise by the longest New at its beginning, otherwise the name itself.
func (rs Renames) Old(name string) string {
	best := Rename{} // changes nothing
	for _, r := range rs {
		if r.begins(name) && len(r.New) > len(best.New) {
			best = r
		}
	}
	return best.Old + strings.TrimPrefix(name, best.New)
}

// begins reports whether name is New, or New with more elements: it ends before a
// slash, a full stop, or the number of workers or processors.
func (r Rename) begins(name string) bool {
	rest, found := strings.CutPrefix(name, r.New)
	if !found || rest == "" || rest[0] == '/' || rest[0] == '.' {
		return found
	}
	return ends.FindString(rest) == rest
}

// ends is the end of a name after its parameters: the number of workers, as the reference
// writes it, and of processors.
var ends = regexp.MustCompile(`^(_with_\d+_workers)?(-\d*)?$`)

// Keys returns the older names of keys, without numbers of workers where they stay
// distinct. Two keys with the same older name are an error, and so are renames if no key
// matches any of them. Nil leaves the name as it is.
func (rs Renames) Keys(keys []Key) (old []Key, err error) {
	if rs == nil {
		return keys, nil
	}
	from, plain := map[Key]Key{}, map[Key]int{}
	for _, k := range keys {
		o := Key{k.Package, rs.Old(k.Name)}
		if other, taken := from[o]; taken {
			return nil, fmt.Errorf("%w: %s and %s both become %s", errRename, other.Name, k.Name, o.Name)
		}
		from[o], old = k, append(old, o)
		plain[o.withoutWorkers()]++
	}
	for i, o := range old {
		if short := o.withoutWorkers(); plain[short] == 1 {
			old[i] = short
		}
	}
	used := func(r Rename) bool {
		return slices.ContainsFunc(keys, func(k Key) bool { return r.begins(k.Name) })
	}
	if len(rs) > 0 && !slices.ContainsFunc(rs, used) {
		return nil, fmt.Errorf("%w: no benchmark is called %s", errRename, rs[0].New)
	}
	return old, nil
}

var workers = regexp.MustCompile(`_with_\d+_workers(-\d+)?$`)

func (k Key) withoutWorkers() Key { return Key{k.Package, workers.ReplaceAllString(k.Name, "$1")} }

// Rename gives the cases of d their older names.
func (d *Data) Rename(rs Renames) error {
	old, err := rs.Keys(d.Cases)
	if err != nil {
		return err
	}
	renamed, names := NewData(), map[Key]Key{}
	for i, k := range d.Cases {
		names[k] = old[i]
		renamed.Values[old[i]], renamed.Layouts[old[i]] = d.Values[k], d.Layouts[k]
		renamed.Spent[old[i]], renamed.Iters[old[i]] = d.Spent[k], d.Iters[k]
	}
	for _, k := range d.kept {
		name := names[keyOf(k.Result)]
		k.SetConfig("pkg", name.Package)
		k.Name = benchfmt.Name(name.Name)
	}
	d.Cases, d.Values, d.Layouts = old, renamed.Values, renamed.Layouts
	d.Spent, d.Iters = renamed.Spent, renamed.Iters
	return nil
}
