package credential // Verify, which tests inside and outside use

import "fmt"

// RejectedError names the first rejected item of a batch.
type RejectedError struct {
	Index int
	Err   error // ErrSignature or ErrPresentation
}

func (e *RejectedError) Error() string { return fmt.Sprintf("item %d: %v", e.Index, e.Err) }

func (e *RejectedError) Unwrap() error { return e.Err }

// Verify checks all items, with Sums and then Pairings. The error is a
// *RejectedError for the first wrong item of the first step that fails.
func (k *Key) Verify(items []Item) error {
	for i, err := range k.Sums(items) {
		if err != nil {
			return &RejectedError{i, err}
		}
	}
	if k.Pairings(items) {
		return nil
	}
	for i := range items {
		if !k.Pairings(items[i : i+1]) {
			return &RejectedError{i, ErrPresentation}
		}
	}
	return &RejectedError{0, ErrPresentation} // not reached but with probability 2⁻¹²⁸
}
