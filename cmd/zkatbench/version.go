package main

import (
	"context"
	"fmt"

	"github.com/zkatbench/zkatbench/runner/host"
)

// versionLine prints the version of the program, its revision and the Go release.
func versionLine(s streams) *commandLine {
	l := newLine("version", "", "print the version of zkatbench, its revision and the Go release")
	l.exec = func(context.Context, []string) error {
		h := host.Read()
		_, err := fmt.Fprintf(s.out, "zkatbench %s, revision %s, %s %s/%s\n", h.Version, h.Revision, h.Go, h.OS, h.Arch)
		return err
	}
	return l
}
