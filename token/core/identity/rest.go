package identity

import (
	"errors"
	"fmt"

	"github.com/zkatbench/zkatbench/token/crypto/executor"
)

// Deferred is a Verifier that can put off its expensive steps, which cost less for
// several signatures together.
type Deferred interface {
	Verifier
	// Begin does the cheap steps of Verify and returns the others. The signature
	// is valid if Begin returns nil and Finish accepts all rests.
	Begin(message Message, signature []byte) ([]Rest, error)
}

// Rest is a part of a verification that was put off.
type Rest struct {
	Batch Batch // comparable: rests of equal Batch are finished together
	State any   // for Batch alone
	// Member names the member of an identity with several, "member 3: ", and is
	// empty otherwise.
	Member string
}

// OfMember returns the rests of member i of an identity with several.
func OfMember(i int, rests []Rest) []Rest {
	for k := range rests {
		rests[k].Member = fmt.Sprintf("member %d: %s", i, rests[k].Member)
	}
	return rests
}

// Batch finishes rests together.
type Batch interface {
	// Finish checks the states of several sets, with parts of the work in e. Error
	// i is nil if all states of set i are right. Otherwise it is a *RestError with
	// the index of a wrong state in the set. After a wrong state the later ones of the same
	// set need not be checked.
	Finish(sets [][]any, e executor.Executor) []error
}

// RestError names a wrong rest. Err wraps ErrSignature or is a
// *wire.DecodeError.
type RestError struct {
	Index int
	Err   error
}

func (e *RestError) Error() string { return fmt.Sprintf("signature %d: %v", e.Index, e.Err) }

func (e *RestError) Unwrap() error { return e.Err }

// Finish finishes all rests. The error is a *RestError, or a
// *executor.PanicError.
func Finish(rests []Rest, e executor.Executor) error {
	if len(rests) == 0 {
		return nil
	}
	return FinishAll([][]Rest{rests}, e)[0]
}

// FinishAll finishes several sets of rests, such as the ones of several requests,
// with one call for each batch, in the order of the batches' first rests. Error i
// is the one of Finish for set i.
func FinishAll(sets [][]Rest, e executor.Executor) []error {
	errs := make([]error, len(sets))
	var order []Batch
	seen := map[Batch]bool{}
	for _, rests := range sets {
		for _, r := range rests {
			if !seen[r.Batch] {
				seen[r.Batch] = true
				order = append(order, r.Batch)
			}
		}
	}
	for _, b := range order {
		finish(b, sets, e, errs)
	}
	return errs
}

// errNoResult says that a Batch did not return one result for each set.
var errNoResult = errors.New("signature has no result")

// finish finishes the rests of one batch in the sets without an error.
func finish(b Batch, sets [][]Rest, e executor.Executor, errs []error) {
	states, indices := make([][]any, len(sets)), make([][]int, len(sets))
	for i, rests := range sets {
		for k, r := range rests {
			if errs[i] == nil && r.Batch == b {
				states[i], indices[i] = append(states[i], r.State), append(indices[i], k)
			}
		}
	}
	results := b.Finish(states, e)
	for i := range sets {
		if len(states[i]) == 0 {
			continue
		}
		err := errNoResult
		if len(results) == len(sets) {
			err = results[i]
		}
		if wrong := new(RestError); errors.As(err, &wrong) {
			k := indices[i][wrong.Index]
			if err = wrong.Err; sets[i][k].Member != "" {
				err = fmt.Errorf("%s%w", sets[i][k].Member, err)
			}
			err = &RestError{Index: k, Err: err}
		}
		if err != nil {
			errs[i] = err
		}
	}
}

// Begin begins the verification of a signature by v. If v is not Deferred, it
// verifies.
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
	return complete(rests)
}

// complete finishes the rests of one identity.
func complete(rests []Rest) error {
	err := Finish(rests, executor.Serial{})
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
