package result

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

// Suite describes the benchmarks to measure and the number of repetitions.
type Suite struct {
	Binaries []Binary
	Flags    Flags
	Count    int    // processes for each case, in rounds
	Seed     uint64 // of the order of the binaries
	Shard    Shard
	Cost     map[Key]float64 // seconds of a case, if known
	Keys     []Key           // the cases; nil means all that match Flags
	// Closing, unless nil, returns configuration lines to write after the last
	// result.
	Closing func() []string
}

// Sink receives lines of the benchmark format. Append writes all given lines or
// none.
type Sink interface{ Append(lines ...string) error }

// Progress is the progress of a run.
type Progress struct {
	Done, Of  int
	Case      Key
	Remaining time.Duration // 0 if unknown
}

// Run measures every case in Count processes, in rounds, so that the results of a case
// are spread over the run. The last line that it writes is the number of results.
// A line before it gives the reason if the run ended early; an interrupt is
// ErrInterrupted.
func (s Suite) Run(ctx context.Context, sink Sink, show func(Progress)) error {
	keys, err := s.Find(ctx)
	if err != nil {
		return err
	}
	c := NewContender(s.Binaries, sink)
	r := &running{Contender: c, show: show, total: len(keys) * s.Count, started: time.Now(), rng: rand.New(rand.NewPCG(s.Seed, 0))}
	for round := 0; round < s.Count && err == nil; round++ {
		err = s.round(ctx, keys, r)
	}
	return s.end(r, err)
}

// end writes the lines after the last result of a run that ended with err.
func (s Suite) end(r *running, err error) error {
	if r.results.err != nil { // the sink takes no more lines
		return err
	}
	var lines []string
	switch {
	case errors.Is(err, context.Canceled):
		lines = append(lines, fmt.Sprintf("%s: %d of %d results", keyInterrupted, r.done, r.total))
		err = ErrInterrupted
	case err != nil:
		lines = append(lines, fmt.Sprintf("%s: %d of %d results: %s", keyIncomplete, r.done, r.total, strings.ReplaceAll(err.Error(), "\n", "; ")))
	}
	if s.Closing != nil {
		lines = append(lines, s.Closing()...)
	}
	return errors.Join(err, r.results.end(lines...))
}

// ErrInterrupted reports a run that ended before it was complete.
var ErrInterrupted = errors.New("interrupted; the results until then are kept")

// Find returns the cases of the shard.
func (s Suite) Find(ctx context.Context) (keys []Key, err error) {
	if s.Keys != nil {
		return s.Keys, nil
	}
	keys, err = NewContender(s.Binaries, nil).Cases(ctx, s.Flags)
	if errors.Is(err, context.Canceled) {
		return nil, ErrInterrupted
	} else if err != nil {
		return nil, err
	}
	if len(keys) == 0 {
		return nil, fmt.Errorf("%w: no name matches -bench=%s", ErrNoBenchmarks, s.Flags.Bench)
	}
	mine := s.Shard.Select(keys, s.Cost)
	if len(mine) == 0 {
		return nil, fmt.Errorf("%w: shard %s of %d cases is empty", ErrNoBenchmarks, s.Shard, len(keys))
	}
	return mine, nil
}

// round measures each case once, in a process of its own.
func (s Suite) round(ctx context.Context, keys []Key, r *running) error {
	for _, i := range r.rng.Perm(len(s.Binaries)) {
		for _, k := range keys {
			if k.Package != s.Binaries[i].Package {
				continue
			}
			before := r.results.n
			err := r.once(ctx, s.Flags, k, r.iterations[k])
			if r.results.n > before {
				r.done++
				r.show(Progress{r.done, r.total, k, Remaining(r.started, r.done, r.total)})
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// running is a run in progress.
type running struct {
	*Contender
	show        func(Progress)
	done, total int
	started     time.Time
	rng         *rand.Rand
}

// Remaining estimates the remaining time, at the pace since the start.
func Remaining(since time.Time, done, total int) time.Duration {
	return time.Since(since) / time.Duration(done) * time.Duration(total-done)
}
