package heap_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/heap"
	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
)

func TestMain(m *testing.M) {
	runtime.MemProfileRate = 1 // as in a process with heap.Environment
	os.Exit(m.Run())
}

var (
	held   []byte
	leaked [][]byte
)

const (
	peak  = 64 << 20
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
func garbage(l *heap.Looks) {
	for range 100 {
		held = make([]byte, 100_000)
		held = nil
		l.Border()
	}
}

// planted has a known peak, a known leak, and garbage.
func planted(t *testing.T) *heap.Result {
	t.Helper()
	leaked = make([][]byte, 0, 16)
	l, err := heap.Start(every)
	require.NoError(t, err)
	garbage(l)
	held = make([]byte, peak)
	l.Border()
	held = nil
	garbage(l)
	leak()
	return l.End()
}

func TestPlantedPeakAndLeak(t *testing.T) {
	var peaks []int64
	for range 3 {
		r := planted(t)
		require.InEpsilon(t, peak, r.AtPeak.Bytes, 0.01)
		require.Equal(t, heap.Figures{Bytes: 100_000, Blocks: 3}, r.AtEnd)
		require.GreaterOrEqual(t, r.Total.Bytes, int64(peak+2*100*100_000+100_000))
		require.GreaterOrEqual(t, r.Looks, 10)
		require.GreaterOrEqual(t, r.HighWater, uint64(peak))
		peaks = append(peaks, r.AtPeak.Bytes)
	}
	require.InEpsilon(t, peaks[0], peaks[1], 0.01)
	require.InEpsilon(t, peaks[0], peaks[2], 0.01)
	runtime.KeepAlive(leaked)
}

func TestGarbageIsNotLive(t *testing.T) {
	l, err := heap.Start(every)
	require.NoError(t, err)
	garbage(l)
	r := l.End()
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
	r := planted(t)
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

	summary, err := heap.Read(bytes.NewReader(b.Bytes()))
	require.NoError(t, err)
	require.Equal(t, []heap.Figures{r.Total, r.AtPeak, r.AtEnd}, []heap.Figures{summary.Total, summary.AtPeak, summary.AtEnd})
	require.Len(t, summary.Live, r.Looks)
	require.Contains(t, summary.Places[0].Function, "heap_test.planted (heap_test.go:")

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
	r := planted(t)
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

func TestAnUnarmedProcessIsRefused(t *testing.T) {
	runtime.MemProfileRate = 512 << 10
	defer func() { runtime.MemProfileRate = 1 }()
	_, err := heap.Start(every)
	require.ErrorIs(t, err, heap.ErrNotArmed)
}

func TestOtherFilesAreRefused(t *testing.T) {
	for _, text := range []string{"", "{}", `{"dhatFileVersion":2,"mode":"heap"}`, `{"dhatFileVersion":2,"mode":"heap","zkatbenchLooks":[],"pps":[{"fs":[7]}]}`} {
		_, err := heap.Read(strings.NewReader(text))
		require.ErrorIs(t, err, heap.ErrFile, text)
	}
}
