package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/runner/flags"
	p256 "github.com/zkatbench/zkatbench/scheme/p256/suite"
	ps18 "github.com/zkatbench/zkatbench/scheme/ps18/suite"
	threshold "github.com/zkatbench/zkatbench/scheme/threshold/suite"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/suite"
)

// subjects are the systems available to the commands. The first is the default.
// A new subject is one line here.
var subjects = []bench.Subject{
	suite.Subject,
	p256.Subject,
	ps18.Subject,
	threshold.Subject,
}

// listed returns the operations of s that a command takes by default.
func listed(s bench.Subject) (names []string) {
	for _, op := range s.Ops {
		if !op.OnRequest {
			names = append(names, op.Name)
		}
	}
	return names
}

// find returns the operation called name and its subject.
func find(name string) (s bench.Subject, op bench.Op, found bool) {
	for _, s := range subjects {
		if op, err := s.Op(name); err == nil {
			return s, op, true
		}
	}
	return s, op, false
}

// matrix returns the axes of s.
func matrix(s bench.Subject) []bench.Param { return s.Axes }

// request is the part of a command line that selects the measurements:
// operations of one subject and the values of its axes.
type request struct {
	subject bench.Subject
	ops     []bench.Op
	sel     *bench.Selection
}

// cases returns the cases of op, with the defaults of the runner.
func (r *request) cases(op bench.Op) []bench.Case {
	return r.sel.Cases(bench.Load, op.Without...)
}

// operations makes l a command on operations, as in
//
//	-format=bench Sender -curves=BN254
//	-format=bench -op=Sender,Issuer -curves=BN254
//
// Besides its own flags, l gets the axes of the subject to which the operations
// belong. Without a name the request has the listed operations of the first
// subject.
func (l *commandLine) operations(axes func(bench.Subject) []bench.Param) *request {
	r := new(request)
	l.prepare = func(args []string) []string {
		names, rest := splitNames(args)
		if len(names) > 0 {
			rest = append([]string{"-op=" + strings.Join(names, ",")}, rest...)
		} else {
			names = strings.Split(os.Getenv(l.flags.Env+"OP"), ",")
		}
		r.subject = subjects[0]
		if s, _, found := find(strings.TrimSpace(names[0])); found {
			r.subject = s
		}
		chosen := flags.Many(&l.flags, "op", strings.Join(listed(subjects[0]), ","),
			"", flags.Text("an operation"))
		r.sel = bench.Register(&l.flags, axes(r.subject)...)
		l.flags.Check(func() error { return r.choose(*chosen) })
		return rest
	}
	return r
}

// choose sets the operations.
func (r *request) choose(names []string) error {
	for _, name := range names {
		s, op, found := find(name)
		if !found {
			return ofFlag("op", noOperation(name))
		}
		if s.Name != r.subject.Name {
			return fmt.Errorf("%s is an operation of %s and %s of %s: name operations of one subject at a "+
				"time",
				names[0], r.subject.Name, name, s.Name)
		}
		r.ops = append(r.ops, op)
	}
	return nil
}

// splitNames separates names of operations, as arguments or values of -op, from
// the other arguments.
func splitNames(args []string) (names, others []string) {
	for i := 0; i < len(args); i++ {
		flag, value, given := strings.Cut(args[i], "=")
		isOp := flag == "-op" || flag == "--op"
		_, _, known := find(args[i])
		switch {
		case isOp && given:
			names = append(names, value)
		case isOp && i+1 < len(args):
			i++
			names = append(names, args[i])
		case known:
			names = append(names, args[i])
		default:
			others = append(others, args[i])
		}
	}
	return strings.FieldsFunc(strings.Join(names, ","), func(r rune) bool { return r == ',' }),
		slices.Clip(others)
}
