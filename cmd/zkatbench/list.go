package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// list prints every operation of every subject with the flags on which it depends.
func list(ctx context.Context, args []string, s streams) error {
	l := commandLine{
		name: "list",
		help: "Lists the subjects, their operations and the flags that shape each operation. The commands that\n" +
			"measure operations, such as ops, take each operation by name.",
		exec: func(_ context.Context, args []string) error {
			if len(args) > 0 {
				return usageError("list takes no arguments, not %q", args[0])
			}
			if err := writeSubjects(s.out); err != nil {
				return err
			}
			return writePrefixes(s.out)
		},
	}
	return l.run(ctx, args, s)
}

func writeSubjects(out io.Writer) error {
	for _, s := range subjects {
		fmt.Fprintf(out, "%s: %s\n", s.Name, s.Summary)
		w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
		for _, op := range s.Ops {
			fmt.Fprintf(w, "  %s\t-%s\n", op.Name, strings.Join(s.Flags(op), " -"))
		}
		if err := w.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// writePrefixes prints the ways in which "zkatbench bench" measures an operation.
func writePrefixes(out io.Writer) error {
	fmt.Fprintln(out, "prefixes of zkatbench bench:")
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, p := range prefixes {
		fmt.Fprintf(w, "  %s/\t%s\n", p.name, p.summary)
	}
	return w.Flush()
}
