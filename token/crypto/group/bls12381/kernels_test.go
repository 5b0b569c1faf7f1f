// Code generated from bn254/kernels_test.go by bls12381/generate. DO NOT EDIT.

package bls12381 // take is private: a Group does not show its kernel

import "testing"

// portableForTest makes newForTest return groups on the portable kernel.
var portableForTest bool

func onKernel(g *Group) *Group {
	if portableForTest {
		return g.Portable()
	}
	return g
}

// TestPortableKernel runs the tests of sums again, on the portable kernel.
func TestPortableKernel(t *testing.T) {
	portableForTest = true
	defer func() { portableForTest = false }()
	for name, test := range map[string]func(t *testing.T){
		"every exception in every place": TestEveryExceptionInEveryPlace,
		"buckets that cancel":            TestBucketsThatCancel,
		"the whole curve":                TestSumsOfHalvesAreExactOnTheWholeCurve,
	} {
		t.Run(name, test)
	}
}

// TestPortableGroupsHaveTheirOwnWorkspaces looks at the choice of Portable.
func TestPortableGroupsHaveTheirOwnWorkspaces(t *testing.T) {
	if _, ok := newForTest().Portable().take().acc.points.(*columns); !ok {
		t.Fatal("a portable group takes a workspace on another kernel")
	}
}
