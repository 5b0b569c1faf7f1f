package ecdsa

import (
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
