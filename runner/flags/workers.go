package flags

import (
	"runtime"
	"strconv"
	"strings"
)

// maxWorkers is the limit of package runner.
const maxWorkers = 4096

// Workers are numbers of workers: "4", a range "1..8", "NumCPU", or a part or multiple
// such as "NumCPU/2", at least 1. Names show all of them as numbers.
func Workers() Values[int] {
	return Values[int]{
		Allowed: "a number from 1 to 4096, a range such as 1..8, NumCPU or a part of it such as NumCPU/2",
		Parse:   func(item string) (ns []int, ok bool) { return workers(item, runtime.NumCPU()) },
		Text:    strconv.Itoa,
	}
}

func workers(item string, cpus int) (ns []int, ok bool) {
	low, high, isRange := strings.Cut(item, "..")
	if !isRange {
		high = low
	}
	from, ok := workerCount(low, cpus)
	to, alsoOK := workerCount(high, cpus)
	for n := from; n <= to; n++ {
		ns = append(ns, n)
	}
	return ns, ok && alsoOK && from <= to
}

func workerCount(text string, cpus int) (n int, ok bool) {
	factor, isCPU := strings.CutPrefix(text, "NumCPU")
	sign := "*"
	switch {
	case !isCPU:
		cpus, factor = 1, text
	case factor == "":
		factor = "1"
	default:
		sign, factor = factor[:1], factor[1:]
	}
	n, err := natural[int](factor)
	if err != nil || n < 1 || n > maxWorkers {
		return 0, false
	}
	if sign == "/" {
		return max(1, cpus/n), true
	}
	return n * cpus, sign == "*" && n*cpus <= maxWorkers
}
