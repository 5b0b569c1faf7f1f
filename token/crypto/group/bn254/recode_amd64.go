//go:build !purego

package bn254

import "github.com/consensys/gnark-crypto/ecc/bn254/fr"

// recodeArgs is the argument of laneRecode, which is proved for scalars below r, for at least one window
// and one scalar, and for windows of 1 to 31 bits in halfBits.
type recodeArgs struct {
	scalars *fr.Element
	bases   *uint32
	windows *window
	count   int // of windows
	refs    *uint32
	stride  int // bytes from the references of a window to the references of the next
	second  int // bytes from the references of first halves to the second halves'
	n       int // how many scalars
	digits  *digitMemory
}

//go:noescape
func laneRecode(a *recodeArgs)

// digitMemory is scratch memory of laneRecode: blocks for the words of 32 bits of both
// halves, and then blocks of zeros.
type digitMemory [(halfBits/32 + 1) * 2 * lanes]uint32

func (l *lanePoints) recode(refs []uint32, scalars []fr.Element, bases []uint32, windows []window) {
	const refBytes = 4
	n := len(scalars)
	laneRecode(&recodeArgs{
		scalars: &scalars[0], bases: &bases[0], windows: &windows[0], count: len(windows),
		refs: &refs[0], stride: 2 * n * refBytes, second: n * refBytes, n: n, digits: &l.scratch.digits,
	})
}
