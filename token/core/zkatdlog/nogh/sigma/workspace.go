package sigma

import (
	"slices"
	"sync"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/transcript"
)

// workspace is the scratch memory of one prover or of one verification of
// transfers. Of a verification, the commitment to nonces number i is rows[i] over
// the key minus multiples[i].
type workspace struct {
	scalars   []group.Scalar // of a prover: its secrets
	points    []group.Point
	rows      []group.Row
	multiples []group.Terms
	checks    []typeAndSumCheck

	left, right []group.Point   // of differences
	lists       [][]group.Point // of sums

	tr transcript.V1
}

var workspaces = sync.Pool{New: func() any { return new(workspace) }}

// take returns the next n values of the memory in all. Values that were taken
// before stay where they are, so a prover takes its secrets at once: none is in
// memory that put does not wipe.
func take[T any](all *[]T, n int) []T {
	used := len(*all)
	*all = slices.Grow(*all, n)[:used+n]
	return (*all)[used : used+n : used+n]
}

// put wipes the workspace and gives it back.
func (ws *workspace) put() {
	clear(ws.scalars)
	clear(ws.points)
	clear(ws.rows)
	clear(ws.multiples)
	clear(ws.checks)
	clear(ws.left)
	clear(ws.right)
	clear(ws.lists)
	*ws = workspace{
		scalars: ws.scalars[:0], points: ws.points[:0], rows: ws.rows[:0],
		multiples: ws.multiples[:0], checks: ws.checks[:0], tr: ws.tr,
		left: ws.left[:0], right: ws.right[:0], lists: ws.lists[:0],
	}
	workspaces.Put(ws)
}
