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
	"time"

	"github.com/zkatbench/zkatbench/text"
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
	fmt.Fprintf(w, "heap: t-gmax is exact to %s bytes (%d looks)\n", grouped(int64(r.Exactness)), len(r.Live))
	resident := "unknown"
	if r.VmHWM > 0 {
		resident = grouped(int64(r.VmHWM)) + " bytes"
	}
	fmt.Fprintf(w, "heap: high-water with garbage %s bytes, VmHWM %s\n", grouped(int64(r.HighWater)), resident)
}

// grouped writes n with a comma between each three digits, as DHAT does.
func grouped(n int64) string { return strings.ReplaceAll(text.Count(n), " ", ",") }

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
	// Looks is an addition that the viewer ignores: time in µs and live bytes of
	// each look.
	Looks [][2]int64 `json:"zkatbenchLooks"`
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
	for _, l := range r.Live {
		f.Looks = append(f.Looks, [2]int64{l.At.Microseconds(), l.Bytes})
	}
	known := map[string]int{}
	for _, place := range slices.Sorted(maps.Keys(r.points)) {
		p := r.points[place]
		if p.total.Blocks == 0 && p.most.Blocks == 0 {
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

// Summary holds the content of a file that a report shows.
type Summary struct {
	Command              string
	Total, AtPeak, AtEnd Figures
	Live                 []Look
	Places               []Place // by bytes at the peak, the largest first
}

// Place holds the memory that one place in the program allocated.
type Place struct {
	Function             string // the allocating function
	Total, AtPeak, AtEnd Figures
}

// ErrFile says that a file is not a heap profile that WriteFile wrote.
var ErrFile = errors.New("is not a heap profile of zkatbench")

// Read reads a file of WriteFile. The error is ErrFile.
func Read(r io.Reader) (*Summary, error) {
	var f file
	if err := json.NewDecoder(r).Decode(&f); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFile, err)
	}
	if f.Version != 2 || f.Mode != "heap" || f.Looks == nil {
		return nil, ErrFile
	}
	s := &Summary{Command: f.Command}
	for _, l := range f.Looks {
		s.Live = append(s.Live, Look{time.Duration(l[0]) * time.Microsecond, l[1]})
	}
	for _, p := range f.Points {
		place := Place{
			Total: Figures{p.TotalBytes, p.TotalBlocks}, AtPeak: Figures{p.PeakBytes, p.PeakBlocks}, AtEnd: Figures{p.EndBytes, p.EndBlocks},
		}
		if len(p.Frames) == 0 || p.Frames[0] < 0 || p.Frames[0] >= len(f.Frames) {
			return nil, fmt.Errorf("%w: a place has no frame", ErrFile)
		}
		place.Function = f.Frames[p.Frames[0]]
		if _, name, found := strings.Cut(place.Function, ": "); found {
			place.Function = name
		}
		s.Total, s.AtPeak, s.AtEnd = s.Total.plus(place.Total), s.AtPeak.plus(place.AtPeak), s.AtEnd.plus(place.AtEnd)
		s.Places = append(s.Places, place)
	}
	slices.SortStableFunc(s.Places, func(a, b Place) int {
		return cmp.Or(cmp.Compare(b.AtPeak.Bytes, a.AtPeak.Bytes), cmp.Compare(b.Total.Bytes, a.Total.Bytes))
	})
	return s, nil
}
