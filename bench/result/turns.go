package result

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// Contender is one of two sides that are measured in turns.
type Contender struct {
	Binaries []Binary // several of a package differ in their layout; results are drawn from all
	Data     *Data    // all results
	// Renames gives cases other names in Cases, Block and Data. Packages of the module of
	// the binaries take their path in Module, unless it is empty.
	Renames Renames
	Module  string

	results  *resultWriter
	original map[Key]Key // the names of renamed cases in the binaries
	// iterations are for results with the time of the process; -1 if the time is too
	// short to use.
	iterations map[Key]int
	drawn      map[drawn]int
}

// NewContender returns a side that also writes its results to sink.
func NewContender(binaries []Binary, sink Sink) *Contender {
	return &Contender{Binaries: binaries, Data: NewData(), results: newResultWriter(sink),
		iterations: map[Key]int{}, drawn: map[drawn]int{}}
}

// Judged records that the results so far are judged.
func (c *Contender) Judged(l Look) error { return c.results.note(l.line()) }

// Lacks records why results are missing, so that a file never passes that lacks them.
func (c *Contender) Lacks(why string) error {
	return c.results.note(keyIncomplete + ": " + strings.ReplaceAll(why, "\n", "; "))
}

// End writes the lines after the last result, and closes a File; interrupted says that
// more were to follow.
func (c *Contender) End(interrupted bool) error {
	var lines []string
	if interrupted {
		lines = append(lines, fmt.Sprintf("%s: after %d results", keyInterrupted, c.results.n))
	}
	err := c.results.end(lines...)
	if f, is := c.results.sink.(*File); is {
		err = errors.Join(err, f.Close())
	}
	return err
}

// Cases returns the cases of all binaries that match f. It may be empty.
func (c *Contender) Cases(ctx context.Context, f Flags) (keys []Key, err error) {
	for i, b := range c.Binaries {
		if slices.ContainsFunc(c.Binaries[:i], func(other Binary) bool {
			return other.Package == b.Package
		}) {
			continue // another layout
		}
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
		if own := c.Binaries[0].Module; own != "" && c.Module != "" &&
			strings.HasPrefix(k.Package+"/", own+"/") {
			k.Package = c.Module + k.Package[len(own):]
		}
		renamed[i], c.original[k] = k, keys[i]
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

// Block measures a case twice on each side, in turns. It ends before a result
// when spent reports true.
func Block(ctx context.Context, sides [2]*Contender, f Flags, k Key, rng *rand.Rand,
	spent func() bool) error {
	for _, i := range Turns(rng) {
		if spent() {
			return nil
		}
		// Both sides make equally many iterations, so that their starts weigh the same,
		// unless one is much slower.
		own := sides[i].iterations[k]
		n := min(max(sides[0].iterations[k], sides[1].iterations[k]), muchSlower*own)
		if err := sides[i].once(ctx, f, k, n); err != nil {
			return err
		}
	}
	return nil
}

// muchSlower is the largest ratio of the times of two sides for which both make the same
// number of iterations.
const muchSlower = 4

// once measures a case once, in a separate process. If the benchmark does not record
// processor time, a result has iterations iterations and the processor time of its
// process. If iterations is 0, once finds the number with a first result and measures
// again.
func (c *Contender) once(ctx context.Context, f Flags, k Key, iterations int) error {
	b, name, err := c.next(k)
	if err != nil {
		return err
	}
	lines, cpu, failed := c.lines(ctx, b, f, name, iterations)
	if n := untimed(lines); n > 0 && iterations == 0 && failed == nil {
		lines, cpu, failed = c.lines(ctx, b, f, name, n)
		iterations = n
		if !f.iterations() {
			iterations = enough(n, cpu)
		}
		if iterations > n && failed == nil {
			lines, cpu, failed = c.lines(ctx, b, f, name, iterations)
		}
		c.iterations[k] = iterations
		if cpu < processTime/2 {
			c.iterations[k] = -1
		}
	}
	if cpu >= processTime/2 {
		addFigure(lines,
			fmt.Sprintf("%.1f %s", float64(cpu)/float64(iterations-startIterations), processUnit))
	}
	if b.Layout != 0 {
		addFigure(lines, fmt.Sprintf("%d %s", b.Layout, layoutUnit))
	}
	text := []string{"pkg: " + k.Package}
	for _, line := range lines {
		if !strings.HasPrefix(line.Text, "pkg: ") {
			text = append(text, strings.Replace(line.Text, name.String(), k.String(), 1))
		}
	}
	if failed == nil { // a result that cannot be true is not kept
		if err := c.Data.Read(strings.NewReader(lined(text)), k.String()); err != nil {
			return err
		}
	}
	c.results.begin(b)
	for _, line := range lines {
		c.results.add(line)
	}
	return cmp.Or(failed, c.results.err)
}

// Profile runs a case with a number of iterations and writes its CPU profile to a file.
func (c *Contender) Profile(ctx context.Context, f Flags, k Key, iterations int, to string) error {
	b, name, err := c.next(k)
	if err != nil {
		return err
	}
	f.Run = slices.Concat(f.Run,
		[]string{fmt.Sprintf("-test.benchtime=%dx", iterations), "-test.cpuprofile=" + to})
	_, err = b.process(ctx, f, Pattern([]Key{name}), func(printed) {})
	return err
}

// next returns the binary for a case with the layout measured least often, and the name
// of the case there.
func (c *Contender) next(k Key) (best Binary, name Key, err error) {
	name = c.name(k)
	fewest, found := 0, false
	for _, b := range c.Binaries {
		if n := c.drawn[drawn{k, b.Layout}]; b.Package == name.Package && (!found || n < fewest) {
			best, fewest, found = b, n, true
		}
	}
	if !found {
		return best, name, fmt.Errorf("%w: %s has no binary", ErrNoBenchmarks, name.Package)
	}
	c.drawn[drawn{k, best.Layout}]++
	return best, name, nil
}

// drawn counts the results of a case and layout.
type drawn struct {
	key    Key
	layout int
}

// Relink adds so many layouts to the binaries of cases.
func (c *Contender) Relink(ctx context.Context, keys []Key, layouts int) (err error) {
	wanted := map[string]bool{}
	for _, k := range keys {
		wanted[c.name(k).Package] = true
	}
	c.Binaries, err = Relink(ctx, c.Binaries, wanted, layouts)
	return err
}

// name is the name of a case in the binaries.
func (c *Contender) name(k Key) Key {
	if original, renamed := c.original[k]; renamed {
		return original
	}
	return k
}

// lines runs one process for a result, and a second one if it is to be timed. It
// returns the processor time of the iterations; 0 if it is not known.
func (c *Contender) lines(ctx context.Context, b Binary, f Flags, name Key, iterations int) (lines []printed,
	cpu time.Duration, err error) {
	which := Pattern([]Key{name})
	run := func(n int, emit func(printed)) (time.Duration, error) {
		f := f
		if n > 0 {
			f.Run = append(slices.Clone(f.Run), fmt.Sprintf("-test.benchtime=%dx", n))
		}
		return b.process(ctx, f, which, emit)
	}
	cpu, err = run(iterations, func(line printed) {
		// or of another GOMAXPROCS, which is a separate case
		if line.Benchmark == "" || line.Benchmark == name.Name {
			lines = append(lines, line)
		}
	})
	if err != nil || iterations <= 0 {
		return lines, 0, err
	}
	start, err := run(startIterations, func(printed) {})
	if err != nil {
		return lines, 0, err
	}
	return lines, cpu - start, nil
}
