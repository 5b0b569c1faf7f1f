package compare

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/runner/host"
)

// Builder makes test binaries; result.Source does it with the go command.
type Builder interface {
	// Build makes the binaries of a source in a folder. With lenient set it leaves out packages that do
	// not build, and returns their errors.
	Build(ctx context.Context, from result.Source, into string, lenient bool) (all []result.Binary,
		left []error, err error)
	// Relink adds so many layouts to the binaries of wanted packages; nil wants all.
	Relink(ctx context.Context, all []result.Binary, wanted map[string]bool, layouts int) ([]result.Binary,
		error)
}

// goCommand is the Builder with the go command.
type goCommand struct{}

func (goCommand) Build(ctx context.Context, from result.Source, into string,
	lenient bool) (all []result.Binary, left []error, err error) {
	if lenient {
		return from.BuildEach(ctx, into)
	}
	all, err = from.Build(ctx, into)
	return all, nil, err
}

func (goCommand) Relink(ctx context.Context, all []result.Binary, wanted map[string]bool,
	layouts int) ([]result.Binary, error) {
	return result.Relink(ctx, all, wanted, layouts)
}

// built is a side after its build.
type built struct {
	name, revision string
	tools          Tools
	binaries       []result.Binary
	left           []error // of packages that are left out
}

// short is the revision as in tables: eight digits, and +changes.
func (b built) short() string {
	digits, changes, dirty := strings.Cut(b.revision, "+")
	if dirty {
		changes = "+" + changes
	}
	return fmt.Sprintf("%.8s", digits) + changes
}

// layouts returns the number of layouts.
func (b built) layouts() int {
	seeds := map[int]bool{}
	for _, one := range b.binaries {
		seeds[one.Layout] = true
	}
	return len(seeds)
}

// sides builds both sides in dir, with variables of go build. remove deletes checkouts.
func (c *comparison) sides(ctx context.Context, dir string, env []string) (sides [2]built, remove func(),
	err error) {
	var checkouts []func()
	remove = func() {
		for _, f := range checkouts {
			f()
		}
	}
	for i, s := range c.both {
		if i == 0 && c.base.binaries != nil {
			sides[0] = c.base
			continue
		}
		s.Tools.Env = slices.Concat(s.Tools.Env, env)
		c.status().Show(fmt.Sprintf("building %s: %s", sideNames[i], s.Name))
		one, removeOne, err := c.build(ctx, s, filepath.Join(dir, fmt.Sprint(i)), i+1)
		checkouts = append(checkouts, removeOne)
		if err != nil && !errors.Is(err, context.Canceled) {
			err = fmt.Errorf("%s: %w", cmp.Or(one.name, s.Name), err)
		}
		if err != nil {
			return sides, remove, err
		}
		sides[i] = one
	}
	return sides, remove, nil
}

// build makes the test binaries of a side in a new folder. remove deletes its checkout.
// layout is the seed of its first layout.
func (c *comparison) build(ctx context.Context, s Side, into string, layout int) (b built, remove func(),
	err error) {
	b = built{name: s.Name, revision: host.Unknown, tools: s.Tools}
	if s.Kind == TestBinary {
		b.binaries, err = c.prebuilt(s, layout)
		return b, func() {}, err
	}
	dir, revision, remove, err := s.sources(ctx, into+"-source")
	if err != nil {
		return b, remove, err
	}
	b.revision = revision
	if revision != host.Unknown {
		b.name = fmt.Sprintf("%s (%s)", s.Name, b.short())
	}
	if s.Tools.Label != "" {
		b.name += " " + s.Tools.Label
	}
	if c.Layouts == 1 {
		layout = 0
	}
	if err := os.Mkdir(into, 0o755); err != nil {
		return b, remove, err
	}
	from := result.Source{Dir: dir, Packages: c.Packages, Flags: slices.Concat(c.Flags.Build, s.Tools.Build),
		Env: s.Tools.Env, Layout: layout}
	if s.Overlay != "" {
		from.Flags = append(from.Flags, "-overlay="+s.Overlay)
	}
	b.binaries, b.left, err = c.compile(ctx, from, into)
	return b, remove, err
}

