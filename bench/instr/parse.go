package instr

import (
	"errors"
	"fmt"
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

func (c Counts) minus(d Counts) Counts {
	return Counts{c.Instructions - d.Instructions, c.L1 - d.L1, c.LL - d.LL, c.RAM - d.RAM}
}

func (c Counts) over(n float64) Counts {
	return Counts{c.Instructions / n, c.L1 / n, c.LL / n, c.RAM / n}
}

// totals are lines of cachegrind by their labels. The number that follows is the
// sum over reads and writes.
var totals = map[string]string{
	"ir": "I refs:", "dr": "D refs:", "i1m": "I1 misses:", "llim": "LLi misses:", "d1m": "D1 misses:", "lldm": "LLd misses:",
}

// parse reads the totals that cachegrind prints at its end.
func parse(text string, cache bool) (Counts, error) {
	found := map[string]float64{}
	for line := range strings.Lines(text) {
		_, line, ours := strings.Cut(line, "== ")
		if !ours {
			continue
		}
		line = strings.Join(strings.Fields(line), " ")
		for name, label := range totals {
			rest, is := strings.CutPrefix(line, label+" ")
			if !is {
				continue
			}
			number, _, _ := strings.Cut(rest, " ")
			v, err := strconv.ParseFloat(strings.ReplaceAll(number, ",", ""), 64)
			if err != nil {
				return Counts{}, fmt.Errorf("%w: %q", errOutput, line)
			}
			found[name] = v
		}
	}
	c := Counts{Instructions: found["ir"]}
	if c.Instructions == 0 || cache && len(found) < len(totals) {
		return Counts{}, errOutput
	}
	if cache {
		// RAM = misses of the last level; LL = misses of the first that it held.
		c.RAM = found["llim"] + found["lldm"]
		c.LL = found["i1m"] + found["d1m"] - c.RAM
		c.L1 = found["ir"] + found["dr"] - c.LL - c.RAM
	}
	return c, nil
}
