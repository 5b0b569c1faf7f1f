package identity_test

import (
	"bytes"
	"crypto/sha256"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/identity"
)

func TestMessagesAreTheirBytes(t *testing.T) {
	for _, size := range []int{0, 1, 63, 64, 65, 1000} {
		head := bytes.Repeat([]byte{7}, size)
		m := identity.NewMessage(head)
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				for _, tail := range [][]byte{nil, []byte("a"), bytes.Repeat([]byte{9}, 100)} {
					whole := append(bytes.Clone(head), tail...)
					longer := m.With(tail)
					if !bytes.Equal(whole, longer.Bytes()) ||
						sha256.Sum256(whole) != [32]byte(longer.SHA256()) {
						t.Errorf("%d bytes and %d more", size, len(tail))
					}
					twice := longer.With([]byte("b"))
					if sha256.Sum256(append(whole, 'b')) != [32]byte(twice.SHA256()) ||
						sha256.Sum256(whole) != [32]byte(longer.SHA256()) {
						t.Errorf("%d bytes and %d more, twice", size, len(tail))
					}
				}
			})
		}
		wg.Wait()
		require.Equal(t, sha256.Sum256(head), [32]byte(m.SHA256()))
	}
}
