package instr

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// errOutput says that cachegrind did not print its totals.
var errOutput = errors.New("cachegrind printed no totals")

// Counts are events of a run, or of one operation. Without a simulation of caches
// all but Instructions are 0.
type Counts struct {
	Instructions float64
	// L1, LL and RAM are accesses by where they were found.
	L1, LL, RAM float64
}

// Cycles estimates cycles: L1 + 5·LL + 35·RAM.
func (c Counts) Cycles() float64 { return c.L1 + 5*c.LL + 35*c.RAM }

// totals is a line of cachegrind. The number is the sum over reads and writes.
var totals = regexp.MustCompile(`(?m)^==\d+== (I|I1|LLi|D|D1|LLd) +(?:refs|misses): +(.*?)(?: |$)`)

// parse reads the totals that cachegrind prints at its end.
func parse(text string, cache bool) (Counts, error) {
	found := map[string]float64{}
	for _, line := range totals.FindAllStringSubmatch(text, -1) {
		v, err := strconv.ParseFloat(strings.ReplaceAll(line[2], ",", ""), 64)
		if err != nil {
			return Counts{}, fmt.Errorf("%w: %q", errOutput, line[0])
		}
		found[line[1]] = v
	}
	c := Counts{Instructions: found["I"]}
	if c.Instructions == 0 || cache && len(found) < 6 {
		return Counts{}, errOutput
	}
	if cache {
		// RAM = misses of the last level; LL = misses of the first that it held.
		c.RAM = found["LLi"] + found["LLd"]
		c.LL = found["I1"] + found["D1"] - c.RAM
		c.L1 = found["I"] + found["D"] - c.LL - c.RAM
	}
	return c, nil
}
