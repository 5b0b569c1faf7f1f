package result

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// ErrFlag says that a flag behind -- cannot be given.
var ErrFlag = errors.New("cannot be given behind --")

// Flags are flags of go test, sorted by who wants them.
type Flags struct {
	Bench  string   // the pattern of -bench, "." unless given
	Run    []string // of the test binary, in its spelling
	Build  []string
	Stated string // as they were written
}

var (
	ofTests   = []string{"bench", "benchtime", "benchmem", "cpu", "timeout", "short", "parallel", "skip"}
	ofBuild   = []string{"tags", "race", "msan", "asan", "gcflags", "ldflags", "trimpath", "pgo", "cover", "mod", "modfile", "overlay"}
	forbidden = map[string]string{
		"count": "say zkatbench run -count", "run": "only benchmarks are run", "v": "lines would not be whole",
		"json": "lines would not be whole", "o": "say zkatbench run -o",
	}
	switches = []string{"benchmem", "short", "race", "msan", "asan", "trimpath", "cover"}
)

// ParseFlags sorts flags of go test; those that it does not know are the
// package's own.
func ParseFlags(args []string) (Flags, error) {
	f := Flags{Bench: ".", Stated: strings.Join(args, " ")}
	for i := 0; i < len(args); i++ {
		name, value, hasValue := strings.Cut(strings.TrimLeft(args[i], "-"), "=")
		name = strings.TrimPrefix(name, "test.")
		if why, is := forbidden[name]; is {
			return f, fmt.Errorf("-%s %w: %s", name, ErrFlag, why)
		}
		isTest, isBuild := slices.Contains(ofTests, name), slices.Contains(ofBuild, name)
		if (isTest || isBuild) && !hasValue && !slices.Contains(switches, name) {
			if i++; i == len(args) {
				return f, fmt.Errorf("-%s %w without a value", name, ErrFlag)
			}
			value, hasValue = args[i], true
		}
		whole := "-" + name
		if hasValue {
			whole += "=" + value
		}
		switch {
		case name == "bench":
			f.Bench = value
		case isTest:
			f.Run = append(f.Run, "-test."+whole[1:])
		case isBuild:
			f.Build = append(f.Build, whole)
		default:
			f.Run = append(f.Run, args[i])
		}
	}
	return f, nil
}
