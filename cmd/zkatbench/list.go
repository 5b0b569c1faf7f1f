package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/zkatbench/zkatbench/internal/text"
)

// listLine prints every operation of every subject with the flags on which it
// depends.
func listLine(s streams) *commandLine {
	l := newLine("list", "", "list the operations that can be measured, by subject")
	l.help = "Lists the subjects, their operations and the flags that shape each operation. Commands that " +
		"measure " +
		"operations, such as ops and inside, take each by name."
	l.exec = func(context.Context, []string) error {
		for _, subject := range subjects {
			fmt.Fprintf(s.out, "%s: %s\n", subject.Name, subject.Summary)
			ops := text.Table{Indent: "  "}
			for _, op := range subject.Ops {
				ops.Rows = append(ops.Rows, []string{op.Name, "-" + strings.Join(subject.Flags(op), " -")})
			}
			if err := ops.Write(s.out, text.Width(s.out)); err != nil {
				return err
			}
		}
		return nil
	}
	return l
}
