package bn254 // the kernels of a workspace are private: they are wrapped to count their work

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	curve "github.com/consensys/gnark-crypto/ecc/bn254"
	"github.com/consensys/gnark-crypto/ecc/bn254/fr"
	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// cost counts the work of kernels: the points of each kind of call, and the calls.
type cost struct{ points, calls map[string]int }

func (c *cost) add(kind string, n int) {
	if n > 0 {
		c.points[kind] += n
		c.calls[kind]++
	}
}

// String returns the counts, for example "add 12/2": 12 points in 2 calls.
func (c *cost) String() string {
	var parts []string
	for _, kind := range []string{"load", "gather", "recode", "add", "double", "begin", "extend", "join",
		"affine", "φ", "multiply", "combine", "store"} {
		if c.calls[kind] > 0 {
			parts = append(parts, fmt.Sprintf("%s %d/%d", kind, c.points[kind], c.calls[kind]))
		}
	}
	return strings.Join(parts, ", ")
}

// counted is a kernel that counts its calls.
type counted struct {
	points
	cost *cost
}

func (c counted) load(i int, p curve.G1Affine) { c.cost.add("load", 1); c.points.load(i, p) }

func (c counted) gather(i int, from entries, refs []uint32) {
	c.cost.add("gather", len(refs))
	c.points.gather(i, from, refs)
}

func (c counted) store(dst []curve.G1Affine, i int) {
	c.cost.add("store", len(dst))
	c.points.store(dst, i)
}

func (c counted) add(i int, b points, j, sums, n int) {
	c.cost.add("add", sums)
	c.cost.add("double", n-sums)
	c.points.add(i, b.(interface{ inner() points }).inner(), j, sums, n)
}

func (c counted) endomorphism(i, n int) { c.cost.add("φ", n); c.points.endomorphism(i, n) }

func (c counted) inner() points { return c.points }

// countedChains is a kernel with chains.
type countedChains struct{ counted }

func (c countedChains) begin(n int) { c.cost.add("begin", n); c.points.(chained).begin(n) }

func (c countedChains) extend(b points, j, n int) {
	c.cost.add("extend", n)
	c.points.(chained).extend(b.(countedChains).points, j, n)
}

func (c countedChains) join(to, from, n int) {
	c.cost.add("join", n)
	c.points.(chained).join(to, from, n)
}

func (c countedChains) affine(n int) bool {
	c.cost.add("affine", n)
	return c.points.(chained).affine(n)
}

func (c countedChains) oddMultiples(n int) bool {
	c.cost.add("multiply", n)
	return c.points.(multiplier).oddMultiples(n)
}

func (c countedChains) combine(sums []curve.G1Jac, windows []curve.G1Affine) {
	c.cost.add("combine", len(sums))
	c.points.(combiner).combine(sums, windows)
}

func (c countedChains) recode(refs []uint32, scalars []fr.Element, bases []uint32, windows []window) {
	c.cost.add("recode", len(scalars)*len(windows))
	c.points.(recoder).recode(refs, scalars, bases, windows)
}

// costOf returns the work of do in workspaces of g.
func costOf(g *Group, do func()) string {
	c := &cost{map[string]int{}, map[string]int{}}
	wrap := func(p points) points {
		if _, ok := p.(chained); ok {
			return countedChains{counted{p, c}}
		}
		return counted{p, c}
	}
	before := g.pool().New
	defer func() { *g.pool() = sync.Pool{New: before} }()
	*g.pool() = sync.Pool{New: func() any {
		ws := before().(*workspace)
		ws.acc.points, ws.in.points = wrap(ws.acc.points), wrap(ws.in.points)
		return ws
	}}
	do()
	return c.String()
}

// costs is the work that an operation takes for vectors of the given lengths, on the
// kernel of this processor and on the portable one.
type costs struct {
	lengths        []int
	lanes, columns string
}

// requireCosts runs an operation for vectors of each of the lengths.
func requireCosts(t *testing.T, all []costs, prepare func(g *Group, lengths []int) (do func())) {
	t.Helper()
	g := newForTest()
	_, hasLanes := g.take().acc.points.(chained)
	for _, c := range all {
		if hasLanes {
			require.Equal(t, c.lanes, costOf(g, prepare(g, c.lengths)), "%v", c.lengths)
		}
		require.Equal(t, c.columns, costOf(g.Portable(), prepare(g.Portable(), c.lengths)), "portable: %v",
			c.lengths)
	}
}

