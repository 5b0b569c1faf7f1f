package zn_test

import (
	"encoding/json"
	"math/big"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/count"
	"github.com/zkatbench/zkatbench/count/zn"
)

// vectors are counts of an independent system: testdata has a copy, the shared
// file is the original.
type vectors struct {
	Order string
	Cases []struct {
		Alg          string
		W            int
		Exponents    []string
		Fresh, Again [5]uint64
	}
}

const (
	copied   = "testdata/opcounts.json"
	original = "../../../shared/vectors/opcounts.json"
	cases    = 168
)

func load(t *testing.T, path string) (v vectors) {
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(b, &v))
	require.Len(t, v.Cases, cases)
	return v
}

func integer(t testing.TB, s string) *big.Int {
	v, ok := new(big.Int).SetString(s, 10)
	require.True(t, ok, s)
	return v
}

// five returns the figures of the vectors: operations, squarings, inversions,
// exponentiations, multi-exponentiations.
func five(c count.Counts) [5]uint64 {
	t := c.Total()
	return [5]uint64{t.Adds, t.Doubles, t.Negs, c.Calls(count.ScalarMul), c.Calls(count.MSM)}
}

func TestVectors(t *testing.T) {
	v := load(t, copied)
	order := integer(t, v.Order)
	methods := map[string]zn.Method{"WNAF": zn.WNAF, "SLIDING": zn.Sliding}
	for i, c := range v.Cases {
		method, known := methods[c.Alg]
		require.True(t, known, c.Alg)
		var rec count.Recorder
		g, err := zn.NewInsecure("", order, zn.Same(method, c.W), rec.Bucket(""))
		require.NoError(t, err)
		bases := make([]*zn.Element, len(c.Exponents))
		for k := range bases {
			bases[k] = g.Hash([]byte{byte(k)})
		}
		for _, want := range [][5]uint64{c.Fresh, c.Again} {
			rec.Reset()
			e := g.Neutral()
			for k, b := range bases {
				if p := b.Pow(integer(t, c.Exponents[k])); k == 0 {
					e = p
				} else {
					e = e.Mul(p)
				}
			}
			g.Compute(e)
			require.Equal(t, want, five(rec.Snapshot().Total()), "case %d: %s w=%d", i, c.Alg, c.W)
		}
	}
}

func TestCopyIsTheOriginal(t *testing.T) {
	if _, err := os.Stat(filepath.Dir(original)); err != nil {
		t.Logf("no shared vectors here: the copy alone is tested")
		return
	}
	require.Equal(t, load(t, original), load(t, copied))
}
