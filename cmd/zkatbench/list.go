package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/zkatbench/zkatbench/text"
)

// listLine prints every operation of every subject with the flags on which it
// depends.
func listLine(s streams) *commandLine {
	l := newLine("list", "", "list the operations that can be measured, by subject")
	l.help = "Lists the subjects, their operations and the flags that shape each operation. Commands that measure " +
		"operations, such as ops and inside, take each by name."
	l.exec = func(context.Context, []string) error {
		return writeSubjects(s.out)
	}
	return l
}

func writeSubjects(out io.Writer) error {
	for _, s := range subjects {
		fmt.Fprintf(out, "%s: %s\n", s.Name, s.Summary)
		ops := text.Table{Indent: "  "}
		for _, op := range s.Ops {
			ops.Rows = append(ops.Rows, []string{op.Name, "-" + strings.Join(s.Flags(op), " -")})
		}
		if err := ops.Write(out, text.Width(out)); err != nil {
			return err
		}
	}
	return nil
}
