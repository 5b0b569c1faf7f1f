package count // operations is private: a test adds one

import (
	"encoding/json"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
)

// everything contains one event of each operation, layer and kind of name.
func everything() Counts {
	c := Counts{}
	for _, op := range Ops() {
		for layer := range numLayers {
			c[Event{Layer: layer, Op: op, Size: 1}] = uint64(op) + 1
			c[Event{Layer: layer, Group: "GT", Op: op, Size: 4}] = 3
			c[Event{Layer: layer, Op: op, Size: 1, Together: Together{1, 0}}] = 2
			c[Event{Layer: layer, Op: op, Size: 2, Together: Together{4, 3}}] = 5
		}
	}
	return c
}

// TestEventsHaveOneName: the names of all operations are different, and parse to their events.
func TestEventsHaveOneName(t *testing.T) {
	c := everything()
	b, err := json.Marshal(c)
	require.NoError(t, err)
	var back Counts
	require.NoError(t, json.Unmarshal(b, &back))
	require.Equal(t, c, back)
}

func TestNames(t *testing.T) {
	for e, want := range map[Event]string{
		One(Add):   "add",
		Of(MSM, 4): "msm[4]",
		Of(MSM, 0): "msm[0]",
		{Layer: Inside, Group: "G2", Op: Double, Size: 1}:      "inside G2 double",
		{Layer: Precomputed, Op: Add, Size: 1}:                 "precomputed add",
		{Group: "GT", Op: Pairing, Size: 2}:                    "GT pairing[2]",
		{Op: MSM, Size: 1, Together: Together{4, 0}}:           "msm[1/4]",
		{Op: FixedMSM, Size: 65, Together: Together{130, 134}}: "fixed-msm[65/130/134]",
	} {
		t.Run(want, func(t *testing.T) {
			require.Equal(t, want, e.String())
		})
	}
}

func FuzzEventName(f *testing.F) {
	for e := range everything() {
		f.Add(e.String())
	}
	for _, bad := range []string{"", "ad", "msm[", "msm[1]", "msm[04]", "msm[-1]", "a b c add", "msm[1/2]",
		"msm[1/0]", "msm[1/2/0]", "msm[1/2/3/4]", "msm[1/0/0]", "msm[/]", "inside", " add", "inside  add",
		"outer add"} {
		f.Add(bad)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var e Event
		if e.UnmarshalText([]byte(s)) == nil && e.String() != s {
			t.Errorf("%q is read as %q", s, e)
		}
	})
}

func TestLists(t *testing.T) {
	c := Counts{Of(Sum, 5): 2, Of(SumPow2, 4): 1, Of(SumBits, 8): 1, One(Double): 1}
	c.AddTally(Inside, "", Tally{Adds: 10, Doubles: 3})
	require.Equal(t, Tally{Adds: 2*4 + 3 + 7, Doubles: 3 + 1}, c.Outer())
	require.Equal(t, c.Outer().Plus(Tally{Adds: 10, Doubles: 3}), c.Total())
}

func TestRecorder(t *testing.T) {
	var r Recorder
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 100 {
				r.Bucket("prove").Sub("ipa").Count(Of(MSM, 4), 2)
			}
		})
	}
	wg.Wait()
	Bucket{}.Sub("nowhere").Count(One(Add), 1)
	got := r.Snapshot()
	require.Equal(t, Phases{"prove/ipa": {Of(MSM, 4): 1600}}, got)
	r.Bucket("").Count(One(Add), 1)
	require.Len(t, got, 1, "a snapshot does not change")
	require.EqualValues(t, 1, r.Snapshot().Total().Calls(Add))
	r.Reset()
	require.Empty(t, r.Snapshot())
}

func TestText(t *testing.T) {
	p := Phases{"": {One(Encode): 1}, "verify": {Of(MSM, 3): 2, Of(Pairing, 2): 1, One(ScalarMul): 1}}
	require.Equal(t, `(no phase)
  total: 0 additions, 0 negations, 0 doublings
  outer: 0 additions, 0 negations, 0 doublings
  0 scalar multiplications
  0 multi-scalar multiplications, terms []
  encode: 1, terms [1]
verify
  total: 0 additions, 0 negations, 0 doublings
  outer: 0 additions, 0 negations, 0 doublings
  1 scalar multiplication
  2 multi-scalar multiplications, terms [3 3]
  pairing: 1, terms [2]
`, p.Text())
}

func TestTree(t *testing.T) {
	p := Phases{"": {One(Add): 1}, "prove/commit": {One(Add): 2}, "prove": {One(Add): 4},
		"verify/a/b": {One(Add): 8}}
	var lines []string
	p.Walk("all", func(depth int, name string, c Counts) {
		lines = append(lines, fmt.Sprint(depth, " ", name, " ", c.Calls(Add)))
	})
	require.Equal(t, []string{"0 all 15", "1 prove 6", "2 commit 2", "1 verify 8", "2 a 8", "3 b 8"}, lines)
}

func TestShallow(t *testing.T) {
	p := Phases{"": {One(Add): 1}, "range proof/argument": {One(Add): 2},
		"range proof/argument/round": {One(Add): 4}, "range proof": {One(Add): 8}}
	require.Equal(t, Phases{"none": {One(Add): 1}, "range-proof.argument": {One(Add): 6},
		"range-proof": {One(Add): 8}}, p.Shallow(2))
}

func TestUnits(t *testing.T) {
	c := Counts{One(Add): 1, One(Double): 1, Of(Sum, 3): 1, One(ScalarMul): 5, Of(MSM, 4): 2,
		One(HashToCurve): 3, Of(VerifyKnown, 1): 1,
		{Group: "P-256", Op: Verify, Size: 2}: 3, {Op: FixedMSM, Size: 65, Together: Together{130, 134}}: 2}
	require.Equal(t, []Unit{
		{"point-add/op", 4}, {"scalar-mul/op", 5}, {"msm/op", 4}, {"msm-terms/op", 138},
		{"hash-to-curve/op", 3}, {"verify/op", 7},
	}, c.Units())
	require.Len(t, Counts{}.Units(), len(c.Units()), "also those that do not occur")
}

// TestAnOperationIsOneEdit adds a line to the enumeration: names, text, units, columns of
// steps and columns of costs follow. Tests of the packages step, cost and unitcost hold
// their tables to the same list.
func TestAnOperationIsOneEdit(t *testing.T) {
	before := operations
	t.Cleanup(func() { operations = before })
	added := Op(len(before))
	operations = append(before[:len(before):len(before)], operation{
		name: "new", calls: "new/op", terms: "new-terms/op",
		step: columnNames{calls: "New", g2Terms: "G2_New"},
	})
	var e Event
	require.NoError(t, e.UnmarshalText([]byte("G2 new[3]")))
	require.Equal(t, Event{Group: "G2", Op: added, Size: 3}, e)
	var r Recorder
	r.Bucket("phase").Count(Of(added, 3), 2)
	c := r.Snapshot().Total()
	require.Contains(t, c.Text(), "new: 2, terms [3 3]\n")
	require.Subset(t, c.Units(), []Unit{{"new/op", 2}, {"new-terms/op", 6}})
	c[e] = 5
	figures := map[string]uint64{}
	for _, column := range Columns() {
		figures[column.Name] = column.Of(c)
	}
	require.EqualValues(t, 2, figures["New"])
	require.EqualValues(t, 15, figures["G2_New"])
	require.Contains(t, Ops(), added)
	require.False(t, added.IsSum())
}
