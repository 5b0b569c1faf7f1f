package audit

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/crypto/pedersen"
	"github.com/zkatbench/zkatbench/token/crypto/round"
)

// later is the checks of a request that are put off, since they cost less together:
// the openings of all outputs are one sum over tables, and the tasks of all parties run
// together. The error of a request is the error of its first failed check.
type later struct {
	checks   []putOff // in order
	openings []token.Opening
	tokens   []token.Token // of the openings
}

// putOff is a postponed check.
type putOff struct {
	action  int
	name    string        // "output 1: owner: "
	match   identity.Task // nil for an opening
	opening int           // its index
}

func (l *later) open(o token.Opening, t token.Token) {
	l.checks = append(l.checks, putOff{opening: len(l.openings)})
	l.openings, l.tokens = append(l.openings, o), append(l.tokens, t)
}

func (l *later) match(task identity.Task) { l.checks = append(l.checks, putOff{match: task}) }

// part runs the check of a part of an action or of an identity. Its errors begin with the
// name of the part, and so do the errors of the checks that it puts off.
func (c *check) part(name string, f func() error) error {
	from := len(c.later.checks)
	err := f()
	if err != nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	for k := range c.later.checks[from:] {
		at := &c.later.checks[from+k]
		at.name = name + ": " + at.name
	}
	return err
}

// item is part for an item of a list.
func (c *check) item(name string, i int, f func() error) error {
	return c.part(name+" "+strconv.Itoa(i), f)
}

// finish does all checks and returns a *RefusedError for the first wrong one.
func (l *later) finish(k *pedersen.Key) error {
	opened := token.Opens(k, l.openings, l.tokens)
	left := slices.DeleteFunc(l.checks, func(c putOff) bool { return c.match == nil && opened[c.opening] })
	return round.Run(k.Group(), func(r round.Round) error {
		return r.Each(len(left), func(r round.Round, i int) error {
			c, err := left[i], pedersen.ErrOpening
			if c.match != nil {
				err = c.match.Do(r)
			}
			if err != nil {
				err = &RefusedError{Action: c.action, Err: fmt.Errorf("%s%w", c.name, err)}
			}
			return err
		})
	})
}
