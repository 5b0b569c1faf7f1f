package result

import (
	"context"
	"regexp"
	"slices"
	"strings"
)

// undefined is the message of package flag for a flag that a program lacks.
var undefined = regexp.MustCompile(`flag provided but not defined: (-[^\s;]+)`)

// Probe sets b.Unknown to the flags of f that the binary does not define, as
// binaries of other revisions. It runs no benchmark.
func (b *Binary) Probe(ctx context.Context, f Flags) error {
	for {
		_, err := b.process(ctx, f, "^$", func(printed) {})
		if err == nil {
			return nil
		}
		name := undefined.FindStringSubmatch(err.Error())
		if name == nil || slices.Contains(b.Unknown, name[1]) {
			return err
		}
		b.Unknown = append(b.Unknown, name[1])
	}
}

// without returns the arguments without the named flags and their values.
func without(args, names []string) (kept []string) {
	for i := 0; i < len(args); i++ {
		name, _, joined := strings.Cut(args[i], "=")
		switch {
		case !slices.Contains(names, "-"+strings.TrimLeft(name, "-")):
			kept = append(kept, args[i])
		case !joined && i+1 < len(args) && !strings.HasPrefix(args[i+1], "-"):
			i++ // its value
		}
	}
	return kept
}
