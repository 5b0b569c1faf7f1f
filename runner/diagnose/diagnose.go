// Package diagnose finds out why an operation is slow, in a separate pass.
// Profiles and traces disturb the pass, so its figures should not be kept.
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
	"github.com/zkatbench/zkatbench/runner/outfile"
	"github.com/zkatbench/zkatbench/runner/result"
)

// Report is the outcome of a pass. Files are listed in the order they were
// written.
type Report struct {
	Result *result.Result // of the pass, disturbed by profiling
	Files  []string
	Hot    []Hot
	Slow   result.Slow // the slowest operation, at the end of worst.trace; zero without the file
}

// Hot lists the most expensive functions by one measure, excluding the
// functions that they call.
type Hot struct {
	Measure string // cpu, mutex, block, heap
	Title   string
	Unit    string
	Total   int64
	Top     []Function
}

// Function is one line of Hot.
type Function struct {
	Name    string
	Value   int64
	Share   float64
	Callers string // on its most expensive stack, the nearest first: "b.F < a.G"
}

const (
	topFunctions = 8
	topCallers   = 4
	mutexEvery   = 5     // sampling interval: one of 5 contended locks
	blockEvery   = 10000 // ns of blocking for each sample
	recordFor    = 2 * time.Second
	recordBytes  = 32 << 20

	snapshotAttempts = 10
)

// Run runs op with c under processor, lock, block and heap profiles and a
// flight recorder, and writes the files to dir.
func Run(ctx context.Context, c runner.Config, op runner.Operation, dir string) (*Report, error) {
	r := &Report{}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	recorder := trace.NewFlightRecorder(trace.FlightRecorderConfig{MinAge: recordFor, MaxBytes: recordBytes})
	worst := &snapshots{recorder: recorder}
	c.Slower = worst.slower
	c.Batch = 1 // so that the slowest record is a single operation
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
		profiles[name], err = since(before[name], profiles[name])
		if err != nil {
			return nil, fmt.Errorf("%s profile: %w", name, err)
		}
	}
	profiles["cpu"], err = profile.ParseData(cpu.Bytes())
	if err != nil {
		return nil, fmt.Errorf("processor profile: %w", err)
	}
	return r, r.save(dir, profiles, worst)
}

// counts returns the profiles that count from the start of the program.
func counts() (profiles map[string]*profile.Profile, err error) {
	runtime.GC() // the heap profile is complete as of the last collection
	profiles = map[string]*profile.Profile{}
	for _, m := range measures[1:] {
		name := m.name
		p := pprof.Lookup(name)
		var b bytes.Buffer
		err = p.WriteTo(&b, 0)
		if err == nil {
			profiles[name], err = profile.ParseData(b.Bytes())
		}
		if err != nil {
			return nil, fmt.Errorf("%s profile: %w", name, err)
		}
	}
	return profiles, nil
}

// since returns the difference between two profiles.
func since(before, after *profile.Profile) (*profile.Profile, error) {
	before.Scale(-1)
	return profile.Merge([]*profile.Profile{after, before})
}

// save writes the files and extracts the summary of the Report.
func (r *Report) save(dir string, profiles map[string]*profile.Profile, worst *snapshots) error {
	for _, m := range measures {
		var b bytes.Buffer
		if err := profiles[m.name].Write(&b); err != nil {
			return fmt.Errorf("%s profile: %w", m.name, err)
		}
		if err := r.file(filepath.Join(dir, m.name+".pprof"), b.Bytes()); err != nil {
			return err
		}
		hot, err := m.hottest(profiles[m.name])
		if err != nil {
			return fmt.Errorf("%s profile: %w", m.name, err)
		}
		r.Hot = append(r.Hot, hot)
	}
	worst.mu.Lock()
	defer worst.mu.Unlock()
	r.Slow = worst.slow
	if worst.dump == nil {
		return nil
	}
	return r.file(filepath.Join(dir, "worst.trace"), worst.dump)
}

func (r *Report) file(name string, content []byte) error {
	r.Files = append(r.Files, name)
	return outfile.WriteBytes(name, content)
}

// A measure is a profile, with the type of its samples to read.
type measure struct{ name, samples, title string }

// measures are all profiles; all but the first count from the start of the program.
var measures = []measure{
	{"cpu", "cpu", "Processor time"},
	{"mutex", "delay", "Time that others waited for locks"},
	{"block", "delay", "Time blocked"},
	{"heap", "alloc_space", "Bytes allocated by operations"},
}

