// Package golden compares the output of a test with a recorded file.
//
// "go test PACKAGE -update" writes the files of a package instead of comparing
// with them; git diff then shows the changes. Record texts that a person reviews, such
// as a whole report. A figure, a rule or one element of a page is tested by itself.
package golden

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const (
	around  = 5  // lines shown before and after a difference
	longest = 40 // lines shown of one difference
	same    = 3  // equal lines that end a difference
)

var update = flag.Bool("update", false, "write the recorded files of tests instead of comparing with them")

// Updating reports whether the files are written instead of compared.
func Updating() bool { return *update }

// Equal fails the test if got differs from the content of the file, and shows the
// first difference. A path is relative to the folder of the test.
func Equal[T ~string | ~[]byte](t testing.TB, file string, got T) {
	t.Helper()
	if *update {
		write(t, file, []byte(got))
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v (go test -update writes it)", err)
	}
	if !bytes.Equal(want, []byte(got)) {
		const text = "%s differs from what the test got (go test -update accepts it):\n%s"
		t.Errorf(text, file, Difference(string(want), string(got)))
	}
}

// write replaces the file if its content changes.
func write(t testing.TB, file string, content []byte) {
	t.Helper()
	if old, err := os.ReadFile(file); err == nil && bytes.Equal(old, content) {
		return
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, content, 0o644); err != nil {
		t.Fatal(err)
	}
}

// Difference returns the first hunk of the difference of two texts: lines of want after
// "-", lines of got after "+", and common lines around them. It is empty for equal
// texts, and at most 40 lines long.
func Difference(want, got string) string {
	if want == got {
		return ""
	}
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	from := 0
	for from < min(len(a), len(b)) && a[from] == b[from] {
		from++
	}
	gone, added := region(a[from:], b[from:])
	first := max(0, from-around)
	hunk := []string{fmt.Sprintf("@@ line %d @@", first+1)}
	put := func(mark string, lines []string) {
		for _, line := range lines {
			hunk = append(hunk, mark+line)
		}
	}
	put(" ", a[first:from])
	put("-", a[from:from+gone])
	put("+", b[from:from+added])
	put(" ", a[from+gone:min(len(a), from+gone+around)])
	if left := len(hunk) - longest + 1; left > 1 {
		hunk = append(hunk[:longest-1], fmt.Sprintf("… %d more lines", left))
	}
	return strings.Join(hunk, "\n")
}

// region returns the least numbers of lines of a and b after which both go on with
// the same lines.
func region(a, b []string) (gone, added int) {
	for sum := 1; sum < len(a)+len(b); sum++ {
		for gone := max(0, sum-len(b)); gone <= min(sum, len(a)); gone++ {
			rest, other := a[gone:], b[sum-gone:]
			n := min(same, max(len(rest), len(other)))
			if len(rest) >= n && len(other) >= n && slices.Equal(rest[:n], other[:n]) {
				return gone, sum - gone
			}
		}
	}
	return len(a), len(b)
}
