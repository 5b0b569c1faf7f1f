package metric

import (
	"encoding/binary"
	"hash/maphash"
	"maps"
	"math"
	"reflect"
	"strconv"
	"strings"
)

// Memory returns a hash of everything reachable from v through pointers,
// slices, arrays, structs, maps and interfaces, including unexported fields.
// Within a process, the hash of a value changes if its memory changes. An
// encoding cannot show this: a point in projective coordinates has many
// representations and one encoding.
// Memory skips functions, channels, the types of package sync, and capacity
// beyond the length of a slice. Addresses do not affect the hash.
func Memory(v any) uint64 {
	w := walk{seen: map[visit]uint64{}}
	w.hash.SetSeed(memorySeed)
	w.value(reflect.ValueOf(v))
	return w.hash.Sum64()
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
	seen map[visit]uint64
}

func (w *walk) word(n uint64) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], n)
	w.hash.Write(b[:])
}

func (w *walk) text(s string) {
	w.word(uint64(len(s)))
	w.hash.WriteString(s)
}

func (w *walk) value(v reflect.Value) {
	w.word(uint64(v.Kind()))
	if !v.IsValid() || strings.HasPrefix(v.Type().PkgPath()+"/", "sync/") {
		return
	}
	switch {
	case v.CanInt():
		w.word(uint64(v.Int()))
	case v.CanUint():
		w.word(v.Uint())
	case v.CanFloat():
		w.word(math.Float64bits(v.Float()))
	case v.CanComplex():
		w.word(math.Float64bits(real(v.Complex())))
		w.word(math.Float64bits(imag(v.Complex())))
	}
	switch v.Kind() {
	case reflect.Bool:
		w.text(strconv.FormatBool(v.Bool()))
	case reflect.String:
		w.text(v.String())
	case reflect.Slice, reflect.Array:
		w.word(uint64(v.Len()))
		for i := range v.Len() {
			w.value(v.Index(i))
		}
	case reflect.Struct:
		for _, field := range v.Fields() {
			w.value(field)
		}
	case reflect.Interface:
		if !v.IsNil() {
			w.text(v.Elem().Type().String())
			w.value(v.Elem())
		}
	case reflect.Pointer:
		w.pointer(v)
	case reflect.Map:
		w.entries(v)
	}
}

// known reports whether v was followed before, and records it.
func (w *walk) known(v reflect.Value) bool {
	at := visit{v.Pointer(), v.Type()}
	n, known := w.seen[at]
	if !known {
		n = uint64(len(w.seen))
		w.seen[at] = n
	}
	w.word(n)
	return known
}

func (w *walk) pointer(v reflect.Value) {
	if !v.IsNil() && !w.known(v) {
		w.value(v.Elem())
	}
}

// entries sums the hashes of the entries, since maps are unordered. Each entry
// is walked with the pointers that were known before the map.
func (w *walk) entries(v reflect.Value) {
	if v.IsNil() || w.known(v) {
		return
	}
	var sum uint64
	for entries := v.MapRange(); entries.Next(); {
		one := walk{seen: maps.Clone(w.seen)}
		one.hash.SetSeed(memorySeed)
		one.value(entries.Key())
		one.value(entries.Value())
		sum += one.hash.Sum64()
	}
	w.word(sum)
}
