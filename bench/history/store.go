package history

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"golang.org/x/perf/benchmath"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/zkatbench/zkatbench/bench/result"
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

// Store is a history in a file. Several programs can use it at once; writers
// wait for each other.
type Store struct {
	db   *sql.DB
	name string
}

// lockTimeout is the time that a writer waits for other writers.
const lockTimeout = time.Minute

// Create opens the history in a file, and creates the file if it does not
// exist.
func Create(ctx context.Context, name string) (*Store, error) { return open(ctx, name, "rwc") }

// Open opens the history in an existing file.
func Open(ctx context.Context, name string) (*Store, error) {
	if _, err := os.Stat(name); err != nil {
		return nil, err
	}
	return open(ctx, name, "rw")
}

func open(ctx context.Context, name, mode string) (*Store, error) {
	options := url.Values{
		"mode":    {mode},
		"_txlock": {"immediate"},
		"_pragma": {
			fmt.Sprintf("busy_timeout(%d)", lockTimeout.Milliseconds()),
			"synchronous(EXTRA)", // syncs a commit and the end of its journal to disk
			"foreign_keys(ON)",
		},
	}
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: name}).EscapedPath()+"?"+options.Encode())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	s := &Store{db, name}
	if err := s.prepare(ctx); err != nil {
		db.Close()
		return nil, err
	}
	return s, nil
}

// prepare creates the tables of a new file and refuses foreign files. Another
// process may be creating them, so anything but a finished history is examined
// under the exclusive lock of a transaction.
func (s *Store) prepare(ctx context.Context) error {
	const state = "SELECT user_version, (SELECT count(*) FROM sqlite_schema) FROM pragma_user_version"
	var version, tables int
	if err := s.db.QueryRowContext(ctx, state).Scan(&version, &tables); err != nil || version == schemaVersion {
		return s.explain(err)
	}
	return s.write(ctx, func(tx *sql.Tx) error {
		err := tx.QueryRowContext(ctx, state).Scan(&version, &tables)
		switch {
		case err != nil || version == schemaVersion:
		case version != 0 || tables > 0:
			err = ErrStore
		default:
			_, err = tx.ExecContext(ctx, schema)
		}
		return err
	})
}

// Close closes the file.
func (s *Store) Close() error { return s.db.Close() }

// write runs f in a transaction, which is atomic.
func (s *Store) write(ctx context.Context, f func(*sql.Tx) error) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return s.explain(err)
	}
	if err := f(tx); err != nil {
		_ = tx.Rollback() // the file is unchanged regardless of this error
		return s.explain(err)
	}
	return s.explain(tx.Commit())
}

// explain adds the name of the file, and advice for errors that users can fix.
func (s *Store) explain(err error) error {
	var e *sqlite.Error
	if errors.As(err, &e) {
		switch e.Code() & 0xff {
		case sqlite3.SQLITE_FULL:
			err = fmt.Errorf("%w: %w", ErrFull, err)
		case sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT:
			err = fmt.Errorf("%w: %w", ErrStore, err)
		}
	}
	if err != nil {
		return fmt.Errorf("%s: %w", s.name, err)
	}
	return nil
}

// Add stores results. They must state their revision unless revision is given;
// added replaces a missing start time.
func (s *Store) Add(ctx context.Context, d *result.Data, revision string, added time.Time) error {
	r, err := runOf(d, revision, added)
	if err != nil {
		return err
	}
	return s.write(ctx, func(tx *sql.Tx) error {
		done, err := tx.ExecContext(ctx, "INSERT INTO run (digest, revision, started, machine) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
			r.digest, r.revision, r.started.UTC().Format(time.RFC3339Nano), r.machine)
		if err != nil {
			return err
		}
		if n, err := done.RowsAffected(); err != nil || n == 0 {
			return errors.Join(err, ErrKnown)
		}
		id, err := done.LastInsertId()
		if err != nil {
			return err
		}
		return addSamples(ctx, tx, id, d)
	})
}

func addSamples(ctx context.Context, tx *sql.Tx, run int64, d *result.Data) error {
	for _, k := range d.Cases {
		for unit, values := range d.Values[k] {
			numbers, err := json.Marshal(finite(values))
			if err != nil {
				return err
			}
			if _, err := tx.ExecContext(ctx, "INSERT INTO sample VALUES (?, ?, ?, ?, ?, ?, ?)",
				run, k.Package, k.Name, unit, d.Meta.GetAssumption(unit) == benchmath.AssumeExact, d.Meta.GetBetter(unit), string(numbers)); err != nil {
				return err
			}
		}
	}
	return nil
}

// finite drops values that are not finite numbers.
func finite(values []float64) []float64 {
	return slices.DeleteFunc(slices.Clone(values), func(v float64) bool { return v-v != 0 })
}

// run describes a file of results.
type run struct {
	digest, revision, machine string
	started                   time.Time
}

func runOf(d *result.Data, revision string, added time.Time) (r run, err error) {
	r = run{revision: revision, started: added, machine: machineOf(d)}
	if stated := d.Config["revision"]; revision == "" {
		if len(stated) != 1 || stated[0] == "unknown" {
			return r, fmt.Errorf("%w: %q", ErrRevision, stated)
		}
		r.revision = stated[0]
	}
	for i, text := range d.Config["started"] {
		if at, err := time.Parse(time.RFC3339, text); err == nil && (i == 0 || at.Before(r.started)) {
			r.started = at
		}
	}
	all, err := json.Marshal(struct {
		Revision string
		Config   map[string][]string
		Values   [][]any
	}{r.revision, d.Config, allRows(d)})
	sum := sha256.Sum256(all)
	r.digest = hex.EncodeToString(sum[:])
	return r, err
}

// allRows returns all values in an order that depends only on the file.
func allRows(d *result.Data) (all [][]any) {
	for _, k := range d.Cases {
		for _, unit := range d.Units {
			if values := finite(d.Values[k][unit]); len(values) > 0 {
				all = append(all, []any{k.Package, k.Name, unit, values})
			}
		}
	}
	return all
}

// machineOf returns the configuration that identifies the machine of a series.
func machineOf(d *result.Data) string {
	var parts []string
	for _, key := range []string{"host", "cpu", "cpus", "goos", "goarch"} {
		if values := d.Config[key]; len(values) > 0 {
			parts = append(parts, strings.Join(slices.Sorted(slices.Values(values)), " and "))
		}
	}
	if pinned := d.Config["pinned"]; len(pinned) > 0 && !slices.Contains(pinned, "no") {
		parts = append(parts, "pinned to "+strings.Join(slices.Sorted(slices.Values(pinned)), " and "))
	}
	return strings.Join(parts, ", ")
}
