package ecdsa

import (
	"crypto/hmac"
	"crypto/sha256"
	"fmt"
	"io"
	"math/big"
	"sync"

	"github.com/zkatbench/zkatbench/scheme/p256/curve"
)

// Nonces returns secret scalars from 1 to the order − 1. It may be called from
// several goroutines at the same time.
type Nonces func() (*big.Int, error)

// order is the order of the group, and size its length in bytes.
var order = curve.Order()

const size = 32

// From returns scalars from the bytes of r, by rejection.
func From(r io.Reader) Nonces {
	var mutex sync.Mutex
	return func() (*big.Int, error) {
		mutex.Lock()
		defer mutex.Unlock()
		for {
			var b [size]byte
			if _, err := io.ReadFull(r, b[:]); err != nil {
				return nil, fmt.Errorf("ecdsa: random source: %w", err)
			}
			if k := new(big.Int).SetBytes(b[:]); k.Sign() > 0 && k.Cmp(order) < 0 {
				return k, nil
			}
		}
	}
}

// RFC6979 returns the scalars of RFC 6979 §3.2 for the secret key d and the
// SHA-256 digest of a message. The first one signs; further ones are for
// signatures that turn out to be 0.
func RFC6979(d *big.Int, digest [sha256.Size]byte) Nonces {
	return From(newHMACDRBG(d, digest))
}

// hmacDRBG is the generator of RFC 6979, with the letters of §3.2. Each Read of
// 32 bytes is one candidate for k.
type hmacDRBG struct {
	k, v  [sha256.Size]byte
	tried bool
}

func newHMACDRBG(d *big.Int, digest [sha256.Size]byte) *hmacDRBG {
	g := &hmacDRBG{}
	for i := range g.v {
		g.v[i] = 1
	}
	x := d.FillBytes(make([]byte, size))
	h := new(big.Int).SetBytes(digest[:])
	reduced := h.Mod(h, order).FillBytes(make([]byte, size)) // bits2octets
	g.update(0, x, reduced)
	g.update(1, x, reduced)
	return g
}

// update sets K = HMAC_K(V ‖ separator ‖ data) and V = HMAC_K(V).
func (g *hmacDRBG) update(separator byte, data ...[]byte) {
	m := hmac.New(sha256.New, g.k[:])
	m.Write(g.v[:])
	m.Write([]byte{separator})
	for _, d := range data {
		m.Write(d)
	}
	m.Sum(g.k[:0])
	g.next()
}

func (g *hmacDRBG) next() {
	m := hmac.New(sha256.New, g.k[:])
	m.Write(g.v[:])
	m.Sum(g.v[:0])
}

func (g *hmacDRBG) Read(b []byte) (int, error) {
	if g.tried {
		g.update(0)
	}
	g.tried = true
	g.next()
	return copy(b, g.v[:]), nil
}
