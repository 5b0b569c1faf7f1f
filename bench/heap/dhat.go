package heap

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
)

// WriteText writes the figures in the form of DHAT's own lines, and two lines on
// how exact they are.
func (r *Result) WriteText(w io.Writer) {
	line := func(name string, f Figures) {
		fmt.Fprintf(w, "dhat: %-11s%s bytes in %s blocks\n", name, grouped(f.Bytes), grouped(f.Blocks))
	}
	line("Total:", r.Total)
	line("At t-gmax:", r.AtPeak)
	line("At t-end:", r.AtEnd)
	fmt.Fprintf(w, "heap: t-gmax is exact to %s bytes (%d looks)\n", grouped(int64(r.Exactness)), r.Looks)
	resident := "unknown"
	if r.VmHWM > 0 {
		resident = grouped(int64(r.VmHWM)) + " bytes"
	}
	fmt.Fprintf(w, "heap: high-water with garbage %s bytes, VmHWM %s\n", grouped(int64(r.HighWater)), resident)
}

// grouped writes n with a comma between each three digits.
func grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// file is the format of DHAT, version 2 (Valgrind's dhat/dh_main.c describes it).
type file struct {
	Version       int            `json:"dhatFileVersion"`
	Mode          string         `json:"mode"`
	Verb          string         `json:"verb"`
	Lifetimes     bool           `json:"bklt"`
	Accesses      bool           `json:"bkacc"`
	TimeUnit      string         `json:"tu"`
	MegaTimeUnit  string         `json:"Mtu"`
	TimeThreshold int            `json:"tuth"`
	Command       string         `json:"cmd"`
	PID           int            `json:"pid"`
	PeakTime      int64          `json:"tg"`
	EndTime       int64          `json:"te"`
	Points        []programPoint `json:"pps"`
	Frames        []string       `json:"ftbl"`
}

// programPoint is one place: bytes and blocks in total, lifetimes (unknown in Go),
// at its own maximum, at the peak of all, and at the end.
type programPoint struct {
	TotalBytes  int64 `json:"tb"`
	TotalBlocks int64 `json:"tbk"`
	Lifetimes   int64 `json:"tl"`
	MostBytes   int64 `json:"mb"`
	MostBlocks  int64 `json:"mbk"`
	PeakBytes   int64 `json:"gb"`
	PeakBlocks  int64 `json:"gbk"`
	EndBytes    int64 `json:"eb"`
	EndBlocks   int64 `json:"ebk"`
	Frames      []int `json:"fs"`
}

// WriteFile writes the result for the viewer dh_view.html of Valgrind. command
// names the program in it.
func (r *Result) WriteFile(w io.Writer, command string) error {
	f := file{
		Version: 2, Mode: "heap", Verb: "Allocated", Lifetimes: true, TimeUnit: "µs", MegaTimeUnit: "s", TimeThreshold: 500,
		Command: command, PID: os.Getpid(), PeakTime: r.peakTime.Microseconds(), EndTime: r.endTime.Microseconds(),
		Points: []programPoint{}, Frames: []string{"[root]"},
	}
	known := map[string]int{}
	for _, place := range slices.Sorted(maps.Keys(r.points)) {
		p := r.points[place]
		if p.total.Blocks == 0 {
			continue
		}
		pp := programPoint{
			TotalBytes: p.total.Bytes, TotalBlocks: p.total.Blocks, MostBytes: p.most.Bytes, MostBlocks: p.most.Blocks,
			PeakBytes: p.peak.Bytes, PeakBlocks: p.peak.Blocks, EndBytes: p.end.Bytes, EndBlocks: p.end.Blocks,
		}
		for frame := range strings.Lines(place) {
			frame = strings.TrimSuffix(frame, "\n")
			if known[frame] == 0 {
				known[frame] = len(f.Frames)
				f.Frames = append(f.Frames, frame)
			}
			pp.Frames = append(pp.Frames, known[frame])
		}
		f.Points = append(f.Points, pp)
	}
	return json.NewEncoder(w).Encode(f)
}
