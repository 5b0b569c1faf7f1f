package flags

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Values describes the values of a flag.
type Values[T any] struct {
	// Allowed completes the sentence "x is not ...": "a number from 1 to 64".
	Allowed string
	// Parse reads one item of a list. An item can mean several values.
	Parse func(item string) ([]T, bool)
	// Text formats a value of a list.
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

// Where returns the values for which ok holds.
func (v Values[T]) Where(allowed string, ok func(T) bool) Values[T] {
	parse := v.Parse
	v.Allowed = allowed
	v.Parse = func(item string) ([]T, bool) {
		parsed, read := parse(item)
		return parsed, read && !slices.ContainsFunc(parsed, func(p T) bool { return !ok(p) })
	}
	return v
}

// Func makes Values of a function that parses one value. text may be nil unless the flag
// is a list.
func Func[T any](allowed string, parse func(string) (T, error), text func(T) string) Values[T] {
	return Values[T]{Allowed: allowed, Text: text, Parse: func(item string) ([]T, bool) {
		v, err := parse(item)
		return []T{v}, err == nil
	}}
}

// natural reads a whole number without a plus sign or leading zeros.
func natural[T int | int64](item string) (T, error) {
	n, err := strconv.ParseInt(item, 10, 64)
	if err == nil && (strconv.FormatInt(n, 10) != item || int64(T(n)) != n) {
		err = strconv.ErrSyntax
	}
	return T(n), err
}

func numbers[T int | int64]() Values[T] {
	return Func("a number", natural[T], func(n T) string { return strconv.FormatInt(int64(n), 10) })
}

// Numbers are integers from lo to hi, without sign or leading zeros.
func Numbers(lo, hi int) Values[int] {
	return numbers[int]().Where(fmt.Sprintf("a number from %d to %d", lo, hi), func(n int) bool {
		return lo <= n && n <= hi
	})
}

// AtLeast are integers that are not below lo.
func AtLeast[T int | int64](lo T) Values[T] {
	return numbers[T]().Where(fmt.Sprintf("a number of at least %d", lo), func(n T) bool { return lo <= n })
}

// Seeds are unsigned integers of 64 bits.
func Seeds() Values[uint64] {
	return Func("a whole number from 0 to 18446744073709551615",
		func(item string) (uint64, error) { return strconv.ParseUint(item, 10, 64) },
		func(n uint64) string { return strconv.FormatUint(n, 10) })
}

// OneOf is a choice of the given numbers.
func OneOf(choice ...int) Values[int] {
	names := strings.Trim(strings.ReplaceAll(fmt.Sprint(choice), " ", ", "), "[]")
	return numbers[int]().Where("one of "+names, func(n int) bool { return slices.Contains(choice, n) })
}

// Names is a choice of the given strings.
func Names(names ...string) Values[string] {
	return Text("").Where("one of "+strings.Join(names, ", "), func(s string) bool {
		return slices.Contains(names, s)
	})
}

// Text is any string; allowed describes it.
func Text(allowed string) Values[string] {
	return Func(allowed, func(item string) (string, error) { return item, nil }, func(s string) string {
		return s
	})
}

// Files are names of files that are not empty.
func Files() Values[string] {
	return Text("").Where("the name of a file", func(s string) bool { return s != "" })
}

// Patterns are regular expressions, for a flag with one value. The empty pattern is nil.
func Patterns() Values[*regexp.Regexp] {
	return Func("a regular expression", func(item string) (*regexp.Regexp, error) {
		if item == "" {
			return nil, nil
		}
		return regexp.Compile(item)
	}, nil)
}

// Durations are positive durations.
func Durations() Values[time.Duration] {
	return Func("", time.ParseDuration, time.Duration.String).
		Where("a positive duration such as 500ms, 10s or 1m", func(d time.Duration) bool { return d > 0 })
}

// Switch is true or false; its flag without a value means true.
func Switch() Values[bool] {
	v := Func("true or false", strconv.ParseBool, strconv.FormatBool)
	v.Switch = true
	return v
}
