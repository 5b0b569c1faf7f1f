package round

import "slices"

// Task is the work of one task of a run.
type Task interface{ Do(r Round) error }

// TaskOf returns the Task that calls f.
func TaskOf(f func(Round) error) Task { return calling(f) }

type calling func(Round) error

// Do implements Task.
func (f calling) Do(r Round) error { return f(r) }

// Task returns the Task that waits for item.
func (w *Work[T]) Task(item T) Task { return &waiting[T]{w, item} }

type waiting[T any] struct {
	work *Work[T]
	item T
}

// Do implements Task.
func (w *waiting[T]) Do(r Round) error { return w.work.Wait(r, w.item) }

// waitAll waits for the items of tasks. It returns false if one of them is not for the work
// of w.
func (w *waiting[T]) waitAll(r Round, tasks []Task) (errs []error, ok bool) {
	items := make([]T, len(tasks))
	for i, t := range tasks {
		other, ok := t.(*waiting[T])
		if !ok || other.work != w.work {
			return nil, false
		}
		items[i] = other.item
	}
	return w.work.WaitAll(r, items), true
}

// waiter is a *waiting of any type.
type waiter interface {
	waitAll(r Round, tasks []Task) (errs []error, ok bool)
}

// Do does tasks like FailFast, and names their errors. Tasks that all wait for the same
// Work take one wait, without coroutines.
func (r Round) Do(tasks []Task, named func(i int, err error) error) error {
	if len(tasks) > 1 {
		if first, ok := tasks[0].(waiter); ok {
			if errs, ok := first.waitAll(r, tasks); ok {
				i := slices.IndexFunc(errs, func(err error) bool { return err != nil })
				if i < 0 {
					return nil
				}
				return named(i, errs[i])
			}
		}
	}
	return r.FailFast(len(tasks), func(r Round, i int) error {
		if err := tasks[i].Do(r); err != nil {
			return named(i, err)
		}
		return nil
	})
}
