package result

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/zkatbench/zkatbench/runner/host"
)

// sources are the files that builds and tests take up though git does not know
// them, anywhere in the repository. Others, such as results, change nothing.
var sources = []string{
	":(top,glob)**/*.go", ":(top,glob)**/*.[chsS]", ":(top,glob)**/go.mod", ":(top,glob)**/go.work", ":(top,glob)**/testdata/**",
}

// Revision is that of the working tree at dir, with +changes if it is dirty;
// host.Unknown if git cannot tell.
func Revision(ctx context.Context, dir string) string {
	rev, err := tool(ctx, dir, "git", "rev-parse", "HEAD")
	if err != nil {
		return host.Unknown
	}
	rev = strings.TrimSpace(rev)
	for _, ask := range [][]string{
		{"status", "--porcelain", "--untracked-files=no"},
		append([]string{"ls-files", "--others", "--exclude-standard", "--"}, sources...),
	} {
		if changes, err := tool(ctx, dir, "git", ask...); err != nil || changes != "" {
			return rev + "+changes"
		}
	}
	return rev
}

// Commit is the commit that a revision names in the repository of dir.
func Commit(ctx context.Context, dir, revision string) (string, error) {
	out, err := tool(ctx, dir, "git", "rev-parse", "--verify", "--quiet", "--end-of-options", revision+"^{commit}")
	return strings.TrimSpace(out), err
}

// Checkout puts a commit of the repository of dir into a temporary worktree at
// into, and returns the folder there that dir is in the repository. Remove takes
// the worktree away.
func Checkout(ctx context.Context, dir, commit, into string) (at string, remove func() error, err error) {
	below, err := tool(ctx, dir, "git", "rev-parse", "--show-prefix")
	if err != nil {
		return "", nil, err
	}
	if _, err := tool(ctx, dir, "git", "worktree", "add", "--quiet", "--detach", into, commit); err != nil {
		return "", nil, err
	}
	remove = func() error {
		// Also after an interrupt.
		_, err := tool(context.WithoutCancel(ctx), dir, "git", "worktree", "remove", "--force", into)
		return err
	}
	return filepath.Join(into, strings.TrimSpace(below)), remove, nil
}
