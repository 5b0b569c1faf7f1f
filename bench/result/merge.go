package result

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"golang.org/x/perf/benchfmt"
)

// ErrMachines reports files from different machines.
var ErrMachines = errors.New("were measured on different machines")

// machine lists the configuration keys in which results of one machine agree.
var machine = []string{"host", "goos", "goarch", "cpu", "cpus", "gomaxprocs", "quota", "governor"}

// Merge writes the results of all files as one file. Unless mix is set, it
// refuses files that differ in the machine, the Go release or the revision
// before it writes anything.
func Merge(to io.Writer, mix bool, names ...string) error {
	if err := sameMachine(mix, names); err != nil {
		return err
	}
	w := benchfmt.NewWriter(to)
	var failed error
	seen := map[benchfmt.UnitMetadataKey]bool{}
	for _, name := range names {
		err := eachOf(name, func(r *benchfmt.Result) error { return w.Write(r) }, func(u *benchfmt.UnitMetadata) {
			if !seen[u.UnitMetadataKey] && failed == nil {
				failed = w.Write(u)
			}
			seen[u.UnitMetadataKey] = true
		})
		if err = errors.Join(err, failed); err != nil {
			return err
		}
	}
	return nil
}

// eachOf calls each for a file, which must contain results.
func eachOf(name string, f func(*benchfmt.Result) error, meta func(*benchfmt.UnitMetadata)) error {
	from, err := os.Open(name)
	if err != nil {
		return err
	}
	defer from.Close()
	return each(from, name, f, meta)
}

func sameMachine(mix bool, names []string) error {
	all, err := ReadFiles(names...)
	if err != nil || mix {
		return err
	}
	return all.same(append([]string{"go", "revision"}, machine...))
}

// SameMachine returns ErrMachines if the recorded configuration shows that data
// are from different machines.
func SameMachine(ds ...*Data) error {
	all := NewData()
	for _, d := range ds {
		for key, values := range d.Config {
			for _, v := range values {
				all.configure(key, v)
			}
		}
	}
	return all.same(machine)
}

func (d *Data) same(keys []string) error {
	for _, key := range keys {
		if values := d.Config[key]; len(values) > 1 {
			slices.Sort(values)
			return fmt.Errorf("results %w: %s is %q (-mix accepts them)", ErrMachines, key, values)
		}
	}
	return nil
}
