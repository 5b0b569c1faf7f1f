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

// Sink receives lines of the benchmark format. Append writes either all given lines or
// not a single one.
type Sink interface{ Append(lines ...string) error }

// Progress is the progress of a run.
type Progress struct {
	Step      string // what is done besides measuring; empty: measuring
	Done, Of  int
	Case      Key
	Remaining time.Duration // 0 if unknown
}

// String is the progress in one line.
func (p Progress) String() string {
	if p.Step != "" {
		return p.Step
	}
	return fmt.Sprintf("%d of %d, %v left, %s", p.Done, p.Of, p.Remaining.Round(time.Second), p.Case.Name)
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
	c, started, rng := NewContender(s.Binaries, sink), time.Now(), rand.New(rand.NewPCG(s.Seed, 0))
	done, total := 0, len(keys)*s.Count
	for range s.Count {
		for _, i := range rng.Perm(len(s.Binaries)) {
			for _, k := range keys {
				if err != nil || k.Package != s.Binaries[i].Package {
					continue
				}
				before := c.results.n
				err = c.once(ctx, s.Flags, k, c.iterations[k])
				if c.results.n > before {
					done++
					show(Progress{Done: done, Of: total, Case: k,
						Remaining: Remaining(started, done, total)})
				}
			}
		}
	}
	return s.end(c, fmt.Sprintf("%d of %d results", done, total), err)
}

// end writes the lines after the last result of a run that ended with err.
func (s Suite) end(c *Contender, progress string, err error) error {
	if c.results.err != nil { // the sink takes no more lines
		return err
	}
	var lines []string
	switch {
	case errors.Is(err, context.Canceled):
		lines = append(lines, keyInterrupted+": "+progress)
		err = ErrInterrupted
	case err != nil:
		lines = append(lines, keyIncomplete+": "+progress+": "+strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	if s.Closing != nil {
		lines = append(lines, s.Closing()...)
	}
	return errors.Join(err, c.results.end(lines...))
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
	for _, none := range Unmatched(keys, s.Flags.Bench) {
		return nil, fmt.Errorf("%w: no name matches -bench=%s", ErrNoBenchmarks, none)
	}
	mine := s.Shard.Select(keys, s.Cost)
	if len(mine) == 0 {
		return nil, fmt.Errorf("%w: shard %s of %d cases is empty", ErrNoBenchmarks, s.Shard, len(keys))
	}
	return mine, nil
}

// Remaining estimates the remaining time, at the pace since the start.
func Remaining(since time.Time, done, total int) time.Duration {
	return time.Since(since) / time.Duration(done) * time.Duration(total-done)
}
