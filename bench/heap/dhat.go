package heap

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/zkatbench/zkatbench/internal/text"
)

// Result holds the memory that work allocated and kept. Its fields with names in JSON
// are the file format of DHAT, version 2 (Valgrind's dhat/dh_main.c describes it).
type Result struct {
	Version       int     `json:"dhatFileVersion"`
	Mode          string  `json:"mode"`
	Verb          string  `json:"verb"`
	Lifetimes     bool    `json:"bklt"`
	Accesses      bool    `json:"bkacc"`
	TimeUnit      string  `json:"tu"`
	MegaTimeUnit  string  `json:"Mtu"`
	TimeThreshold int     `json:"tuth"`
	Command       string  `json:"cmd"`
	PID           int     `json:"pid"`
	PeakTime      int64   `json:"tg"` // µs since the start
	EndTime       int64   `json:"te"`
	Places        []Place `json:"pps"`
	// Frames are the frames of all stacks.
	Frames []string `json:"ftbl"`
	// Live is the live memory at each look, an addition that the viewer ignores.
	Live []Look `json:"zkatbenchLooks"`

	// Total was allocated, AtPeak was live at the look with most live bytes,
	// AtEnd was live after the work: the sums over the places.
	Total, AtPeak, AtEnd Figures `json:"-"`
	// Exactness bounds by how many bytes more can have been live between two looks.
	Exactness uint64 `json:"-"`
	// HighWater is the largest heap with garbage that was seen, in bytes, VmHWM
	// the largest resident set of the process, 0 where the system does not tell.
	// The file has neither.
	HighWater, VmHWM uint64 `json:"-"`
}

// Look is a time in µs since the start, and the live bytes.
type Look [2]int64

// Place holds the memory that one place in the program allocated.
type Place struct {
	TotalBytes  int64 `json:"tb"`
	TotalBlocks int64 `json:"tbk"`
	Lifetimes   int64 `json:"tl"` // unknown in Go
	// Most is the place's own maximum, Peak its part of the maximum of all.
	MostBytes  int64 `json:"mb"`
	MostBlocks int64 `json:"mbk"`
	PeakBytes  int64 `json:"gb"`
	PeakBlocks int64 `json:"gbk"`
	EndBytes   int64 `json:"eb"`
	EndBlocks  int64 `json:"ebk"`
	// Frames are the indices of the frames of its stack, the allocating one first.
	Frames []int `json:"fs"`
}

func newResult() *Result {
	return &Result{
		Version: 2, Mode: "heap", Verb: "Allocated", Lifetimes: true, TimeUnit: "µs", MegaTimeUnit: "s",
		TimeThreshold: 500,
		PID:           os.Getpid(), Places: []Place{}, Frames: []string{"[root]"}, Live: []Look{},
	}
}

// list takes the places that allocated memory from a map by their frames, and adds them
// up.
func (r *Result) list(places map[string]*Place) {
	r.AtPeak = Figures{}
	known := map[string]int{}
	for _, stack := range slices.Sorted(maps.Keys(places)) {
		p := *places[stack]
		if p.TotalBlocks == 0 && p.MostBlocks == 0 {
			continue
		}
		for frame := range strings.Lines(stack) {
			frame = strings.TrimSuffix(frame, "\n")
			if known[frame] == 0 {
				known[frame] = len(r.Frames)
				r.Frames = append(r.Frames, frame)
			}
			p.Frames = append(p.Frames, known[frame])
		}
		r.Places = append(r.Places, p)
		r.sum(p)
	}
}

func (r *Result) sum(p Place) {
	r.Total = r.Total.plus(Figures{p.TotalBytes, p.TotalBlocks})
	r.AtPeak = r.AtPeak.plus(Figures{p.PeakBytes, p.PeakBlocks})
	r.AtEnd = r.AtEnd.plus(Figures{p.EndBytes, p.EndBlocks})
}

// WriteText writes the figures in the form of DHAT's own lines, and two lines on
// how exact they are.
func (r *Result) WriteText(w io.Writer) {
	line := func(name string, f Figures) {
		fmt.Fprintf(w, "dhat: %-11s%s bytes in %s blocks\n", name, grouped(f.Bytes), grouped(f.Blocks))
	}
	line("Total:", r.Total)
	line("At t-gmax:", r.AtPeak)
	line("At t-end:", r.AtEnd)
	fmt.Fprintf(w, "heap: t-gmax is exact to %s bytes (%d looks)\n", grouped(int64(r.Exactness)), len(r.Live))
	resident := "unknown"
	if r.VmHWM > 0 {
		resident = grouped(int64(r.VmHWM)) + " bytes"
	}
	fmt.Fprintf(w, "heap: high-water with garbage %s bytes, VmHWM %s\n", grouped(int64(r.HighWater)),
		resident)
}

// grouped writes n with a comma between each three digits, as DHAT does.
func grouped(n int64) string { return strings.ReplaceAll(text.Count(n), " ", ",") }

// WriteFile writes the result for the viewer dh_view.html of Valgrind. command
// names the program in it.
func (r *Result) WriteFile(w io.Writer, command string) error {
	file := *r
	file.Command = command
	return json.NewEncoder(w).Encode(file)
}

// ErrFile says that a file is not a heap profile that WriteFile wrote.
var ErrFile = errors.New("is not a heap profile of zkatbench")

// Read reads a file of WriteFile and adds its places up. The error is ErrFile.
func Read(from io.Reader) (*Result, error) {
	r := &Result{}
	if err := json.NewDecoder(from).Decode(r); err != nil || r.Version != 2 || r.Live == nil {
		return nil,
			fmt.Errorf("%w: %w", ErrFile, cmp.Or(err, errors.New("another version, or without looks")))
	}
	for _, p := range r.Places {
		if len(p.Frames) == 0 || p.Frames[0] < 0 || p.Frames[0] >= len(r.Frames) {
			return nil, fmt.Errorf("%w: a place has no frame", ErrFile)
		}
		r.sum(p)
	}
	return r, nil
}
