// Package host reads the state of the machine that affects a measurement.
//
// It reads /proc and /sys on Linux, by a file system that tests replace.
//
// Values that cannot be read are Unknown; host never guesses.
package host

import (
	"fmt"
	"io/fs"
	"math"
	"os"
	"reflect"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
)

// Unknown is the text of a value that could not be read.
const Unknown = "unknown"

// State is the state of the machine and the program at one moment. Texts are as
// the system writes them, or Unknown; numbers are nil if unknown.
type State struct {
	Go          string
	OS, Arch    string
	GOMAXPROCS  int
	GOGC        string
	GOMEMLIMIT  string
	CPUs        int
	CPU         string // model
	Governor    string
	Turbo       string // on, off
	SMT         string // on, off, notsupported, ...
	Quota       string // limit of the control group in processors: "1.5", or "none"
	ClockSource string
	Revision    string
	Version     string // of this module in the program
	Command     []string

	Load      *float64 // running tasks, averaged over a minute
	Steal     *float64 // seconds that the hypervisor took from all processors since boot
	Pressure  *float64 // seconds that tasks waited for a processor since boot (PSI, some)
	Throttled *float64 // seconds that the quota stopped the control group
}

// Read reads the State.
func Read() State {
	s := readFrom(os.DirFS("/"))
	s.Go, s.OS, s.Arch = runtime.Version(), runtime.GOOS, runtime.GOARCH
	s.GOMAXPROCS, s.CPUs = runtime.GOMAXPROCS(0), runtime.NumCPU()
	s.GOGC, s.GOMEMLIMIT = collector()
	info, _ := debug.ReadBuildInfo()
	s.Revision, s.Version = revision(info), version(info)
	s.Command = os.Args
	return s
}

// collector returns the current settings of the garbage collector, made by the
// environment or by the program.
func collector() (percent, limit string) {
	s := []metrics.Sample{{Name: "/gc/gogc:percent"}, {Name: "/gc/gomemlimit:bytes"}}
	metrics.Read(s)
	percent, limit = Unknown, Unknown
	if v := s[0].Value; v.Kind() == metrics.KindUint64 {
		percent = setting(v.Uint64(), math.MaxUint64, "off", strconv.FormatUint(v.Uint64(), 10))
	}
	if v := s[1].Value; v.Kind() == metrics.KindUint64 {
		limit = setting(v.Uint64(), math.MaxInt64, "none",
			fmt.Sprintf("%.4g MiB", float64(v.Uint64())/(1<<20)))
	}
	return percent, limit
}

// setting formats a value, or returns word if the value means no limit.
func setting(v, unlimited uint64, word, text string) string {
	if v == unlimited {
		return word
	}
	return text
}

// revision returns the revision of the source, marked if the tree was modified.
// Test binaries have one if they are built with -buildvcs=true.
func revision(info *debug.BuildInfo) string {
	if info == nil {
		return Unknown
	}
	rev, dirty := Unknown, ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			rev = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = "+changes"
		}
	}
	if rev == Unknown {
		return rev
	}
	return rev + dirty
}

// version returns the version of this module in the program, such as v0.1.0, a
// pseudo-version, or (devel).
func version(info *debug.BuildInfo) string {
	if info == nil {
		return Unknown
	}
	ours, _, _ := strings.Cut(reflect.TypeFor[State]().PkgPath(), "/runner/host")
	for _, m := range append([]*debug.Module{&info.Main}, info.Deps...) {
		if m.Path == ours && m.Version != "" {
			return m.Version
		}
	}
	return Unknown
}

// text reads a file of one line.
func text(f fs.FS, name string) string {
	b, err := fs.ReadFile(f, name)
	if s := strings.TrimSpace(string(b)); err == nil && s != "" {
		return s
	}
	return Unknown
}

// line returns the rest of the first line of a file that begins with prefix.
func line(f fs.FS, name, prefix string) (rest string, ok bool) {
	b, err := fs.ReadFile(f, name)
	for l := range strings.Lines(string(b)) {
		rest, ok = strings.CutPrefix(l, prefix)
		if ok && err == nil {
			return strings.TrimSpace(rest), true
		}
	}
	return "", false
}

// scan reads numbers from the line that begins with prefix, in a format of fmt.Sscanf.
func scan(f fs.FS, name, prefix, format string, into ...any) bool {
	rest, ok := line(f, name, prefix)
	n, _ := fmt.Sscanf(rest, format, into...)
	return ok && n == len(into)
}
