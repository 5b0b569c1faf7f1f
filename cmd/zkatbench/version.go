package main

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
)

// version prints the version of the program, its revision if it was built in a
// repository, and the Go release.
func version(ctx context.Context, args []string, s streams) error {
	l := commandLine{name: "version", exec: func(_ context.Context, args []string) error {
		if len(args) > 0 {
			return usageError("version takes no argument, not %s", args[0])
		}
		_, err := fmt.Fprintln(s.out, versionLine())
		return err
	}}
	return l.run(ctx, args, s)
}

func versionLine() string {
	version, revision := "(unknown)", ""
	if info, ok := debug.ReadBuildInfo(); ok {
		version = info.Main.Version
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision":
				revision = ", revision " + s.Value
			case s.Key == "vcs.modified" && s.Value == "true":
				revision += " with changes"
			}
		}
	}
	return fmt.Sprintf("zkatbench %s%s, %s %s/%s", version, revision, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
