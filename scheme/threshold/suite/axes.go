package suite

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/runner/flags"
	"github.com/zkatbench/zkatbench/scheme/threshold/codec"
)

// The modes.
const (
	naive  = "naive"  // all parties, one after the other
	replay = "replay" // one party against a recording of the others
)

// The axes of the matrix.
var (
	Case = &bench.Axis[string]{
		Name: "case", Flag: "case", Default: strings.Join(CaseNames(), ","), Brief: "frost-sign",
		Values: flags.Names(CaseNames()...),
	}
	MaxMalicious = &bench.Axis[int]{
		Name: "malicious", Flag: "max-malicious", Default: "6,15", Brief: "6",
		Values: ranges(1, maxMalicious),
	}
	Mode = &bench.Axis[string]{
		Name: "mode", Flag: "mode", Default: naive + "," + replay, Brief: replay,
		Values: flags.Names(naive, replay),
	}
	codecName = &bench.Axis[string]{
		Name: "codec", Flag: "codec", Default: "compact", Values: flags.Names(codec.Names...),
		Show: bench.IfChosen,
	}
	Party = &bench.Axis[string]{
		Name: "party", Flag: "party", Default: asCoordinator, Values: parties, Show: bench.IfChosen,
	}
	Coordinator = &bench.Axis[int]{
		Name: "coordinator", Flag: "coordinator", Default: "1", Values: flags.Numbers(1, maxParties),
		Show: bench.IfChosen,
	}
)

// The real parties that have names.
const (
	asCoordinator = "coordinator"
	allParties    = "all"
)

// maxParties is the greatest number of parties of a run.
const maxParties = 2*maxMalicious + 1

// parties are the values of Party.
var parties = flags.Values[string]{
	Allowed: fmt.Sprintf("coordinator, all, or a number from 1 to %d", maxParties),
	Parse: func(item string) ([]string, bool) {
		_, isNumber := flags.Numbers(1, maxParties).Parse(item)
		return []string{item}, isNumber || item == asCoordinator || item == allParties
	},
	Text: func(s string) string { return s },
}

// ranges are numbers, and ranges such as 1..30.
func ranges(low, high int) flags.Values[int] {
	one := flags.Numbers(low, high)
	return flags.Values[int]{
		Allowed: one.Allowed + ", or a range such as 1..30",
		Parse: func(item string) (all []int, ok bool) {
			from, to, isRange := strings.Cut(item, "..")
			if !isRange {
				return one.Parse(item)
			}
			first, ok1 := one.Parse(from)
			last, ok2 := one.Parse(to)
			if !ok1 || !ok2 {
				return nil, false
			}
			for n := first[0]; n <= last[0]; n++ {
				all = append(all, n)
			}
			return all, len(all) > 0
		},
		Text: one.Text,
	}
}

// Real returns the parties that a value of Party names.
func (s Scenario) Real(party string) ([]uint32, error) {
	switch party {
	case asCoordinator:
		return []uint32{s.coordinator()}, nil
	case allParties:
		return s.IDs(), nil
	}
	n, err := strconv.Atoi(party)
	if err != nil || n < 1 || n > s.Parties() {
		return nil,
			fmt.Errorf("-%s: %q is not coordinator, all, or a number from 1 to %d", Party.Flag, party,
				s.Parties())
	}
	return []uint32{uint32(n)}, nil
}
