package idemix_test

import (
	"bytes"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
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

// TestRememberedPresentations: verdicts with and without a memory are equal, also on
// signatures and identities that share all but one part with a remembered one.
func TestRememberedPresentations(t *testing.T) {
	for _, curve := range []int{1, 7} {
		ks, ws := wallets(t, curve)
		plain, memory := identity.Registry{}, remembering(ks, 64)
		ks.Register(plain)
		a, b := partsOf(t, curve, ws[0]), partsOf(t, curve, ws[1])
		other := func(raw []byte, at int) []byte {
			changed := bytes.Clone(raw)
			changed[at] ^= 1
			return changed
		}
		type one struct {
			kind           identity.Type
			raw, signature []byte
		}
		right := []one{
			{identity.Idemix, a.creator(), a.signature},
			{identity.IdemixNym, a.eid(), signed(a.creator(), a.signature)},
			{identity.Idemix, b.creator(), b.signature},
		}
		cases := append(right[:3:3],
			one{identity.Idemix, a.creator(), b.signature},
			one{identity.Idemix, a.creator(), other(a.signature, len(a.signature)-1)},
			one{identity.Idemix, a.creator(), nil},
			one{identity.IdemixNym, b.eid(), signed(a.creator(), a.signature)},
			one{identity.IdemixNym, a.eid(), signed(a.creator(), b.signature)},
			one{identity.IdemixNym, a.eid(), signed(b.creator(), b.signature)},
		)
		for i := 0; i < len(a.creator()); i += nightly.Pick(97, 23, 23) {
			cases = append(cases, one{identity.Idemix, other(a.creator(), i), a.signature})
			cases = append(cases,
				one{identity.IdemixNym, a.eid(), signed(other(a.creator(), i), a.signature)})
		}
		for range 2 {
			for i, c := range cases {
				id := identity.Typed{Type: c.kind, Raw: c.raw}.Encode()
				want, got := plain.Verify(id, message, c.signature), memory.Verify(id, message, c.signature)
				require.Equal(t, want == nil, got == nil, "case %d: without %v, with %v", i, want, got)
				require.Error(t, memory.Verify(id, []byte("another"), c.signature))
			}
		}
	}
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
		// Remembered and new ones together.
		require.NoError(t, memory.Verify(c.honest[0].id, message, c.honest[0].signature))
		for _, at := range []int{0, 1, 2} {
			signers := []signer{c.honest[0], c.honest[1], c.honest[0]}
			require.Equal(t, []int{-1},
				c.find(t, executor.Serial{}, memory, signers, 3))
			signers[at] = c.forged
			require.Equal(t, []int{at},
				c.find(t, executor.Serial{}, memory, signers, 3))
			signers[at] = c.unsigned
			require.Equal(t, []int{at},
				c.find(t, executor.Serial{}, memory, signers, 3))
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
