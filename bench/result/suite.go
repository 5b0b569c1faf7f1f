package result

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
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
		sink: sink, show: show, of: len(keys) * s.Count, started: time.Now(), said: map[string]string{},
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
		if r.err != nil {
			return r.err
		}
	}
	return nil
}

// running is a run in progress.
type running struct {
	sink     Sink
	show     func(Progress)
	done, of int
	started  time.Time
	head     []string // lines that precede the next result
	said     map[string]string
	rng      *rand.Rand
	err      error // of the sink, the first
}

// take keeps the results of a binary, each with the configuration before it.
func (r *running) take(b Binary) func(Line) {
	r.head = nil
	r.say("pkg: " + b.Package)
	return func(line Line) {
		if line.Benchmark == "" {
			r.say(line.Text)
		} else {
			r.head = append(r.head, line.Text)
		}
		if line.Benchmark == "" || r.err != nil {
			return
		}
		r.err = r.sink.Append(r.head...)
		r.head = nil
		r.done++
		p := Progress{Done: r.done, Of: r.of, Case: Key{b.Package, line.Benchmark}}
		p.Left = time.Since(r.started) / time.Duration(r.done) * time.Duration(r.of-r.done)
		r.show(p)
	}
}

// say keeps a line of configuration or about a unit, unless it is in force.
func (r *running) say(text string) {
	key, _, isConfig := strings.Cut(text, ":")
	if strings.HasPrefix(text, "Unit ") || !isConfig {
		key = text
	}
	if r.said[key] != text {
		r.head = append(r.head, text)
		r.said[key] = text
	}
}
