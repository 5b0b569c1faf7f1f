package flags // workers is private: the number of processors of a machine is not known

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// counts reads a list on a machine of eight processors.
func counts(text string) (ns []int, ok bool) {
	v := Workers()
	v.Parse = func(item string) ([]int, bool) { return workers(item, 8) }
	ns, _, ok = v.List(text)
	return ns, ok
}

func TestCounts(t *testing.T) {
	for text, want := range map[string][]int{
		"1": {1}, "1,2,4": {1, 2, 4}, "1..4": {1, 2, 3, 4}, "NumCPU": {8}, "NumCPU/2,NumCPU*2": {4, 16},
		"NumCPU*512": {4096},
		"1..NumCPU":  {1, 2, 3, 4, 5, 6, 7, 8}, " 2 , 2,1": {2, 1}, "NumCPU/3": {2}, "NumCPU/100": {1},
		"4096": {4096}, "2..2": {2},
	} {
		t.Run(text, func(t *testing.T) {
			got, ok := counts(text)
			require.True(t, ok)
			require.Equal(t, want, got)
		})
	}
	for _, bad := range []string{"", "0", "-1", "x", "1,", "4..1", "1..", "x..1", "NumCPU/0", "NumCPU/x",
		"NumCPU+1", "NumCPU1", "NumCPU*513", "1..99999", "4097", "70000", "numcpu", "01", "+1"} {
		t.Run(bad, func(t *testing.T) {
			_, ok := counts(bad)
			require.False(t, ok, bad)
		})
	}
}

// FuzzCounts checks that accepted texts give distinct counts that can be run.
func FuzzCounts(f *testing.F) {
	for _, text := range []string{"1", "1..8", "NumCPU/2,NumCPU*2", " 3 ,1..2", "1..NumCPU",
		"NumCPU*4611686018427387905"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		ns, ok := counts(text)
		if !ok {
			return
		}
		require.NotEmpty(t, ns)
		seen := map[int]bool{}
		for _, n := range ns {
			require.True(t, 1 <= n && n <= 4096 && !seen[n], "%v", ns)
			seen[n] = true
		}
	})
}
