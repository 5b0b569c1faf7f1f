package idemix

import (
	"fmt"
	"slices"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/idemix/credential"
	"github.com/zkatbench/zkatbench/token/core/identity/idemix/presentation"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
)

// claim is a signature with undecoded points, under each key that it may belong
// to. It is the state of an identity.Rest.
type claim struct {
	candidates []candidate
	digest     digest // with a memo
	// Of the set and the place in it that Finish was given.
	set, index int
	// The result of sums: the candidate with right sums, or an error.
	found *candidate
	err   error
}

type candidate struct {
	key  issuer
	item credential.Item
}

// batch is one call of Finish.
type batch struct {
	keys   *Keys
	errs   []error // by set
	claims []*claim
}

// The sums of firstTogether claims are computed first, then of twice as many each
// time, up to mostTogether. So it is cheap to refuse a set that begins with a
// wrong signature.
const (
	firstTogether = 4
	mostTogether  = 64
)

// Finish implements identity.Batch. It decodes the points and checks the sums of
// all claims in groups of growing size, in lockstep, which decides their keys. The
// pairings of the sets without a wrong sum are checked last, in one equation for
// each key. So the error of a set names its first claim with a wrong point or sum.
// Otherwise it names the first one with a wrong pairing.
func (ks *Keys) Finish(sets [][]any, e executor.Executor) []error {
	b := &batch{keys: ks, errs: make([]error, len(sets))}
	for i, states := range sets {
		for k, state := range states {
			c := state.(*claim)
			c.set, c.index = i, k
			b.claims = append(b.claims, c)
		}
	}
	open, size := b.claims, firstTogether
	for len(open) > 0 {
		var group []*claim
		for len(open) > 0 && len(group) < size {
			if c := open[0]; !b.decided(c) {
				group = append(group, c)
			}
			open = open[1:]
		}
		if err := b.sums(group, e); err != nil {
			return slices.Repeat([]error{err}, len(sets))
		}
		size = min(2*size, mostTogether)
	}
	byKey := make([][]*claim, len(ks.issuers))
	for _, c := range b.claims {
		if b.errs[c.set] == nil {
			k := slices.Index(ks.issuers, c.found.key)
			byKey[k] = append(byKey[k], c)
		}
	}
	for k, key := range ks.issuers {
		b.pairings(key, byKey[k])
	}
	return b.errs
}

// decided reports whether a claim before c in its set is wrong.
func (b *batch) decided(c *claim) bool {
	wrong, ok := b.errs[c.set].(*identity.RestError)
	return ok && wrong.Index < c.index
}

// refuse records that c is wrong.
func (b *batch) refuse(c *claim, err error) {
	if !b.decided(c) {
		b.errs[c.set] = &identity.RestError{Index: c.index, Err: err}
	}
}

// sums decodes the points and checks the sums of a group of claims, in as many
// parts as e runs at a time.
func (b *batch) sums(group []*claim, e executor.Executor) error {
	parts := e.Width(len(group))
	err := e.Run(parts, func(i int) error {
		first, end := i*len(group)/parts, (i+1)*len(group)/parts
		checkSums(group[first:end], b.keys.issuers)
		return nil
	})
	for _, c := range group {
		if c.found == nil {
			b.refuse(c, c.err)
		}
	}
	return err
}

// checkSums finds the key of each claim. The error of a claim without one is that
// of its last candidate.
func checkSums(claims []*claim, keys []issuer) {
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
func (s issuer) check(claims []*claim, tried []*candidate) {
	ids, signatures := make([]*presentation.Identity, len(tried)), make([]*presentation.Signature, len(tried))
	for i, t := range tried {
		ids[i], signatures[i] = t.item.Identity, t.item.Signature
	}
	var items []credential.Item
	var read []int // of claims
	for i, err := range s.Scheme().Points(ids, signatures) {
		if claims[i].err = err; err == nil {
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

// pairings checks the pairings of claims under one key. If their equation fails,
// bisection finds the wrong ones.
func (b *batch) pairings(key issuer, claims []*claim) {
	claims = slices.DeleteFunc(claims, b.decided)
	items := make([]credential.Item, len(claims))
	for i, c := range claims {
		items[i] = c.found.item
	}
	if key.Pairings(items) {
		b.remember(claims)
		return
	}
	if len(claims) == 1 {
		b.refuse(claims[0], rejected(credential.ErrPresentation))
		return
	}
	half := len(claims) / 2
	b.pairings(key, slices.Clone(claims[:half]))
	b.pairings(key, claims[half:])
}

// remember remembers the presentations of verified claims.
func (b *batch) remember(claims []*claim) {
	if b.keys.memo == nil {
		return
	}
	for _, c := range claims {
		if !c.found.item.Known {
			b.keys.memo.remember(c)
		}
	}
}

// rejected is an identity.ErrSignature with the reason.
func rejected(err error) error { return fmt.Errorf("%w: %w", err, identity.ErrSignature) }
