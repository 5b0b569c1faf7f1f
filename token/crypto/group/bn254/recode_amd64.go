//go:build !purego

package bn254

import "github.com/consensys/gnark-crypto/ecc/bn254/fr"

// recodeArgs is the argument of laneRecode.
type recodeArgs struct {
	scalars *fr.Element
	bases   *uint32
	windows *window
	count   int // of windows
	refs    *uint32
	stride  int     // bytes from the references of a window to those of the next
	second  int     // bytes from the references of first halves to those of second ones
	n       int     // how many scalars
	digits  *uint32 // scratch memory; the last block is 0
}

//go:noescape
func laneRecode(a *recodeArgs)

// digitWords is how many blocks of scratch memory laneRecode takes: the words of
// 32 bits of a half, and one with zeros.
const digitWords = halfBits/32 + 1

func (l *lanePoints) recode(refs []uint32, scalars []fr.Element, bases []uint32, windows []window) {
	const refBytes = 4
	n := len(scalars)
	laneRecode(&recodeArgs{
		scalars: &scalars[0], bases: &bases[0], windows: &windows[0], count: len(windows),
		refs: &refs[0], stride: 2 * n * refBytes, second: n * refBytes, n: n, digits: &l.scratch.digits[0],
	})
}
