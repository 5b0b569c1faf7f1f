package idemix_test

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/count"
	"github.com/zkatbench/zkatbench/internal/nightly"
	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/idemix"
	"github.com/zkatbench/zkatbench/token/core/identity/multisig"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/opcount"
	"github.com/zkatbench/zkatbench/token/crypto/round"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
	"github.com/zkatbench/zkatbench/token/internal/networktest"
)

// crowd is a network with owners who sign message.
type crowd struct {
	key      idemix.Key
	keys     *idemix.Keys
	registry identity.Registry
	honest   []signer
	// forged has right sums and no credential, unsigned a signature of another.
	forged, unsigned signer
}

type signer struct{ id, signature []byte }

// newCrowd returns the owners of a network: n honest ones, n < 4, and the others.
func newCrowd(t testing.TB, of network, n int) *crowd {
	t.Helper()
	c := &crowd{key: of.key, keys: of.keys(), registry: identity.Registry{}}
	c.keys.Register(c.registry)
	c.registry[identity.Multisig] = multisig.New(c.registry, nil)
	for _, w := range of.wallets[:n+1] {
		signature, err := w.Sign(message)
		require.NoError(t, err)
		c.honest = append(c.honest, signer{w.Identity(), signature})
	}
	c.honest, c.forged = c.honest[:n], c.honest[n]
	c.unsigned = signer{c.honest[0].id, c.honest[1].signature}
	c.keys.RefusePairings(c.forged.id)
	return c
}

// TestOpenWithoutSignature: the presentation of an owner is verified also if the
// owner does not sign, together with other owners', and remembered.
func TestOpenWithoutSignature(t *testing.T) {
	for _, curve := range []int{1, 7} {
		c := newCrowd(t, networkOf(t, curve, 0), 2)
		honest, forged := c.honest[0].id, c.forged.id
		typed := networktest.Typed(t, honest)
		broken := identity.Typed{Type: identity.Idemix, Raw: typed.Raw[:len(typed.Raw)-1]}.Encode()
		for _, r := range []identity.Registry{c.registry, remembering(c.keys, 8)} {
			for range 2 {
				require.NoError(t, r.Open(honest))
				require.ErrorIs(t, r.Open(forged), identity.ErrSignature)
				require.ErrorAs(t, r.Open(broken), new(*wire.DecodeError))
			}
			signed, other := c.honest[1].begin(t, r), c.unsigned.begin(t, r)
			opened, err := r.BeginOpen(forged)
			require.NoError(t, err)
			for want, tasks := range [][]identity.Task{{opened, signed}, {signed, opened},
				{signed, signed, other, opened}} {
				require.Equal(t, []int{want}, wrongs(t, together(executor.Serial{}, tasks)))
			}
		}
		require.ErrorContains(t, c.registry.Open(multisig.Encode(honest, forged)), "member 1: presentation")
	}
}

// begin begins to verify the signature.
func (s signer) begin(t testing.TB, r identity.Registry) identity.Task {
	t.Helper()
	task, err := r.Begin(s.id, identity.NewMessage(message), s.signature)
	require.NoError(t, err)
	return task
}

// begin begins to verify signers in sets of the given sizes.
func (c *crowd) begin(t testing.TB, r identity.Registry, signers []signer,
	sizes ...int) (sets [][]identity.Task) {
	t.Helper()
	for _, n := range sizes {
		var set []identity.Task
		for _, s := range signers[:n] {
			set = append(set, s.begin(t, r))
		}
		signers, sets = signers[n:], append(sets, set)
	}
	return sets
}

// wrongTask says which task of a set failed.
type wrongTask struct {
	error
	index int
}

func (w wrongTask) Unwrap() error { return w.error }

// together runs sets of tasks together and returns the error of each set.
func together(e executor.Executor, sets ...[]identity.Task) []error {
	errs := make([]error, len(sets))
	err := round.RunOn(e, nil, func(r round.Round) error {
		return r.SearchEach().Each(len(sets), func(r round.Round, i int) error {
			errs[i] = r.FailFast(len(sets[i]), func(r round.Round, k int) error {
				if err := sets[i][k].Do(r); err != nil {
					return wrongTask{err, k}
				}
				return nil
			})
			return nil
		})
	})
	return append(errs, slices.DeleteFunc([]error{err}, func(err error) bool { return err == nil })...)
}

// crowdOf returns n signers, the honest ones in turn.
func (c *crowd) crowdOf(n int) (signers []signer) {
	for i := range n {
		signers = append(signers, c.honest[i%len(c.honest)])
	}
	return signers
}

// wrongs returns, for each error of together, the index of the wrong task, or -1.
func wrongs(t testing.TB, errs []error) (indices []int) {
	t.Helper()
	for _, err := range errs {
		if err == nil {
			indices = append(indices, -1)
			continue
		}
		var wrong wrongTask
		require.ErrorAs(t, err, &wrong)
		require.ErrorIs(t, err, identity.ErrSignature)
		indices = append(indices, wrong.index)
	}
	return indices
}

