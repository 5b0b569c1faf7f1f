package result

import (
	"bytes"
	"context"
	"debug/buildinfo"
	"errors"
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/zkatbench/zkatbench/runner/host"
)

// ErrTool reports a missing program.
var ErrTool = errors.New("needs")

// ErrNoPackages reports a pattern of packages.
var ErrNoPackages = errors.New("no package matches")

// ErrNoTests reports packages without tests.
var ErrNoTests = errors.New("no package has tests")

// Binary is a built test binary. It runs in Dir, the directory of its package,
// so that it finds its testdata.
type Binary struct {
	Package, Dir, Path string
	Module             string   // path of the module, empty if not known
	Env                []string // variables besides the environment of this process, such as GOGC=50
	Unknown            []string // flags that the binary does not define; they are left out
	Processors         []int    // of its processes; empty: not bound
	// Layout is the seed of the order in which the linker placed the functions; 0 is the
	// order of the sources, or unknown.
	Layout int
	source *Source // nil for a binary that was built before
}

// Source names packages of a module as for go test.
type Source struct {
	Dir      string // working directory of go
	Packages []string
	Flags    []string // of go build, such as -tags=x
	Env      []string // variables of go and of the binaries, such as GOAMD64=v3
	Layout   int      // seed of the order of the functions in the binaries; 0: as the linker finds them
}

// Build compiles the test binary of each package into the directory into. It
// skips packages without tests; it returns an error if no package has tests.
func (s Source) Build(ctx context.Context, into string) ([]Binary, error) {
	all, _, err := s.build(ctx, into)
	return all, err
}

// BuildEach is Build, but leaves out packages that do not build and returns their errors.
// It fails if no package is left.
func (s Source) BuildEach(ctx context.Context, into string) (all []Binary, left []error, err error) {
	return s.build(ctx, into, "-e")
}

// build is BuildEach if there are flags of go list, and otherwise Build.
func (s Source) build(ctx context.Context, into string, flags ...string) (all []Binary, left []error,
	err error) {
	const format = "{{if or .TestGoFiles .XTestGoFiles .InvalidGoFiles}}{{.ImportPath}}\t{{with " +
		".Module}}{{.Path}}{{end}}\t{{.Dir}}{{end}}"
	out, err := s.list(ctx, append(flags, "-f", format)...)
	if err != nil {
		return nil, nil, err
	}
	for line := range strings.Lines(out) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		b := Binary{
			Package: fields[0], Module: fields[1], Dir: fields[2], Env: s.Env, source: &s,
			Path: filepath.Join(into, fmt.Sprintf("%d.test", len(all)+len(left))),
		}
		switch b, err := b.relink(ctx, s.Layout); {
		case err == nil:
			all = append(all, b)
		case len(flags) == 0 || ctx.Err() != nil:
			return nil, nil, err
		default:
			left = append(left, fmt.Errorf("%s: %w", b.Package, err))
		}
	}
	if len(all) == 0 {
		return nil, nil,
			errors.Join(append(left, fmt.Errorf("%w: %s", ErrNoTests, strings.Join(s.Packages, " ")))...)
	}
	return all, left, nil
}

// list runs go list.
func (s Source) list(ctx context.Context, flags ...string) (string, error) {
	return tool(ctx, s.Env, s.Dir, "go",
		slices.Concat([]string{"list"}, flags, s.Flags, []string{"--"}, s.Packages)...)
}

// Relinks reports whether the binary can be built with other layouts.
func (b Binary) Relinks() bool { return b.source != nil && b.Layout != 0 }

// relink builds the binary with a layout. Only the linker does work if it was
// built before.
func (b Binary) relink(ctx context.Context, layout int) (Binary, error) {
	path, _, _ := strings.Cut(b.Path, "-layout")
	b.Layout = layout
	if layout != 0 {
		path += fmt.Sprintf("-layout%d", layout)
	}
	b.Path = path
	compile := slices.Concat([]string{"test", "-c", "-o", b.Path}, withLayout(b.source.Flags, layout),
		[]string{b.Package})
	_, err := tool(ctx, b.source.Env, b.source.Dir, "go", compile...)
	return b, err
}

