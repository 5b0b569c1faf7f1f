package idemix_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/idemix"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
)

// remembering returns the registry of ks with a memory of n presentations.
func remembering(ks *idemix.Keys, n int) identity.Registry {
	r := identity.Registry{}
	ks.Remember(n).Register(r)
	return r
}

// TestMemoryIsOfTheRightOnes: a rejected presentation is not remembered, and
// neither is a right one that was verified with a wrong one.
func TestMemoryIsOfTheRightOnes(t *testing.T) {
	for _, curve := range []int{1, 7} {
		c := newCrowd(t, networkOf(t, curve, 0), 2)
		memory := remembering(c.keys, 64)
		for range 3 {
			require.Error(t, memory.Verify(c.forged.id, message, c.forged.signature))
			require.Error(t, memory.Verify(c.unsigned.id, message, c.unsigned.signature))
			errs := together(executor.Serial{}, c.begin(t, memory, []signer{c.honest[1], c.forged}, 2)...)
			require.Equal(t, []int{1}, wrongs(t, errs))
		}
	}
}

// TestMemoryIsShared: goroutines share a memory of two presentations.
func TestMemoryIsShared(t *testing.T) {
	c := newCrowd(t, networkOf(t, 1, 0), 3)
	memory := remembering(c.keys, 2)
	var wg sync.WaitGroup
	errs := make([]error, 4)
	for i := range errs {
		wg.Go(func() {
			for k := range 6 {
				s := c.honest[(i+k)%3]
				if err := memory.Verify(s.id, message, s.signature); err != nil {
					errs[i] = err
				}
			}
		})
	}
	wg.Wait()
	require.Equal(t, make([]error, 4), errs)
}

// TestWhichPresentationsAreRemembered: every verified presentation is remembered. When a third
// presentation enters a memory of two, the least recently used one is forgotten.
func TestWhichPresentationsAreRemembered(t *testing.T) {
	c := newCrowd(t, networkOf(t, 1, 0), 3)
	remembered := func(memory identity.Registry, i int) bool {
		task, err := memory.BeginOpen(c.honest[i].id)
		require.NoError(t, err)
		return task == nil
	}
	for name, o := range map[string]struct {
		most int
		used []int
		want [3]bool
	}{
		"none":                    {2, nil, [3]bool{}},
		"no memory":               {1, []int{0}, [3]bool{}},
		"one":                     {2, []int{0}, [3]bool{0: true}},
		"two":                     {2, []int{0, 1}, [3]bool{0: true, 1: true}},
		"the first is forgotten":  {2, []int{0, 1, 2}, [3]bool{1: true, 2: true}},
		"the first is used again": {2, []int{0, 1, 0, 2}, [3]bool{0: true, 2: true}},
		"the last is used again":  {2, []int{0, 1, 1}, [3]bool{0: true, 1: true}},
		"all":                     {6, []int{0, 1, 2}, [3]bool{true, true, true}},
	} {
		t.Run(name, func(t *testing.T) {
			for i, want := range o.want { // to ask changes the order
				memory := remembering(c.keys, o.most)
				for _, k := range o.used {
					require.NoError(t, memory.Verify(c.honest[k].id, message, c.honest[k].signature))
				}
				require.Equal(t, want, remembered(memory, i), "%s: %d", name, i)
			}
		})
	}
}
