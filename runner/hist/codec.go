package hist

import (
	"encoding/json"
	"errors"
	"fmt"
)

// ErrBuckets reports JSON that MarshalJSON cannot have written.
var ErrBuckets = errors.New("histogram buckets")

// MarshalJSON writes the non-empty buckets as [index, count] pairs.
func (h Histogram) MarshalJSON() ([]byte, error) {
	pairs := [][2]uint64{}
	h.Each(func(i int, c uint64) { pairs = append(pairs, [2]uint64{uint64(i), c}) })
	return json.Marshal(pairs)
}

// UnmarshalJSON reads the output of MarshalJSON. It rejects other texts:
// indices that do not increase or are out of range, and empty buckets.
func (h *Histogram) UnmarshalJSON(b []byte) error {
	var pairs [][]uint64
	if err := json.Unmarshal(b, &pairs); err != nil {
		return fmt.Errorf("%w: %w", ErrBuckets, err)
	}
	n, next, total := New(), uint64(0), uint64(0)
	for k, p := range pairs {
		switch {
		case len(p) != 2:
			return fmt.Errorf("%w: pair %d has %d numbers", ErrBuckets, k, len(p))
		case p[0] < next || p[0] >= Buckets:
			return fmt.Errorf("%w: pair %d has index %d, outside [%d, %d)", ErrBuckets, k, p[0], next,
				Buckets)
		case p[1] == 0 || total+p[1] < total:
			return fmt.Errorf("%w: pair %d has count %d", ErrBuckets, k, p[1])
		}
		n.counts[p[0]] = p[1]
		next, total = p[0]+1, total+p[1]
	}
	*h = n
	return nil
}
