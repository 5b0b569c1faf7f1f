package main

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/zkatbench/zkatbench/runner/host"
)

// versionLine prints the version of the program, its revision if it was built in
// a repository, and the Go release.
func versionLine(s streams) *commandLine {
	l := newLine("version", "", "print the version of zkatbench, its revision and the Go release")
	l.exec = func(context.Context, []string) error {
		_, err := fmt.Fprintln(s.out, versionText())
		return err
	}
	return l
}

func versionText() string {
	revision := ""
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision":
				revision = ", revision " + s.Value
			case s.Key == "vcs.modified" && s.Value == "true":
				revision += " with changes"
			}
		}
	}
	return fmt.Sprintf("zkatbench %s%s, %s %s/%s", host.Version(), revision, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
