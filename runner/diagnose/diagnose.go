// Package diagnose finds out why an operation is slow, in a pass of its own:
// what it measures is disturbed by profiles and traces, so its figures are not
// for keeping.
//
//	diagnose.go  Run: the pass, its files, the hottest functions
//	tail.go      what happened during the slowest operation
//	text.go      both for people
package diagnose

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"runtime"
	"runtime/pprof"
	"runtime/trace"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/pprof/profile"

	"github.com/zkatbench/zkatbench/runner"
)

// Report is what a pass found. Files are named in the order they were written.
type Report struct {
	Result *runner.Result // of the disturbed pass
	Files  []string
	Hot    []Hot
	Tail   *Tail // of the slowest operation; nil if the trace does not show it
}

// Hot are the dearest functions by one measure, themselves and without those
// that they call.
type Hot struct {
	Measure string // cpu, mutex, block, heap
	Unit    string
	Total   int64
	Top     []Function
}

// Function is one line of Hot.
type Function struct {
	Name    string
	Value   int64
	Share   float64
	Callers string // on its dearest stack, the nearest first: "b.F < a.G"
}

const (
	topFunctions = 8
	topCallers   = 4
	mutexEvery   = 5     // one of so many contended locks is sampled
	blockEvery   = 10000 // ns of blocking for each sample
	recordFor    = 2 * time.Second
	recordBytes  = 32 << 20

	snapshotAttempts = 10
)

// Run runs op as c says with processor, lock, block and heap profiles and a
// flight recorder, and writes their files to dir.
func Run(ctx context.Context, c runner.Config, op runner.Operation, dir string) (*Report, error) {
	r := &Report{}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	recorder := trace.NewFlightRecorder(trace.FlightRecorderConfig{MinAge: recordFor, MaxBytes: recordBytes})
	worst := &snapshots{recorder: recorder}
	c.Slower = worst.slower
	c.Batch = 1 // the slowest is to be one operation
	before, err := counts()
	if err != nil {
		return nil, err
	}
	var cpu bytes.Buffer
	defer runtime.SetMutexProfileFraction(runtime.SetMutexProfileFraction(mutexEvery))
	runtime.SetBlockProfileRate(blockEvery)
	defer runtime.SetBlockProfileRate(0)
	if err := recorder.Start(); err != nil {
		return nil, fmt.Errorf("flight recorder: %w", err)
	}
	defer recorder.Stop()
	if err := pprof.StartCPUProfile(&cpu); err != nil {
		return nil, fmt.Errorf("processor profile: %w", err)
	}
	result, err := runner.Run(ctx, c, op)
	pprof.StopCPUProfile()
	if err != nil {
		return nil, err
	}
	r.Result = result
	profiles, err := counts()
	if err != nil {
		return nil, err
	}
	for name := range before {
		if profiles[name], err = since(before[name], profiles[name]); err != nil {
			return nil, fmt.Errorf("%s profile: %w", name, err)
		}
	}
	if profiles["cpu"], err = profile.ParseData(cpu.Bytes()); err != nil {
		return nil, fmt.Errorf("processor profile: %w", err)
	}
	return r, r.keep(dir, profiles, worst)
}

// counts are the profiles that count from the start of the program.
func counts() (profiles map[string]*profile.Profile, err error) {
	runtime.GC() // what was allocated is known as of the last collection
	profiles = map[string]*profile.Profile{}
	for _, name := range []string{"mutex", "block", "heap"} {
		var b bytes.Buffer
		if err = pprof.Lookup(name).WriteTo(&b, 0); err == nil {
			profiles[name], err = profile.ParseData(b.Bytes())
		}
		if err != nil {
			return nil, fmt.Errorf("%s profile: %w", name, err)
		}
	}
	return profiles, nil
}

// since is what happened between two profiles.
func since(before, after *profile.Profile) (*profile.Profile, error) {
	before.Scale(-1)
	return profile.Merge([]*profile.Profile{after, before})
}

// keep writes the files and reads from them what people want to know first.
func (r *Report) keep(dir string, profiles map[string]*profile.Profile, worst *snapshots) error {
	for _, name := range []string{"cpu", "mutex", "block", "heap"} {
		var b bytes.Buffer
		if err := profiles[name].Write(&b); err != nil {
			return fmt.Errorf("%s profile: %w", name, err)
		}
		if err := r.file(filepath.Join(dir, name+".pprof"), b.Bytes()); err != nil {
			return err
		}
		hot, err := hottest(name, profiles[name])
		if err != nil {
			return fmt.Errorf("%s profile: %w", name, err)
		}
		r.Hot = append(r.Hot, hot)
	}
	dump, slow := worst.last()
	if dump == nil {
		return nil
	}
	if err := r.file(filepath.Join(dir, "worst.trace"), dump); err != nil {
		return err
	}
	tail, err := tailOf(dump, slow)
	r.Tail = tail
	return err
}

