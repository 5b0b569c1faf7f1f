package idemix

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/idemix/credential"
	"github.com/zkatbench/zkatbench/token/core/identity/idemix/presentation"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/round"
)

// claim is a signature with undecoded points, under each key that it may belong
// to.
type claim struct {
	candidates []candidate
	digest     digest // with a memo
	// The result of checkSums: the candidate with right sums, or an error.
	found *candidate
	err   error
}

type candidate struct {
	key  *issuer
	item credential.Item
}

// verifying returns the task that checks the sums of a claim, which decides its key, and
// then its pairings, and remembers its presentation.
func (ks *Keys) verifying(c *claim) identity.Task {
	return round.TaskOf(func(r round.Round) error {
		if err := ks.sums.Wait(r, c); err != nil {
			return err
		}
		if err := c.found.key.pairings.Wait(r, c.found.item); err != nil {
			return err
		}
		if ks.memo != nil && !c.found.item.Known {
			ks.memo.remember(c)
		}
		return nil
	})
}

// The sums of firstTogether claims are computed first, then of twice as many each
// time, up to mostTogether. So it is cheap to refuse a request if its first signature
// is wrong.
const (
	firstTogether = 4
	mostTogether  = 64
)

// errUndecided says that an executor skipped a claim.
var errUndecided = errors.New("claim is not decided")

// checkSums decodes the points and checks the sums of claims, in groups of growing size
// up to one with a wrong claim, each in as many parts as e runs at a time.
func (ks *Keys) checkSums(_ group.Group, e executor.Executor, claims []*claim) []error {
	errs := make([]error, 0, len(claims))
	for size := firstTogether; len(errs) < len(claims); size = min(2*size, mostTogether) {
		group := claims[len(errs):min(len(errs)+size, len(claims))]
		parts := e.Width(len(group))
		failed := e.Run(parts, func(i int) error {
			first, end := i*len(group)/parts, (i+1)*len(group)/parts
			findKeys(group[first:end], ks.issuers)
			return nil
		})
		wrong := false
		for _, c := range group {
			err := failed
			if c.found == nil {
				err = cmp.Or(failed, c.err, errUndecided)
			}
			errs, wrong = append(errs, err), wrong || err != nil
		}
		if wrong {
			return errs
		}
	}
	return nil
}

// findKeys finds the key of each claim. The error of a claim without one is that
// of its last candidate.
func findKeys(claims []*claim, keys []*issuer) {
	for _, key := range keys {
		var open []*claim
		var tried []*candidate
		for _, c := range claims {
			if c.found != nil {
				continue
			}
			for i := range c.candidates {
				if c.candidates[i].key == key {
					open, tried = append(open, c), append(tried, &c.candidates[i])
				}
			}
		}
		key.check(open, tried)
	}
}

// check decides claims with their candidates of one key.
func (s *issuer) check(claims []*claim, tried []*candidate) {
	ids, signatures := make([]*presentation.Identity, len(tried)), make([]*presentation.Signature, len(tried))
	for i, t := range tried {
		ids[i], signatures[i] = t.item.Identity, t.item.Signature
	}
	var items []credential.Item
	var read []int // of claims
	for i, err := range s.Scheme().Points(ids, signatures) {
		claims[i].err = err
		if err == nil {
			items, read = append(items, tried[i].item), append(read, i)
		}
	}
	for k, err := range s.Sums(items) {
		c := claims[read[k]]
		if err != nil {
			c.err = rejected(err)
			continue
		}
		c.found = tried[read[k]]
	}
}

// rejected is an identity.ErrSignature with the reason.
func rejected(err error) error { return fmt.Errorf("%w: %w", err, identity.ErrSignature) }
