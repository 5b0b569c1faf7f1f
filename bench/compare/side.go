package compare

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/zkatbench/zkatbench/bench/result"
)

// Kind is the kind of a side.
type Kind int

// The kinds.
const (
	Revision Kind = iota
	Folder
	TestBinary
	ResultFile
)

var kindNames = [...]string{"revision (no file has this name)", "folder", "test binary", "file of results"}

func (k Kind) String() string { return kindNames[k] }

// KindOf returns the kind of a name on a command line.
func KindOf(name string) Kind {
	info, err := os.Stat(name)
	if err != nil { // test binaries of several layouts?
		first, _, _ := strings.Cut(name, ",")
		info, err = os.Stat(first)
	}
	switch {
	case err != nil:
		return Revision
	case info.IsDir():
		return Folder
	case info.Mode()&0o111 != 0:
		return TestBinary
	}
	return ResultFile
}

// Side is a side of a comparison.
type Side struct {
	// Name is a revision, FOLDER@REVISION, a folder, test binaries with commas between them, or a file.
	Name    string
	Kind    Kind
	Tools   Tools
	Overlay string // file for -overlay of go build; empty: none
}

// Named returns the side with a name of a command line.
func Named(name string) Side { return Side{Name: name, Kind: KindOf(name)} }

// repository returns the clone of a revision, and the revision there.
func (s Side) repository() (clone, revision string) {
	if at := strings.LastIndex(s.Name, "@"); at > 0 && KindOf(s.Name[:at]) == Folder {
		return s.Name[:at], s.Name[at+1:]
	}
	return ".", s.Name
}

// Prebuilt returns test binaries that were built before. They run in their own folder if
// it has their testdata, otherwise in the working directory.
func Prebuilt(files []string) (all []result.Binary, err error) {
	for _, file := range files {
		dir := filepath.Dir(file)
		if _, err := os.Stat(filepath.Join(dir, "testdata")); err != nil {
			dir = "."
		}
		b, err := result.Prebuilt(file, dir)
		if err != nil {
			return nil, err
		}
		all = append(all, b)
	}
	return all, nil
}

// Check refuses sides and packages that do not exist, before any work. A side that does not exist is
// reported first, because it can be a misspelt file of results, which takes no packages.
func Check(ctx context.Context, base, head Side, o Options) error {
	sources := false
	for _, s := range []Side{base, head} {
		if s.Tools.Label != "" { // does go take the settings?
			if err := (result.Source{Dir: ".", Packages: []string{"unsafe"},
				Env: s.Tools.Env}).Check(ctx); err != nil {
				return err
			}
		}
		switch s.Kind {
		case TestBinary:
			if len(o.Packages) > 0 || len(o.Flags.Build) > 0 || s.Tools.Label != "" {
				return fmt.Errorf("%q is a test binary: packages and flags of go build do not apply", s.Name)
			}
			if err := s.Check(ctx, o); err != nil {
				return err
			}
			continue
		case Revision:
			repository, rev := s.repository()
			if _, err := result.Commit(ctx, repository, rev); err != nil {
				return fmt.Errorf("%q is neither a file, a folder nor a git revision (%w)", s.Name, err)
			}
		}
		sources = true
	}
	if sources && len(o.Packages) == 0 {
		return errors.New("name the packages, as in main HEAD ./... -- -bench=Sender")
	}
	for _, s := range []Side{base, head} {
		if err := s.Check(ctx, o); err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
	}
	err := base.CheckTests(ctx, o)
	if errors.Is(err, result.ErrNoBenchmarks) { // a benchmark of one side is missing or new
		err = head.CheckTests(ctx, o)
	}
	return err
}

// Check refuses packages that the side does not have, and flags of the build that go or its tools do not
// take. It refuses flags that a test binary does not define.
func (s Side) Check(ctx context.Context, o Options) error {
	switch s.Kind {
	case Folder:
		return result.Source{Dir: s.Name, Packages: o.Packages, Flags: o.Flags.Build}.Check(ctx)
	case Revision:
		repository, rev := s.repository()
		if err := CheckCommit(ctx, repository, rev, o.Packages...); err != nil {
			return err
		}
		// The commit can have files that the folder lacks.
		flags := slices.DeleteFunc(slices.Clone(o.Flags.Build), func(f string) bool {
			name, _, _ := strings.Cut(f, "=")
			return slices.Contains([]string{"-pgo", "-overlay", "-modfile"}, name)
		})
		return result.Source{Dir: repository, Flags: flags}.CheckFlags(ctx)
	case TestBinary:
		all, err := Prebuilt(strings.Split(s.Name, ","))
		for _, b := range all {
			err = cmp.Or(err, b.CheckFlags(ctx, o.Flags))
		}
		return err
	}
	return nil
}

