package bench

import (
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/zkatbench/zkatbench/runner/scale"
)

// Numbers are integers from lo to hi, without sign or leading zeros.
func Numbers(lo, hi int) Values[int] {
	return Values[int]{
		Allowed: fmt.Sprintf("a number from %d to %d", lo, hi),
		Parse: func(item string) ([]int, bool) {
			n, ok := number(item, lo, hi)
			return []int{n}, ok
		},
		Text: strconv.Itoa,
	}
}

func number(s string, lo, hi int) (int, bool) {
	n, err := strconv.Atoi(s)
	return n, err == nil && strconv.Itoa(n) == s && lo <= n && n <= hi
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
	return Values[bool]{
		Allowed: "true or false",
		Parse: func(item string) ([]bool, bool) {
			return []bool{item == "true"}, item == "true" || item == "false"
		},
		Text:   strconv.FormatBool,
		Switch: true,
	}
}
