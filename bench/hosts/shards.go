package hosts

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/internal/text"
)

// A Fleet is hosts on which the program and test binaries are ready to run.
type Fleet struct {
	Hosts []*Host
	Tests map[Platform][]string // paths of test binaries in the folder of the run

	name string      // of the folder of the run
	say  *log.Logger // hosts write to it at the same time
}

// Local is a file here that the program needs on the hosts. There it has the name There.
type Local struct{ Here, There string }

// Open looks at the hosts, calls build once for each platform, and copies the program, the
// binaries and files. It fails if one host cannot be used, before anything is measured. Messages of
// hosts go to say. Close deletes the copies.
func Open(ctx context.Context, all []*Host, say io.Writer, files []Local,
	build func(p Platform, into string) ([]result.Binary, error)) (*Fleet, error) {
	f := &Fleet{Hosts: all, Tests: map[Platform][]string{},
		name: fmt.Sprintf("zkatbench-%x", time.Now().UnixNano()), say: log.New(say, "", 0)}
	if err := look(ctx, all); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "zkatbench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	packed := func(p Platform) string { return filepath.Join(dir, p.OS+"-"+p.Arch) }
	for _, h := range all {
		p := h.Platform
		if _, done := f.Tests[p]; done {
			continue
		}
		built := packed(p) + "-built"
		if err := errors.Join(os.Mkdir(built, 0o755), os.Mkdir(packed(p), 0o755)); err != nil {
			return nil, err
		}
		binaries, err := build(p, built)
		if err == nil {
			f.Tests[p], err = pack(ctx, p, packed(p), binaries)
		}
		for _, file := range files {
			err = errors.Join(err, copyFile(filepath.Join(packed(p), file.There), file.Here))
		}
		if err == nil {
			err = archive(ctx, packed(p))
		}
		if err != nil {
			return nil, fmt.Errorf("%v: %w", p, err)
		}
	}
	if err := f.Each(func(i int, h *Host) error {
		return h.send(ctx, packed(h.Platform)+archived, f.folder(i))
	}); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// folder is the folder of the run on a host; hosts can share a machine.
func (f *Fleet) folder(i int) string { return fmt.Sprintf("%s-%d", f.name, i+1) }

// Close deletes the copies on the hosts.
func (f *Fleet) Close() {
	ctx, cancel := context.WithTimeout(context.Background(), ending)
	defer cancel()
	// a host that went away keeps it
	_ = f.Each(func(i int, h *Host) error {
		return h.ssh(ctx, "rm -rf "+shell(path.Join(h.Folder, f.folder(i)))).Run()
	})
}

// Each calls work for all hosts at the same time and returns all errors.
func (f *Fleet) Each(work func(i int, h *Host) error) error { return each(f.Hosts, work) }

// Run runs the program on a host with args, and writes its messages with the name of the host.
func (f *Fleet) Run(ctx context.Context, h *Host, out io.Writer, args ...string) error {
	say := &Lines{Each: func(line string) error {
		f.say.Printf("%s: %s", h.Destination, text.Visible(line))
		return nil
	}}
	return h.run(ctx, f.folder(slices.Index(f.Hosts, h)), append([]string{"./" + programName}, args...), out,
		say)
}

// Read returns a file that the program wrote on a host.
func (f *Fleet) Read(ctx context.Context, h *Host, name string) (text []byte, err error) {
	var out bytes.Buffer
	err = h.run(context.WithoutCancel(ctx), f.folder(slices.Index(f.Hosts, h)), []string{"cat", name}, &out,
		io.Discard)
	return out.Bytes(), err
}

// Pin returns the flag that binds measured processes to the cores of the host.
func (h *Host) Pin() []string {
	if h.Cores == everyCore {
		return nil
	}
	return []string{"-pin=" + h.Cores}
}

// Shards calls work for as many shards as there are hosts, one at a time on each host. If a
// host goes away (errGone), the next free host gets its shard. The error names the shards
// that failed, or that no host is left for.
func (f *Fleet) Shards(ctx context.Context, work func(h *Host, s result.Shard) error) error {
	n := len(f.Hosts)
	open := make(chan int, n) // shards
	var left atomic.Int64     // shards that have not ended
	for i := range n {
		open <- i + 1
	}
	left.Store(int64(n))
	err := f.Each(func(_ int, h *Host) error {
		for i := range open {
			err := work(h, result.Shard{Index: i, Of: n})
			if errors.Is(err, errGone) && ctx.Err() == nil {
				f.say.Printf("zkatbench: %s; its shard %d/%d goes to another host", text.Visible(err.Error()),
					i, n)
				open <- i
				return nil
			}
			more := left.Add(-1)
			if more == 0 {
				close(open)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	if left.Load() > 0 {
		for range len(open) {
			err = errors.Join(err, fmt.Errorf("shard %d/%d is missing: no host is left for it", <-open, n))
		}
	}
	return err
}

// Lines is a Writer that calls Each for each whole line.
type Lines struct {
	Each func(line string) error
	rest []byte
}

// Write returns the first error of Each.
func (l *Lines) Write(b []byte) (int, error) {
	l.rest = append(l.rest, b...)
	for {
		line, rest, found := bytes.Cut(l.rest, []byte("\n"))
		if !found {
			return len(b), nil
		}
		if err := l.Each(string(line)); err != nil {
			return 0, err
		}
		l.rest = append([]byte(nil), rest...)
	}
}

// programName is the name of this program in a packed folder.
const programName = "zkatbench"

// source is the package that the program is built from for other platforms.
const source = "github.com/zkatbench/zkatbench/cmd/zkatbench"

// pack fills a folder with the program and test binaries, each in a separate folder with the
// testdata of its package. It returns the paths of the binaries.
func pack(ctx context.Context, p Platform, into string, binaries []result.Binary) (names []string,
	err error) {
	if err := program(ctx, p, filepath.Join(into, programName)); err != nil {
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
		err := os.CopyFS(filepath.Join(filepath.Dir(there), "testdata"),
			os.DirFS(filepath.Join(b.Dir, "testdata")))
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
		return fmt.Errorf("%v differs from this machine, and the module here does not build %s for it: %s", p,
			source, last)
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
