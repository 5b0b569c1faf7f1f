package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// listLine prints every operation of every subject with the flags on which it
// depends.
func listLine(s streams) *commandLine {
	l := newLine("list", "", "list the operations that can be measured, by subject")
	l.help = "Lists the subjects, their operations and the flags that shape each operation. The commands that\n" +
		"measure operations, such as ops, take each operation by name."
	l.exec = func(context.Context, []string) error {
		if err := writeSubjects(s.out); err != nil {
			return err
		}
		return writePrefixes(s.out)
	}
	return l
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

// writePrefixes prints the views of zkatbench inside on an operation.
func writePrefixes(out io.Writer) error {
	fmt.Fprintln(out, "zkatbench inside OPERATION -what=…, or zkatbench inside PREFIX/OPERATION:")
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, v := range views {
		fmt.Fprintf(w, "  %s\t%s/\t%s\n", v.what, v.prefix, v.summary)
	}
	return w.Flush()
}
