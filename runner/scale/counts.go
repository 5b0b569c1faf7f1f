package scale

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ErrCounts reports a malformed list of worker counts.
var ErrCounts = errors.New("numbers of workers")

// maxWorkers is the limit of package runner.
const maxWorkers = 4096

// Allowed describes one element of the text for Counts.
const Allowed = "a number from 1 to 4096, a range such as 1..8, NumCPU or a part of it such as NumCPU/2"

// Counts reads worker counts: a comma-separated list of 4, 1..8, NumCPU,
// NumCPU/2 and NumCPU*2, where NumCPU is cpus. Duplicates count once.
func Counts(text string, cpus int) (ns []int, err error) {
	seen := map[int]bool{}
	for part := range strings.SplitSeq(text, ",") {
		low, high, isRange := strings.Cut(strings.TrimSpace(part), "..")
		from, err := number(low, cpus)
		if err != nil {
			return nil, err
		}
		to := from
		if isRange {
			if to, err = number(high, cpus); err != nil {
				return nil, err
			}
		}
		if to < from {
			return nil, fmt.Errorf("%w: %q is not a range from less to more", ErrCounts, part)
		}
		for n := from; n <= to; n++ {
			if !seen[n] {
				seen[n] = true
				ns = append(ns, n)
			}
		}
	}
	return ns, nil
}

func number(s string, cpus int) (n int, err error) {
	rest, isCPU := strings.CutPrefix(s, "NumCPU")
	switch {
	case !isCPU:
		n, err = natural(s)
	case rest == "":
		n = cpus
	case rest[0] == '/':
		if n, err = natural(rest[1:]); err == nil && n > 0 {
			n = max(1, cpus/n)
		}
	case rest[0] == '*':
		n, err = natural(rest[1:])
		n = min(n, maxWorkers+1) * cpus
	}
	if err != nil || n < 1 || n > maxWorkers {
		return 0, fmt.Errorf("%w: %q is not %s", ErrCounts, s, Allowed)
	}
	return n, nil
}

// natural reads a number without a sign or leading zeros.
func natural(s string) (int, error) {
	n, err := strconv.Atoi(s)
	if err == nil && strconv.Itoa(n) != s {
		err = strconv.ErrSyntax
	}
	return n, err
}
