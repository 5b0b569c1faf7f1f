package result_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/result"
)

func TestRenames(t *testing.T) {
	rs, err := result.ParseRenames("ECSignature.sign=Signatures.sign,ECKeyGen=KeyGenerators," +
		"BenchmarkSign/field=9x29=Sign/field=10x26,Sign=Old,Add/n=1=Add/n=2,Add=Sum")
	require.NoError(t, err)
	for name, want := range map[string]string{
		"ECSignature.sign":          "Signatures.sign",
		"ECSignature.sign/n=1-2":    "Signatures.sign/n=1-2",
		"ECKeyGen.keyPairGen":       "KeyGenerators.keyPairGen",
		"ECKeyGen-2":                "KeyGenerators-2",
		"ECKeyGenerator":            "ECKeyGenerator",
		"Sign/field=9x29/msglen=64": "Sign/field=10x26/msglen=64",
		"Sign/field=9x29-2":         "Sign/field=10x26-2",
		"Sign/field=9x29-adds0":     "Old/field=9x29-adds0",
		"Verify":                    "Verify",
		"Add/n=1":                   "Add/n=2",
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, want, rs.Old(name))
		})
	}
	for _, bad := range []string{"a", "=b", "a=", "a=b=c", "a=b,", "Benchmark=b"} {
		_, err := result.ParseRenames(bad)
		require.ErrorContains(t, err, "is not new=old", bad)
	}
	name := filepath.Join(t.TempDir(), "renames")
	require.NoError(t, os.WriteFile(name, []byte("# NEW OLD\n\nBenchmarkA,1 B\n  \nC BenchmarkD=2"), 0o600))
	kept, err := result.ParseRenames("@" + name)
	require.NoError(t, err)
	require.Equal(t, result.Renames{{"A,1", "B"}, {"C", "D=2"}}, kept)
	require.NoError(t, os.WriteFile(name, []byte("A B\n\n A B C \n"), 0o600))
	_, err = result.ParseRenames("@" + name)
	require.EqualError(t, err, name+`:3: "A B C" is not NEW OLD`)
	none, err := result.ParseRenames("")
	require.NoError(t, err)
	require.Empty(t, none)
}

func TestDataRename(t *testing.T) {
	read := func() *result.Data {
		d, err := read("BenchmarkA/n=1 1 5 ns/op\nBenchmarkB 1 7 ns/op\n")
		require.NoError(t, err)
		return d
	}
	d := read()
	require.NoError(t, d.Rename(result.Renames{{New: "A", Old: "C"}}))
	require.Equal(t, []result.Key{{Name: "C/n=1"}, {Name: "B"}}, d.Cases)
	require.InDelta(t, 5e-9, d.Values[result.Key{Name: "C/n=1"}]["sec/op"][0], 1e-12)
	require.Empty(t, d.Values[result.Key{Name: "A/n=1"}])
	require.InDelta(t, 5e-9, d.Spent[result.Key{Name: "C/n=1"}], 1e-12)
	require.Equal(t, 1.0, d.Iters[result.Key{Name: "C/n=1"}])
	require.ErrorContains(t, read().Rename(result.Renames{{New: "A", Old: "B"}, {New: "A/n=1", Old: "B"}}),
		"A/n=1 and B both become B")
	require.ErrorContains(t, read().Rename(result.Renames{{New: "Z", Old: "C"}}), "no benchmark is called Z")
}

// TestReferencePairs matches the kept pairs with recorded names of the reference, which
// end in a number of workers, and of this module. One of them is not selected.
func TestReferencePairs(t *testing.T) {
	rs, err := result.ParseRenames("@../../docs/results/reference-pairs.txt")
	require.NoError(t, err)
	named := func(name string) *result.Data {
		var text string
		for _, curve := range []string{"BN254", "BLS12_381_BBS_GURVY"} {
			text += "BenchmarkSender/" + fmt.Sprintf(name, curve) + " 1 6000000000 ns/op\n"
		}
		d, err := read(text)
		require.NoError(t, err)
		return d
	}
	ours, theirs := named("bits=32/curve=%s/inputs=2/outputs=2-2"),
		named("Setup(bits_32,_curve_%s,_#i_2,_#o_2)_with_1_workers-2")
	require.NoError(t, ours.Rename(rs))
	require.NoError(t, theirs.Rename(result.Renames{}))
	require.Equal(t, theirs.Cases, ours.Cases)
	want := []result.Key{{Name: "A_with_1_workers"}, {Name: "A_with_4_workers"}}
	all := slices.Clone(want)
	for i := range 9 {
		all = append(all, result.Key{Name: fmt.Sprintf("B%d_with_4_workers-2", i)})
		want = append(want, result.Key{Name: fmt.Sprintf("B%d-2", i)})
	}
	old, err := result.Renames{}.Keys(all)
	require.NoError(t, err)
	require.Equal(t, want, old)
}
