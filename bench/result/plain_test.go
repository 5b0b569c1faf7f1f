package result_test

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/result"
)

const plainText = "goos: linux\npkg: example.org/p\nBenchmarkA-8   \t    1000\t       100.5 " +
	"ns/op\nBenchmarkB-8   \t      10\t     20000 ns/op\nPASS\nok  \texample.org/p\t1.2s\n"

// TestForms reads the same results from each form of file.
func TestForms(t *testing.T) {
	want, err := read(plainText)
	require.NoError(t, err)
	for name, text := range map[string]string{
		"carriage returns": strings.ReplaceAll(plainText, "\n", "\r\n"),
		"mark of UTF-8":    "\xef\xbb\xbf" + plainText,
		"UTF-16, little":   inUTF16(plainText, binary.LittleEndian),
		"UTF-16, big":      inUTF16(strings.ReplaceAll(plainText, "\n", "\r\n"), binary.BigEndian),
		"events":           asEvents(plainText, 1<<20),
		"events of pieces": asEvents(plainText, 17),
		"printed between": strings.Replace(plainText, "BenchmarkA-8   \t",
			"BenchmarkA-8   \tINFO worker 12 started", 1),
		"a printed line": strings.Replace(plainText, "BenchmarkA-8   \t",
			"BenchmarkA-8   \tINFO worker 12 started\n", 1),
		"printed between, before other figures": strings.Replace(plainText,
			"BenchmarkA-8   \t    1000\t       100.5 ns/op\n",
			"BenchmarkA-8   \tINFO    1000\t       100.5 ns/op\n       77\t         1 ns/op\n", 1),
	} {
		t.Run(name, func(t *testing.T) {
			got, err := read(text)
			require.NoError(t, err)
			require.Equal(t, want.Values, got.Values)
			require.Equal(t, []string{"linux"}, got.Config["goos"])
			require.Empty(t, got.Partial)
			require.Empty(t, got.Failed)
		})
	}
}

// TestPrintedInto loses only the benchmark with digits that a program may have printed
// into its line, and reports the number of the line.
func TestPrintedInto(t *testing.T) {
	d, err := read(strings.Replace(plainText, "   \t    1000\t", "   \tworker 512345678\t", 1))
	require.NoError(t, err)
	require.Equal(t, []result.Key{{Package: "example.org/p", Name: "B-8"}}, d.Cases)
	require.Equal(t, []string{"file: line 3: BenchmarkA-8 is missing: a program printed into its line"},
		d.Partial)
}

// TestRefused refuses content that cannot be true, with its place.
func TestRefused(t *testing.T) {
	for name, c := range map[string]struct{ old, new, want string }{
		"no iterations": {"    1000\t", "       0\t",
			"file:3: the result of A-8 cannot be true: 0 iterations"},
		"negative iterations": {"    1000\t", "     -10\t",
			"file:3: the result of A-8 cannot be true: -10 iterations"},
		"negative time": {"100.5", "-100.5",
			"file:3: the result of A-8 cannot be true: -100.5 ns/op is negative"},
		"not a number": {"100.5", "NaN",
			"file:3: the result of A-8 cannot be true: NaN ns/op is not a finite number"},
		"infinite": {"100.5", "+Inf",
			"file:3: the result of A-8 cannot be true: +Inf ns/op is not a finite number"},
		"a unit twice": {"100.5 ns/op", "1 ns/op\t2 ns/op",
			"file:3: the result of A-8 cannot be true: ns/op is there twice"},
		"a name alone": {"    1000\t       100.5 ns/op", "", "file:3: missing iteration count"},
		"no unit":      {"ns/op", "", "file:3: missing units"},
		"half a character": {plainText, "\xff\xfeB",
			"file: begins with the mark of UTF-16, and has an odd number of bytes"},
		"a broken event": {plainText, `{"Action":"start"}` + "\n{",
			"file: line 2 is not an event of go test -json: unexpected end of JSON input"},
		"events of nothing": {plainText, `{"Action":"start"}`, "file: no benchmark was run"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := read(strings.Replace(plainText, c.old, c.new, 1))
			require.EqualError(t, err, c.want)
		})
	}
}

// TestKilled reports the end of a process that go test does not mark as FAIL.
func TestKilled(t *testing.T) {
	for _, line := range []string{"signal: killed", "fatal error: all goroutines are asleep - deadlock!",
		"exit status 2"} {
		t.Run(line, func(t *testing.T) {
			d, err := read(strings.Replace(plainText, "PASS", line, 1))
			require.NoError(t, err)
			require.Equal(t, []string{"file: " + line}, d.Failed)
		})
	}
}

func read(text string) (*result.Data, error) {
	d := result.NewData()
	return d, d.Read(strings.NewReader(text), "file")
}

// inUTF16 encodes text with a byte-order mark.
func inUTF16(text string, order binary.AppendByteOrder) string {
	out := order.AppendUint16(nil, 0xfeff)
	for _, unit := range utf16.Encode([]rune(text)) {
		out = order.AppendUint16(out, unit)
	}
	return string(out)
}

// asEvents writes text as go test -json does, in pieces of at most size bytes, with the
// output of another package between them.
func asEvents(text string, size int) string {
	var b strings.Builder
	write := func(pkg, output string) {
		line, _ := json.Marshal(map[string]string{"Action": "output", "Package": pkg, "Output": output})
		fmt.Fprintf(&b, "%s\n", line)
	}
	for len(text) > 0 {
		n := min(size, len(text))
		if end := strings.IndexByte(text[:n], '\n'); end >= 0 {
			n = end + 1
		}
		write("example.org/p", text[:n])
		write("example.org/q", "log\n")
		text = text[n:]
	}
	return b.String()
}
