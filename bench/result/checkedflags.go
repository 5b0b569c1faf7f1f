package result

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/zkatbench/zkatbench/runner/flags"
)

// counted matches values of -benchtime that are a number of iterations.
var counted = regexp.MustCompile(`^(\d+)x$`)

// buildTag matches a build tag, as go/build/constraint has them.
var buildTag = regexp.MustCompile(`^[\pL\p{Nd}_.]+$`)

// CheckedFlags is ParseFlags, and refuses values that every test binary would, and tags of the
// build that no constraint can name.
func CheckedFlags(args []string) (f Flags, err error) {
	f, err = ParseFlags(args)
	if err != nil {
		return f, err
	}
	var set flags.Set
	for _, name := range []string{"bench", "skip"} {
		flags.One(&set, name, "", "",
			flags.Func("a regular expression, or several with slashes between them",
				func(text string) (*regexp.Regexp, error) {
					return regexp.Compile(strings.ReplaceAll(text, "/", "|"))
				}, nil))
	}
	flags.One(&set, "benchtime", "", "", flags.Func("", func(text string) (time.Duration, error) {
		return time.ParseDuration(counted.ReplaceAllString(text, "${1}ns"))
	}, nil).Where("a time or a number of iterations above 0, such as 2s or 100x", func(d time.Duration) bool {
		return d > 0
	}))
	flags.One(&set, "timeout", "", "",
		flags.Func("", time.ParseDuration, nil).Where("a time such as 10m, or 0 for none",
			func(d time.Duration) bool { return d >= 0 }))
	flags.Many(&set, "cpu", "", "", flags.Numbers(1, 1<<16))
	flags.One(&set, "parallel", "", "", flags.AtLeast(1))
	flags.One(&set, "benchmem", "", "", flags.Switch())
	flags.One(&set, "short", "", "", flags.Switch())
	flags.One(&set, "tags", "", "", flags.Text("").
		Where("a list of build tags, of letters, digits, _ and .", func(list string) bool {
			tags := strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' })
			return !slices.ContainsFunc(tags, func(tag string) bool { return !buildTag.MatchString(tag) })
		}))
	for _, arg := range slices.Concat([]string{"-bench=" + f.Bench}, f.Run, f.Build) {
		name, value, given := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(arg, "-"), "test."), "=")
		if known := set.Lookup(name); known != nil && given {
			if bad, ok := known.Read(value); !ok {
				return f, set.Bad(name, bad, known.Allowed)
			}
		}
	}
	return f, nil
}
