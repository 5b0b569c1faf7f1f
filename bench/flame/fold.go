// Package flame draws a CPU profile as a flame graph.
//
// Fold makes folded stacks of a profile, below the steps of its labels. Stacks
// are written as text or drawn.
//
// Profiles are read by github.com/google/pprof.
package flame

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/google/pprof/profile"
)

// FewSamples is the number of samples below which a flame graph says little.
const FewSamples = 200

// Stacks are numbers of samples by folded stack: frames from the root on,
// separated by semicolons.
type Stacks map[string]int64

// clean makes a name fit for a folded stack.
var clean = strings.NewReplacer(";", ":", "\n", " ", "\r", " ")

// Fold returns the stacks of a profile. A sample with a value for the label named
// label begins with the frame "label: value". Lines and addresses are left out, so
// equal stacks are merged.
func Fold(p *profile.Profile, label string) Stacks {
	stacks := Stacks{}
	for _, sample := range p.Sample {
		var frames []string
		for _, value := range sample.Label[label] {
			frames = append(frames, clean.Replace(label+": "+value))
		}
		for _, location := range slices.Backward(sample.Location) {
			for _, line := range slices.Backward(location.Line) { // the caller of inlined functions is last
				frames = append(frames, frame(line))
			}
		}
		if len(frames) > 0 && len(sample.Value) > 0 && sample.Value[0] > 0 {
			stacks[strings.Join(frames, ";")] += sample.Value[0]
		}
	}
	return stacks
}

func frame(line profile.Line) string {
	if line.Function == nil || line.Function.Name == "" {
		return "unknown"
	}
	return clean.Replace(line.Function.Name)
}

// Samples returns the number of samples.
func (s Stacks) Samples() (n int64) {
	for _, count := range s {
		n += count
	}
	return n
}

// Write writes a line for each stack, sorted: "a;b;c 42".
func (s Stacks) Write(w io.Writer) error {
	b := bufio.NewWriter(w)
	for _, stack := range slices.Sorted(maps.Keys(s)) {
		fmt.Fprintf(b, "%s %d\n", stack, s[stack])
	}
	return b.Flush()
}

// ErrFormat says that a file is not folded stacks.
var ErrFormat = errors.New("is not folded stacks")

// Read reads stacks that Write wrote. The error is ErrFormat and names the line.
func Read(r io.Reader) (Stacks, error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	s := Stacks{}
	for n := 1; lines.Scan(); n++ {
		blank := strings.LastIndexByte(lines.Text(), ' ')
		if blank <= 0 {
			return nil, fmt.Errorf("%w: line %d has no number", ErrFormat, n)
		}
		samples, err := strconv.ParseInt(lines.Text()[blank+1:], 10, 64)
		if err != nil || samples <= 0 {
			return nil, fmt.Errorf("%w: line %d does not end with a number of samples", ErrFormat, n)
		}
		s[lines.Text()[:blank]] += samples
	}
	return s, lines.Err()
}

// Leaves returns the samples of each function without its callees.
func (s Stacks) Leaves() map[string]int64 {
	leaves := map[string]int64{}
	for stack, samples := range s {
		leaves[stack[strings.LastIndexByte(stack, ';')+1:]] += samples
	}
	return leaves
}
