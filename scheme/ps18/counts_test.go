package ps18

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/count"
	"github.com/zkatbench/zkatbench/count/zn"
	"github.com/zkatbench/zkatbench/scheme/ps18/curve"
)

// expectedCounts is testdata/ps18-counts.json.
type expectedCounts struct {
	ZN []struct {
		R                  int
		Terms              []int
		Outer              [3]uint64
		WNAF               [3]uint64
		WNAFPrecomputed    [3]uint64 `json:"wnaf_precomputed"`
		Sliding            [3]uint64
		SlidingPrecomputed [3]uint64 `json:"sliding_precomputed"`
		Pairings           uint64
	}
	Mathlib struct {
		Curves []string
		R1     count.Counts `json:"r=1"`
		R10    count.Counts `json:"r=10"`
	}
	Native struct {
		R1  count.Counts `json:"r=1"`
		R10 count.Counts `json:"r=10"`
	}
}

func loadCounts(t *testing.T) (e expectedCounts) {
	b, err := os.ReadFile("testdata/ps18-counts.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(b, &e))
	require.Len(t, e.ZN, 3)
	return e
}

// figures are operations, inversions and squarings.
func figures(t count.Tally) [3]uint64 { return [3]uint64{t.Adds, t.Negs, t.Doubles} }

// onIntegers is the vector of BN254 with r messages on the counting curve. Keys
// and signatures that it decodes have never been used.
type onIntegers struct {
	rec   *count.Recorder
	curve curve.Curve
	secrets
}

func newOnIntegers(t *testing.T, method zn.Method, r int) onIntegers {
	rec := new(count.Recorder)
	c := integers(t, method, rec.Bucket(""))
	_, ss := loadVectors(t)
	for _, s := range ss {
		if s.Curve == "BN254" && s.R == r {
			return onIntegers{rec, c, s}
		}
	}
	t.Fatalf("no vector of BN254 with %d messages", r)
	return onIntegers{}
}

func (o onIntegers) sign() *Signature {
	return o.secretKey(o.curve).sign(numbers(o.M), number(o.Prime), number(o.U))
}

func (o onIntegers) key(t *testing.T) *PublicKey {
	pk, err := DecodePublicKey(o.curve, o.secretKey(o.curve).public().Encode())
	require.NoError(t, err)
	return pk
}

// restored is a signature decoded from its encoding.
func (o onIntegers) restored(t *testing.T) *Signature {
	s, err := DecodeSignature(o.curve, o.sign().Encode(o.curve))
	require.NoError(t, err)
	return s
}

// verification counts one.
func (o onIntegers) verification(t *testing.T, pk *PublicKey, s *Signature, how Method) count.Counts {
	o.rec.Reset()
	require.NoError(t, pk.Verify(numbers(o.M), s, how))
	return o.rec.Snapshot().Total()
}

func TestCountsOnIntegers(t *testing.T) {
	for _, want := range loadCounts(t).ZN {
		for method, figuresOf := range map[zn.Method][2][3]uint64{
			zn.WNAF: {want.WNAF, want.WNAFPrecomputed}, zn.Sliding: {want.Sliding, want.SlidingPrecomputed},
		} {
			for _, how := range []Method{Product, Plain} {
				o := newOnIntegers(t, method, want.R)
				pk, s := o.key(t), o.restored(t)
				all := o.verification(t, pk, s, how)
				g2 := all.In("G2")
				require.Equal(t, want.Terms, g2.TermCounts(count.MSM))
				require.Equal(t, want.Outer, figures(g2.Outer()))
				require.Equal(t, figuresOf[0], figures(g2.Total()), "r = %d", want.R)
				require.Equal(t, figuresOf[1], figures(g2.Layer(count.Precomputed)), "r = %d", want.R)
				require.Equal(t, want.Pairings, all.Terms(count.Pairing))
				require.EqualValues(t, map[Method]int{Product: 1, Plain: 2}[how], all.Calls(count.FinalExp))

				// The same key again: its precomputation is there already.
				again := o.verification(t, pk, o.restored(t), how).In("G2")
				require.Zero(t, again.Layer(count.Precomputed))
				require.Equal(t, g2.Layer(count.Inside), again.Layer(count.Inside))
			}
		}
	}
}

// A key that was used before hides 14 % of the operations for ten messages.
func TestCountsOfAKeptKey(t *testing.T) {
	o := newOnIntegers(t, zn.WNAF, 10)
	pk := o.key(t)
	first := o.verification(t, pk, o.restored(t), Product).In("G2").Total()
	second := o.verification(t, pk, o.restored(t), Product).In("G2").Total()
	require.Equal(t, [3]uint64{540, 242, 265}, figures(first))
	require.Equal(t, [3]uint64{463, 242, 254}, figures(second))
	require.InDelta(t, 0.14, float64(first.Adds-second.Adds)/float64(first.Adds), 0.005)
}

// An unevaluated signature is computed inside Verify. Encoding it forces it.
func TestCountsOfALazySignature(t *testing.T) {
	o := newOnIntegers(t, zn.WNAF, 1)
	lazy := o.verification(t, o.key(t), o.sign(), Product)
	require.EqualValues(t, 2, lazy.In("").Calls(count.ScalarMul), "both multiplications of Sign")
	require.Greater(t, lazy.In("").Inside().Adds, uint64(50))

	s := o.sign()
	s.Encode(o.curve)
	forced := o.verification(t, o.key(t), s, Product)
	require.Zero(t, forced.In("").Calls(count.ScalarMul))
	require.Zero(t, forced.In("").Inside())
	require.Equal(t, figures(lazy.In("G2").Total()), figures(forced.In("G2").Total()))
}

// ofVerification counts one verification of decoded inputs.
func ofVerification(t *testing.T, name, backend string, r int, how Method) count.Phases {
	var rec count.Recorder
	c, err := curve.FindCounted(name, backend, rec.Bucket(""))
	require.NoError(t, err)
	s := sign(t, c, r, 1)
	pk, err := DecodePublicKey(c, s.pk.Encode())
	require.NoError(t, err)
	sig, err := DecodeSignature(c, s.sig.Encode(c))
	require.NoError(t, err)
	rec.Reset()
	require.NoError(t, pk.Verify(s.messages, sig, how))
	return rec.Snapshot()
}

func TestCountsOfCalls(t *testing.T) {
	want := loadCounts(t)
	for _, name := range []string{"BN254", "BLS12_381_BBS_GURVY"} {
		require.Equal(t, want.Native.R1, ofVerification(t, name, "native", 1, Product).Total(), name)
		require.Equal(t, want.Native.R10, ofVerification(t, name, "native", 10, Product).Total(), name)
	}
	require.Len(t, want.Mathlib.Curves, 4)
	for _, name := range want.Mathlib.Curves {
		require.Equal(t, want.Mathlib.R1, ofVerification(t, name, "mathlib", 1, Product).Total(), name)
		require.Equal(t, want.Mathlib.R10, ofVerification(t, name, "mathlib", 10, Product).Total(), name)
	}
	plain := ofVerification(t, "BN254", "native", 1, Plain)
	require.Equal(t, count.Counts{
		{Group: "GT", Op: count.Pairing, Size: 1}: 2, {Group: "GT", Op: count.FinalExp, Size: 1}: 2,
	}, plain["pairings"])
	require.Equal(t, count.Counts{
		{Group: "G2", Op: count.MSM, Size: 2}: 1, {Group: "G2", Op: count.Add, Size: 1}: 1,
	}, plain["key combination"])
	require.Equal(t, count.Phases{
		"decode":   {{Group: "G2", Op: count.ScalarMul, Size: 1}: 2, {Group: "G2", Op: count.Add, Size: 1}: 2},
		"pairings": {{Group: "GT", Op: count.Pairing, Size: 1}: 2, {Group: "GT", Op: count.FinalExp, Size: 1}: 2},
	}, ofVerification(t, "BN254", "mathlib", 1, Plain), "points of mathlib count in the phase that made them")
}

// The cost of the other algorithms, for r messages.
func TestCountsOfTheOthers(t *testing.T) {
	for _, r := range []int{1, 10} {
		var rec count.Recorder
		c, err := curve.FindCounted("BN254", "native", rec.Bucket(""))
		require.NoError(t, err)
		s := sign(t, c, r, 1)
		n := uint64(r)
		event := func(group string, op count.Op) count.Event { return count.Event{Group: group, Op: op, Size: 1} }

		rec.Reset()
		_, _, err = KeyGen(c, r, stream(1))
		require.NoError(t, err)
		require.Equal(t, count.Counts{event("G2", count.ScalarMul): n + 2}, rec.Snapshot().Total())

		rec.Reset()
		_, err = s.sk.Sign(s.messages, stream(2))
		require.NoError(t, err)
		require.Equal(t, count.Counts{event("", count.ScalarMul): 2, event("", count.FieldMul): n + 1}, rec.Snapshot().Total())

		rec.Reset()
		sig, key := s.sig.Encode(c), s.pk.Encode()
		require.Equal(t, count.Counts{event("", count.Encode): 2, event("G2", count.Encode): n + 3}, rec.Snapshot().Total())

		rec.Reset()
		_, err = DecodeSignature(c, sig)
		require.NoError(t, err)
		_, err = DecodePublicKey(c, key)
		require.NoError(t, err)
		require.Equal(t, count.Phases{"decode": {event("", count.Decode): 2, event("G2", count.Decode): n + 3}}, rec.Snapshot())
	}
}

func TestCountsOfABatch(t *testing.T) {
	for _, n := range []int{1, 64} {
		for _, r := range []int{1, 10} {
			var rec count.Recorder
			c, err := curve.FindCounted("BN254", "native", rec.Bucket(""))
			require.NoError(t, err)
			s := sign(t, c, r, 1)
			batch := make([]Signed, n)
			for i := range batch {
				batch[i] = Signed{s.messages, s.sig}
			}
			rec.Reset()
			require.NoError(t, s.pk.VerifyBatch(batch, stream(3)))
			sums := count.Of(count.MSM, n)
			require.Equal(t, count.Counts{
				sums: uint64(r + 3), count.One(count.FieldMul): uint64(n * (r + 1)), count.One(count.Neg): 1,
				{Group: "GT", Op: count.Pairing, Size: r + 3}: 1, {Group: "GT", Op: count.FinalExp, Size: 1}: 1,
			}, rec.Snapshot().Total())
		}
	}
}