func (r *Report) file(name string, content []byte) error {
	r.Files = append(r.Files, name)
	return os.WriteFile(name, content, 0o644)
}

// sampleType is which of its numbers a profile is read by.
var sampleType = map[string]string{"cpu": "cpu", "mutex": "delay", "block": "delay", "heap": "alloc_space"}

// hottest reads a profile.
func hottest(measure string, p *profile.Profile) (Hot, error) {
	h := Hot{Measure: measure}
	at := slices.IndexFunc(p.SampleType, func(t *profile.ValueType) bool { return t.Type == sampleType[measure] })
	if at < 0 {
		return h, fmt.Errorf("it has no %s", sampleType[measure])
	}
	h.Unit = p.SampleType[at].Unit
	self, from := map[string]int64{}, map[string]map[string]int64{}
	for _, s := range p.Sample {
		functions := stack(s)
		i := culprit(measure, functions)
		if i < 0 {
			continue
		}
		name := functions[i]
		h.Total += s.Value[at]
		self[name] += s.Value[at]
		if from[name] == nil {
			from[name] = map[string]int64{}
		}
		from[name][callers(functions[i+1:])] += s.Value[at]
	}
	for name, v := range self {
		if v > 0 {
			h.Top = append(h.Top, Function{name, v, float64(v) / float64(h.Total), dearest(from[name])})
		}
	}
	slices.SortFunc(h.Top, func(a, b Function) int {
		return cmp.Or(cmp.Compare(b.Value, a.Value), cmp.Compare(a.Name, b.Name))
	})
	h.Top = h.Top[:min(len(h.Top), topFunctions)]
	return h, nil
}

// below are packages that wait and allocate for others, and above those that
// wait for operations to end.
var (
	below = []string{"runtime.", "runtime/", "sync.", "internal/", "time."}
	above = []string{"testing.", "os/signal.", ours + ".", ours + "/"}
	ours  = reflect.TypeFor[runner.Result]().PkgPath()
)

// stack is the functions of a sample, the innermost first.
func stack(s *profile.Sample) (functions []string) {
	for _, l := range s.Location {
		for _, line := range l.Line {
			functions = append(functions, line.Function.Name)
		}
	}
	return functions
}

// culprit is which function of a stack a sample is about: the innermost one for
// processor time, otherwise the innermost that is not of the machinery; -1 if
// it is the run that waits, has others wait, or allocates, and not the
// operation.
func culprit(measure string, stack []string) (at int) {
	at = -1
	if measure == "heap" && allocatedByRun(stack) {
		return at
	}
	for i, this := range stack {
		switch {
		case measure == "block" && begins(this, above), measure == "mutex" && strings.HasPrefix(this, ours+"."):
			return -1
		case measure == "cpu" || !begins(this, below):
			return i
		case at < 0 && measure != "block":
			at = i // if there is nothing else
		}
	}
	return at
}

// allocatedByRun reports whether the runner, a package below it, or a profile
// allocated, and not an operation, which a worker calls.
func allocatedByRun(stack []string) bool {
	if slices.Contains(stack, ours+".(*worker).call") {
		return false
	}
	return slices.ContainsFunc(stack, func(f string) bool { return begins(f, []string{ours + ".", ours + "/", "runtime/"}) })
}

// callers are the nearest functions of the rest of a stack, up to the runner,
// without the paths of their packages.
func callers(rest []string) string {
	var near []string
	for _, f := range rest {
		if strings.HasPrefix(f, ours+".") || len(near) == topCallers {
			break
		}
		f, _, _ = strings.Cut(f, "[") // type arguments
		near = append(near, path.Base(f))
	}
	return strings.Join(near, " < ")
}

// dearest is the key of the greatest value, the first of equals.
func dearest(m map[string]int64) string {
	return slices.MinFunc(slices.Collect(maps.Keys(m)), func(a, b string) int {
		return cmp.Or(cmp.Compare(m[b], m[a]), cmp.Compare(a, b))
	})
}

func begins(name string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(name, p) })
}

// snapshots keeps the recording of the slowest operation so far.
type snapshots struct {
	recorder *trace.FlightRecorder

	mu   sync.Mutex
	slow runner.Slow
	dump []byte
}

// slower is called on the worker's goroutine, which its log entry names.
func (s *snapshots) slower(slow runner.Slow) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if slow.Latency <= s.slow.Latency {
		return
	}
	mark := slow.Latency.String()
	trace.Log(context.Background(), logCategory, mark)
	// What happened just before a snapshot may still be on its way to the
	// recorder, so there are some attempts. If all fail, the one of the operation
	// before stays; the report says which operation it shows.
	for range snapshotAttempts {
		var b bytes.Buffer
		if _, err := s.recorder.WriteTo(&b); err == nil && bytes.Contains(b.Bytes(), []byte(mark)) {
			s.slow, s.dump = slow, b.Bytes()
			return
		}
	}
}

func (s *snapshots) last() ([]byte, runner.Slow) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.dump, s.slow
}