// prebuilt returns the binaries of a side that was built before; several are layouts.
func (c *comparison) prebuilt(s Side, layout int) ([]result.Binary, error) {
	all, err := Prebuilt(strings.Split(s.Name, ","))
	for i := range all {
		if len(all) > 1 {
			all[i].Layout = layout + 2*i
		}
		all[i].Processors = c.Pin.Measured
	}
	return all, err
}

// sources returns the folder with the sources of a side, and its revision. The sources of a
// revision are checked out in a new folder, which remove deletes.
func (s Side) sources(ctx context.Context, into string) (dir, revision string, remove func(), err error) {
	remove = func() {}
	if s.Kind == Folder {
		return s.Name, result.Revision(ctx, s.Name), remove, nil
	}
	repository, name := s.repository()
	revision, err = result.Commit(ctx, repository, name)
	if err != nil {
		return "", "", remove, err
	}
	dir, removeWorktree, err := result.Checkout(ctx, repository, revision, into)
	if err == nil {
		remove = func() { _ = removeWorktree() } // the parent directory is removed anyway
	}
	return dir, revision, remove, err
}

// compile makes binaries, and leaves out packages that do not build or run if c is lenient.
func (c *comparison) compile(ctx context.Context, from result.Source, into string) (fit []result.Binary,
	left []error, err error) {
	all, left, err := c.builder().Build(ctx, from, into, c.Lenient)
	for _, b := range all {
		b.Processors = c.Pin.Measured
		if c.Lenient {
			if err := b.Probe(ctx, c.Flags); err != nil {
				left = append(left, err)
				continue
			}
		}
		fit = append(fit, b)
	}
	if err == nil && len(fit) == 0 {
		err = errors.Join(left...)
	}
	return fit, left, err
}

func (c *comparison) builder() Builder {
	if c.Builder == nil {
		return goCommand{}
	}
	return c.Builder
}

// linkShare is the divisor of the budget for layouts besides the first.
const linkShare = 4

// firstLayouts are linked before the first measurement; the others when a case needs them, between
// measurements, so that the linker does not disturb them.
const firstLayouts = 2

// relink builds the further layouts that are measured from the start on, within linkShare of the budget,
// and returns the number of layouts that may confirm a change later.
func (c *comparison) relink(ctx context.Context, sides []built) (further int, err error) {
	started := time.Now()
	for n := 1; n < min(c.Layouts, firstLayouts); n++ {
		if n > 1 && time.Since(started)/time.Duration(n-1)*time.Duration(n) > c.Budget/linkShare {
			return 0, nil
		}
		for i := range sides {
			if sides[i].layouts() > n {
				continue
			}
			c.status().Show(fmt.Sprintf("linking layout %d of %s", n+1, sides[i].name))
			sides[i].binaries, err = c.builder().Relink(ctx, sides[i].binaries, nil, 1)
			if err != nil {
				return 0, err
			}
		}
	}
	for _, s := range sides {
		if !slices.ContainsFunc(s.binaries, result.Binary.Relinks) {
			return 0, nil
		}
	}
	if time.Since(started) > c.Budget/linkShare {
		return 0, nil
	}
	return c.Layouts, nil
}

// sideNames are the names of both sides in messages.
var sideNames = [2]string{"BASE", "HEAD"}

// layoutNote says how many layouts were measured, and the time that they took.
func layoutNote(sides [2]built, further int, took time.Duration) []string {
	for i, s := range sides {
		if n := s.layouts(); n < 2 {
			return []string{sideNames[i] +
				" has one layout of its functions: a change that linking makes is not told from a change " +
				"of the code"}
		}
	}
	note := fmt.Sprintf("%d and %d layouts of the functions, built in %v", sides[0].layouts(),
		sides[1].layouts(), took.Round(100*time.Millisecond))
	if further > 0 {
		note += fmt.Sprintf("; undecided cases get %d more", further)
	}
	return []string{note}
}
