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
	ofTests = []string{"bench", "benchtime", "benchmem", "cpu", "timeout", "short", "parallel", "skip"}
	ofBuild = []string{"tags", "race", "msan", "asan", "gcflags", "ldflags", "trimpath", "pgo", "cover",
		"mod", "modfile", "overlay"}
	forbidden = map[string]string{
		"count": "use zkatbench run -count", "run": "only benchmarks are run",
		"v":    "it would break the lines of results",
		"json": "it would break the lines of results", "o": "use zkatbench run -o",
	}
	// further flags of go test, which the test binaries do not know by these names
	unused = strings.Fields("C a args artifacts asmflags blockprofile blockprofilerate buildmode buildvcs " +
		"c " +
		"compiler covermode coverpkg coverprofile cpuprofile exec failfast fullpath fuzz " +
		"fuzzcachedir fuzzminimizetime fuzztime gccgoflags i installsuffix linkshared list " +
		"memprofile memprofilerate modcacherw mutexprofile mutexprofilefraction n outputdir " +
		"p pkgdir shuffle toolexec trace vet work x")
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
// of the packages; a word behind one may be its value.
func ParseFlags(args []string) (Flags, error) {
	f := Flags{Bench: ".", Stated: strings.Join(args, " ")}
	named := false // the last argument is an unknown flag without a value
	for i := 0; i < len(args); i++ {
		if named && !strings.HasPrefix(args[i], "-") {
			f.Run, named = append(f.Run, args[i]), false
			continue
		}
		name, value, hasValue := strings.Cut(strings.TrimLeft(args[i], "-"), "=")
		if !strings.HasPrefix(args[i], "-") || name == "" {
			return f, fmt.Errorf("%q %w: it is not a flag", args[i], ErrFlag)
		}
		name, ofTesting := strings.CutPrefix(name, "test.")
		if slices.Contains(unused, name) {
			return f, fmt.Errorf("-%s %w: zkatbench does not use it", name, ErrFlag)
		}
		if why, is := forbidden[name]; is {
			return f, fmt.Errorf("-%s %w: %s", name, ErrFlag, why)
		}
		named = false
		isTest, isBuild := slices.Contains(ofTests, name), slices.Contains(ofBuild, name)
		if (isTest || isBuild) && !hasValue && !slices.Contains(switches, name) {
			i++
			if i == len(args) {
				return f, fmt.Errorf("-%s %w without a value", name, ErrFlag)
			}
			value, hasValue = args[i], true
		}
		whole := "-" + name
		if hasValue {
			whole += "=" + value
		}
		switch {
		case ofTesting && !isTest:
			return f, fmt.Errorf("-test.%s %w: go test does not have it", name, ErrFlag)
		case name == "bench":
			f.Bench = value
		case isTest:
			f.Run = append(f.Run, "-test."+whole[1:])
		case isBuild:
			f.Build = append(f.Build, whole)
		default:
			f.Run, named = append(f.Run, args[i]), !hasValue
		}
	}
	return f, nil
}
