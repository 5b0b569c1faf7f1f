package audit

import (
	"errors"
	"fmt"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
	"github.com/zkatbench/zkatbench/token/crypto/pedersen"
)

// later is the checks of a request that are put off, since they cost less together:
// the openings of all outputs are one sum over tables, and the rests of all parties are
// finished in one call. The error of a request is the one of its first wrong
// check, in any order of finishing.
type later struct {
	checks   []putOff // in order
	openings []token.Opening
	tokens   []token.Token // of the openings
	rests    []identity.Rest
}

// putOff is a postponed check.
type putOff struct {
	action int
	name   string // "output 1: "
	isRest bool   // or an opening
	index  int    // in rests or openings
}

func (l *later) open(o token.Opening, t token.Token) {
	l.checks = append(l.checks, putOff{index: len(l.openings)})
	l.openings, l.tokens = append(l.openings, o), append(l.tokens, t)
}

func (l *later) match(rests []identity.Rest) {
	for range rests {
		l.checks = append(l.checks, putOff{isRest: true, index: len(l.rests)})
		l.rests = append(l.rests, rests[0])
		rests = rests[1:]
	}
}

// part runs the check of part i of an action or of an identity. Its errors, and those
// of the checks that it puts off, begin with the name of the part.
func (c *check) part(name string, i int, f func() error) error {
	from := len(c.later.checks)
	err := f()
	if err != nil {
		err = fmt.Errorf("%s %d: %w", name, i, err)
	}
	for k := range c.later.checks[from:] {
		at := &c.later.checks[from+k]
		at.name = fmt.Sprintf("%s %d: %s", name, i, at.name)
	}
	return err
}

// finish does all checks and returns a *RefusedError for the first wrong one.
func (l *later) finish(k *pedersen.Key) error {
	opened := token.Opens(k, l.openings, l.tokens)
	err := identity.Finish(l.rests, executor.Serial{})
	wrong := new(identity.RestError)
	if err != nil && !errors.As(err, &wrong) {
		return err
	}
	for _, c := range l.checks {
		switch {
		case c.isRest && err != nil && c.index == wrong.Index:
			return &RefusedError{Action: c.action, Err: fmt.Errorf("%s%w", c.name, wrong.Err)}
		case !c.isRest && !opened[c.index]:
			return &RefusedError{Action: c.action, Err: fmt.Errorf("%s%w", c.name, pedersen.ErrOpening)}
		}
	}
	return nil
}
