package vectors

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/zkatbench/zkatbench/internal/golden"
)

// Errors compares errors of decode with the file testdata/errors/name.txt: for b,
// for every beginning of b, and for b with each byte changed in two ways. A line
// holds the first and the last byte of a run with one text.
func Errors(t *testing.T, name string, b []byte, decode func(b []byte) error) {
	t.Helper()
	var out strings.Builder
	changes := []struct {
		name  string
		apply func(i int) []byte
	}{
		{"until", func(i int) []byte { return slices.Clip(slices.Clone(b[:i])) }},
		{"last bit of", func(i int) []byte { c := slices.Clone(b); c[i] ^= 1; return c }},
		{"first bit of", func(i int) []byte { c := slices.Clone(b); c[i] ^= 0x80; return c }},
	}
	fmt.Fprintf(&out, "unchanged: %v\n", decode(slices.Clone(b)))
	for _, change := range changes {
		first, last := 0, ""
		for i := range len(b) + 1 {
			text := ""
			if i < len(b) {
				text = fmt.Sprint(decode(change.apply(i)))
			}
			if i > 0 && text != last {
				fmt.Fprintf(&out, "%s %d to %d: %s\n", change.name, first, i-1, last)
				first = i
			}
			last = text
		}
	}
	golden.Equal(t, filepath.Join("testdata", "errors", name+".txt"), out.String())
}
