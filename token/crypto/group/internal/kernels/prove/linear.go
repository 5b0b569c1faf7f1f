package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// linear is a sum of symbols times integers. It is the value of a general register: a pointer,
// a count or an offset. The symbol "" is 1. No sum is near 2⁶³, as counts and memory are small.
//
// The number of elements is n = 8q + e + 1 with q ≥ 0 and 0 ≤ e ≤ 7, so that q is the
// number of the last block and e + 1 the number of its elements. In a lane without an element in the
// last block, e is called f.
type linear map[string]int64

func fixedAt(v int64) linear { return linear{"": v} }

func (a linear) plus(b linear, c int64) linear {
	out := maps.Clone(a)
	if out == nil {
		out = linear{}
	}
	for k, v := range b {
		out[k] += c * v
		if out[k] == 0 {
			delete(out, k)
		}
	}
	return out
}

func (a linear) add(v int64) linear { return a.plus(fixedAt(v), 1) }

func (a linear) scaled(c int64) linear { return linear{}.plus(a, c) }

func (a linear) equal(b linear) bool { return len(a.plus(b, -1)) == 0 }

// isNumber returns a if it is free of symbols.
func (a linear) isNumber() (v int64, ok bool) {
	for k, c := range a {
		if k != "" && c != 0 {
			return 0, false
		}
	}
	return a[""], true
}

func (a linear) String() string {
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(a)) {
		switch {
		case k == "" || a[k] == 0:
		case a[k] == 1:
			parts = append(parts, "+"+k)
		default:
			parts = append(parts, fmt.Sprintf("%+d%s", a[k], k))
		}
	}
	if a[""] != 0 || len(parts) == 0 {
		parts = append(parts, fmt.Sprintf("%+d", a[""]))
	}
	return strings.TrimPrefix(strings.Join(parts, ""), "+")
}

// symbolBounds are the symbols with bounds: all but pointers are at least 0.
func symbolBounds(k string) (lo, hi int64, bounded bool) {
	switch k {
	case "e":
		return 0, 7, true
	case "f": // e, if a lane is without an element
		return 0, 6, true
	}
	return 0, 1 << 40, false
}

// least returns a lower bound of a, if it has one.
func (a linear) least() (v int64, ok bool) {
	for k, c := range a {
		lo, hi, bounded := symbolBounds(k)
		switch {
		case k == "":
			v += c
		case strings.HasPrefix(k, "@") || strings.HasPrefix(k, "&"):
			return 0, false
		case c >= 0:
			v += c * lo
		case bounded:
			v += c * hi
		default:
			return 0, false
		}
	}
	return v, true
}

// facts are linear forms that are at least 0.
type facts []linear

// atLeast0 reports whether a is at least 0: by the bounds of symbols, or because s·a is a
// fact plus something at least d, so that a ≥ d/s, rounded up.
func (f facts) atLeast0(a linear) bool {
	if v, ok := a.least(); ok && v >= 0 {
		return true
	}
	for _, known := range f {
		for _, s := range []int64{1, 8, 16, 64} {
			if d, ok := a.scaled(s).plus(known, -1).least(); ok && d > -s {
				return true
			}
		}
	}
	return false
}

func (f facts) positive(a linear) bool { return f.atLeast0(a.add(-1)) }

func (f facts) isZero(a linear) bool { return f.atLeast0(a) && f.atLeast0(a.scaled(-1)) }
