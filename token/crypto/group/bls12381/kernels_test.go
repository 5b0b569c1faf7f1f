// Code generated from bn254/kernels_test.go by bls12381/generate. DO NOT EDIT.

package bls12381 // take is private: a Group does not show its kernel

import "testing"

// kernels returns the group on both kernels.
func kernels() []*Group { return []*Group{newForTest(), newForTest().Portable()} }

// TestPortableGroupsHaveTheirOwnWorkspaces looks at the choice of Portable.
func TestPortableGroupsHaveTheirOwnWorkspaces(t *testing.T) {
	if _, ok := newForTest().Portable().take().acc.points.(*columns); !ok {
		t.Fatal("a portable group takes a workspace on another kernel")
	}
}
