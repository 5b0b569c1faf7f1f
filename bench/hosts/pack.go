package hosts

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/zkatbench/zkatbench/bench/result"
)

// Program is the name of this program in a packed folder.
const Program = "zkatbench"

// source is the package that the program is built from for other platforms.
const source = "github.com/zkatbench/zkatbench/cmd/zkatbench"

// pack fills a folder with the program and test binaries, each in a folder of its own beside the
// testdata of its package. It returns the paths of the binaries.
func pack(ctx context.Context, p Platform, into string, binaries []result.Binary) (names []string, err error) {
	if err := program(ctx, p, filepath.Join(into, Program)); err != nil {
		return nil, err
	}
	for i, b := range binaries {
		name := fmt.Sprintf("%d/%s.test", i, path.Base(b.Package))
		there := filepath.Join(into, filepath.FromSlash(name))
		if err := os.Mkdir(filepath.Dir(there), 0o755); err != nil {
			return nil, err
		}
		if err := copyFile(there, b.Path); err != nil {
			return nil, err
		}
		err := os.CopyFS(filepath.Join(filepath.Dir(there), "testdata"), os.DirFS(filepath.Join(b.Dir, "testdata")))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		names = append(names, name)
	}
	return names, nil
}

// program copies this program, or builds it for another platform.
func program(ctx context.Context, p Platform, name string) error {
	if p == (Platform{runtime.GOOS, runtime.GOARCH}) {
		own, err := os.Executable()
		if err != nil {
			return err
		}
		return copyFile(name, own)
	}
	build := exec.CommandContext(ctx, "go", "build", "-o", name, source)
	build.Env = append(build.Environ(), p.Env()...)
	if out, err := build.CombinedOutput(); err != nil {
		last, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
		return fmt.Errorf("%v differs from this machine, and the module here does not build %s for it: %s", p, source, last)
	}
	return nil
}

// copyFile copies a program, or links to it.
func copyFile(to, from string) error {
	if os.Link(from, to) == nil {
		return nil
	}
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, text, 0o755)
}

// archived follows the name of a folder in the name of its archive.
const archived = ".tar.gz"

// archive packs a folder, once for all hosts of a platform.
func archive(ctx context.Context, dir string) error {
	out, err := exec.CommandContext(ctx, "tar", "-czf", dir+archived, "-C", dir, ".").CombinedOutput()
	if err != nil {
		return fmt.Errorf("tar: %w: %s", err, bytes.TrimSpace(out))
	}
	return nil
}