func TestCostOfTables(t *testing.T) {
	ps := newForTest().pointsForTest(batchLen + 1)
	requireCosts(t, []costs{
		{[]int{1}, "gather 288/288, add 224/224, double 32/32, store 288/288",
			"gather 288/288, add 224/224, double 32/32, store 288/288"},
		{[]int{14}, "gather 4032/288, add 3136/224, double 448/32, store 4032/288",
			"gather 4032/288, add 3136/224, double 448/32, store 4032/288"},
		{[]int{batchLen + 1}, "gather 295200/576, add 229600/448, double 32800/64, store 295200/576",
			"gather 295200/576, add 229600/448, double 32800/64, store 295200/576"},
	}, func(g *Group, lengths []int) func() {
		return func() { g.NewTable(ps[:lengths[0]], 1) }
	})
}

// TestCostOfFixedSums: sums of few terms are chains, sums of many are batches first; more
// than 144 rows are batches of rows of equal length.
func TestCostOfFixedSums(t *testing.T) {
	g := newForTest()
	ps, ss := g.pointsForTest(12), g.scalarsForTest(2000)[1600:]
	table := g.NewTable(ps, 1)
	requireCosts(t, []costs{
		{[]int{0}, "", ""},
		{[]int{1},
			"gather 64/2, recode 32/1, begin 32/1, extend 32/1, join 31/5, affine 1/1, φ 1/1, store 1/1",
			"gather 64/2, add 62/5, store 2/1"},
		{[]int{5},
			"gather 320/2, recode 160/5, begin 32/1, extend 288/9, join 31/5, affine 1/1, φ 1/1, store 1/1",
			"gather 320/2, add 318/8, store 2/1"},
		{[]int{63},
			"gather 4032/4, recode 2016/63, add 3008/3, begin 32/1, extend 992/31, join 31/5, affine 1/1, " +
				"φ 1/1, store 1/1", "gather 4032/4, add 4030/12, store 2/1"},
		{[]int{64},
			"gather 4096/4, recode 2048/64, add 3072/3, begin 32/1, extend 992/31, join 31/5, affine 1/1, " +
				"φ 1/1, store 1/1", "gather 4096/4, add 4094/12, store 2/1"},
		{slices.Repeat([]int{1}, 8),
			"gather 512/3, recode 256/1, begin 32/1, extend 480/15, join 24/2, affine 8/1, φ 8/1, store 8/1",
			"gather 512/2, add 496/5, store 16/1"},
		{slices.Repeat([]int{1}, 129),
			"gather 8256/11, recode 4128/1, add 7482/10, begin 258/1, extend 516/2, join 129/1, affine " +
				"129/1, φ 129/1, store 129/1", "gather 8256/11, add 7998/12, store 258/1"},
		{append(slices.Repeat([]int{2}, 128), 1),
			"gather 16512/22, recode 8256/2, add 15738/21, begin 258/1, extend 516/2, join 129/1, affine " +
				"129/1, φ 129/1, store 129/1", "gather 16512/22, add 16254/23, store 258/1"},
		{append(slices.Repeat([]int{2}, 127), 1, 1),
			"gather 16512/22, recode 8256/2, add 15738/21, begin 258/1, extend 516/2, join 129/1, affine " +
				"129/1, φ 129/1, store 129/1", "gather 16512/22, add 16254/23, store 258/1"},
		{slices.Repeat([]int{1}, 145), "gather 9280/10, recode 4640/2, add 9135/16, φ 145/2, store 145/2",
			"gather 9280/10, add 9135/16, φ 145/2, store 145/2"},
		{[]int{7, 1, 3, 0, 7},
			"gather 1152/5, recode 576/1, begin 36/1, extend 1116/31, join 32/13, affine 4/1, φ 4/1, store " +
				"4/1", "gather 1152/2, add 1116/5, store 36/1"},
		{[]int{20, 14, 20, 13, 20, 17, 17},
			"gather 7936/8, recode 3968/2, add 6944/7, begin 124/1, extend 868/7, join 117/13, affine 7/1, " +
				"φ 7/1, store 7/1", "gather 7936/8, add 7812/10, store 124/1"},
		{[]int{20, 26, 20, 21, 22, 20},
			"gather 8320/10, recode 4160/2, add 7410/9, begin 130/1, extend 780/6, join 124/13, affine " +
				"6/1, φ 6/1, store 6/1", "gather 8320/10, add 8190/12, store 130/1"},
	}, func(g *Group, lengths []int) func() {
		rows := make([]group.Row, len(lengths))
		for r, n := range lengths {
			rows[r].Scalars = ss[r:][:n]
			for i := range n {
				rows[r].Index = append(rows[r].Index, int32((r+i)%len(ps)))
			}
		}
		return func() { g.FixedMSM(make([]group.Point, len(rows)), table, rows) }
	})
}

