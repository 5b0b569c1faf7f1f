package idemix_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/count"
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

var executors = []executor.Executor{executor.Serial{}, executor.Pool{Workers: 3}}

// TestOwnersAreVerifiedTogether: a wrong owner is named in its set, at each
// position and for each reason, and the other sets are right, also if the first owner is
// remembered.
func TestOwnersAreVerifiedTogether(t *testing.T) {
	sizes := []int{2, 0, 1, 3}
	for _, curve := range []int{1, 7} {
		c := newCrowd(t, networkOf(t, curve, 0), 3)
		memory := remembering(c.keys, 8)
		require.NoError(t, memory.Verify(c.honest[0].id, message, c.honest[0].signature))
		require.Equal(t, []int{-1, -1, -1, -1},
			c.find(t, executor.Serial{}, c.registry, c.crowdOf(6), sizes...))
		for at := range 6 {
			for reason, bad := range map[string]signer{"signature of the pseudonym": c.unsigned,
				"presentation": c.forged} {
				t.Run(reason, func(t *testing.T) {
					signers, want := c.crowdOf(6), []int{-1, -1, -1, -1}
					signers[at] = bad
					set, first := 0, 0
					for at >= first+sizes[set] {
						first += sizes[set]
						set++
					}
					want[set] = at - first
					for i, r := range []identity.Registry{c.registry, memory} {
						errs := together(executors[i], c.begin(t, r, signers, sizes...)...)
						require.Equal(t, want, wrongs(t, errs), "curve %d, %s at %d", curve, reason, at)
						require.ErrorContains(t, errs[set], reason)
					}
				})
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

// TestFirstWrongOwnerIsNamed: of several wrong owners of one kind the first is
// named. A wrong sum is found before a wrong pairing.
func TestFirstWrongOwnerIsNamed(t *testing.T) {
	for _, curve := range []int{1, 7} {
		c := newCrowd(t, networkOf(t, curve, 0), 2)
		for _, e := range executors {
			for _, bad := range []signer{c.unsigned, c.forged} {
				signers := c.crowdOf(12)
				signers[3], signers[4], signers[9], signers[11] = bad, bad, bad, bad
				require.Equal(t, []int{3, 3, 1},
					c.find(t, e, c.registry, signers, 6, 4, 2))
			}
			signers := c.crowdOf(6)
			signers[1], signers[4] = c.forged, c.unsigned
			require.Equal(t, []int{4}, c.find(t, e, c.registry, signers, 6))
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

// TestWrongPointsAreNamed: an owner with a wrong point is refused with the name of
// the point, alone and between others.
func TestWrongPointsAreNamed(t *testing.T) {
	for curve, at := range map[int]int{1: 2 + 64 + 3 + 2 + 68, 7: 2 + 96 + 3 + 3 + 3 + 48} {
		c := newCrowd(t, networkOf(t, curve, 0), 2)
		typed := networktest.Typed(t, c.honest[0].id)
		raw := slices.Clone(typed.Raw)
		raw[at-1] ^= 1 // the last byte of A'
		bad := signer{identity.Typed{Type: identity.Idemix, Raw: raw}.Encode(), c.honest[0].signature}
		for n, places := range map[int][]int{1: {0}, 3: {1}, 28: {0, 20, 27}} {
			for _, at := range places {
				signers := c.crowdOf(n)
				signers[at] = bad
				errs := together(executor.Serial{}, c.begin(t, c.registry, signers, len(signers))...)
				var wrong wrongTask
				decode := new(wire.DecodeError)
				require.ErrorAs(t, errs[0], &wrong)
				require.Equal(t, at, wrong.index)
				require.ErrorAs(t, errs[0], &decode)
				require.Equal(t, "A'", decode.Field)
			}
		}
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

// TestManyOwners: more owners than are computed together, with a wrong one in each
// group.
func TestManyOwners(t *testing.T) {
	for _, curve := range []int{1, 7} {
		c := newCrowd(t, networkOf(t, curve, 0), 2)
		const n = 4 + 8 + 16 + 32 + 64 + 1
		require.Equal(t, []int{-1},
			c.find(t, executor.Serial{}, c.registry, c.crowdOf(n), n))
		if testing.Short() {
			continue
		}
		for _, at := range []int{3, 4, 11, 12, 60, 123, 124} {
			for _, bad := range []signer{c.unsigned, c.forged} {
				signers := c.crowdOf(n)
				signers[at] = bad
				require.Equal(t, []int{at},
					c.find(t, executor.Pool{Workers: 2}, c.registry, signers, n))
			}
		}
	}
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
