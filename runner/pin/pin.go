// Package pin binds processes to processors.
//
// A Plan says which processors are for the measured process, which stay idle,
// and which are for the rest. A process inherits its processors from the thread
// that starts it. Only Linux can bind.
package pin

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Errors of a plan.
var (
	// errList reports text that does not list processors.
	errList = errors.New("is not auto or a list of processors such as 3 or 2-5,8")
	// errPlan reports processors that a process cannot be bound to.
	errPlan = errors.New("cannot be used")
)

// auto lets New choose a processor.
const auto = "auto"

// Plan divides the processors of this process.
type Plan struct {
	Measured []int  // for the measured process; empty if it is not bound
	Idle     []int  // other sides of the cores of Measured, which stay idle
	Rest     []int  // for this process and the others that it starts
	Governor string // of Measured, "unknown" if it is not known
}

// String is the value for files of results: "no", or "3", or "3 (5 idle)".
func (p Plan) String() string {
	switch {
	case len(p.Measured) == 0:
		return "no"
	case len(p.Idle) == 0:
		return list(p.Measured)
	}
	return list(p.Measured) + " (" + list(p.Idle) + " idle)"
}

// New returns the plan for a list of processors or "auto". files has the layout of
// Linux; allowed are the processors of this process.
func New(text string, files fs.FS, allowed []int) (p Plan, err error) {
	if text == auto {
		p.Measured = choose(files, allowed)
	} else {
		p.Measured, err = Parse(text)
		if err != nil {
			return p, err
		}
	}
	for _, cpu := range p.Measured {
		if !slices.Contains(allowed, cpu) {
			return p, fmt.Errorf("processor %d %w: this process may use %s", cpu, errPlan, list(allowed))
		}
		for _, other := range siblings(files, cpu) {
			switch {
			case slices.Contains(p.Measured, other):
				return p,
					fmt.Errorf("processors %d and %d %w together: they are two sides of one core",
						min(cpu, other), max(cpu, other), errPlan)
			case slices.Contains(allowed, other):
				p.Idle = append(p.Idle, other)
			}
		}
	}
	for _, cpu := range allowed {
		if !slices.Contains(p.Measured, cpu) && !slices.Contains(p.Idle, cpu) {
			p.Rest = append(p.Rest, cpu)
		}
	}
	if len(p.Rest) == 0 {
		return p,
			fmt.Errorf("%s of %s %w: no processor is left for other programs", list(p.Measured),
				list(allowed), errPlan)
	}
	p.Governor = governor(files, p.Measured)
	return p, nil
}

// Parse reads a list such as 2-5,8.
func Parse(text string) (cpus []int, err error) {
	for part := range strings.SplitSeq(strings.TrimSpace(text), ",") {
		from, to, isRange := strings.Cut(part, "-")
		if !isRange {
			to = from
		}
		first, err1 := strconv.ParseUint(from, 10, 10)
		last, err2 := strconv.ParseUint(to, 10, 10)
		if err1 != nil || err2 != nil || first > last {
			return nil, fmt.Errorf("%q %w", text, errList)
		}
		for cpu := int(first); cpu <= int(last); cpu++ {
			cpus = append(cpus, cpu)
		}
	}
	slices.Sort(cpus)
	return slices.Compact(cpus), nil
}

// list writes processors as Parse reads them.
func list(cpus []int) string {
	var parts []string
	for i := 0; i < len(cpus); {
		j := i
		for j+1 < len(cpus) && cpus[j+1] == cpus[j]+1 {
			j++
		}
		part := strconv.Itoa(cpus[i])
		if j > i {
			part += "-" + strconv.Itoa(cpus[j])
		}
		parts = append(parts, part)
		i = j + 1
	}
	return strings.Join(parts, ",")
}

const system = "sys/devices/system/cpu"

// choose returns the last processor that the kernel keeps free of other programs
// (isolcpus), or the last allowed one.
func choose(files fs.FS, allowed []int) []int {
	text, err := fs.ReadFile(files, path.Join(system, "isolated"))
	if isolated, bad := Parse(string(text)); err == nil && bad == nil {
		free := slices.DeleteFunc(isolated, func(cpu int) bool {
			return !slices.Contains(allowed, cpu)
		})
		if len(free) > 0 {
			return free[len(free)-1:]
		}
	}
	return allowed[len(allowed)-1:]
}

// siblings returns the other sides of the core of cpu, if they are known.
func siblings(files fs.FS, cpu int) []int {
	text, err := fs.ReadFile(files,
		path.Join(system, fmt.Sprintf("cpu%d/topology/thread_siblings_list", cpu)))
	all, bad := Parse(string(text))
	if err != nil || bad != nil {
		return nil
	}
	return slices.DeleteFunc(all, func(c int) bool { return c == cpu })
}

// governor returns the frequency governors of the processors.
func governor(files fs.FS, cpus []int) string {
	var all []string
	for _, cpu := range cpus {
		text, err := fs.ReadFile(files, path.Join(system, fmt.Sprintf("cpu%d/cpufreq/scaling_governor", cpu)))
		if err != nil {
			return "unknown"
		}
		all = append(all, strings.TrimSpace(string(text)))
	}
	slices.Sort(all)
	return strings.Join(slices.Compact(all), " and ")
}
