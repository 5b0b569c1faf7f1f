package watch // example is a helper of tests inside the package

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/compare"
	"github.com/zkatbench/zkatbench/bench/gate"
	"github.com/zkatbench/zkatbench/bench/result"
)

// printing is a compare.Builder. Its binaries print the figures of the revision.
type printing struct {
	left     []error
	packages []string // of the last build
	building func()
}

func (p *printing) Build(_ context.Context, from result.Source, into string,
	lenient bool) (all []result.Binary, left []error, err error) {
	p.packages = from.Packages
	p.building()
	if !lenient {
		return nil, nil, errors.New("a package that does not build is no error of a watch")
	}
	name := filepath.Join(into, "p.test")
	const script = "#!/bin/sh\necho Unit proof-B assume=exact better=lower\ncat figures\n"
	err = os.WriteFile(name, []byte(script), 0o700)
	return []result.Binary{{Package: testPackage, Dir: from.Dir, Path: name}}, p.left, err
}

func (*printing) Relink(_ context.Context, all []result.Binary, _ map[string]bool,
	_ int) ([]result.Binary, error) {
	return all, nil
}

// TestLabOfRevisions: while it has the lock, a lab measures checked-out revisions in an empty
// folder, and leaves nothing.
func TestLabOfRevisions(t *testing.T) {
	repository, commits := example(t)
	work, locked, refused := filepath.Join(t.TempDir(), "work"), 0, error(nil)
	remains := filepath.Join(work, "remains")
	builder := &printing{left: []error{errors.New("m/q: does\nnot build")}, building: func() {
		require.Equal(t, 1, locked)
		require.NoFileExists(t, remains)
	}}
	lock := func(context.Context) (func(), error) {
		locked++
		return func() { locked-- }, refused
	}
	l := NewLab(compare.Options{Packages: []string{"./..."}, Flags: result.Flags{Bench: "."}, Count: 2,
		Budget: time.Hour, Lock: lock, Builder: builder}, repository, 2, work)
	ended := func() {
		t.Helper()
		require.Zero(t, locked)
		require.NoDirExists(t, work)
		require.NoError(t, os.MkdirAll(work, 0o755))
		require.NoError(t, os.WriteFile(remains, nil, 0o600))
	}
	require.NoError(t, os.MkdirAll(remains, 0o755), "of a killed measurement")
	var out strings.Builder
	require.NoError(t, l.Measure(t.Context(), commits[3], result.Stream{Writer: &out}))
	ended()
	require.Equal(t, LeftOut+": m/q: does; not build\npkg: "+testPackage+
		"\nUnit proof-B assume=exact better=lower\nBenchmarkProve 1 710 proof-B\n"+
		"BenchmarkProve 1 710 proof-B\nresults: 2\n", out.String())
	require.ErrorIs(t, l.Measure(t.Context(), commits[6], result.Stream{Writer: &out}), ErrRevision)
	ended()

	r, err := l.Compare(t.Context(), commits[2], commits[3], nil)
	require.NoError(t, err)
	ended()
	require.Equal(t, 1, r.Count(gate.Regression))
	require.Equal(t, []string{"./..."}, builder.packages)
	prove, other := result.Key{Package: testPackage, Name: "Prove"}, result.Key{Package: "q", Name: "Other"}
	r, err = l.Compare(t.Context(), commits[2], commits[3], []result.Key{prove, other, prove})
	require.NoError(t, err)
	ended()
	require.Equal(t, 1, r.Count(gate.Regression))
	require.Equal(t, []string{testPackage, "q"}, builder.packages)
	_, err = l.Compare(t.Context(), commits[2], strings.Repeat("0", 40), nil)
	require.ErrorIs(t, err, ErrRevision)
	ended()

	refused = errors.New("another program measures")
	_, err = l.Compare(t.Context(), commits[2], commits[3], nil)
	require.ErrorIs(t, err, refused)
	require.NotErrorIs(t, err, ErrRevision)
	locked, refused = 0, nil
	ctx, cancel := context.WithCancel(t.Context())
	builder.building = cancel
	_, err = l.Compare(ctx, commits[2], commits[3], nil)
	require.Equal(t, context.Canceled, err)
	require.Zero(t, locked)

	require.NoError(t, os.RemoveAll(work))
	require.NoError(t, os.WriteFile(filepath.Dir(work)+"/file", nil, 0o600))
	l = NewLab(compare.Options{Lock: lock}, repository, 2, filepath.Join(filepath.Dir(work), "file", "work"))
	require.NotErrorIs(t, l.Measure(t.Context(), commits[3], result.Stream{Writer: &out}), ErrRevision)
	require.Zero(t, locked, "also without a folder")
}