// Relink adds so many layouts to the binaries of wanted packages; nil wants all.
// Prebuilt binaries are not relinked.
func Relink(ctx context.Context, all []Binary, wanted map[string]bool, layouts int) ([]Binary, error) {
	last := map[string]Binary{}
	for _, b := range all {
		if b.Layout >= last[b.Package].Layout && b.Relinks() && (wanted == nil || wanted[b.Package]) {
			last[b.Package] = b
		}
	}
	for _, pkg := range slices.Sorted(maps.Keys(last)) {
		b := last[pkg]
		for range layouts {
			var err error
			b, err = b.relink(ctx, b.Layout+2)
			if err != nil { // the other side has the seed between
				return all, err
			}
			all = append(all, b)
		}
	}
	return all, nil
}

// withLayout adds the seed of a layout to the flags of the linker.
func withLayout(flags []string, layout int) []string {
	if layout == 0 {
		return flags
	}
	linker := fmt.Sprintf("-randlayout=%d", layout)
	flags = slices.Clone(flags)
	for i, f := range flags {
		if strings.HasPrefix(f, linkerFlags+"=") {
			flags[i] += " " + linker
			return flags
		}
	}
	return append(flags, linkerFlags+"="+linker)
}

// Prebuilt returns a test binary that was built with go test -c. It runs in
// dir.
func Prebuilt(path, dir string) (Binary, error) {
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		return Binary{}, err
	}
	pkg, isTest := strings.CutSuffix(info.Path, ".test")
	path, err = filepath.Abs(path)
	if err == nil && !isTest {
		err = fmt.Errorf("%s: %s is not a test binary; build one with go test -c", path, info.Path)
	}
	return Binary{Package: pkg, Dir: dir, Path: path, Module: info.Main.Path}, err
}

// Files returns the Go files of the main module that are built into the test binaries.
func (s Source) Files(ctx context.Context) ([]string, error) {
	out, err := s.list(ctx, "-deps", "-test", "-f",
		"{{if and .Module (not .Standard)}}{{if .Module.Main}}{{$d := .Dir}}{{range "+
			".GoFiles}}{{$d}}/{{.}}\n{{end}}{{end}}{{end}}")
	var files []string
	for _, name := range strings.Split(out, "\n") {
		// The generated main package of a test has another path behind the folder.
		if name != "" && !strings.Contains(name, "//") && !slices.Contains(files, name) {
			files = append(files, name)
		}
	}
	return files, err
}

// Git runs git in dir and returns its output.
func Git(ctx context.Context, dir string, args ...string) (string, error) {
	return tool(ctx, nil, dir, "git", args...)
}

// tool runs a program in dir, with variables besides the environment of this process,
// and returns its output. The error contains the output of a failed program in one line.
func tool(ctx context.Context, env []string, dir, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(cmd.Environ(), env...)
	var out, complaints bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaints
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case errors.Is(err, exec.ErrNotFound):
		return "", fmt.Errorf("%w %s: %w", ErrTool, name, err)
	case err != nil:
		return "", fmt.Errorf("%s %s: %w", name, args[0], withOutput(err, complaints.String()+out.String()))
	}
	return out.String(), nil
}

// usage begins the explanation of flags that a program prints behind an error.
var usage = regexp.MustCompile(`(?m)^[Uu]sage`)

// withOutput adds the output of a program to its error, in one line, without
// the usage that flag errors print.
func withOutput(err error, output string) error {
	output = strings.TrimSpace(usage.Split(output, 2)[0])
	if output == "" {
		return err
	}
	return fmt.Errorf("%w: %s", err, strings.ReplaceAll(output, "\n", "; "))
}

// sources are files that affect builds and tests although git does not track
// them, anywhere in the repository. Other untracked files, such as results, do
// not count as changes.
var sources = []string{
	":(top,glob)**/*.go", ":(top,glob)**/*.[chsS]", ":(top,glob)**/go.mod", ":(top,glob)**/go.work",
	":(top,glob)**/testdata/**",
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
