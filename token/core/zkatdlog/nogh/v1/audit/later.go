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
	action   int           // that is being checked
	at       []place       // its part, and the part of the part
	places   []place       // of all checks
}

// putOff is a postponed check.
type putOff struct {
	action   int
	from, to int           // its places
	match    identity.Task // nil for an opening
	opening  int           // its index
}

// place is a part of an action, or of an identity: "issuer" or "output 1".
type place struct {
	name string
	item int // -1 for a part of which there is one
}

func (p place) String() string {
	if p.item < 0 {
		return p.name
	}
	return p.name + " " + strconv.Itoa(p.item)
}

func (l *later) add(c putOff) {
	c.action, c.from = l.action, len(l.places)
	l.places = append(l.places, l.at...)
	c.to = len(l.places)
	l.checks = append(l.checks, c)
}

func (l *later) open(o token.Opening, t token.Token) {
	l.add(putOff{opening: len(l.openings)})
	l.openings, l.tokens = append(l.openings, o), append(l.tokens, t)
}

// part runs the check of a part of an action or of an identity. Its errors begin with the
// name of the part, and so do the errors of the checks that it puts off.
func (c *check) part(name string, f func() error) error { return c.item(name, -1, f) }

// item is part for an item of a list.
func (c *check) item(name string, i int, f func() error) error {
	l := c.later
	l.at = append(l.at, place{name, i})
	err := f()
	l.at = l.at[:len(l.at)-1]
	if err != nil {
		return fmt.Errorf("%s: %w", place{name, i}, err)
	}
	return nil
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
			if err == nil {
				return nil
			}
			for _, p := range slices.Backward(l.places[c.from:c.to]) {
				err = fmt.Errorf("%s: %w", p, err)
			}
			return &RefusedError{Action: c.action, Err: err}
		})
	})
}
