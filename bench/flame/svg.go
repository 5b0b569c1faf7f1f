package flame

import (
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/zkatbench/zkatbench/bench/svg"
	"github.com/zkatbench/zkatbench/text"
)

// Sizes of the picture in pixels.
const (
	width    = 1200.0
	rowHigh  = 17.0
	margin   = 10.0
	headHigh = 34.0
	charWide = 6.6
)

// narrowest is the share of all samples below which a frame is left out.
const narrowest = 0.001

// node is a frame with the frames that it called.
type node struct {
	name    string
	samples int64
	calls   map[string]*node
}

func (n *node) child(name string) *node {
	c := n.calls[name]
	if c == nil {
		c = &node{name: name}
		if n.calls == nil {
			n.calls = map[string]*node{}
		}
		n.calls[name] = c
	}
	return c
}

// tree returns the stacks as a tree.
func (s Stacks) tree() *node {
	root := &node{name: "all"}
	for stack, samples := range s {
		root.samples += samples
		at := root
		for name := range strings.SplitSeq(stack, ";") {
			at = at.child(name)
			at.samples += samples
		}
	}
	return root
}

// SVG writes the stacks as one self-contained SVG file without script: a
// rectangle for each frame, root at the bottom, as wide as its share of the
// samples, with a tooltip. Frames below 0.1 % are left out. The colour depends on
// the package of a function. Equal stacks give equal bytes.
func (s Stacks) SVG(w io.Writer, title string) error {
	var frames, whole svg.Picture
	root := s.tree()
	high := root.draw(&frames, margin, (width-2*margin)/float64(max(root.samples, 1)), 0) + headHigh
	whole.Open("svg", "xmlns", "http://www.w3.org/2000/svg", "viewBox", fmt.Sprintf("0 %.0f %.0f %.0f", -high, width, high+margin), "font-family", "monospace", "font-size", 11)
	whole.Empty("rect", "y", -high, "width", "100%", "height", "100%", "fill", "#ffffff")
	whole.Text("text", fmt.Sprintf("%s: %d samples", title, root.samples), "x", margin, "y", 20-high, "font-size", 14)
	_, err := io.WriteString(w, whole.String()+frames.String()+"</svg>\n")
	return err
}

// draw draws a frame at x, with a width for each sample, in a row counted from the
// bottom, and the frames that it called above it. It returns their height from y = 0 up.
func (n *node) draw(p *svg.Picture, x, each float64, row int) (high float64) {
	wide := float64(n.samples) * each
	high = float64(row+1) * rowHigh
	if wide < narrowest*(width-2*margin) && row > 0 {
		return 0
	}
	p.Open("g")
	p.Text("title", fmt.Sprintf("%s: %d samples, %.2f %%", n.name, n.samples, 100*wide/(width-2*margin)))
	p.Empty("rect", "x", x, "y", -high, "width", wide, "height", rowHigh-1, "fill", colour(n.name), "stroke", "#ffffff", "stroke-width", 0.5)
	if words := fit(short(n.name), wide); words != "" {
		p.Text("text", words, "x", x+3, "y", rowHigh-5-high)
	}
	p.Close("g")
	for _, name := range slices.Sorted(maps.Keys(n.calls)) {
		c := n.calls[name]
		high = max(high, c.draw(p, x, each, row+1))
		x += float64(c.samples) * each
	}
	return high
}

// pkg returns the import path of a function, or its name without one.
func pkg(name string) string {
	slash := strings.LastIndexByte(name, '/') + 1
	if dot := strings.IndexByte(name[slash:], '.'); dot > 0 {
		return name[:slash+dot]
	}
	return name
}

// short returns a function's name without the path of its package.
func short(name string) string {
	if strings.Contains(name, ": ") { // a label; its value may be a path
		return name
	}
	return name[strings.LastIndexByte(name, '/')+1:]
}

// colour returns a light colour that depends on the package.
func colour(name string) string {
	h := fnv.New32a()
	h.Write([]byte(pkg(name)))
	return fmt.Sprintf("hsl(%d,%d%%,%d%%)", h.Sum32()%360, 55+h.Sum32()/360%20, 72+h.Sum32()/7200%10)
}

// fit shortens text to a width in pixels, to an empty string if the width is too
// small.
func fit(words string, wide float64) string {
	room := int((wide - 6) / charWide)
	if room < 4 && text.Len(words) > room {
		return ""
	}
	return text.Cut(words, room)
}
