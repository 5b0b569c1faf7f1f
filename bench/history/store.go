package history

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/perf/benchmath"

	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/runner/outfile"
	"github.com/zkatbench/zkatbench/runner/stats"
)

// Errors of results that cannot be stored.
var (
	// ErrKnown reports results that are already in the store.
	ErrKnown = errors.New("is in the history already")
	// ErrRevision reports results without exactly one revision.
	ErrRevision = errors.New("does not name exactly one revision")
	// ErrFull reports that the disk is full. The stored results are unchanged.
	ErrFull = errors.New("the disk is full; nothing was added")
	// ErrStore reports a file of another kind, or of a later version.
	ErrStore = errors.New("is not a history that this program reads")
)

// ErrSQLite reports a history of release 0.5 or earlier.
var ErrSQLite = fmt.Errorf("%w: it is an SQLite database of release 0.5 or earlier; "+
	"docs/comparing.md#history has the command that converts it", ErrStore)

// Store is a history in a file of text. Several programs can use it at once; writers
// wait for each other.
//
// The first line of the file names the format. Each other line is a run as JSON: all
// results of one file. A run is appended with a single write and synced. A last line
// without its end is from a writer that was killed; readers ignore it, and the next
// writer cuts it off.
type Store struct{ name string }

const (
	header       = "zkatbench history 1\n"
	headerSQLite = "SQLite format 3\x00"
)

// lockTimeout is the time that a writer waits for other writers.
const lockTimeout = time.Minute

// lockRetry is the time between its attempts.
const lockRetry = 5 * time.Millisecond

// entry is a line of the file.
type entry struct {
	Digest   string    `json:"digest"` // of the results: a file is added once
	Revision string    `json:"revision"`
	Machine  string    `json:"machine"`
	Started  time.Time `json:"started"`
	Samples  []sample  `json:"samples"`
}

// sample is the values of a case in a unit, in the order of measurement.
type sample struct {
	Package string    `json:"package"`
	Name    string    `json:"name"`
	Unit    string    `json:"unit"`
	Exact   bool      `json:"exact"`
	Better  int       `json:"better"`
	Values  []float64 `json:"values"`
}

