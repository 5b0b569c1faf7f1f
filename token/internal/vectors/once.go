package vectors

import "sync"

// Once makes a value for each key once in a process. The zero value is ready for use.
type Once[K comparable, V any] struct{ made sync.Map }

// Get returns the value of a key; the first call makes it.
func (o *Once[K, V]) Get(key K, create func() V) V {
	v, _ := o.made.LoadOrStore(key, sync.OnceValue(create))
	return v.(func() V)()
}
