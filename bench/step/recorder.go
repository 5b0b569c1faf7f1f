package step

import (
	"context"
	"runtime"
	"runtime/pprof"
	"runtime/trace"
	"sync"
	"time"

	"github.com/zkatbench/zkatbench/count"
)

// Label is the key of the profile label that holds the path of a step.
const Label = "step"

// Mode says which costs a Recorder attributes to steps by itself. Each disturbs
// the others, so a pass has one of them.
type Mode int

// The modes.
const (
	// Times attributes wall time.
	Times Mode = 1 << iota
	// Memory attributes allocations. It reads the runtime's statistics at each
	// border, which takes some 10 µs.
	Memory
	// Labels sets the profile label of the step on the goroutine.
	Labels
)

// Recorder is a step that an operation can enter. The methods of a nil Recorder return
// at once: this is "off".
//
// Steps of one run belong to one goroutine at a time.
type Recorder struct {
	run      *Run
	path     string
	labels   context.Context
	mu       sync.Mutex
	children map[string]*Recorder
}

// Steps is r for packages that observe calls.
func (r *Recorder) Steps() count.Steps { return steps{r} }

type steps struct{ *Recorder }

func (s steps) Step(name string) count.Steps { return steps{s.Recorder.Step(name)} }

// Run is one observed execution of an operation, or several in turn. Set-up and
// checks, which happen while it is stopped, belong to no step.
type Run struct {
	mode   Mode
	border func()
	on     bool // between Start and Stop
	table  Table
	// entered are the steps that were entered and not left; the last one is active.
	entered []entry
	since   time.Time
	memory  runtime.MemStats
}

// entry is a step with its region of an execution trace; nil if no trace is taken.
type entry struct {
	*Recorder
	region *trace.Region
}

// active returns the step that is charged with costs, or nil outside of steps.
func (r *Run) active() *Recorder {
	if n := len(r.entered); n > 0 {
		return r.entered[n-1].Recorder
	}
	return nil
}

// maxDepth is a depth of steps that a run reaches without an allocation.
const maxDepth = 64

// NewRun returns a run and its root step. After Start, all costs belong to the
// root until another step is entered. border, if it is not nil, is called
// wherever one step ends and another begins.
func NewRun(name string, mode Mode, border func()) (*Run, *Recorder) {
	r := &Run{mode: mode, border: border, table: Table{}, entered: make([]entry, 0, maxDepth)}
	return r, r.step(clean.Replace(name))
}

func (r *Run) step(path string) *Recorder {
	s := &Recorder{run: r, path: path}
	if r.mode&Labels != 0 {
		s.labels = pprof.WithLabels(context.Background(), pprof.Labels(Label, path))
	}
	return s
}

// Start begins the run at its root step.
func (r *Run) Start(root *Recorder) {
	r.on = true
	r.resume()
	r.enter(root)
}

// Stop ends the run and returns its table.
func (r *Run) Stop() Table {
	r.settle()
	if r.mode&Labels != 0 {
		pprof.SetGoroutineLabels(context.Background())
	}
	for len(r.entered) > 0 {
		r.pop()
	}
	r.on = false
	return r.table
}

// settle attributes the costs since the last border to the active step.
func (r *Run) settle() {
	active := r.active()
	if active == nil {
		return
	}
	row := r.table[active.path]
	if r.mode&Times != 0 {
		now := time.Now()
		row[TimeNs] += uint64(now.Sub(r.since))
		r.since = now
	}
	if r.mode&Memory != 0 {
		var now runtime.MemStats
		runtime.ReadMemStats(&now)
		row[AllocBytes] += now.TotalAlloc - r.memory.TotalAlloc
		row[Allocs] += now.Mallocs - r.memory.Mallocs
		r.memory = now
	}
	r.table[active.path] = row
	if r.border != nil {
		r.border()
		r.resume()
	}
}

// resume makes costs of the border itself belong to no step.
func (r *Run) resume() {
	if r.mode&Times != 0 {
		r.since = time.Now()
	}
	if r.mode&Memory != 0 {
		runtime.ReadMemStats(&r.memory)
	}
}

func (r *Run) enter(s *Recorder) {
	if !r.on {
		return
	}
	r.settle()
	if r.active() != s {
		r.table.Add(s.path, Calls, 1)
	}
	if r.mode&Labels != 0 {
		pprof.SetGoroutineLabels(s.labels)
	}
	var region *trace.Region
	if trace.IsEnabled() {
		region = trace.StartRegion(context.Background(), s.path)
	}
	r.entered = append(r.entered, entry{s, region})
}

// pop leaves the active step.
func (r *Run) pop() {
	n := len(r.entered) - 1
	if region := r.entered[n].region; region != nil {
		region.End()
	}
	r.entered = r.entered[:n]
}

func (r *Run) leave() {
	if !r.on {
		return
	}
	r.settle()
	r.pop()
	if active := r.active(); r.mode&Labels != 0 && active != nil {
		pprof.SetGoroutineLabels(active.labels)
	}
}

// Step returns the step called name below r, without entering it.
func (r *Recorder) Step(name string) *Recorder {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.children[name]
	if s == nil {
		s = r.run.step(Join(r.path, name))
		if r.children == nil {
			r.children = map[string]*Recorder{}
		}
		r.children[name] = s
	}
	return s
}

// Enter enters the step called name below r and returns it.
func (r *Recorder) Enter(name string) *Recorder {
	s := r.Step(name)
	s.Begin()
	return s
}

// Begin enters the step.
func (r *Recorder) Begin() {
	if r != nil {
		r.run.enter(r)
	}
}

// Leave leaves the active step r and returns to the previous step.
func (r *Recorder) Leave() {
	if r != nil {
		r.run.leave()
	}
}

// Add adds n to a column of the step.
func (r *Recorder) Add(c Column, n uint64) {
	if r != nil && r.run.on {
		r.run.table.Add(r.path, c, n)
	}
}

// AddActive adds n to a column of the active step of r's run, for costs that an
// operation's surroundings see, such as bytes read from its random source.
func (r *Recorder) AddActive(c Column, n uint64) {
	if r != nil {
		r.run.active().Add(c, n)
	}
}
