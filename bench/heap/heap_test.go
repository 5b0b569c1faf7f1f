package heap_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/heap"
	"github.com/zkatbench/zkatbench/internal/nightly"
	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
)

var (
	held   []byte
	leaked = make([][]byte, 0, 16)
)

const (
	peak  = 16 << 20
	every = 1 << 20
)

// leak keeps 100 000 bytes in blocks of exactly the runtime's size classes, so
// that sizes are not rounded up.
func leak() {
	for _, size := range []int{98_304, 1536, 160} {
		leaked = append(leaked, make([]byte, size))
	}
}

// garbage makes 10 MB that are not kept.
func garbage(border func()) {
	for range 100 {
		held = make([]byte, 100_000)
		held = nil
		border()
	}
}

// measure measures work in both passes, from one line, so that places are the same: once
// to fill pools, once before and twice for the total, and once with looks.
func measure(work func(border func())) *heap.Result {
	totals := heap.StartTotals()
	var looks *heap.Looks
	border := func() {}
	for n := 0; ; n++ {
		switch n {
		case 1, 2:
			totals.Mark()
		case 4:
			totals.Mark()
			clear(leaked)
			leaked = leaked[:0]
			looks = heap.Start(every, totals.Stop())
			border = looks.Border
		}
		work(border)
		if looks != nil {
			return looks.End()
		}
	}
}

// once is a result of planted for tests that only read it.
var once = sync.OnceValue(planted)

// planted has a known peak, a known leak, and garbage.
func planted() *heap.Result {
	defer func() {
		clear(leaked)
		leaked = leaked[:0]
	}()
	return measure(func(border func()) {
		garbage(border)
		held = make([]byte, peak)
		border()
		held = nil
		garbage(border)
		leak()
	})
}

func TestPlantedPeakAndLeak(t *testing.T) {
	var peaks []int64
	for range nightly.Pick(2, 3, 3) {
		r := planted()
		require.InEpsilon(t, peak, r.AtPeak.Bytes, 0.01)
		require.Equal(t, heap.Figures{Bytes: 100_000, Blocks: 3}, r.AtEnd)
		require.GreaterOrEqual(t, r.Total.Bytes, int64(peak+2*100*100_000+100_000))
		require.GreaterOrEqual(t, len(r.Live), 10)
		require.GreaterOrEqual(t, r.HighWater, uint64(peak))
		peaks = append(peaks, r.AtPeak.Bytes)
	}
	require.InEpsilon(t, slices.Min(peaks), slices.Max(peaks), 0.01)
}

func TestGarbageIsNotLive(t *testing.T) {
	r := measure(garbage)
	require.Less(t, r.AtPeak.Bytes, int64(200_000)) // a block may be in a register
	require.Less(t, r.AtEnd.Bytes, int64(10_000))
	require.LessOrEqual(t, r.Exactness, uint64(every+200_000))
}

// figures are the sums of the points of a file.
type figures struct {
	Pps []struct {
		Tb, Tbk, Mb, Gb, Eb int64
		Fs                  []int
	}
	Ftbl []string
}

func TestTheFileAddsUpToTheLines(t *testing.T) {
	r := once()
	var b bytes.Buffer
	require.NoError(t, r.WriteFile(&b, "planted"))
	var f figures
	require.NoError(t, json.Unmarshal(b.Bytes(), &f))
	var total, gmax, end int64
	places := map[string]bool{}
	for _, p := range f.Pps {
		total, gmax, end = total+p.Tb, gmax+p.Gb, end+p.Eb
		require.GreaterOrEqual(t, p.Mb, p.Gb)
		require.False(t, places[fmt.Sprint(p.Fs)], "a place is listed twice")
		places[fmt.Sprint(p.Fs)] = true
	}
	require.Equal(t, []int64{r.Total.Bytes, r.AtPeak.Bytes, r.AtEnd.Bytes}, []int64{total, gmax, end})
	require.Equal(t, "[root]", f.Ftbl[0])
	require.Contains(t, strings.Join(f.Ftbl, "\n"), "heap_test.leak (heap_test.go:")
	require.NotContains(t, strings.Join(f.Ftbl, "\n"), "runtime.mallocgc")

	var text strings.Builder
	r.WriteText(&text)
	require.Regexp(t, `^dhat: Total:     [0-9,]+ bytes in [0-9,]+ blocks
dhat: At t-gmax: [0-9,]+ bytes in [0-9,]+ blocks
dhat: At t-end:  100,000 bytes in 3 blocks
heap: t-gmax is exact to [0-9,]+ bytes \([0-9]+ looks\)
heap: high-water with garbage [0-9,]+ bytes, VmHWM .*
$`, text.String())
}

// TestTheViewerReadsTheFile runs the viewer's own code over a file, where
// Valgrind and Node are installed; .ci/run installs them.
func TestTheViewerReadsTheFile(t *testing.T) {
	const viewer = "/usr/libexec/valgrind/dh_view.js"
	_, noViewer := os.Stat(viewer)
	node, noNode := exec.LookPath("node")
	if (noViewer != nil || noNode != nil) && os.Getenv("ZKAT_VALGRIND_NEEDED") == "" {
		t.Skip("needs node and ", viewer)
	}
	r := once()
	path := filepath.Join(t.TempDir(), "dhat-heap.json")
	f, err := os.Create(path)
	require.NoError(t, err)
	require.NoError(t, r.WriteFile(f, "planted"))
	require.NoError(t, f.Close())
	out, err := exec.Command(node, "testdata/dhcheck.js", viewer, path).CombinedOutput()
	require.NoError(t, err, string(out))
	var read []int64
	require.NoError(t, json.Unmarshal(out, &read), string(out))
	require.Equal(t, []int64{r.Total.Bytes, r.Total.Blocks, r.AtPeak.Bytes, r.AtEnd.Bytes}, read[:4])
}

// TestThePeakIsNeverAboveTheTotal looks while a pool is in use: collections empty it,
// and the work that fills it again has not allocated that memory.
func TestThePeakIsNeverAboveTheTotal(t *testing.T) {
	pool := sync.Pool{New: func() any { return new([1 << 20]byte) }}
	rate := runtime.MemProfileRate
	work := func(border func()) {
		for range 20 {
			buffer := pool.Get()
			held = make([]byte, 1000)
			border()
			pool.Put(buffer)
			border()
		}
		held = nil
	}
	r := measure(work)
	require.Equal(t, rate, runtime.MemProfileRate, "as before")
	require.Positive(t, r.AtPeak.Bytes)
	require.Less(t, r.AtPeak.Bytes, int64(10_000), "without the pool")
	for _, most := range []heap.Figures{r.AtPeak, r.AtEnd} {
		require.LessOrEqual(t, most.Bytes, r.Total.Bytes)
		require.LessOrEqual(t, most.Blocks, r.Total.Blocks)
	}
	var b bytes.Buffer
	require.NoError(t, r.WriteFile(&b, "pool"))
	var f figures
	require.NoError(t, json.Unmarshal(b.Bytes(), &f))
	for _, p := range f.Pps {
		require.LessOrEqual(t, max(p.Mb, p.Gb, p.Eb), p.Tb)
	}
}

func TestOtherFilesAreRefused(t *testing.T) {
	for _, text := range []string{"", "{}", `{"dhatFileVersion":2,"mode":"heap"}`,
		`{"dhatFileVersion":2,"mode":"heap","zkatbenchLooks":[],"pps":[{"fs":[7]}]}`} {
		_, err := heap.Read(strings.NewReader(text))
		require.ErrorIs(t, err, heap.ErrFile, text)
		require.NotContains(t, err.Error(), "\n", text)
	}
}
