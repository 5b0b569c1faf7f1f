package hist

import (
	"cmp"
	"maps"
	"math/bits"
	"slices"
)

// A Focus counts durations around the first ones in narrow buckets, so that the spread of a
// steady operation is known although all its durations lie in a few buckets of a Histogram.
type Focus struct {
	early  []uint64 // the first durations, until the buckets are chosen
	shift  int      // a bucket is 2^shift ns wide
	from   uint64   // index of the first bucket
	counts []uint64
}

const (
	earlyDurations = 64
	focusBuckets   = 1 << 12
	// focusRanges is the width of all buckets in interquartile ranges of the first durations.
	focusRanges = 16
)

// NewFocus returns an empty Focus.
func NewFocus() Focus {
	return Focus{early: make([]uint64, 0, earlyDurations), counts: make([]uint64, focusBuckets)}
}

// Add counts one duration in ns, if it is near the first ones.
func (f *Focus) Add(ns uint64) {
	if len(f.early) < earlyDurations {
		f.early = append(f.early, ns)
		if len(f.early) == earlyDurations {
			f.choose()
		}
		return
	}
	f.count(ns)
}

func (f *Focus) count(ns uint64) {
	i := ns>>f.shift - f.from
	if i >= focusBuckets {
		i = f.reach(ns)
	}
	if i < focusBuckets {
		f.counts[i]++
	}
}

// reach returns the bucket of a duration beyond the buckets. It makes them wider if they have a
// part of the Histogram's bucket of the duration: BucketsIn divides only a bucket that is whole
// here. At twice the width of that bucket they have the one of the median whole.
func (f *Focus) reach(ns uint64) (i uint64) {
	low, high := Bounds(Index(ns))
	for i = ns>>f.shift - f.from; i >= focusBuckets && focusBuckets<<f.shift < 2*(high-low) &&
		f.from<<f.shift < high && (f.from+focusBuckets)<<f.shift > low; i = ns>>f.shift - f.from {
		f.double()
	}
	return i
}

// double doubles the width of the buckets around their middle. It allocates nothing.
func (f *Focus) double() {
	half := f.from / 2
	before := min(half, focusBuckets/4)
	for i, n := range f.counts {
		f.counts[i] = 0
		f.counts[(f.from+uint64(i))/2-half] += n
	}
	copy(f.counts[before:], f.counts[:focusBuckets/2+1])
	clear(f.counts[:before])
	f.from, f.shift = half-before, f.shift+1
}

// choose centres the buckets at the median of the first durations. It sorts in place and
// allocates nothing.
func (f *Focus) choose() {
	slices.Sort(f.early)
	quarter := len(f.early) / 4
	median, spread := f.early[2*quarter], f.early[3*quarter]-f.early[quarter]
	f.shift = max(0, bits.Len64(max(spread, 1)*focusRanges/focusBuckets))
	if middle := median >> f.shift; middle > focusBuckets/2 {
		f.from = middle - focusBuckets/2
	}
	for _, ns := range f.early {
		f.count(ns)
	}
}

// Fine returns the non-empty buckets.
func (f *Focus) Fine() *Fine {
	if len(f.early) < earlyDurations { // the buckets are not chosen yet: each duration has its own
		counts := map[uint64]uint64{}
		for _, ns := range f.early {
			counts[ns]++
		}
		return fineOf(0, counts)
	}
	fine := &Fine{Shift: f.shift}
	for i, n := range f.counts {
		if n > 0 {
			fine.Buckets = append(fine.Buckets, [2]uint64{f.from + uint64(i), n})
		}
	}
	return fine
}

// Fine holds counts of durations in buckets of 2^Shift ns: pairs of an index and a count,
// in order. It need not have all durations of a Histogram.
type Fine struct {
	Shift   int
	Buckets [][2]uint64
}

func fineOf(shift int, counts map[uint64]uint64) *Fine {
	f := &Fine{Shift: shift}
	for _, i := range slices.Sorted(maps.Keys(counts)) {
		f.Buckets = append(f.Buckets, [2]uint64{i, counts[i]})
	}
	return f
}

// Merge returns the counts of both, in the wider buckets; each may be nil.
func (f *Fine) Merge(o *Fine) *Fine {
	if f == nil || o == nil {
		return cmp.Or(f, o)
	}
	counts, shift := map[uint64]uint64{}, max(f.Shift, o.Shift)
	for _, from := range []*Fine{f, o} {
		for _, b := range from.Buckets {
			counts[b[0]>>(shift-from.Shift)] += b[1]
		}
	}
	return fineOf(shift, counts)
}

// positionBits divide each bucket of a Histogram into equal positions.
const positionBits = 10

// Position returns a finer Index of ns nanoseconds, whose bucket is index: 2²⁰ for each
// doubling, so it orders durations that differ by a millionth.
func Position(ns uint64, index int) uint64 {
	low, high := Bounds(index)
	part := (ns - low) << positionBits >> (bits.Len64(high-low) - 1)
	return uint64(index)<<positionBits | min(part, 1<<positionBits-1)
}

// PositionFrom returns the least duration in ns of a position.
func PositionFrom(position uint64) float64 {
	low, high := Bounds(int(position >> positionBits))
	part := float64(position&(1<<positionBits-1)) / (1 << positionBits)
	return float64(low) + part*float64(high-low)
}

// within returns the buckets in [low, high) ns if they hold n durations.
func (f *Fine) within(low, high, n uint64) (buckets [][2]uint64, all bool) {
	if f == nil || f.Shift < 0 || f.Shift > 63 || high-low <= 1<<f.Shift {
		return nil, false
	}
	at := func(ns uint64) int {
		i, _ := slices.BinarySearchFunc(f.Buckets, ns>>f.Shift, func(b [2]uint64, i uint64) int {
			return cmp.Compare(b[0], i)
		})
		return i
	}
	buckets = f.Buckets[at(low):at(high)]
	for _, b := range buckets {
		n -= b[1]
	}
	return buckets, n == 0
}

// BucketsIn calls fn with the non-empty buckets, durations in [low, high) ns, in order: each
// bucket of h that f has whole is divided into the buckets of f.
func (h Histogram) BucketsIn(f *Fine, fn func(low, high, count uint64)) {
	h.Each(func(i int, c uint64) {
		low, high := Bounds(i)
		buckets, all := f.within(low, high, c)
		if !all {
			fn(low, high, c)
			return
		}
		for _, b := range buckets {
			fn(b[0]<<f.Shift, (b[0]+1)<<f.Shift, b[1])
		}
	})
}

// ValuesIn calls fn with the durations in ns and their counts, in order, as BucketsIn.
func (h Histogram) ValuesIn(f *Fine, fn func(ns float64, count uint64)) {
	h.BucketsIn(f, func(low, high, c uint64) { fn(float64(low)+float64(high-low-1)/2, c) })
}

// RankIn is Rank to within a bucket of f, where f has the bucket of h whole.
func (h Histogram) RankIn(f *Fine, k uint64) (ns float64) {
	seen, found := uint64(0), false
	h.ValuesIn(f, func(v float64, c uint64) {
		if !found {
			ns = v
		}
		seen += c
		found = found || seen >= max(k, 1)
	})
	return ns
}
