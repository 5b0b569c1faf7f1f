package result

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// ErrFlag reports a flag that may not follow --.
var ErrFlag = errors.New("cannot be given after --")

// Flags are flags of go test, sorted by their target.
type Flags struct {
	Bench  string   // the pattern of -bench, "." unless given
	Run    []string // for the test binary, in its spelling
	Build  []string
	Stated string // as written on the command line
}

var (
	ofTests   = []string{"bench", "benchtime", "benchmem", "cpu", "timeout", "short", "parallel", "skip"}
	ofBuild   = []string{"tags", "race", "msan", "asan", "gcflags", "ldflags", "trimpath", "pgo", "cover", "mod", "modfile", "overlay"}
	forbidden = map[string]string{
		"count": "use zkatbench run -count", "run": "only benchmarks are run", "v": "it would break the lines of results",
		"json": "it would break the lines of results", "o": "use zkatbench run -o",
	}
	switches = []string{"benchmem", "short", "race", "msan", "asan", "trimpath", "cover"}
)

// iterations reports whether -benchtime is a number of iterations.
func (f Flags) iterations() bool {
	return slices.ContainsFunc(f.Run, func(arg string) bool {
		return strings.HasPrefix(arg, "-test.benchtime=") && strings.HasSuffix(arg, "x")
	})
}

// IsTestFlag reports whether name is a flag of go test, such as bench.
func IsTestFlag(name string) bool {
	name = strings.TrimPrefix(name, "test.")
	_, banned := forbidden[name]
	return banned || slices.Contains(ofTests, name) || slices.Contains(ofBuild, name)
}

// ParseFlags sorts flags of go test. Unknown flags belong to the test binaries
// of the packages.
func ParseFlags(args []string) (Flags, error) {
	f := Flags{Bench: ".", Stated: strings.Join(args, " ")}
	for i := 0; i < len(args); i++ {
		if !strings.HasPrefix(args[i], "-") { // the value of an unknown flag
			f.Run = append(f.Run, args[i])
			continue
		}
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
