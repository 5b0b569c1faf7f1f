package secp_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/scheme/threshold/secp"
)

// TestPointsCanBeShared uses the same points from several goroutines; the race
// detector reports an operation that writes to its operands.
func TestPointsCanBeShared(t *testing.T) {
	p, q := secp.Base(secp.Int(5)), secp.Base(secp.Int(7)).Plus(secp.Base(secp.Int(1)))
	want := p.Plus(q).Encode()
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if string(p.Plus(q).Encode()) != string(want) || p.Equal(q) || p.IsIdentity() ||
				p.Minus(q).Equal(p.Times(secp.Int(2))) {
				t.Error("wrong result")
			}
			_, _ = p.X(), secp.Sum([]*secp.Point{p, q}, []*secp.Scalar{secp.Int(3), secp.Int(4)})
		})
	}
	wg.Wait()
	require.Equal(t, want, p.Plus(q).Encode())
}
