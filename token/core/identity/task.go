package identity

import (
	"fmt"

	"github.com/zkatbench/zkatbench/token/crypto/round"
)

// Task does the expensive checks of a signature or an identity, which cost less for
// several together.
type Task = func(round.Round) error

// BeginAll begins n tasks, one by one up to the first error, and returns a task that
// runs them together. The first that fails in time stops the others.
func BeginAll(n int, begin func(i int) (Task, error)) (Task, error) {
	var tasks []Task
	for i := range n {
		switch t, err := begin(i); {
		case err != nil:
			return nil, err
		case t != nil:
			tasks = append(tasks, t)
		}
	}
	if len(tasks) == 0 {
		return nil, nil
	}
	return func(r round.Round) error {
		return r.FailFast(len(tasks), func(r round.Round, i int) error { return tasks[i](r) })
	}, nil
}

// Wrap applies f to an error of begin, and to one of its task.
func Wrap(f func(error) error, begin func() (Task, error)) (Task, error) {
	t, err := begin()
	switch {
	case err != nil:
		return nil, f(err)
	case t == nil:
		return nil, nil
	}
	return func(r round.Round) error {
		if err := t(r); err != nil {
			return f(err)
		}
		return nil
	}, nil
}

// WrapMember is Wrap for member i of an identity with several.
func WrapMember(i int, begin func() (Task, error)) (Task, error) {
	return Wrap(func(err error) error { return fmt.Errorf("member %d: %w", i, err) }, begin)
}

// alone runs a task that was begun without error.
func alone(t Task, err error) error {
	if err != nil || t == nil {
		return err
	}
	return round.Run(nil, t)
}

// Verify checks one signature.
func Verify(v Verifier, message Message, signature []byte) error {
	return alone(v.Begin(message, signature))
}
