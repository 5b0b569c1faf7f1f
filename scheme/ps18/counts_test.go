package ps18 // sign is private: vectors fix what Sign draws

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
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

// TestCountsOfCalls holds the calls of one verification of decoded inputs, of each backend, to
// the vectors, and those of the plain method to its two pairings.
func TestCountsOfCalls(t *testing.T) {
	want := loadCounts(t)
	require.Len(t, want.Mathlib.Curves, 4)
	counted := func(name, backend string, r int, how Method) count.Phases {
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
	for _, name := range []string{"BN254", "BLS12_381_BBS_GURVY"} {
		require.Equal(t, want.Native.R1, counted(name, "native", 1, Product).Total(), name)
		require.Equal(t, want.Native.R10, counted(name, "native", 10, Product).Total(), name)
	}
	for _, name := range want.Mathlib.Curves {
		require.Equal(t, want.Mathlib.R1, counted(name, "mathlib", 1, Product).Total(), name)
		require.Equal(t, want.Mathlib.R10, counted(name, "mathlib", 10, Product).Total(), name)
	}
	plain := count.Counts{
		{Group: "GT", Op: count.Pairing, Size: 1}: 2, {Group: "GT", Op: count.FinalExp, Size: 1}: 2,
	}
	for _, backend := range []string{"native", "mathlib"} {
		require.Equal(t, plain, counted("BN254", backend, 1, Plain)["pairings"], backend)
	}
}

// TestCountsOfTheOthers: the cost of the other algorithms, for r messages.
func TestCountsOfTheOthers(t *testing.T) {
	one := func(group string, op count.Op) count.Event { return count.Event{Group: group, Op: op, Size: 1} }
	for _, r := range []int{1, 10} {
		var rec count.Recorder
		c, err := curve.FindCounted("BN254", "native", rec.Bucket(""))
		require.NoError(t, err)
		s := sign(t, c, r, 1)
		sig, key, random := s.sig.Encode(c), s.pk.Encode(), stream(3)
		n, batch := uint64(r), slices.Repeat([]Signed{{s.messages, s.sig}}, 64)
		ofBatch := func(size int) count.Counts {
			return count.Counts{
				count.Of(count.MSM, size): n + 3, count.One(count.FieldMul): uint64(size) * (n + 1),
				count.One(count.Neg): 1, one("GT", count.FinalExp): 1,
				{Group: "GT", Op: count.Pairing, Size: r + 3}: 1,
			}
		}
		for name, algorithm := range map[string]struct {
			run  func() error
			want count.Counts
		}{
			"key generation": {func() error { _, _, err := KeyGen(c, r, stream(1)); return err },
				count.Counts{one("G2", count.ScalarMul): n + 2}},
			"sign": {func() error { _, err := s.sk.Sign(s.messages, stream(2)); return err },
				count.Counts{one("", count.ScalarMul): 2, one("", count.FieldMul): n + 1}},
			"encode": {func() error { s.sig.Encode(c); s.pk.Encode(); return nil },
				count.Counts{one("", count.Encode): 2, one("G2", count.Encode): n + 3}},
			"decode a signature": {func() error { _, err := DecodeSignature(c, sig); return err },
				count.Counts{one("", count.Decode): 2}},
			"verify a batch of 1":  {func() error { return s.pk.VerifyBatch(batch[:1], random) }, ofBatch(1)},
			"verify a batch of 64": {func() error { return s.pk.VerifyBatch(batch, random) }, ofBatch(64)},
			"decode a key": {func() error { _, err := DecodePublicKey(c, key); return err },
				count.Counts{one("G2", count.Decode): n + 3}},
		} {
			t.Run(fmt.Sprintf("%s/r=%d", name, r), func(t *testing.T) {
				rec.Reset()
				require.NoError(t, algorithm.run())
				require.Equal(t, algorithm.want, rec.Snapshot().Total())
			})
		}
	}
}
