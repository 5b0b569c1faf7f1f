package result

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/zkatbench/zkatbench/runner/host"
)

// sources are files that affect builds and tests although git does not track
// them, anywhere in the repository. Other untracked files, such as results, do
// not count as changes.
var sources = []string{
	":(top,glob)**/*.go", ":(top,glob)**/*.[chsS]", ":(top,glob)**/go.mod", ":(top,glob)**/go.work", ":(top,glob)**/testdata/**",
}

// Revision returns the revision of the working tree at dir, with +changes if it
// is dirty, or host.Unknown if git fails.
func Revision(ctx context.Context, dir string) string {
	rev, err := Git(ctx, dir, "rev-parse", "HEAD")
	if err != nil {
		return host.Unknown
	}
	rev = strings.TrimSpace(rev)
	for _, ask := range [][]string{
		{"status", "--porcelain", "--untracked-files=no"},
		append([]string{"ls-files", "--others", "--exclude-standard", "--"}, sources...),
	} {
		if changes, err := Git(ctx, dir, ask...); err != nil || changes != "" {
			return rev + "+changes"
		}
	}
	return rev
}

// Commit returns the commit that a revision names in the repository of dir.
func Commit(ctx context.Context, dir, revision string) (string, error) {
	out, err := Git(ctx, dir, "rev-parse", "--verify", "--quiet", "--end-of-options", revision+"^{commit}")
	return strings.TrimSpace(out), err
}

// Checkout creates a temporary worktree at into with a commit of the repository
// of dir, and returns the directory in it that corresponds to dir. remove
// deletes the worktree.
func Checkout(ctx context.Context, dir, commit, into string) (at string, remove func() error, err error) {
	below, err := Git(ctx, dir, "rev-parse", "--show-prefix")
	if err != nil {
		return "", nil, err
	}
	if _, err := Git(ctx, dir, "worktree", "add", "--quiet", "--detach", into, commit); err != nil {
		return "", nil, err
	}
	remove = func() error {
		// WithoutCancel: the worktree must be removed after an interrupt, too.
		_, err := Git(context.WithoutCancel(ctx), dir, "worktree", "remove", "--force", into)
		return err
	}
	return filepath.Join(into, strings.TrimSpace(below)), remove, nil
}
