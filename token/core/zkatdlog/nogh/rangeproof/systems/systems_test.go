package systems_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof/bulletproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof/csp"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof/rangetest"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof/systems"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// found returns the system of a kind.
func found(t testing.TB, kind rangeproof.Kind) rangeproof.Family {
	t.Helper()
	f, ok := systems.Find(kind)
	require.True(t, ok, kind)
	return f
}

// TestParametersThatDescribeNoProofAreRefused: bit lengths, and lists that are shorter or longer.
func TestParametersThatDescribeNoProofAreRefused(t *testing.T) {
	g := vectors.Curve(t, "BN254")
	for kind, c := range map[rangeproof.Kind]struct {
		err  error
		bits []int
	}{
		rangeproof.Bulletproof: {bulletproof.ErrConfig, []int{-1, 0, 3, 7, 20, 33, 63, 65, 128}},
		rangeproof.CSP:         {csp.ErrConfig, []int{-1, 0, 65, 128}},
	} {
		t.Run(string(kind), func(t *testing.T) {
			f := found(t, kind)
			for _, bits := range c.bits {
				gs := rangetest.Generators(f, g, max(bits, 0))
				gs.Bits = bits
				_, err := f.New(gs)
				require.ErrorIs(t, err, c.err, "%d bits", bits)
				vectors.Formatted(t, err)
			}
			for wrong := range 2 {
				for _, by := range []int{-1, 1} {
					gs := rangetest.Generators(f, g, 4)
					list := &gs.Lists[wrong]
					*list = append(*list, group.Point{})[:len(*list)+by]
					_, err := f.New(gs)
					require.ErrorIs(t, err, c.err)
					require.ErrorContains(t, err, fmt.Sprintf(": %d left and %d right generators for ",
						len(gs.Lists[0]), len(gs.Lists[1])))
				}
			}
		})
	}
}

// Every line of the table makes a System that proves, from generators of the
// documented strings.
func TestEverySystemWorks(t *testing.T) {
	for _, f := range systems.All {
		s := small(f)(t, vectors.Curve(t, "BN254"), 16)
		require.Equal(t, f.Kind, s.Kind())
		require.Equal(t, 16, s.Bits())
	}
}

// TestThirdSystem adds a system to a copy of the module: one package, here CSP with other
// names and generators, and one line of the table. It passes the suite, and transfers and
// issues are made, encoded and verified with it (docs/change-a-proof-step.md).
func TestThirdSystem(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a copy of the module")
	}
	read := func(file string, replacements ...string) string {
		b, err := os.ReadFile(file)
		require.NoError(t, err)
		return strings.NewReplacer(replacements...).Replace(string(b))
	}
	csp, err := filepath.Glob("../csp/*.go")
	require.NoError(t, err)
	copied := map[string]string{}
	for _, file := range csp {
		if !strings.HasSuffix(file, "_test.go") {
			copied[filepath.Join("../third", filepath.Base(file))] = read(file, "package csp\n",
				"package third\n",
				"rangeproof.CSP", `rangeproof.Kind("third")`, "CSPRangeProof.", "ThirdRangeProof.",
				"Variant: 2,", "Variant: 4,", "Params:  12,", "Params:  13,")
		}
	}
	copied["systems.go"] = read("systems.go", "\tcsp.Family,\n", "\tcsp.Family,\n\tthird.Family,\n",
		"/csp\"\n",
		"/csp\"\n\t\"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof/third\"\n")
	out := vectors.TestCopy(t, copied, "-v", "-run",
		"TestEverySystem|TestSuite/third|TestFind|TestNoTwo|FuzzDecode", ".", "../../v1/fixture")
	require.Contains(t, out, "PASS: TestEverySystemInActions/third")
	require.Contains(t, out, "PASS: TestSuite/third/proofs_of_another_curve")
}

func TestFind(t *testing.T) {
	require.Subset(t, systems.Names(), []string{"bulletproof", "csp"})
	for _, want := range systems.All {
		f, found := systems.Find(want.Kind)
		require.True(t, found, want.Kind)
		require.Equal(t, want.Kind, f.Kind)
		require.Equal(t, want.Sound, systems.Sound(want.Kind), want.Kind)
	}
	_, found := systems.Find("snark")
	require.False(t, found)
	require.True(t, systems.Sound(rangeproof.CSP))
	require.False(t, systems.Sound(rangeproof.Bulletproof))
	require.False(t, systems.Sound("snark"))
}

// Variants and fields of the wire format are different.
func TestNoTwoSystemsShareAPlace(t *testing.T) {
	variants, fields := map[int32]bool{}, map[int32]bool{}
	for _, f := range systems.All {
		require.False(t, variants[f.Variant], f.Kind)
		require.False(t, fields[f.Params], f.Kind)
		variants[f.Variant], fields[f.Params] = true, true
	}
}

// TestMutatedProofs compares with the recorded verdicts.
func TestMutatedProofs(t *testing.T) {
	for _, f := range systems.All {
		if f.Kind != rangeproof.Bulletproof && f.Kind != rangeproof.CSP {
			continue // not recorded
		}
		for _, n := range vectors.NegativeProofs(t, string(f.Kind)) {
			t.Run(n.ID, func(t *testing.T) {
				g := vectors.Curve(t, n.Curve)
				s := small(f)(t, g, n.Bits)
				p, err := rangeproof.Decode(g, s, n.Proof)
				if err == nil {
					v := vectors.Point(t, g, n.Statement.Commitment)
					err = rangeproof.Verify(g, s, []rangeproof.Item{{V: v, Proof: p}})
				}
				require.Equal(t, n.Honest(), err == nil, "%s: %v", n.Mutation, err)
			})
		}
	}
}
