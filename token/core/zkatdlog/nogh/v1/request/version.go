package request

import "slices"

// Version names the release of the reference that a validator or an
// auditor follows. Endorsers of one network must agree on every request, so
// they follow the version that the network runs.
type Version string

// The versions. The rules of a release hold for its later patches.
const (
	// Strict is the default. It refuses each request that one of Versions refuses, and
	// requests that honest parties never make. It numbers outputs as V0_15.
	Strict Version = ""
	// V0_14 means the releases up to v0.14.2.
	V0_14 Version = "v0.14"
	// V0_15 means the releases from v0.15.1 on.
	V0_15 Version = "v0.15"
	// V714a6b46 means commit 714a6b46 of September 2026: V0_15 with limits on
	// identities of several parties.
	V714a6b46 Version = "714a6b46"
)

// Versions are the versions of the reference.
var Versions = []Version{V0_14, V0_15, V714a6b46}

// LimitsIdentities reports whether the resource limits on identities of several parties
// apply.
func (v Version) LimitsIdentities() bool { return v == Strict || v == V714a6b46 }

// String returns the name of the version, and "strict" for Strict.
func (v Version) String() string {
	if v == Strict {
		return "strict"
	}
	return string(v)
}

// InOrder returns the indices of the actions in the order that a ledger
// numbers their outputs: of V0_14 all issues and then all transfers, otherwise
// the order of the request.
func (v Version) InOrder(actions []Action) []int {
	if v == V0_14 {
		return issuesFirst(actions)
	}
	order := make([]int, len(actions))
	for i := range order {
		order[i] = i
	}
	return order
}

// issuesFirst returns the indices of all issues and then of all transfers. It is
// the order of signatures in every version.
func issuesFirst(actions []Action) []int {
	order := make([]int, 0, len(actions))
	for _, kind := range []Kind{Issue, Transfer} {
		for i, a := range actions {
			if a.Kind == kind {
				order = append(order, i)
			}
		}
	}
	return slices.Clip(order)
}