// find verifies signers in sets of the given sizes, and returns the index of the wrong one of each
// set, or -1.
func (c *crowd) find(t testing.TB, e executor.Executor, r identity.Registry, signers []signer,
	sizes ...int) []int {
	t.Helper()
	return wrongs(t, together(e, c.begin(t, r, signers, sizes...)...))
}

// wrongPoint returns an owner whose point A' is not on the curve.
func (c *crowd) wrongPoint(t testing.TB, curve int) signer {
	t.Helper()
	end := map[int]int{1: 2 + 64 + 3 + 2 + 68, 7: 2 + 96 + 3 + 3 + 3 + 48}[curve]
	raw := slices.Clone(networktest.Typed(t, c.honest[0].id).Raw)
	raw[end-1] ^= 1
	return signer{identity.Typed{Type: identity.Idemix, Raw: raw}.Encode(), c.honest[0].signature}
}

// TestOwnersAreVerifiedTogether: of random sets of owners, with wrong ones for three reasons, each set
// gets its own verdict. It names the first owner with a wrong point or sum, or the first without a
// credential. A set may be longer than the sums that are computed together. A memory changes nothing.
func TestOwnersAreVerifiedTogether(t *testing.T) {
	const many = 4 + 8 + 16 + 32 + 64 + 1
	for _, curve := range []int{1, 7} {
		c := newCrowd(t, networkOf(t, curve, 0), 3)
		memory := remembering(c.keys, 8)
		require.NoError(t, memory.Verify(c.honest[0].id, message, c.honest[0].signature))
		random, point := rand.New(rand.NewPCG(69, uint64(curve))), c.wrongPoint(t, curve)
		for trial := range nightly.Pick(6, 40, 1000) {
			sizes := []int{random.IntN(8), random.IntN(8), random.IntN(8)}
			if trial < 2 {
				sizes[0] = many
			}
			var signers []signer
			var want [][2]string
			for _, n := range sizes {
				early, late := "", ""
				for i, s := range c.crowdOf(n) {
					switch random.IntN(8 + 2*n) { // so that some sets are right
					case 0:
						s, early = c.unsigned, cmp.Or(early, fmt.Sprint(i, " signature of the pseudonym"))
					case 1:
						s, early = point, cmp.Or(early, fmt.Sprint(i, " idemix presentation: A'"))
					case 2:
						s, late = c.forged, cmp.Or(late, fmt.Sprint(i, " presentation is"))
					}
					signers = append(signers, s)
				}
				want = append(want, [2]string{cmp.Or(early, late), cmp.Or(late, early)})
			}
			registry := []identity.Registry{c.registry, memory}[trial%2]
			for _, e := range []executor.Executor{executor.Serial{}, executor.Pool{Workers: 3}} {
				for set, err := range together(e, c.begin(t, registry, signers, sizes...)...) {
					got, wrong := "", wrongTask{}
					if errors.As(err, &wrong) {
						got = fmt.Sprint(wrong.index, " ", err)
					}
					require.Equal(t, want[set][0] == "", err == nil, "trial %d, set %d: %v", trial, set, err)
					named := func(want string) bool { return strings.HasPrefix(got, want) }
					require.True(t, slices.ContainsFunc(want[set][:], named),
						"trial %d, set %d: %s, not one of %q", trial, set, got, want[set])
				}
			}
		}
	}
}

// failing runs all parts and returns an error.
type failing struct {
	executor.Serial
	err error
}

func (f failing) Run(n int, do func(int) error) error {
	return errors.Join(f.Serial.Run(n, do), f.err)
}

// TestErrorsOfExecutors: the error of an executor becomes the error of each owner, also of the
// right ones.
func TestErrorsOfExecutors(t *testing.T) {
	lost := errors.New("lost")
	for _, curve := range []int{1, 7} {
		c := newCrowd(t, networkOf(t, curve, 0), 2)
		for _, r := range []identity.Registry{c.registry, remembering(c.keys, 8)} {
			for _, s := range []signer{c.honest[0], c.forged, c.unsigned} {
				errs := together(failing{err: lost}, c.begin(t, r, []signer{s, c.honest[1]}, 1, 1)...)
				require.ErrorIs(t, errs[0], lost)
				require.ErrorIs(t, errs[1], lost)
			}
		}
	}
}

// TestEachKeyHasItsPairings: owners without a credential are refused under the first
// key and under the second one, together with right owners of both.
func TestEachKeyHasItsPairings(t *testing.T) {
	for _, curves := range [][2]int{{1, 1}, {1, 7}, {7, 1}, {7, 7}} {
		var keys []idemix.Key
		var right, forged []signer
		for number, curve := range curves {
			c := newCrowd(t, networkOf(t, curve, number), 2)
			keys, right, forged = append(keys, c.key), append(right, c.honest[0]), append(forged, c.forged)
		}
		both := &crowd{registry: identity.Registry{}}
		ks, err := idemix.New(keys)
		require.NoError(t, err)
		ks.RefusePairings(forged[0].id, forged[1].id)
		ks.Register(both.registry)
		finish := func(signers ...signer) []int {
			return both.find(t, executor.Serial{}, both.registry, signers, len(signers))
		}
		require.Equal(t, []int{-1}, finish(right[0], right[1], right[0]))
		for of := range curves {
			require.Equal(t, []int{0}, finish(forged[of]))
			require.Equal(t, []int{2}, finish(right[0], right[1], forged[of], right[1]))
		}
		require.Equal(t, []int{1}, finish(right[0], forged[1], forged[0]), "the first wrong one of any key")
		require.Equal(t, []int{1}, finish(right[0], forged[0], forged[1]), "the first wrong one of any key")
	}
}

