package secp

import (
	"fmt"
	"io"
)

// Key is the share of one party of an ECDSA key.
type Key struct {
	ID     uint32
	Public *Point
	secret *Scalar
	shares []*Point // x_i·G of parties 1 … n
}

// Secret returns x_i, the share.
func (k Key) Secret() *Scalar { return k.secret }

// PublicShare returns x_j·G of a party of the same dealer.
func (k Key) PublicShare(id uint32) *Point { return k.shares[id-1] }

// Format implements fmt.Formatter for every verb and shows no secret.
func (k Key) Format(s fmt.State, _ rune) { fmt.Fprintf(s, "ECDSA key of party %d", k.ID) }

// Deal makes the keys of parties 1 … n with a polynomial of the given degree. The
// dealer knows all keys, so this is for set-up only.
func Deal(random io.Reader, n, degree int) ([]Key, error) {
	p, err := NewPolynomial(random, degree, false)
	if err != nil {
		return nil, err
	}
	return p.Keys(n), nil
}

// Keys returns the shares of parties 1 … n.
func (p Polynomial) Keys(n int) []Key {
	keys := make([]Key, n)
	shares := make([]*Point, n)
	public := Base(p.At(0))
	for i := range keys {
		id := uint32(i + 1)
		keys[i] = Key{ID: id, Public: public, secret: p.At(id), shares: shares}
		shares[i] = Base(keys[i].secret)
	}
	return keys
}

// IDs returns 1 … n.
func IDs(n int) []uint32 {
	ids := make([]uint32, n)
	for i := range ids {
		ids[i] = uint32(i + 1)
	}
	return ids
}
