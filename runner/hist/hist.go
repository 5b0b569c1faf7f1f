// Package hist counts durations in constant memory.
//
//	hist.go   Histogram: log-linear buckets, quantiles, ranks
//	codec.go  its JSON: only buckets that are not empty
//	hdr.go    to and from HdrHistogram
//	rows.go   coarse rows at 1-2-5 bounds, for pictures
package hist

import (
	"math"
	"math/bits"
)

// Histogram counts durations in nanoseconds in log-linear buckets: each power
// of two is cut into 2¹⁰ equal ones, so a bucket is at most 0.1 % as wide as
// the values in it, and its middle is within 0.05 % of them. It takes 281 KB,
// whatever it counts. The zero value is not usable; see New.
type Histogram struct {
	counts []uint64
}

const (
	subBits = 10
	// maxExp bounds durations at 2⁴⁴ ns, 4.9 hours; longer ones count as that.
	maxExp  = 44
	buckets = (maxExp - subBits + 1) << subBits
)

// Buckets is how many buckets a Histogram has; see Index.
const Buckets = buckets

// New returns an empty Histogram.
func New() Histogram { return Histogram{counts: make([]uint64, buckets)} }

// Index returns the bucket of ns nanoseconds, from 0. It grows by 2¹⁰ with each
// doubling of ns, so it also serves as a cheap logarithm.
func Index(ns uint64) int {
	if ns < 1<<subBits {
		return int(ns)
	}
	shift := bits.Len64(ns) - subBits - 1
	return min(shift<<subBits+int(ns>>shift), buckets-1)
}

// Bounds returns the least value of bucket i and that of the next one.
func Bounds(i int) (low, high uint64) {
	if i < 2<<subBits {
		return uint64(i), uint64(i) + 1
	}
	shift := i>>subBits - 1
	low = uint64(i&(1<<subBits-1)+1<<subBits) << shift
	return low, low + 1<<shift
}

// middle is the value that stands for all of bucket i.
func middle(i int) float64 {
	low, high := Bounds(i)
	return float64(low+high-1) / 2
}

// Add counts one duration.
func (h Histogram) Add(ns uint64) { h.counts[Index(ns)]++ }

// AddAt counts one duration whose Index the caller knows.
func (h Histogram) AddAt(i int) { h.counts[i]++ }

// Merge adds the counts of o, which may be the zero value.
func (h Histogram) Merge(o Histogram) {
	for i, c := range o.counts {
		h.counts[i] += c
	}
}

// Total is how many durations were counted.
func (h Histogram) Total() (n uint64) {
	for _, c := range h.counts {
		n += c
	}
	return n
}

// Quantile returns the duration in nanoseconds below which the share q of all
// durations lies: that of rank ⌈q·n⌉, 0 if there are none.
func (h Histogram) Quantile(q float64) float64 {
	// q is rarely what was meant to the last bit, and 0.99·100 exceeds 99.
	return h.Rank(uint64(math.Ceil(q * float64(h.Total()) * (1 - 1e-12))))
}

// Rank returns the k-th smallest duration in nanoseconds, from 1, to within
// 0.05 %. A k beyond the ends means the smallest or the largest.
func (h Histogram) Rank(k uint64) float64 {
	var seen uint64
	last := 0
	for i, c := range h.counts {
		if c == 0 {
			continue
		}
		if seen += c; seen >= max(k, 1) {
			return middle(i)
		}
		last = i
	}
	return middle(last)
}

// Between returns how many durations lie in [low, high) nanoseconds, to within
// a bucket.
func (h Histogram) Between(low, high float64) (n uint64) {
	for i, c := range h.counts {
		if c > 0 && middle(i) >= low && middle(i) < high {
			n += c
		}
	}
	return n
}

// Each calls f for every bucket that is not empty, in order.
func (h Histogram) Each(f func(index int, count uint64)) {
	for i, c := range h.counts {
		if c > 0 {
			f(i, c)
		}
	}
}

// AddN counts n durations of ns nanoseconds.
func (h Histogram) AddN(ns, n uint64) { h.counts[Index(ns)] += n }
