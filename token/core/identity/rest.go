package identity

import (
	"errors"
	"fmt"
)

// Deferred is a Verifier whose last step costs less for several signatures
// together.
type Deferred interface {
	Verifier
	// Begin does all of Verify but the steps that it returns. The signature is
	// valid if Begin returns nil and Finish accepts all rests.
	Begin(message Message, signature []byte) ([]Rest, error)
}

// Rest is a step of a verification that was put off.
type Rest struct {
	Batch Batch // comparable: rests of equal Batch are finished together
	State any   // for Batch alone
}

// Batch finishes rests together.
type Batch interface {
	// Finish returns nil if all states are right, else the index of the first
	// wrong one with an error that wraps ErrSignature.
	Finish(states []any) (int, error)
}

// RestError names a rest that is wrong.
type RestError struct {
	Index int
	Err   error
}

func (e *RestError) Error() string { return fmt.Sprintf("signature %d: %v", e.Index, e.Err) }

func (e *RestError) Unwrap() error { return e.Err }

// Finish finishes all rests, one call for each batch, in the order of the batches'
// first rests. The error is a *RestError.
func Finish(rests []Rest) error {
	if len(rests) == 0 {
		return nil
	}
	var order []Batch
	indices := map[Batch][]int{}
	for i, r := range rests {
		if indices[r.Batch] == nil {
			order = append(order, r.Batch)
		}
		indices[r.Batch] = append(indices[r.Batch], i)
	}
	for _, b := range order {
		states := make([]any, len(indices[b]))
		for k, i := range indices[b] {
			states[k] = rests[i].State
		}
		if wrong, err := b.Finish(states); err != nil {
			return &RestError{Index: indices[b][wrong], Err: err}
		}
	}
	return nil
}

// Begin begins the verification of a signature by v, or does it all if v puts
// nothing off.
func Begin(v Verifier, message Message, signature []byte) ([]Rest, error) {
	if d, ok := v.(Deferred); ok {
		return d.Begin(message, signature)
	}
	return nil, v.Verify(message, signature)
}

// Complete is Verify for a Deferred.
func Complete(d Deferred, message Message, signature []byte) error {
	rests, err := d.Begin(message, signature)
	if err != nil {
		return err
	}
	err = Finish(rests)
	if wrong := new(RestError); errors.As(err, &wrong) {
		return wrong.Err
	}
	return err
}

// BeginMessage opens a typed identity and begins the verification of its
// signature.
func (r Registry) BeginMessage(id []byte, message Message, signature []byte) ([]Rest, error) {
	v, err := r.Verifier(id)
	if err != nil {
		return nil, err
	}
	return Begin(v, message, signature)
}
