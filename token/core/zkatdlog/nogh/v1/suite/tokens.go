package suite

import (
	"crypto/rand"
	"fmt"
	mathrand "math/rand/v2"
	"slices"
	"sync"

	"github.com/zkatbench/zkatbench/token/core/identity/x509"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/transfer"
	"github.com/zkatbench/zkatbench/token/crypto/group"
)

const tokenType = "USD"

// party returns the identity of a wallet. It is the same in every run, so that
// the lengths of actions are.
func party(name string) ([]byte, error) {
	var seed [32]byte
	copy(seed[:], name)
	w, err := x509.NewWallet(mathrand.NewChaCha8(seed), name)
	if err != nil {
		return nil, fmt.Errorf("wallet of %s: %w", name, err)
	}
	return w.Identity(), nil
}

// parties are who makes, owns and gets tokens in every environment.
var parties = sync.OnceValues(func() (ids struct{ issuer, alice, bob []byte }, err error) {
	if ids.issuer, err = party("issuer"); err != nil {
		return ids, err
	}
	if ids.alice, err = party("alice"); err != nil {
		return ids, err
	}
	ids.bob, err = party("bob")
	return ids, err
})

// values are n random ones that add up to total.
func values(total uint64, n int) []uint64 {
	cuts := make([]uint64, n, n+1)
	for i := range cuts[1:] {
		cuts[i+1] = upTo(total)
	}
	cuts = append(cuts, total)
	slices.Sort(cuts)
	vs := make([]uint64, n)
	for i := range vs {
		vs[i] = cuts[i+1] - cuts[i]
	}
	return vs
}

// upTo returns a random number from 0 to most.
func upTo(most uint64) uint64 {
	if most == ^uint64(0) {
		return mathrand.Uint64()
	}
	return mathrand.Uint64N(most + 1)
}

// spends are tokens of alice, with openings, that add up to total.
func (s setting) spends(total uint64) ([]transfer.Spend, error) {
	ids, err := parties()
	if err != nil {
		return nil, err
	}
	g, key := s.params.Group(), s.params.Pedersen()
	blindings := make([]group.Scalar, s.inputs)
	if err := group.Sample(g, rand.Reader, blindings); err != nil {
		return nil, err
	}
	spends := make([]transfer.Spend, s.inputs)
	for i, v := range values(total, s.inputs) {
		spends[i] = transfer.Spend{
			ID:      token.ID{TxID: fmt.Sprintf("%064x", i), Index: uint64(i)},
			Token:   token.Token{Owner: ids.alice, Data: token.Commit(key, tokenType, v, blindings[i])},
			Opening: token.Opening{Type: tokenType, Value: g.Uint64(v), Blinding: blindings[i]},
		}
	}
	return spends, nil
}

// receives are tokens for bob that add up to total.
func (s setting) receives(total uint64) ([]transfer.Receive, error) {
	ids, err := parties()
	if err != nil {
		return nil, err
	}
	receives := make([]transfer.Receive, s.outputs)
	for j, v := range values(total, s.outputs) {
		receives[j] = transfer.Receive{Owner: ids.bob, Value: v}
	}
	return receives, nil
}
