package idemix

import (
	"crypto/sha256"
	"encoding/binary"
	"sync"

	"github.com/zkatbench/zkatbench/token/core/identity/idemix/credential"
	"github.com/zkatbench/zkatbench/token/core/identity/idemix/presentation"
	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// memo remembers presentations that were verified, and no others. It holds the
// last ones in two maps of bounded size: when the younger one is full, it
// replaces the older one.
type memo struct {
	most int // in each map

	mu         sync.Mutex
	young, old map[digest]known
}

// digest identifies everything that the verdict on a presentation depends on:
// the issuers' keys in order, the pseudonym of the enrolment identifier of an
// owner of type 3, and the identity of type 1, with its pseudonym and every byte
// of the presentation. Revocation is not supported, and verifiers lack another
// options.
type digest = [sha256.Size]byte

// known is a verified presentation: its key, and the pseudonym, which verifies
// signatures.
type known struct {
	key *issuer
	nym group.Point
}

// Remember returns the same keys with a memory of the last verified presentations,
// at least most/2 and at most most of them, about 0.3 kB each. The returned keys
// verify a remembered presentation only once, and each signature. Verdicts do not
// change.
func (ks *Keys) Remember(most int) *Keys {
	remembering := newKeys(ks.issuers)
	if most >= 2 {
		remembering.memo = &memo{most: most / 2, young: map[digest]known{}}
	}
	return remembering
}

// digest returns the digest of the presentation of an owner.
func (o owner) digest() digest {
	h := sha256.New()
	h.Write([]byte("zkatbench idemix presentation"))
	h.Write(binary.BigEndian.AppendUint32(nil, uint32(len(o.issuers))))
	for _, s := range o.issuers {
		d := s.Digest()
		h.Write(d[:])
	}
	h.Write(binary.BigEndian.AppendUint32(nil, uint32(len(o.eid))))
	h.Write(o.eid)
	h.Write(o.raw)
	return digest(h.Sum(nil))
}

// recall returns the candidate of a remembered presentation with a signature that
// is not verified yet. found says whether there is one.
func (m *memo) recall(d digest, signature []byte) (c candidate, found bool, err error) {
	k, found := m.find(d)
	if !found {
		return c, false, nil
	}
	id := &presentation.Identity{Presentation: presentation.Presentation{Nym: k.nym}}
	c = candidate{k.key, credential.Item{Identity: id, Known: true}}
	c.item.Signature, err = k.key.Scheme().FrameSignature(signature)
	return c, true, err
}

// knows reports whether a presentation is remembered.
func (m *memo) knows(d digest) bool {
	_, found := m.find(d)
	return found
}

// find returns a remembered presentation and makes it young.
func (m *memo) find(d digest) (k known, found bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	k, found = m.young[d]
	if found {
		return k, true
	}
	k, found = m.old[d]
	if found {
		m.put(d, k)
	}
	return k, found
}

// remember remembers the presentation of a claim that was verified.
func (m *memo) remember(c *claim) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.put(c.digest, known{c.found.key, c.found.item.Identity.Presentation.Nym})
}

// put adds a presentation to the young ones. The caller holds the lock.
func (m *memo) put(d digest, k known) {
	if len(m.young) >= m.most {
		m.young, m.old = map[digest]known{}, m.young
	}
	m.young[d] = k
}