// TestCostOfSums: windows of sums of equally many halves go together, and long sums alone.
func TestCostOfSums(t *testing.T) {
	g := newForTest()
	ps, ss := g.pointsForTest(33), g.scalarsForTest(2000)[1600:]
	requireCosts(t, []costs{
		{[]int{0}, "", ""},
		{[]int{0, 0}, "", ""},
		{[]int{1}, "gather 65/3, begin 32/1, extend 32/1, affine 32/1, φ 16/2, multiply 1/1, store 48/3",
			"gather 82/12, add 39/4, double 4/4, store 43/5"},
		{[]int{1, 0}, "gather 65/3, begin 32/1, extend 32/1, affine 32/1, φ 16/2, multiply 1/1, store 48/3",
			"gather 82/12, add 39/4, double 4/4, store 43/5"},
		{[]int{1, 1},
			"gather 130/3, begin 64/1, extend 64/1, affine 64/1, φ 32/2, multiply 2/1, combine 2/1, store " +
				"96/3", "gather 164/12, add 78/4, double 8/4, store 86/5"},
		{[]int{2, 1, 2},
			"gather 325/5, begin 96/2, extend 224/4, affine 96/2, φ 80/2, multiply 5/1, combine 3/1, store " +
				"176/4", "gather 410/14, add 259/6, double 20/4, store 151/6"},
		{[]int{31, 1},
			"gather 2080/11, begin 64/2, extend 1984/62, affine 64/2, φ 512/2, multiply 32/1, combine 2/1, " +
				"store 576/4", "gather 2624/14, add 2208/10, double 128/4, store 416/6"},
		{[]int{32, 1},
			"gather 2145/11, begin 64/2, extend 2048/64, affine 64/2, φ 528/2, multiply 33/1, combine 2/1, " +
				"store 592/4", "gather 2706/14, add 2279/10, double 132/4, store 427/6"},
	}, sumsForTest(ps, ss))
}

// TestCostOfLongSums: from 80 points on there are buckets.
func TestCostOfLongSums(t *testing.T) {
	g := newForTest()
	ps, ss := g.pointsForTest(33), g.scalarsForTest(2000)[1600:]
	requireCosts(t, []costs{
		{[]int{79},
			"gather 5135/6, add 4032/4, begin 32/1, extend 992/31, affine 32/1, φ 1264/2, multiply 79/1, " +
				"store 1296/3", "gather 6478/15, add 5577/12, double 316/4, store 901/5"},
		{[]int{80}, "gather 7298/22, add 4247/12, store 3051/10",
			"gather 7298/22, add 4247/12, store 3051/10"},
	}, sumsForTest(ps, ss))
}

// TestCostOfDigits: sums of whole pieces are chains.
func TestCostOfDigits(t *testing.T) {
	g := newForTest()
	table := g.NewDigitTable(g.pointsForTest(digitsPiece))
	requireCosts(t, []costs{
		{[]int{digitsPiece - 1}, "", ""},
		{[]int{digitsPiece},
			"gather 240/2, begin 60/1, extend 180/3, join 30/1, affine 30/1, store 30/1", ""},
	}, func(g *Group, lengths []int) func() {
		rows := slices.Repeat([][]uint8{make([]uint8, lengths[0])}, 30)
		return func() { g.AddDigits(make([]group.Point, len(rows)), table, rows) }
	})
}

// sumsForTest sums products of points and scalars in turns, and one more point.
func sumsForTest(ps []group.Point, ss []group.Scalar) func(g *Group, lengths []int) func() {
	return func(g *Group, lengths []int) func() {
		rows := make([]group.Terms, len(lengths))
		for r, n := range lengths {
			rows[r] = group.Terms{Scalars: ss[r:][:n], Plus: ps[:1]}
			for i := range n {
				rows[r].Points = append(rows[r].Points, ps[(r+i)%len(ps)])
			}
		}
		return func() { g.MSMs(make([]group.Point, len(rows)), rows) }
	}
}
