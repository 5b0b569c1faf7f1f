package watch

import (
	"context"
	"errors"
	"path"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/zkatbench/zkatbench/bench/result"
)

func isRevision(err error) bool { return errors.Is(err, errRevision) }

// benchmarkChanged reports whether the benchmarks of a package differ between two
// commits: its test files, its test data, the folders of the harness, or the flags
// that it knows.
func (w *Watch) benchmarkChanged(ctx context.Context, s *state, base, head, pkg string) (bool, error) {
	var digests [2]string
	for i, commit := range []string{base, head} {
		var err error
		if digests[i], err = w.benchmark(ctx, commit, pkg); err != nil {
			return false, err
		}
		if d := s.data[commit]; d != nil {
			for of := range strings.SplitSeq(strings.Join(d.Config[unknownFlags], "; "), "; ") {
				if strings.HasPrefix(of, pkg+" ") {
					digests[i] += of
				}
			}
		}
	}
	return digests[0] != digests[1], nil
}

// benchmark returns the objects of git that make up the benchmarks of a package.
func (w *Watch) benchmark(ctx context.Context, commit, pkg string) (string, error) {
	below, err := result.Git(ctx, w.Repository, "rev-parse", "--show-prefix")
	if err != nil {
		return "", err
	}
	root := strings.TrimSpace(below)
	gomod, err := result.Git(ctx, w.Repository, "show", commit+":"+path.Join(root, "go.mod"))
	if err != nil {
		return "", err
	}
	dir := path.Join(root, strings.TrimPrefix(strings.TrimPrefix(pkg, modfile.ModulePath([]byte(gomod))), "/"))
	folders := []string{dir}
	for _, h := range w.Harness {
		folders = append(folders, path.Join(root, h))
	}
	out, err := result.Git(ctx, w.Repository, "ls-tree", "-r", "--full-tree", commit)
	if err != nil {
		return "", err
	}
	var of []string
	for line := range strings.Lines(out) {
		_, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		isTest := path.Dir(name) == path.Clean(dir) && strings.HasSuffix(name, "_test.go")
		isData := strings.HasPrefix(name, path.Join(dir, "testdata")+"/")
		isHarness := slices.ContainsFunc(folders[1:], func(f string) bool { return strings.HasPrefix(name, f+"/") && strings.HasSuffix(name, ".go") })
		if isTest || isData || isHarness {
			of = append(of, line)
		}
	}
	return strings.Join(of, ""), nil
}
