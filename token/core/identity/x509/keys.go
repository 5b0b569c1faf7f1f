package x509

import (
	"crypto/ecdsa"
	"slices"
	"sync"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/crypto/ecdsap256"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/round"
)

// Keys reads identities and verifies their signatures, for P-256 together. It
// remembers the keys of the last identities that it read, so that an identity is
// parsed once. It remembers no verdict. It is safe for concurrent use.
type Keys struct {
	signatures    *ecdsap256.Verifier
	verifications round.Work[ecdsap256.Signature]

	// Keys by the bytes of identities. When young is full it replaces old, which is
	// forgotten.
	mu         sync.Mutex
	young, old map[string]*ecdsa.PublicKey
	bytes      int // of the identities in young
}

// Bounds of the memory of Keys: identities of at most rememberedLen bytes, and
// rememberedBytes of them in each half.
const (
	rememberedLen   = 4 << 10
	rememberedBytes = 2 << 20
)

// NewKeys returns Keys that verify the signatures of P-256 with v. Registries use one
// for all identities, so that their signatures are verified together.
func NewKeys(v *ecdsap256.Verifier) *Keys {
	k := &Keys{signatures: v, young: map[string]*ecdsa.PublicKey{}}
	k.verifications.Do = k.verify
	return k
}

// Verifier is NewVerifier with the memory of k. Its signatures are verified together
// with other tasks.
func (k *Keys) Verifier(raw []byte) (identity.Verifier, error) {
	key, err := k.key(raw)
	if err != nil {
		return nil, err
	}
	return verifier{key: key, keys: k}, nil
}

// Once is Verifier for an identity not expected again, such as the certificate
// of one transaction: it is not remembered.
func (k *Keys) Once(raw []byte) (identity.Verifier, error) {
	key, err := readKey(raw)
	if err != nil {
		return nil, err
	}
	return verifier{key: key, keys: k, once: true}, nil
}

// key returns the key of an identity.
func (k *Keys) key(raw []byte) (*ecdsa.PublicKey, error) {
	if key := k.recall(raw); key != nil {
		return key, nil
	}
	key, err := readKey(raw)
	if err == nil && len(raw) <= rememberedLen {
		k.mu.Lock()
		defer k.mu.Unlock()
		k.remember(string(raw), key)
	}
	return key, err
}

// recall returns the key of a remembered identity, or nil.
func (k *Keys) recall(raw []byte) *ecdsa.PublicKey {
	k.mu.Lock()
	defer k.mu.Unlock()
	key, ok := k.young[string(raw)]
	if !ok {
		key, ok = k.old[string(raw)]
		if ok {
			k.remember(string(raw), key)
		}
	}
	return key
}

// remember adds an identity to the young ones. The caller holds the lock.
func (k *Keys) remember(raw string, key *ecdsa.PublicKey) {
	if k.bytes+len(raw) > rememberedBytes {
		k.young, k.old, k.bytes = map[string]*ecdsa.PublicKey{}, k.young, 0
	}
	if _, ok := k.young[raw]; !ok {
		k.bytes += len(raw)
	}
	k.young[raw] = key
}

// verify does the work of signatures.
func (k *Keys) verify(g group.Group, e executor.Executor, list []ecdsap256.Signature) []error {
	group.CountSignatures(group.Phase(g, "signatures"), len(list), func(i int) group.Signature {
		u1, u2 := list[i].Multipliers()
		return group.Signature{OfGenerator: u1, OfKey: u2, Known: !list[i].Once}
	})
	parts, right := e.Width((len(list)+leastPart-1)/leastPart), make([]bool, len(list))
	failed := e.Run(parts, func(i int) error {
		first, end := cut(len(list), i, parts), cut(len(list), i+1, parts)
		copy(right[first:], k.signatures.Verify(list[first:end]))
		return nil
	})
	if failed == nil && !slices.Contains(right, false) {
		return nil
	}
	errs := make([]error, len(list))
	for i := range errs {
		errs[i] = failed
		if failed == nil && !right[i] {
			errs[i] = identity.ErrSignature
		}
	}
	return errs
}

// leastPart is how many signatures one call verifies at least, if there are as many:
// the lanes of a vector register.
const leastPart = 8

// cut returns where part i of n signatures begins: at whole vector registers.
func cut(n, i, parts int) int {
	if i == parts {
		return n
	}
	return n * i / parts / leastPart * leastPart
}