// TestWrongCommitmentsOfSignatures: a signature on BLS12-381 with a commitment off
// the curve is refused with the name of the commitment.
func TestWrongCommitmentsOfSignatures(t *testing.T) {
	c := newCrowd(t, networkOf(t, 7, 0), 2)
	for mask := byte(1); mask != 0; mask++ {
		bad := signer{c.honest[0].id, slices.Clone(c.honest[0].signature)}
		bad.signature[2+48-1] ^= mask // the last byte of T; half of all changes leave the curve
		err := c.registry.Verify(bad.id, message, bad.signature)
		if decode := new(wire.DecodeError); errors.As(err, &decode) {
			require.Equal(t, "commitment in the proof", decode.Field)
			return
		}
		require.ErrorIs(t, err, identity.ErrSignature)
	}
	t.Fatal("no change leaves the curve")
}

// counted returns a registry of ks with members and a memory of n presentations, and the
// recorder of its calls.
func counted(t testing.TB, ks *idemix.Keys, n int) (identity.Registry, *count.Recorder) {
	t.Helper()
	rec, r := &count.Recorder{}, identity.Registry{}
	ks.On(func(g group.Group) group.Group {
		wrapped, err := opcount.Wrap(g, rec.Bucket(""), nil)
		require.NoError(t, err)
		return wrapped
	}).Remember(n).Register(r)
	r[identity.Multisig] = multisig.New(r, nil)
	return r, rec
}

// TestCounts: 14 fixed and 6 variable terms for a presentation, 2 and 1 for a
// signature, 2 variable terms for a presentation in the product of pairings if it
// has several, and one product of two pairings for all owners of several requests.
func TestCounts(t *testing.T) {
	for _, curve := range []int{1, 7} {
		c := newCrowd(t, networkOf(t, curve, 0), 2)
		r, rec := counted(t, c.keys, 0)
		total := func() count.Counts { return rec.Snapshot().Total() }
		for _, sizes := range [][]int{{1}, {2}, {3, 1, 4}, {8, 8, 8}} {
			n := 0
			for _, size := range sizes {
				n += size
			}
			rec.Reset()
			sets := c.begin(t, r, c.crowdOf(n), sizes...)
			require.Empty(t, total(), "nothing is computed before all are read")
			require.Equal(t, slices.Repeat([]int{-1}, len(sizes)),
				wrongs(t, together(executor.Serial{}, sets...)))
			got, variable := total(), n*(6+1)
			if n > 1 {
				variable += 2 * n
			}
			require.EqualValues(t, n*(14+2), got.Terms(count.FixedMSM))
			require.EqualValues(t, variable, got.Terms(count.MSM))
			require.EqualValues(t, 2, got.Terms(count.Pairing))
			require.EqualValues(t, 1, got.Calls(count.FinalExp))
			points := map[int]int{1: 6, 7: 6 + 5 + 1}[curve]
			require.EqualValues(t, n*points, got.Terms(count.Decode))
		}

		// Of a remembered presentation only the signature is verified.
		memory, calls := counted(t, c.keys, 8)
		for range 2 {
			calls.Reset()
			require.NoError(t, memory.Verify(c.honest[0].id, message, c.honest[0].signature))
		}
		again := calls.Snapshot().Total()
		require.EqualValues(t, 2, again.Terms(count.FixedMSM))
		require.EqualValues(t, 1, again.Terms(count.MSM))
		require.Zero(t, again.Terms(count.Pairing))

		// Members of an owner are verified like owners.
		rec.Reset()
		owner := multisig.Encode(c.honest[0].id, c.honest[1].id, c.honest[0].id)
		signature := multisig.Join(c.honest[0].signature, c.honest[1].signature, c.honest[0].signature)
		require.NoError(t, r.Verify(owner, message, signature))
		require.EqualValues(t, 3*(6+1)+2*3, total().Terms(count.MSM))
		require.EqualValues(t, 2, total().Terms(count.Pairing))
		rec.Reset()
		err := r.Verify(owner, message,
			multisig.Join(c.honest[0].signature, c.honest[0].signature, c.honest[0].signature))
		require.ErrorContains(t, err, "member 1: signature of the pseudonym")

		// A wrong signature costs the sums of four, and no pairing.
		rec.Reset()
		signers := c.crowdOf(25)
		signers[0] = c.unsigned
		require.Equal(t, []int{0}, c.find(t, executor.Serial{}, r, signers, 25))
		require.EqualValues(t, 4*(6+1), total().Terms(count.MSM))
		require.Zero(t, total().Terms(count.Pairing))
	}
}
