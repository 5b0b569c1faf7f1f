package metric_test

import (
	"encoding/binary"
	"math/big"
	"reflect"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/metric"
)

// node contains every kind of value that Memory follows.
type node struct {
	name  string
	bits  [3]uint8
	ratio float64
	list  []int
	next  *node
	any   any
	table map[string]*node
	lock  sync.Mutex
	count atomic.Int64
	call  func()
	done  chan int
}

func newNode() *node {
	n := &node{name: "a", bits: [3]uint8{1, 2, 3}, ratio: 1.5, list: []int{1, 2}, any: big.NewInt(7),
		done: make(chan int)}
	n.table = map[string]*node{"x": {name: "x"}, "y": {name: "y"}, "self": n}
	n.next = &node{name: "b", next: n}
	return n
}

func TestMemoryFindsEveryChange(t *testing.T) {
	for name, change := range map[string]func(*node){
		"string":         func(n *node) { n.name = "c" },
		"array":          func(n *node) { n.bits[2]++ },
		"float":          func(n *node) { n.ratio++ },
		"slice":          func(n *node) { n.list[1]++ },
		"length":         func(n *node) { n.list = n.list[:1] },
		"behind pointer": func(n *node) { n.next.bits[0]++ },
		"nil pointer":    func(n *node) { n.next = nil },
		"other pointer":  func(n *node) { n.next.next = n.next },
		"interface":      func(n *node) { n.any.(*big.Int).SetInt64(8) },
		"type":           func(n *node) { n.any = big.NewFloat(7) },
		"map value":      func(n *node) { n.table["y"].name = "z" },
		"map key":        func(n *node) { n.table["z"] = n.table["y"]; delete(n.table, "y") },
	} {
		t.Run(name, func(t *testing.T) {
			n := newNode()
			before := metric.Memory(n)
			require.Equal(t, before, metric.Memory(n))
			change(n)
			require.NotEqual(t, before, metric.Memory(n))
		})
	}
}

func TestMemoryIgnoresLocksAndAddresses(t *testing.T) {
	n := newNode()
	before := metric.Memory(n)
	n.lock.Lock()
	n.count.Add(1)
	n.call = func() {}
	n.done = nil
	require.Equal(t, before, metric.Memory(n))
	require.Equal(t, before, metric.Memory(newNode()), "addresses do not count")
	require.Equal(t, metric.Memory(nil), metric.Memory(nil))
	cycle := map[string]any{}
	cycle["itself"] = cycle
	require.Equal(t, metric.Memory(cycle), metric.Memory(cycle))
}

// TestMemoryOfNumbers: values of one type that differ have different sums, and so have
// equal numbers of different kinds.
func TestMemoryOfNumbers(t *testing.T) {
	seen := map[uint64]any{}
	for _, v := range []any{
		true, false, int8(1), int16(1), int32(1), int64(1), int64(2), uint8(1), uint16(1), uint32(1),
		uint64(1), uint64(2),
		float32(1), float64(1), float64(2), complex64(1), complex(1, 2), complex(2, 1), "1", "2", []int{1},
		[]int{1, 1}, []bool{true}, []bool{false},
		[1]int{1}, [2]int{1, 1}, struct{ a, b bool }{true, false}, struct{ a, b bool }{false, true},
	} {
		sum := metric.Memory(v)
		require.NotContains(t, seen, sum, "%T %v", v, v)
		seen[sum] = v
	}
}

// TestMemoryTellsApart: values that differ in one place only.
func TestMemoryTellsApart(t *testing.T) {
	type table struct{ entries map[string]int }
	kind := string(binary.LittleEndian.AppendUint64(nil, uint64(reflect.String))) // stands before each text
	for name, pair := range map[string][2]any{
		"real part":          {complex(1, 2), complex(3, 2)},
		"imaginary part":     {complex(1, 2), complex(1, 3)},
		"type of one kind":   {[]any{int64(1)}, []any{time.Duration(1)}},
		"no map":             {table{}, table{map[string]int{}}},
		"no pointer":         {(*int)(nil), new(int)},
		"text and its bytes": {"ab", []byte("ab")},
		"where lists end":    {[][][]int{{}, {{}}}, [][][]int{{{}}, {}}},
		"a text like two":    {[2]string{"a" + kind + "b", "c"}, [2]string{"a", "b" + kind + "c"}},
		"where texts end":    {[2]string{"ab", "c"}, [2]string{"a", "bc"}},
	} {
		t.Run(name, func(t *testing.T) {
			require.NotEqual(t, metric.Memory(pair[0]), metric.Memory(pair[1]))
		})
	}
}
