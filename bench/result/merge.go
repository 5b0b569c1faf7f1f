package result

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"

	"github.com/zkatbench/zkatbench/internal/text"
	"github.com/zkatbench/zkatbench/runner/outfile"
)

// Reasons for which files are not merged.
var (
	ErrMachines = errors.New("were measured on different machines")
	ErrPartial  = errors.New("results are missing")
	ErrDouble   = errors.New("results are present twice")
)

// machine lists the configuration keys that are equal in all results of one machine.
var machine = []string{"host", "goos", "goarch", "cpu", "cpus", "gomaxprocs", "pinned", "quota", "governor"}

// Accept lists suspicious inputs that Merge accepts.
type Accept struct {
	Hosts   bool // other hosts with the same processor, Go release and revision
	Mixed   bool // different machines, Go releases or revisions
	Partial bool // files that are not whole, missing shards
	Doubles bool // results or shards that are present twice
}

// Merge writes the results of all files as one file. Unless accept says
// otherwise, it refuses files that differ in the machine, the Go release or the
// revision (ErrMachines), that are not whole or lack a shard (ErrPartial), and
// results that are present twice (ErrDouble), before it writes anything. An
// accepted gap is recorded in the file.
func Merge(to io.Writer, accept Accept, names ...string) error {
	all, ps := NewData(), parts{}
	for _, name := range names {
		content, err := outfile.ReadFile(name)
		if err != nil {
			return err
		}
		c, err := all.read(content, name)
		if err != nil {
			return err
		}
		ps = append(ps, partOf(name, c))
	}
	if !accept.Mixed {
		if err := all.same(append([]string{"go", "revision"}, machineKeys(accept.Hosts)...)); err != nil {
			return err
		}
	}
	if doubles := ps.doubles(); len(doubles) > 0 && !accept.Doubles {
		return fmt.Errorf("%w (-allow=doubles accepts it): %s", ErrDouble, strings.Join(doubles, "; "))
	}
	gaps := slices.Concat(all.Failed, all.Partial, ps.missing())
	if len(gaps) > 0 && !accept.Partial {
		return fmt.Errorf("%w (-allow=partial accepts it): %s", ErrPartial, strings.Join(gaps, "; "))
	}
	return ps.write(to, gaps)
}

// write writes the results of all files, and their gaps.
func (ps parts) write(to io.Writer, gaps []string) error {
	w := benchfmt.NewWriter(to)
	seen, n := map[benchfmt.UnitMetadataKey]bool{}, 0
	for _, p := range ps {
		for _, u := range p.units {
			if !seen[u.UnitMetadataKey] {
				seen[u.UnitMetadataKey] = true
				if err := w.Write(u); err != nil {
					return err
				}
			}
		}
		for _, r := range p.results {
			n++
			r.SetConfig(keyResults, "") // counts the results of one file
			r.SetConfig(keyLook, "")    // of a part of the cases
			if err := w.Write(r); err != nil {
				return err
			}
		}
	}
	var last []string
	for _, gap := range gaps {
		last = append(last, keyIncomplete+": "+gap)
	}
	return Stream{to}.Append(append(last, EndLine(n))...)
}

// SameMachine returns ErrMachines if the recorded configuration shows that data
// are from different machines; hosts accepts other hosts with the same processor.
func SameMachine(hosts bool, ds ...*Data) error {
	all := NewData()
	for _, d := range ds {
		for key, values := range d.Config {
			for _, v := range values {
				all.configure(key, v)
			}
		}
	}
	return all.same(machineKeys(hosts))
}

// machineKeys returns the keys of a machine, without "host" if hosts may differ.
func machineKeys(hosts bool) []string {
	return slices.DeleteFunc(slices.Clone(machine), func(key string) bool { return hosts && key == "host" })
}

// accepting is the flag of merge for a difference.
func accepting(key string) string {
	if key == "host" {
		return "-allow=host"
	}
	return "-allow=any"
}

func (d *Data) same(keys []string) error {
	for _, key := range keys {
		if values := d.Config[key]; len(values) > 1 {
			slices.Sort(values)
			return fmt.Errorf("results %w: %s is %q (%s accepts them)", ErrMachines, key, values,
				accepting(key))
		}
	}
	return nil
}

// A run is one start of a command: the configuration keys that tell runs apart.
type run struct{ host, command, started, side, shard string }

func runOf(r *benchfmt.Result) run {
	return run{host: r.GetConfig("host"), command: r.GetConfig("command"),
		started: r.GetConfig("started"), side: r.GetConfig("side"), shard: r.GetConfig("shard")}
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
			gaps = append(gaps, fmt.Sprintf("no file has %s of %d", text.Plural(more, "more shard"), shards))
		}
	}
	return gaps
}

// MergeInto writes the results of shards as one file; the name of a shard without results
// is empty.
func MergeInto(to string, accept Accept, names []string) error {
	var all bytes.Buffer
	names = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return name == "" })
	if err := Merge(&all, accept, names...); err != nil {
		return err
	}
	return outfile.WriteBytes(to, all.Bytes())
}