// hottest summarises a profile.
func (m measure) hottest(p *profile.Profile) (Hot, error) {
	h := Hot{Measure: m.name, Title: m.title}
	at := slices.IndexFunc(p.SampleType, func(t *profile.ValueType) bool { return t.Type == m.samples })
	if at < 0 {
		return h, fmt.Errorf("it has no %s", m.samples)
	}
	h.Unit = p.SampleType[at].Unit
	self, from := map[string]int64{}, map[string]map[string]int64{}
	for _, s := range p.Sample {
		functions := stack(s)
		i := attributedTo(m.name, functions)
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
			h.Top = append(h.Top, Function{Name: name, Value: v, Share: float64(v) / float64(h.Total),
				Callers: largest(from[name])})
		}
	}
	slices.SortFunc(h.Top, func(a, b Function) int {
		return cmp.Or(cmp.Compare(b.Value, a.Value), cmp.Compare(a.Name, b.Name))
	})
	h.Top = h.Top[:min(len(h.Top), topFunctions)]
	return h, nil
}

// infrastructure lists packages that wait and allocate on behalf of others;
// waiters lists packages that wait for operations to end.
var (
	infrastructure = []string{"runtime.", "runtime/", "sync.", "internal/", "time."}
	waiters        = []string{"testing.", "os/signal.", ours + ".", ours + "/"}
	ours           = reflect.TypeFor[runner.Operation]().PkgPath()
)

// stack returns the functions of a sample, innermost first.
func stack(s *profile.Sample) (functions []string) {
	for _, l := range s.Location {
		for _, line := range l.Line {
			functions = append(functions, line.Function.Name)
		}
	}
	return functions
}

// attributedTo returns the index of the function that a sample is attributed
// to: the innermost one for processor time, otherwise the innermost outside
// infrastructure. It returns -1 if the run, not the operation, waits, blocks
// others, or allocates.
func attributedTo(measure string, stack []string) (at int) {
	at = -1
	if measure == "heap" && allocatedByRun(stack) {
		return at
	}
	for i, this := range stack {
		switch {
		case measure == "block" && hasAnyPrefix(this, waiters), measure == "mutex" &&
			strings.HasPrefix(this, ours+"."):
			return -1
		case measure == "cpu" || !hasAnyPrefix(this, infrastructure):
			return i
		case at < 0 && measure != "block":
			at = i // unless a function outside infrastructure follows
		}
	}
	return at
}

// allocatedByRun reports whether the runner, a package below it, or a profile
// allocated, rather than an operation called by a worker.
func allocatedByRun(stack []string) bool {
	if slices.Contains(stack, ours+".(*worker).call") {
		return false
	}
	return slices.ContainsFunc(stack, func(f string) bool {
		return hasAnyPrefix(f, []string{ours + ".", ours + "/", "runtime/"})
	})
}

// callers returns the nearest functions of the rest of a stack, up to the
// runner, without package paths.
func callers(rest []string) string {
	var names []string
	for _, f := range rest {
		if strings.HasPrefix(f, ours+".") || len(names) == topCallers {
			break
		}
		f, _, _ = strings.Cut(f, "[") // type arguments
		names = append(names, path.Base(f))
	}
	return strings.Join(names, " < ")
}

// largest returns the key of the greatest value, the first in order if several
// are equal.
func largest(m map[string]int64) string {
	return slices.MinFunc(slices.Collect(maps.Keys(m)), func(a, b string) int {
		return cmp.Or(cmp.Compare(m[b], m[a]), cmp.Compare(a, b))
	})
}

func hasAnyPrefix(name string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(name, p) })
}

// logCategory marks, in a trace, the end of the slowest operation so far.
const logCategory = "runner: slowest operation"

// snapshots keeps the recording of the slowest operation so far.
type snapshots struct {
	recorder *trace.FlightRecorder

	mu   sync.Mutex
	slow result.Slow
	dump []byte
}

// slower is called on the goroutine of the worker, which the log entry
// identifies.
func (s *snapshots) slower(slow result.Slow) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if slow.Latency <= s.slow.Latency {
		return
	}
	mark := slow.Latency.String()
	trace.Log(context.Background(), logCategory, mark)
	// Events just before a snapshot may not have reached the recorder yet, so
	// there are several attempts. If all fail, the snapshot of an earlier
	// operation stays; the report names the operation that it shows.
	for range snapshotAttempts {
		var b bytes.Buffer
		if _, err := s.recorder.WriteTo(&b); err == nil && bytes.Contains(b.Bytes(), []byte(mark)) {
			s.slow, s.dump = slow, b.Bytes()
			return
		}
	}
}
