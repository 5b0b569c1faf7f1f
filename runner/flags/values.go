package flags

import (
	"fmt"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/zkatbench/zkatbench/runner/scale"
)

// Values describes the values of a flag.
type Values[T any] struct {
	// Allowed completes the sentence "x is not ...": "a number from 1 to 64".
	Allowed string
	// Parse reads one item of a list, which can stand for several values.
	Parse func(item string) ([]T, bool)
	// Text formats a value.
	Text func(T) string
	// Switch means that the flag can be given without a value.
	Switch bool
}

// List reads a comma-separated list, without duplicates. If an item is not
// allowed, it is returned as bad.
func (v Values[T]) List(raw string) (all []T, bad string, ok bool) {
	seen := map[string]bool{}
	for item := range strings.SplitSeq(raw, ",") {
		item = strings.TrimSpace(item)
		parsed, ok := v.Parse(item)
		if !ok {
			return nil, item, false
		}
		for _, p := range parsed {
			if text := v.Text(p); !seen[text] {
				seen[text] = true
				all = append(all, p)
			}
		}
	}
	return all, "", true
}

// Func makes Values of a function that parses one value.
func Func[T any](allowed string, parse func(string) (T, error), text func(T) string) Values[T] {
	return Values[T]{Allowed: allowed, Text: text, Parse: func(item string) ([]T, bool) {
		v, err := parse(item)
		return []T{v}, err == nil
	}}
}

// Numbers are integers from lo to hi, without sign or leading zeros.
func Numbers(lo, hi int) Values[int] {
	return Values[int]{
		Allowed: fmt.Sprintf("a number from %d to %d", lo, hi),
		Parse: func(item string) ([]int, bool) {
			n, err := strconv.Atoi(item)
			return []int{n}, err == nil && strconv.Itoa(n) == item && lo <= n && n <= hi
		},
		Text: strconv.Itoa,
	}
}

// AtLeast are integers that are not below lo.
func AtLeast(lo int) Values[int] {
	v := Numbers(lo, int(^uint(0)>>1))
	v.Allowed = fmt.Sprintf("a number of at least %d", lo)
	return v
}

// Seeds are unsigned integers of 64 bits.
func Seeds() Values[uint64] {
	return Func("a whole number from 0 to 18446744073709551615",
		func(item string) (uint64, error) { return strconv.ParseUint(item, 10, 64) },
		func(n uint64) string { return strconv.FormatUint(n, 10) })
}

// OneOf is a choice of the given numbers.
func OneOf(numbers ...int) Values[int] {
	names := make([]string, len(numbers))
	for i, n := range numbers {
		names[i] = strconv.Itoa(n)
	}
	return Values[int]{
		Allowed: Names(names...).Allowed,
		Parse: func(item string) ([]int, bool) {
			i := slices.Index(names, item)
			if i < 0 {
				return nil, false
			}
			return numbers[i : i+1], true
		},
		Text: strconv.Itoa,
	}
}

// Names is a choice of the given strings.
func Names(names ...string) Values[string] {
	return Values[string]{
		Allowed: "one of " + strings.Join(names, ", "),
		Parse:   func(item string) ([]string, bool) { return []string{item}, slices.Contains(names, item) },
		Text:    func(s string) string { return s },
	}
}

// Text is any string; allowed describes it.
func Text(allowed string) Values[string] {
	return Values[string]{
		Allowed: allowed,
		Parse:   func(item string) ([]string, bool) { return []string{item}, true },
		Text:    func(s string) string { return s },
	}
}

// Files are names of files that are not empty.
func Files() Values[string] {
	v := Text("the name of a file")
	v.Parse = func(item string) ([]string, bool) { return []string{item}, item != "" }
	return v
}

// Patterns are regular expressions. The empty one is nil.
func Patterns() Values[*regexp.Regexp] {
	return Values[*regexp.Regexp]{
		Allowed: "a regular expression",
		Parse: func(item string) ([]*regexp.Regexp, bool) {
			if item == "" {
				return []*regexp.Regexp{nil}, true
			}
			re, err := regexp.Compile(item)
			return []*regexp.Regexp{re}, err == nil
		},
		Text: func(re *regexp.Regexp) string {
			if re == nil {
				return ""
			}
			return re.String()
		},
	}
}

// Workers are numbers of workers: "4", a range "1..8", "NumCPU", or a part such
// as "NumCPU/2", at least 1. Names show all of them as numbers.
func Workers() Values[int] {
	return Values[int]{
		Allowed: scale.Allowed,
		Parse: func(item string) ([]int, bool) {
			ns, err := scale.Counts(item, runtime.NumCPU())
			return ns, err == nil
		},
		Text: strconv.Itoa,
	}
}

// Durations are positive durations.
func Durations() Values[time.Duration] {
	return Values[time.Duration]{
		Allowed: "a positive duration such as 500ms, 10s or 1m",
		Parse: func(item string) ([]time.Duration, bool) {
			d, err := time.ParseDuration(item)
			return []time.Duration{d}, err == nil && d > 0
		},
		Text: time.Duration.String,
	}
}

// Switch is true or false; its flag without a value means true.
func Switch() Values[bool] {
	v := Func("true or false", strconv.ParseBool, strconv.FormatBool)
	v.Switch = true
	return v
}
