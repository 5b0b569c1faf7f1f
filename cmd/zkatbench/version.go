package main

import (
	"context"
	"fmt"

	"github.com/zkatbench/zkatbench/runner/host"
)

// release is the newest release of CHANGELOG.md, which this program is or follows.
const release = "0.6.0"

// versionLine prints the release, the version of the module, its revision and the Go
// release.
func versionLine(s streams) *commandLine {
	l := newLine("version", "", "print the release of zkatbench, its revision and the Go release")
	l.exec = func(context.Context, []string) error {
		h := host.Read()
		_, err := fmt.Fprintf(s.out, "zkatbench %s, module %s, revision %s, %s %s/%s\n",
			release, h.Version, h.Revision, h.Go, h.OS, h.Arch)
		return err
	}
	return l
}
