package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/zkatbench/zkatbench/runner/flags"
	v1request "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/suite/recorded"
)

// vectorsLine writes files of requests with their verdicts.
func vectorsLine(s streams) *commandLine {
	l := newLine("vectors", "[flags]", "write files of token requests with their expected verdicts")
	selection := recorded.Register(&l.flags)
	out := flags.One(&l.flags, "o", "vectors", ": a folder for them; it is created if necessary",
		flags.Files())
	l.writes("o", func() []string { return recorded.Files(selection, *out) })
	count := flags.One(&l.flags, "count", "16",
		": requests in each file: transfers, issues, redeems and swaps in turn, over all shapes",
		flags.Numbers(1, 1<<16))
	l.exec = func(ctx context.Context, _ []string) error {
		return recorded.Write(ctx, selection, *out, *count, s.out)
	}
	return l
}

// verifyLine verifies recorded requests.
func verifyLine(s streams) *commandLine {
	l := newLine("verify", "[flags] FOLDER",
		"verify the requests in a folder of such files, generated or recorded")
	rules := flags.One(&l.flags, "follow", "",
		": v0.14, v0.15 or 714a6b46, or strict, as validators do by default; without it, the version that "+
			"recorded each file", follows)
	l.expects(1, 1, "name one folder of vector files")
	l.exec = func(ctx context.Context, args []string) error {
		paths, err := recorded.Paths(args[0])
		if err != nil || len(paths) == 0 {
			return fmt.Errorf("%q is not a folder with files *.json, or with %s and %s", args[0],
				recorded.ParamsFile, recorded.CasesFile)
		}
		err = recorded.Verify(ctx, paths, *rules, s.out)
		if errors.Is(err, recorded.ErrDiffers) {
			err = exitError{negative, err}
		}
		return err
	}
	return l
}

// follows are the values of -follow: the rules that a validator can follow, nil for the
// rules of the version that recorded each file.
var follows = flags.Func("one of v0.14, v0.15, 714a6b46, strict",
	func(text string) (*v1request.Version, error) {
		for _, v := range append(v1request.Versions, v1request.Strict) {
			if text == v.String() {
				return &v, nil
			}
		}
		if text == "" {
			return nil, nil
		}
		return nil, strconv.ErrRange
	}, nil)
