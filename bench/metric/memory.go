package metric

import (
	"hash/maphash"
	"maps"
	"math"
	"reflect"
	"strings"
)

// memory returns a hash of everything reachable from v through pointers,
// slices, arrays, structs, maps and interfaces, including unexported fields.
// Within a process, the hash of a value changes if its memory changes. An
// encoding cannot show this: a point in projective coordinates has many
// representations and one encoding.
// It skips functions, channels, the types of package sync, and capacity
// beyond the length of a slice. Addresses do not affect the hash.
func memory(v any) uint64 {
	w := walk{seen: map[visit]int{}}
	return w.sum(reflect.ValueOf(v))
}

var memorySeed = maphash.MakeSeed()

// visit is a pointer that the walk has followed. A struct and its first field
// share an address but differ in type.
type visit struct {
	address uintptr
	of      reflect.Type
}

// walk hashes values depth first. A pointer seen before is hashed as the number
// of its first occurrence, so cycles end.
type walk struct {
	hash maphash.Hash
	seen map[visit]int
}

// sum returns the hash of values.
func (w *walk) sum(values ...reflect.Value) uint64 {
	w.hash.SetSeed(memorySeed)
	for _, v := range values {
		w.value(v)
	}
	return w.hash.Sum64()
}

// add hashes x with its type.
func (w *walk) add(x any) { maphash.WriteComparable(&w.hash, x) }

// value adds v and all that it refers to. It has a case for each kind of value; pointers and
// maps are followed once, and values of package sync are left out.
func (w *walk) value(v reflect.Value) {
	kind := v.Kind()
	w.add(kind)
	switch {
	case !v.IsValid() || strings.HasPrefix(v.Type().PkgPath()+"/", "sync/"):
	case v.CanInt():
		w.add(v.Int())
	case v.CanUint():
		w.add(v.Uint())
	case v.CanFloat():
		w.add(math.Float64bits(v.Float()))
	case v.CanComplex():
		w.add(v.Complex())
	case kind == reflect.Bool:
		w.add(v.Bool())
	case kind == reflect.String:
		w.add(v.String())
	case kind == reflect.Slice, kind == reflect.Array:
		w.add(v.Len())
		for i := range v.Len() {
			w.value(v.Index(i))
		}
	case kind == reflect.Struct:
		for _, field := range v.Fields() {
			w.value(field)
		}
	case kind == reflect.Interface && !v.IsNil():
		w.add(v.Elem().Type())
		w.value(v.Elem())
	case kind == reflect.Pointer && !v.IsNil() && !w.known(v):
		w.value(v.Elem())
	case kind == reflect.Map && !v.IsNil() && !w.known(v):
		w.entries(v)
	}
}

// known reports whether v was followed before, and records it.
func (w *walk) known(v reflect.Value) bool {
	at := visit{v.Pointer(), v.Type()}
	n, known := w.seen[at]
	if !known {
		n = len(w.seen)
		w.seen[at] = n
	}
	w.add(n)
	return known
}

// entries adds up the hashes of the entries, since maps are unordered. Each entry
// is walked with the pointers that were known before the map.
func (w *walk) entries(v reflect.Value) {
	var sum uint64
	for entries := v.MapRange(); entries.Next(); {
		entry := walk{seen: maps.Clone(w.seen)}
		sum += entry.sum(entries.Key(), entries.Value())
	}
	w.add(sum)
}
