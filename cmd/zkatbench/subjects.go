package main

import (
	"io"
	"os"
	"slices"
	"strings"

	"github.com/zkatbench/zkatbench/bench"
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

// chosen is the flag for operations. Commands also take their names as
// arguments.
var chosen = &bench.Axis[string]{
	Name: "op", Flag: "op", Show: bench.Never, Default: strings.Join(listed(subjects[0]), ","),
	Values: bench.Values[string]{
		Allowed: "an operation; zkatbench list shows them",
		Parse: func(name string) ([]string, bool) {
			_, _, found := find(name)
			return []string{name}, found
		},
		Text: func(name string) string { return name },
	},
	Usage: "operations of one subject, comma-separated",
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
	return r.sel.Cases(bench.Load, append(bench.Axes(chosen), op.Without...)...)
}

// parseRequest parses a command line such as
//
//	-format=bench Sender -curves=BN254
//	-format=bench -op=Sender,Issuer -curves=BN254
//
// own are the flags of the command, each with a single value; the other flags
// are axes of the subject to which the operations belong. Without a name it
// returns the listed operations of the first subject. If help was requested, it
// prints the help and returns nil without an error.
func parseRequest(command string, own []bench.Param, axes func(bench.Subject) []bench.Param, args []string, out io.Writer) (*request, error) {
	names, flags := splitNames(args)
	r := &request{subject: subjects[0]}
	if len(names) == 0 {
		names = strings.Split(os.Getenv("ZKAT_OP"), ",")
	} else {
		flags = append([]string{"-op=" + strings.Join(names, ",")}, flags...)
	}
	if s, _, found := find(strings.TrimSpace(names[0])); found {
		r.subject = s
	}
	set := bench.Set{Program: "zkatbench", Env: "ZKAT_", Axes: slices.Concat(bench.Axes(chosen), own, axes(r.subject))}
	var err error
	if r.sel, err = selection(commandLine{name: command, takes: "[flags] [operations]"}, set, flags, out); r.sel == nil {
		return nil, err
	}
	for _, name := range chosen.All(r.sel) {
		s, op, _ := find(name)
		if s.Name != r.subject.Name {
			return nil, usageError("%s: %s is an operation of %s and %s of %s: name operations of one subject at a time",
				command, r.ops[0].Name, r.subject.Name, name, s.Name)
		}
		r.ops = append(r.ops, op)
	}
	return r, nil
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
	return strings.FieldsFunc(strings.Join(names, ","), func(r rune) bool { return r == ',' }), slices.Clip(others)
}
