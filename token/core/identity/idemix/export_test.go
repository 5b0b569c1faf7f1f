package idemix // pairings are private: external tests make them refuse an owner

import (
	"bytes"
	"slices"

	"github.com/zkatbench/zkatbench/token/core/identity/idemix/credential"
	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// RefusePairings makes the pairings of the presentations in identities wrong, under all
// keys: so they have right sums and no credential. Package credential tests provers
// without a credential.
func (ks *Keys) RefusePairings(raws ...[]byte) {
	for _, s := range ks.issuers {
		holds := s.pairings.Holds
		s.pairings.Holds = func(g group.Group, items []credential.Item) bool {
			refused := slices.ContainsFunc(items, func(it credential.Item) bool {
				return !it.Known &&
					slices.ContainsFunc(raws, func(raw []byte) bool {
						return bytes.Contains(raw, it.Identity.Proof)
					})
			})
			return holds(g, items) && !refused
		}
	}
}