// CheckTests returns result.ErrNoBenchmarks if -bench can match no benchmark of the side, by the text of its
// tests. It refuses flags that they do not define.
func (s Side) CheckTests(ctx context.Context, o Options) error {
	switch s.Kind {
	case Folder:
		return result.Source{Dir: s.Name, Packages: o.Packages, Flags: o.Flags.Build}.CheckTests(ctx, o.Flags)
	case Revision:
		repository, rev := s.repository()
		return checkTests(ctx, repository, rev, o)
	}
	return nil
}

// checkTests is CheckTests of a commit.
func checkTests(ctx context.Context, repository, commit string, o Options) error {
	grep := []string{"grep", "-h", "^func Benchmark", commit, "--"}
	module := moduleOf(ctx, repository, commit)
	for _, name := range o.Packages {
		folder := inModule(name, module)
		if !strings.HasPrefix(folder, ".") || strings.HasPrefix(folder, "..") {
			return nil // of another module
		}
		root, _, below := strings.Cut(strings.TrimPrefix(folder, "./"), "...")
		if below {
			root = path.Join(path.Dir(root), "**")
		}
		grep = append(grep, ":(glob)"+path.Join(root, "*_test.go"))
	}
	tests, err := result.Git(ctx, repository, grep...)
	if exit := new(exec.ExitError); err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
		return nil // the build says why
	}
	if err := result.DeclaredIn([][]byte{[]byte(tests)}, o.Flags); err != nil {
		return err
	}
	// The folder stands for the commit, if the name is in no file of the commit.
	err = result.Source{Dir: repository, Packages: o.Packages, Flags: o.Flags.Build}.CheckOwn(ctx, o.Flags)
	if undefined := new(result.UndefinedError); errors.As(err, &undefined) {
		_, found := result.Git(ctx, repository, "grep", "-qwF", "-e", undefined.Flag, commit)
		if found != nil {
			return err
		}
	}
	return nil
}

// moduleOf returns the path of the module of a commit, empty without one: it has only relative paths.
func moduleOf(ctx context.Context, repository, commit string) string {
	file, _ := result.Git(ctx, repository, "show", commit+":./go.mod")
	return modfile.ModulePath([]byte(file))
}

// inModule returns a package of the module as a folder, and another one as it is.
func inModule(name, module string) string {
	if inside, is := strings.CutPrefix(name+"/", module+"/"); is && module != "" {
		return "./" + strings.TrimSuffix(inside, "/")
	}
	return name
}

// wildcard matches the end of a pattern of packages, from the first element with dots on.
var wildcard = regexp.MustCompile(`[^/]*\.\.\..*`)

// CheckCommit refuses folders and packages that a commit of a clone does not have. It
// knows packages with an import path if they are of the clone's module.
func CheckCommit(ctx context.Context, repository, commit string, packages ...string) error {
	module := moduleOf(ctx, repository, commit)
	for _, name := range packages {
		if err := result.CheckPattern(name); err != nil {
			return err
		}
		folder := inModule(wildcard.ReplaceAllString(name, ""), module)
		first, _, _ := strings.Cut(folder, "/")
		if first != "" && !strings.Contains(first, ".") { // of the standard library
			standard := result.Source{Dir: ".", Packages: []string{name}}
			if err := standard.Check(ctx); err != nil && ctx.Err() == nil {
				return fmt.Errorf("there is no package %s", name)
			}
		}
		if !strings.HasPrefix(folder, ".") {
			continue
		}
		if _, err := result.Git(ctx, repository, "cat-file", "-e", commit+":./"+folder); err != nil {
			return fmt.Errorf("there is no folder %s", name)
		}
	}
	return nil
}
