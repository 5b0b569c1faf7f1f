package metric

import (
	"fmt"
	"runtime"
	"time"
)

// accessBytes is the size of wide tables of multiples.
const accessBytes = 32 << 20

// Access is a yardstick of memory, in words: the time of a read at a random place of a
// table as large as wide tables, whose address follows from the read before it. It is
// the fastest of some short times, since other programs only add to them.
func Access() string {
	const page, reads, turns = 4096, 1 << 10, 24
	table := make([]byte, accessBytes)
	for at := 0; at < accessBytes; at += page {
		table[at] = 1 // the system gives a page its memory when it is written
	}
	least, at := time.Hour, uint32(0)
	for range turns {
		start := time.Now()
		for range reads {
			at = at*1664525 + 1013904223 + uint32(table[at>>7]) // 25 bits
		}
		least = min(least, time.Since(start)/reads)
	}
	runtime.KeepAlive(at)
	return fmt.Sprintf("%v for a random read in %d MB", least, accessBytes>>20)
}
