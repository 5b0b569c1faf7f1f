// Code generated from bn254/wiping_test.go by bls12381/generate. DO NOT EDIT.

package bls12381 // workspaces are private: no operation shows the memory that it leaves

import (
	"reflect"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// secretSums are sums with secret scalars, of many shapes, and other operations
// that take workspaces.
func secretSums(g *Group) {
	ps, ss := g.pointsForTest(2000), g.scalarsForTest(2000)
	table, digits := g.NewTable(ps[:200], 1), g.NewDigitTable(ps[:20])
	long := group.Row{Index: make([]int32, len(ss)), Scalars: ss}
	for i := range long.Index {
		long.Index[i] = int32(i % 200)
	}
	g.FixedMSM(make([]group.Point, 1), table, []group.Row{long})
	for _, shape := range [][2]int{{1, 1}, {1, 12}, {2, 200}, {3, 2}, {40, 5}, {200, 1}} {
		rows, terms, nibbles := make([]group.Row, shape[0]), make([]group.Terms, shape[0]),
			make([][]uint8, shape[0])
		for r := range rows {
			own := ss[r:][:max(shape[1]-r%3, 1)]
			rows[r] = group.Row{First: r % (201 - len(own)), Scalars: own}
			terms[r] = group.Terms{Points: ps[r:][:len(own)], Scalars: own}
			for i := range min(len(own), 20) {
				nibbles[r] = append(nibbles[r], uint8((r+5*i)%group.DigitBase))
			}
		}
		sums := make([]group.Point, len(rows))
		g.FixedMSM(sums, table, rows)
		g.MSMs(sums, terms)
		g.AddDigits(sums, digits, nibbles)
		g.SubPointVec(sums, sums, ps[:len(sums)])
	}
	for _, n := range []int{1, 2, 30, 100, 2000} {
		group.MSM(g, ps[:n], ss[:n])
		group.Sum(g, append([]group.Point{ps[0]}, ps[:n]...)) // with a doubling
		group.SumPow2(g, ps[:n])
	}
	g.SumBits(g.NewBitTable(ps[:9], ps[9:18]), 0x155)
	bs := make([][]byte, 20)
	for i := range bs {
		bs[i] = g.AppendPoint(nil, ps[i])
	}
	if _, err := g.DecodePoints(make([]group.Point, len(bs)), bs); err != nil {
		panic(err)
	}
	// A longer sum in a full group is left for later.
	mixed := make([]group.Terms, maxRows+1)
	for r := range mixed {
		n := 1
		if r == maxRows-1 {
			n = 3
		}
		mixed[r] = group.Terms{Points: ps[r:][:n], Scalars: ss[1600+r:][:n]}
	}
	g.MSMs(make([]group.Point, len(mixed)), mixed)
}

// TestSecretsAreWiped looks at all memory of all workspaces that operations with
// secret scalars took, and requires that these operations use all of it.
func TestSecretsAreWiped(t *testing.T) {
	native := newForTest()
	for name, g := range map[string]*Group{"native": native, "portable": native.Portable()} {
		t.Run(name, func(t *testing.T) {
			var made []*workspace
			forget := g.pool().New
			*g.pool() = sync.Pool{New: func() any {
				made = append(made, forget().(*workspace))
				return made[len(made)-1]
			}}
			secretSums(g)
			*g.pool() = sync.Pool{New: forget}
			require.NotEmpty(t, made)
			used := memory{}
			for _, ws := range made {
				used.requireWiped(t, reflect.ValueOf(*ws), name, map[uintptr]bool{})
			}
			for path, ever := range used {
				t.Run(path, func(t *testing.T) {
					require.True(t, ever, "no operation used %s", path)
				})
			}
		})
	}
}

// memory says of every slice of workspaces whether one has memory for it.
type memory map[string]bool

// requireWiped requires that v and the whole capacity of its slices are zero, except for two
// fields that depend on the lengths of rows alone, and the length of a batch. seen has the
// pointers that were followed.
func (m memory) requireWiped(t *testing.T, v reflect.Value, path string, seen map[uintptr]bool) {
	t.Helper()
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			switch field := v.Type().Field(i).Name; field {
			case "pool", "n":
			case "class", "done":
				m[path+"."+field] = m[path+"."+field] || v.Field(i).Cap() > 0
			default:
				m.requireWiped(t, v.Field(i), path+"."+field, seen)
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			m.requireWiped(t, v.Index(i), path+"[]", seen)
		}
	case reflect.Interface:
		if !v.IsNil() {
			m.requireWiped(t, v.Elem(), path, seen)
		}
	case reflect.Pointer:
		if !v.IsNil() && !seen[v.Pointer()] {
			seen[v.Pointer()] = true
			m.requireWiped(t, v.Elem(), path, seen)
		}
	case reflect.Slice:
		m[path] = m[path] || v.Cap() > 0
		for i, whole := 0, v.Slice(0, v.Cap()); i < whole.Len(); i++ {
			if v.Type().Elem().Kind() == reflect.Pointer {
				m.requireWiped(t, whole.Index(i), path+"[]", seen)
			} else if !whole.Index(i).IsZero() {
				require.Fail(t, "not zero", "%s[%d]", path, i)
			}
		}
	default:
		require.True(t, v.IsZero(), path)
	}
}

// TestGrowWipes: grow wipes elements that a shorter slice leaves out, and memory that it
// replaces.
func TestGrowWipes(t *testing.T) {
	memory := []int{1, 2, 3}
	s := memory
	require.Equal(t, []int{1, 2}, grow(&s, 2))
	require.Equal(t, []int{1, 2, 0}, memory)
	require.Equal(t, []int{1, 2, 0}, grow(&s, 3), "in the same memory")
	require.Equal(t, make([]int, 4), grow(&s, 4))
	require.Equal(t, make([]int, 3), memory)
}
