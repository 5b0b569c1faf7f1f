package count

import (
	"maps"
	"sync"
)

// Recorder collects counts in named buckets. It is safe for concurrent use; the
// zero value is ready to use.
type Recorder struct {
	mu     sync.Mutex
	phases Phases
}

// Phases maps names of buckets to counts.
type Phases map[string]Counts

// Bucket receives the counts of a phase. The zero Bucket discards them.
type Bucket struct {
	rec  *Recorder
	path string
}

// Bucket returns the bucket called name. Equal names give the same bucket.
func (r *Recorder) Bucket(name string) Bucket { return Bucket{r, name} }

// Sub returns the bucket of a phase inside the phase of b: for "a" in "range
// proof" it is "range proof/a".
func (b Bucket) Sub(name string) Bucket {
	if b.path == "" {
		return Bucket{b.rec, name}
	}
	return Bucket{b.rec, b.path + "/" + name}
}

// Count adds n times the event e.
func (b Bucket) Count(e Event, n uint64) {
	if b.rec != nil {
		b.Merge(Counts{e: n})
	}
}

// Merge adds counts.
func (b Bucket) Merge(c Counts) {
	if b.rec == nil || len(c) == 0 {
		return
	}
	b.rec.mu.Lock()
	defer b.rec.mu.Unlock()
	if b.rec.phases == nil {
		b.rec.phases = Phases{}
	}
	if b.rec.phases[b.path] == nil {
		b.rec.phases[b.path] = Counts{}
	}
	b.rec.phases[b.path].Merge(c)
}

// Snapshot returns a copy of all counts.
func (r *Recorder) Snapshot() Phases {
	r.mu.Lock()
	defer r.mu.Unlock()
	copied := make(Phases, len(r.phases))
	for name, c := range r.phases {
		copied[name] = maps.Clone(c)
	}
	return copied
}

// Reset empties every bucket.
func (r *Recorder) Reset() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.phases = nil
}

// Total returns the sum over all buckets.
func (p Phases) Total() Counts {
	total := Counts{}
	for _, c := range p {
		total.Merge(c)
	}
	return total
}
