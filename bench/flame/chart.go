package flame

import (
	"fmt"
	"hash/fnv"
	"io"
	"slices"
	"strings"

	"github.com/zkatbench/zkatbench/bench/chart"
	"github.com/zkatbench/zkatbench/internal/text"
)

// Sizes in pixels: of a file, of a frame, and above and below all frames.
const width, rowHigh, around = 1200, 17.0, 70.0

// narrowest is the share of all samples below which a frame is left out.
const narrowest = 0.001

// stack is a stack with its frames apart.
type stack struct {
	frames  []string
	samples int64
}

// Chart draws the stacks as a flame graph, and returns its height in pixels: a cell for
// each frame, root at the bottom, as wide as its share of the samples. Frames below 0.1 %
// are left out. The colour depends on the package of a function.
func (s Stacks) Chart(title string) (c chart.Chart, high float64) {
	stacks := []stack{{[]string{"all"}, 0}}
	for frames, samples := range s {
		stacks = append(stacks, stack{strings.Split("all;"+frames, ";"), samples})
	}
	slices.SortFunc(stacks, func(a, b stack) int { return slices.Compare(a.frames, b.frames) })
	all := float64(max(1, s.Samples()))
	c = chart.Chart{Title: title,
		X: chart.Axis{Name: "share of the samples", Label: text.Percent, Low: 0, High: 1}}
	c.Y = chart.Axis{Name: text.Plural(s.Samples(), "sample"), Ticks: []chart.Tick{}}
	draw(&c, stacks, 0, 0, all)
	for _, cell := range c.Cells {
		c.Y.High = max(c.Y.High, cell.High)
	}
	return c, c.Y.High*rowHigh + around
}

// SVG writes the flame graph as one file.
func (s Stacks) SVG(w io.Writer, title string) error {
	c, high := s.Chart(title)
	_, err := io.WriteString(w, c.File(width, high))
	return err
}

// draw adds the frames at a depth of sorted stacks, from left to right, and above each the
// frames that it called.
func draw(c *chart.Chart, stacks []stack, depth int, left, all float64) {
	for len(stacks) > 0 {
		if len(stacks[0].frames) == depth {
			left += float64(stacks[0].samples) / all
			stacks = stacks[1:]
			continue
		}
		name, samples, n := stacks[0].frames[depth], 0.0, 0
		for n < len(stacks) && len(stacks[n].frames) > depth && stacks[n].frames[depth] == name {
			samples += float64(stacks[n].samples)
			n++
		}
		share, low := samples/all, float64(depth)
		if share >= narrowest || depth == 0 {
			c.Cells = append(c.Cells, chart.Cell{
				Left: left, Right: left + share, Low: low + 1/rowHigh, High: low + 1, Heat: 0.3,
				Ink: ink(name), Name: short(name),
				Hint: fmt.Sprintf("%s: %.0f samples, %.2f %%", name, samples, 100*share),
			})
			draw(c, stacks[:n], depth+1, left, all)
		}
		left, stacks = left+share, stacks[n:]
	}
}

// ink returns a colour that depends on the package of a function, or on its name
// without one.
func ink(name string) int {
	slash := strings.LastIndexByte(name, '/') + 1
	if dot := strings.IndexByte(name[slash:], '.'); dot > 0 {
		name = name[:slash+dot]
	}
	h := fnv.New32a()
	h.Write([]byte(name))
	return int(h.Sum32() % chart.Colours)
}

// short returns a function's name without the path of its package.
func short(name string) string {
	if strings.Contains(name, ": ") { // a label; its value may be a path
		return name
	}
	return name[strings.LastIndexByte(name, '/')+1:]
}