// Create opens the history in a file. The first Add creates the file if it does not exist.
func Create(ctx context.Context, name string) (*Store, error) {
	s := &Store{name}
	_, _, err := s.read(ctx)
	if errors.Is(err, os.ErrNotExist) {
		_, err = os.Stat(filepath.Dir(name))
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Open opens the history in an existing file.
func Open(ctx context.Context, name string) (*Store, error) {
	s := &Store{name}
	if _, _, err := s.read(ctx); err != nil {
		return nil, err
	}
	return s, nil
}

// explain adds the name of the file.
func (s *Store) explain(err error) error {
	if err != nil {
		return fmt.Errorf("%s: %w", s.name, err)
	}
	return nil
}

// read returns all runs, and the length of the file without a torn last line.
func (s *Store) read(ctx context.Context) (all []entry, whole int64, err error) {
	if err := ctx.Err(); err != nil {
		return nil, 0, s.explain(err)
	}
	content, err := os.ReadFile(s.name)
	if err != nil {
		return nil, 0, err
	}
	all, whole, err = parse(content)
	return all, whole, s.explain(err)
}

// parse reads the content of a file.
func parse(content []byte) (all []entry, whole int64, err error) {
	switch {
	case bytes.HasPrefix([]byte(header), content): // empty, or the first write was cut
		return nil, 0, nil
	case bytes.HasPrefix(content, []byte(headerSQLite)):
		return nil, 0, ErrSQLite
	case !bytes.HasPrefix(content, []byte(header)):
		return nil, 0, ErrStore
	}
	whole = int64(len(header))
	for number := 2; ; number++ {
		line, _, ended := bytes.Cut(content[whole:], []byte("\n"))
		if !ended {
			return all, whole, nil
		}
		var e entry
		if err := json.Unmarshal(line, &e); err != nil {
			return nil, 0, fmt.Errorf("%w: line %d: %w", ErrStore, number, err)
		}
		all = append(all, e)
		whole += int64(len(line)) + 1
	}
}

// runs returns all runs, ordered by start. A file that does not exist has none.
func (s *Store) runs(ctx context.Context) ([]entry, error) {
	all, _, err := s.read(ctx)
	if errors.Is(err, os.ErrNotExist) {
		err = nil
	}
	slices.SortStableFunc(all, func(a, b entry) int { return a.Started.Compare(b.Started) })
	return all, err
}

// Add stores results. They must state their revision unless revision is given;
// added replaces a missing start time.
func (s *Store) Add(ctx context.Context, d *result.Data, revision string, added time.Time) error {
	e, err := entryOf(d, revision, added)
	if err != nil {
		return err
	}
	return s.explain(s.append(ctx, e))
}

// append writes a run to the end of the file, which is locked meanwhile. After an error
// the file is as before.
func (s *Store) append(ctx context.Context, e entry) error {
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(s.name, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return err
	}
	defer f.Close()
	waiting, cancel := context.WithTimeout(ctx, lockTimeout)
	defer cancel()
	err = ctx.Err()
	if err == nil {
		err = outfile.Lock(waiting, f, lockRetry, nil)
	}
	if err != nil {
		return err
	}
	content, err := io.ReadAll(f)
	if err != nil {
		return err
	}
	all, whole, err := parse(content)
	switch {
	case err != nil:
		return err
	case slices.ContainsFunc(all, func(old entry) bool { return old.Digest == e.Digest }):
		return ErrKnown
	case whole == 0:
		line = append([]byte(header), line...)
	}
	if err := write(f, append(line, '\n'), whole); err != nil {
		return errors.Join(err, f.Truncate(whole))
	}
	if whole == 0 {
		return outfile.SyncFolder(filepath.Dir(s.name))
	}
	return nil
}

// write replaces what follows a place in the file, and waits until it is on the disk.
func write(f *os.File, line []byte, at int64) error {
	err := f.Truncate(at)
	if err == nil {
		_, err = f.WriteAt(line, at)
	}
	if err == nil {
		err = f.Sync()
	}
	if isFull(err) {
		err = fmt.Errorf("%w: %w", ErrFull, err)
	}
	return err
}

// entryOf returns the results as a run.
func entryOf(d *result.Data, revision string, added time.Time) (e entry, err error) {
	e = entry{Revision: revision, Started: added, Machine: machineOf(d), Samples: samplesOf(d)}
	if stated := d.Config["revision"]; revision == "" {
		if len(stated) != 1 || stated[0] == "unknown" {
			return e, fmt.Errorf("%w: %q", ErrRevision, stated)
		}
		e.Revision = stated[0]
	}
	for i, text := range d.Config["started"] {
		if at, err := time.Parse(time.RFC3339, text); err == nil && (i == 0 || at.Before(e.Started)) {
			e.Started = at
		}
	}
	all, err := json.Marshal(struct {
		Revision string
		Config   map[string][]string
		Values   [][]any
	}{e.Revision, d.Config, allRows(d)})
	sum := sha256.Sum256(all)
	e.Digest = hex.EncodeToString(sum[:])
	return e, err
}

// allRows returns all values in an order that depends only on the file.
func allRows(d *result.Data) (all [][]any) {
	for _, k := range d.Cases {
		for _, unit := range d.Units {
			if values := stats.OfFinite(d.Values[k][unit]); len(values) > 0 {
				all = append(all, []any{k.Package, k.Name, unit, values})
			}
		}
	}
	return all
}

// machineKeys are the keys of the configuration that files of this program have. Plain files
// of go test lack host and cpus.
var machineKeys = []string{"host", "cpu", "cpus", "goos", "goarch"}

// withoutHost returns a machine of machineOf without the name of its host, if it has one.
func withoutHost(machine string) string {
	if parts := strings.Split(machine, ", "); len(parts) >= len(machineKeys) {
		return strings.Join(parts[1:], ", ")
	}
	return machine
}

// samplesOf returns the values of all cases, ordered by unit within a case.
func samplesOf(d *result.Data) (all []sample) {
	for _, k := range d.Cases {
		for unit, values := range d.Values[k] {
			all = append(all, sample{Package: k.Package, Name: k.Name, Unit: unit,
				Exact:  d.Meta.GetAssumption(unit) == benchmath.AssumeExact,
				Better: d.Meta.GetBetter(unit), Values: stats.OfFinite(values)})
		}
	}
	slices.SortStableFunc(all, func(a, b sample) int {
		return cmp.Or(cmp.Compare(a.Package, b.Package), cmp.Compare(a.Name, b.Name),
			cmp.Compare(a.Unit, b.Unit))
	})
	return all
}

// machineOf returns the configuration that identifies the machine of a series.
func machineOf(d *result.Data) string {
	var parts []string
	for _, key := range machineKeys {
		if values := d.Config[key]; len(values) > 0 {
			parts = append(parts, strings.Join(slices.Sorted(slices.Values(values)), " and "))
		}
	}
	if pinned := d.Config["pinned"]; len(pinned) > 0 && !slices.Contains(pinned, "no") {
		parts = append(parts, "pinned to "+strings.Join(slices.Sorted(slices.Values(pinned)), " and "))
	}
	return strings.Join(parts, ", ")
}
