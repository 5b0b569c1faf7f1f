package capacity

import (
	"fmt"
	"slices"
	"strings"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/runner/flags"
)

// Subject is a system for networks to plan.
type Subject struct {
	Of bench.Subject
	// Axes are the axes of a choice.
	Axes []bench.Param
	// Defaults are the values of flags that differ from the defaults of the axes.
	Defaults map[string]string
	// Actions are the kinds of requests.
	Actions []string
	// Mix is the default of -mix.
	Mix string
	// Shape are the axes of the shapes in a mix: the numbers of 4x2.
	Shape []bench.Param
	Roles []Role
	// Collected is the axis with the size of a batch of Role.Batch.
	Collected bench.Param
	// Choices returns the choices of a selection, in the order of tables.
	Choices func(*bench.Selection) []Choice
	// Changes are the changes of one value for the table of sensitivity.
	Changes []Change
}

// Role is a kind of party and its work for a request.
type Role struct {
	Name    string
	Does    string // "validates each request"
	Parties Parties
	// Ops are the names of the operations for each of the actions.
	Ops []string
	// Batch is the operation on several requests of the first action, or empty.
	Batch string
	// Waits means that clients wait for the role, within the limit of P99.
	Waits bool
}

// Parties says which parties of a role serve a request.
type Parties string

// The values of parties.
const (
	Many      Parties = "many"      // one of many independent ones
	Endorsers Parties = "endorsers" // some of all endorsers
	Auditors  Parties = "auditor"   // one, if requests are audited
	All       Parties = "all"       // each of them
)

// Choice is one combination of values of the axes.
type Choice struct {
	// Name has the values that users compare.
	Name string     `json:"name"`
	Case bench.Case `json:"-"`
	// Protects means that one may protect value with the choice. Warning is a warning
	// for its users, or empty.
	Protects bool   `json:"protects_value"`
	Warning  string `json:"warning,omitempty"`
	// Ignored are axes without effect on this choice.
	Ignored []bench.Param `json:"-"`
}

// Change replaces the value of one flag of a choice by another one, or the batch.
type Change struct {
	Name, Flag, From, To string
	Batch                int
}

// batchSizes are the measured sizes of batches.
var batchSizes = []int{1, 4, 16, 64}

// Register declares the flags of the axes of a choice, and returns the Selection
// that set.Resolve fills.
func (s Subject) Register(set *flags.Set) *bench.Selection {
	sel := bench.Register(set, s.Axes...)
	for name, value := range s.Defaults {
		set.Lookup(name).Default = value
	}
	return sel
}

// selection returns what args select of axes.
func selection(axes []bench.Param, args []string) (*bench.Selection, error) {
	var set flags.Set
	sel := bench.Register(&set, axes...)
	_, _, err := set.Parse(args)
	if err == nil {
		err = set.Resolve(nil)
	}
	return sel, err
}

// With returns the subject with the actions of a mix. An action may have a shape.
func (s Subject) With(mix []Share) Subject {
	base := s
	s.Actions, s.Roles = nil, slices.Clone(s.Roles)
	for r := range s.Roles {
		s.Roles[r].Ops = nil
	}
	for _, m := range mix {
		action, _, _ := strings.Cut(m.Action, ":")
		s.Actions = append(s.Actions, m.Action)
		for r, role := range base.Roles {
			s.Roles[r].Ops = append(s.Roles[r].Ops, role.Ops[slices.Index(base.Actions, action)])
		}
	}
	return s
}

// shapeFlags are the flags of the axes that an action such as transfer:4x2 sets.
func (s Subject) shapeFlags(action string) (args []string) {
	_, shape, shaped := strings.Cut(action, ":")
	for i, axis := range s.Shape {
		if values := strings.Split(shape, "x"); shaped && i < len(values) {
			args = append(args, "-"+bench.FlagOf(axis)+"="+values[i])
		}
	}
	return args
}

// allows reports whether operations have a shape.
func (s Subject) allows(shape string) bool {
	sel, err := selection(s.Shape, s.shapeFlags(":"+shape))
	return len(s.Shape) > 0 && strings.Count(shape, "x") == len(s.Shape)-1 && err == nil &&
		len(sel.Cases(bench.Serial)) == 1
}

// caseOf returns the case of op for a choice with other values of some flags.
func (s Subject) caseOf(c Choice, op bench.Op, args ...string) (bench.Case, error) {
	sel, err := selection(s.Of.Axes, slices.Concat(c.Case.Flags(), args))
	if err != nil {
		return bench.Case{}, err
	}
	return sel.Cases(bench.Serial, op.Without...)[0], nil
}

// job is an operation of a choice to measure.
type job struct {
	Measured
	waits   bool // clients wait for the role
	every   int  // it is measured each so many turns
	op      bench.Op
	c       bench.Case
	in      []bench.Instance
	figures string // exact ones, for the first result, since they are equal in all
}

// jobs returns the operations of a choice.
func (s Subject) jobs(c Choice) (jobs []*job, err error) {
	add := func(role Role, action string, batch, every int, name string, args ...string) {
		if err != nil {
			return
		}
		j := &job{Measured: Measured{Role: role.Name, Action: action, Batch: batch,
			Figures: map[string]float64{}}, waits: role.Waits && batch == 0, every: every}
		j.op, err = s.Of.Op(name)
		if err == nil {
			j.c, err = s.caseOf(c, j.op, args...)
		}
		jobs = append(jobs, j)
	}
	for _, role := range s.Roles {
		for a, name := range role.Ops {
			every := otherTurns
			if name == role.Ops[0] {
				every = 1
			}
			add(role, s.Actions[a], 0, every, name, s.shapeFlags(s.Actions[a])...)
		}
		for _, n := range batchSizes {
			if role.Batch != "" {
				add(role, s.Actions[0], n, batchTurns, role.Batch,
					fmt.Sprintf("-%s=%d", bench.FlagOf(s.Collected), n))
			}
		}
	}
	return jobs, err
}
