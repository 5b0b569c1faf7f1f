package identity

import (
	"fmt"

	"github.com/zkatbench/zkatbench/token/crypto/round"
)

// Task does the expensive checks of a signature or an identity, which cost less for
// several together.
type Task = round.Task

// BeginAll begins n tasks, one by one up to the first error, and returns a task that
// runs them together. The first that fails in time stops the others. Errors of task i, also
// of its begin, are named by named.
func BeginAll(n int, named func(i int, err error) error, begin func(i int) (Task, error)) (Task, error) {
	tasks, places := make([]Task, 0, n), make([]int, 0, n)
	for i := range n {
		switch t, err := begin(i); {
		case err != nil:
			return nil, named(i, err)
		case t != nil:
			tasks, places = append(tasks, t), append(places, i)
		}
	}
	if len(tasks) == 0 {
		return nil, nil
	}
	return round.TaskOf(func(r round.Round) error {
		return r.Do(tasks, func(k int, err error) error { return named(places[k], err) })
	}), nil
}

// Member names an error of member i of an identity with several.
func Member(i int, err error) error { return fmt.Errorf("member %d: %w", i, err) }

// alone runs a task that was begun without error.
func alone(t Task, err error) error {
	if err != nil || t == nil {
		return err
	}
	return round.Run(nil, t.Do)
}

// Verify checks one signature.
func Verify(v Verifier, message Message, signature []byte) error {
	return alone(v.Begin(message, signature))
}
