package result

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// Contender is one of two sides that are measured in turns.
type Contender struct {
	Binaries []Binary
	Data     *Data // all results
	// Renames gives cases other names in Cases, Block and Data.
	Renames Renames

	results  *resultWriter
	original map[Key]Key // the names of renamed cases in the binaries
}

// NewContender returns a side that also writes its results to sink.
func NewContender(binaries []Binary, sink Sink) *Contender {
	return &Contender{Binaries: binaries, Data: NewData(), results: newResultWriter(sink)}
}

// End writes the lines after the last result; interrupted says that more were
// to follow.
func (c *Contender) End(interrupted bool) error {
	var lines []string
	if interrupted {
		lines = append(lines, fmt.Sprintf("%s: after %d results", keyInterrupted, c.results.n))
	}
	return c.results.sink.Append(append(lines, endLine(c.results.n))...)
}

// Cases returns the cases of all binaries that match f. It may be empty.
func (c *Contender) Cases(ctx context.Context, f Flags) (keys []Key, err error) {
	for _, b := range c.Binaries {
		found, err := b.Cases(ctx, f)
		if err != nil {
			return nil, err
		}
		keys = append(keys, found...)
	}
	renamed, err := c.Renames.Keys(keys)
	if err != nil {
		return nil, err
	}
	c.original = map[Key]Key{}
	for i, k := range renamed {
		c.original[k] = keys[i]
	}
	return renamed, nil
}

// Turns returns the order of a block: two runs of side 0 and two of side 1,
// such that a linear drift affects both sides equally. The first side is
// random.
func Turns(rng *rand.Rand) [4]int {
	first := rng.IntN(2)
	return [4]int{first, 1 - first, 1 - first, first}
}

// Block measures a case twice on each side, in turns.
func Block(ctx context.Context, sides [2]*Contender, f Flags, k Key, rng *rand.Rand) error {
	for _, i := range Turns(rng) {
		if err := sides[i].once(ctx, f, k); err != nil {
			return err
		}
	}
	return nil
}

// once measures a case once, in a separate process.
func (c *Contender) once(ctx context.Context, f Flags, k Key) error {
	i := slices.IndexFunc(c.Binaries, func(b Binary) bool { return b.Package == k.Package })
	if i < 0 {
		return fmt.Errorf("%w: %s has no binary", ErrNoBenchmarks, k.Package)
	}
	b, name := c.Binaries[i], k
	if original, renamed := c.original[k]; renamed {
		name = original
	}
	text := []string{"pkg: " + b.Package}
	c.results.begin(b)
	err := b.Measure(ctx, f, []Key{name}, func(line Line) {
		if line.Benchmark != "" && line.Benchmark != name.Name {
			return // of another GOMAXPROCS, which is a separate case
		}
		text = append(text, strings.Replace(line.Text, name.String(), k.String(), 1))
		c.results.add(line)
	})
	if err = errors.Join(err, c.results.err); err != nil {
		return err
	}
	return c.Data.Read(strings.NewReader(lined(text)), k.String())
}
