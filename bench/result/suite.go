package result

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"
)

// Suite is what is measured, and how often.
type Suite struct {
	Binaries []Binary
	Flags    Flags
	Count    int    // results of each case
	Seed     uint64 // of the order in which binaries take turns
	Shard    Shard
	Cost     map[Key]float64 // seconds that a case takes, where known
}

// Sink takes lines of the benchmark format, all that it is given at once or
// none of them.
type Sink interface{ Append(lines ...string) error }

// Progress is how far a run is.
type Progress struct {
	Done, Of int
	Case     Key
	Left     time.Duration // 0 if not known
}

// Run measures every case Count times, in rounds, so that no case has all its
// results from one moment. An interrupt ends it with ErrInterrupted, and a line
// that says so.
func (s Suite) Run(ctx context.Context, sink Sink, show func(Progress)) error {
	keys, err := s.cases(ctx)
	if err != nil {
		return err
	}
	r := &running{
		tape: newTape(sink), show: show, of: len(keys) * s.Count, started: time.Now(),
		rng: rand.New(rand.NewPCG(s.Seed, 0)),
	}
	for round := 0; round < s.Count && err == nil; round++ {
		err = s.round(ctx, keys, r)
	}
	if errors.Is(err, context.Canceled) {
		note := fmt.Sprintf("interrupted: %d of %d results", r.done, r.of)
		return errors.Join(ErrInterrupted, sink.Append(note))
	}
	return err
}

// ErrInterrupted says that a run ended before it was over.
var ErrInterrupted = errors.New("interrupted; what was measured until then is kept")

// cases are those of the shard.
func (s Suite) cases(ctx context.Context) (keys []Key, err error) {
	for _, b := range s.Binaries {
		found, err := b.Cases(ctx, s.Flags)
		if errors.Is(err, context.Canceled) {
			return nil, ErrInterrupted
		} else if err != nil {
			return nil, err
		}
		keys = append(keys, found...)
	}
	if len(keys) == 0 {
		return nil, fmt.Errorf("%w: none matches -bench=%s", ErrNothing, s.Flags.Bench)
	}
	mine := s.Shard.Select(keys, s.Cost)
	if len(mine) == 0 {
		return nil, fmt.Errorf("%w: shard %s of %d cases is empty", ErrNothing, s.Shard, len(keys))
	}
	return mine, nil
}

// round measures each case once.
func (s Suite) round(ctx context.Context, keys []Key, r *running) error {
	for _, i := range r.rng.Perm(len(s.Binaries)) {
		b := s.Binaries[i]
		mine := slices.DeleteFunc(slices.Clone(keys), func(k Key) bool { return k.Package != b.Package })
		if len(mine) == 0 {
			continue
		}
		if err := b.Measure(ctx, s.Flags, mine, r.take(b)); err != nil {
			return err
		}
		if r.tape.err != nil {
			return r.tape.err
		}
	}
	return nil
}

// running is a run in progress.
type running struct {
	tape     *tape
	show     func(Progress)
	done, of int
	started  time.Time
	rng      *rand.Rand
}

// take keeps the results of a binary and shows how far the run is.
func (r *running) take(b Binary) func(Line) {
	r.tape.begin(b)
	return func(line Line) {
		if r.tape.add(line) {
			r.done++
			r.show(Progress{r.done, r.of, Key{b.Package, line.Benchmark}, Left(r.started, r.done, r.of)})
		}
	}
}

// Left is how long what is not done will take, at the pace until now.
func Left(since time.Time, done, of int) time.Duration {
	return time.Since(since) / time.Duration(done) * time.Duration(of-done)
}
