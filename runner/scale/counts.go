package scale

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ErrCounts says that a text gives no numbers of workers.
var ErrCounts = errors.New("numbers of workers")

// mostCounts bounds a list: longer ones are typing errors.
const mostCounts = 1024

// Counts reads numbers of workers: a list of 4, 1..8, NumCPU, NumCPU/2 and
// NumCPU*2, where NumCPU is cpus. A number that comes twice counts once.
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
		if to < from || to-from >= mostCounts {
			return nil, fmt.Errorf("%w: %q is not a range from less to more, of %d at most", ErrCounts, part, mostCounts)
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
		n, err = strconv.Atoi(s)
	case rest == "":
		n = cpus
	case rest[0] == '/':
		if n, err = strconv.Atoi(rest[1:]); err == nil && n > 0 {
			n = max(1, cpus/n)
		}
	case rest[0] == '*':
		n, err = strconv.Atoi(rest[1:])
		n *= cpus
	}
	if err != nil || n < 1 || n > 1<<16 {
		return 0, fmt.Errorf("%w: %q is not a number from 1, a range 1..8, NumCPU, NumCPU/2 or NumCPU*2", ErrCounts, s)
	}
	return n, nil
}
