package ecdsap256

import (
	"container/list"
	"sync"

	"github.com/consensys/gnark-crypto/ecc/secp256r1/fp"
)

// entry is an affine point in a table: x·2²⁶⁰ mod p and y·2²⁶⁰ mod p, in words of 64
// bits.
type entry struct{ x, y [fp.Limbs]uint64 }

// Tables of keys: entry j of window i is (2j+1)·2^(4i)·Q.
const (
	keyWidth   = 4
	keyWindows = 256 / keyWidth
	keyEntries = keyWindows << (keyWidth - 1)
	tableBytes = keyEntries * 2 * fp.Bytes // of one key
)

// often is how many signatures a key has when its table is built. The table takes the
// time of about ten signatures by unknown keys.
const often = 4

// point is an affine point, x and y in 32 bytes each.
type point [2 * fp.Bytes]byte

// keys remembers tables of keys, and how often other keys were seen.
type keys struct {
	most int

	mu     sync.Mutex
	now    uint64                  // the number of signatures that were seen
	tables map[point]*list.Element // of known
	order  *list.List              // the key that signed last first
	// Keys without table. When young is full it replaces old, which is forgotten.
	young, old map[point]sightings
}

// known is a key with its table, and when it signed last.
type known struct {
	key   point
	table []entry
	last  uint64
}

// sightings is how often a key was seen from a time on.
type sightings struct {
	count int
	first uint64
}

// counted is how many keys young may hold for each table.
const counted = 4

func newKeys(most int) *keys {
	return &keys{most: most, tables: map[point]*list.Element{}, order: list.New(),
		young: map[point]sightings{}}
}

// see returns the table of a key that signed, or nil. It reports whether its table
// should be built now: if the key signed often while the key that it would
// replace did not sign at all. So more keys than tables, in turns, do not replace
// each other.
func (k *keys) see(key point) (table []entry, build bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.now++
	if e, ok := k.tables[key]; ok {
		k.order.MoveToFront(e)
		kept := e.Value.(*known)
		kept.last = k.now
		return kept.table, false
	}
	if k.most == 0 {
		return nil, false
	}
	seen, ok := k.young[key]
	if !ok {
		seen, ok = k.old[key]
		if !ok {
			seen.first = k.now
		}
		if len(k.young) >= counted*k.most {
			k.young, k.old = map[point]sightings{}, k.young
		}
	}
	seen.count++
	if seen.count == often {
		build = k.order.Len() < k.most || k.order.Back().Value.(*known).last < seen.first
		seen = sightings{first: k.now}
	}
	k.young[key] = seen
	return nil, build
}

// add remembers the table of a key. If k.most tables are kept already, it forgets the table
// that was not used for the longest time.
func (k *keys) add(key point, table []entry) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.young, key)
	delete(k.old, key)
	if _, ok := k.tables[key]; ok {
		return
	}
	if k.order.Len() >= k.most {
		last := k.order.Back()
		delete(k.tables, last.Value.(*known).key)
		k.order.Remove(last)
	}
	k.tables[key] = k.order.PushFront(&known{key, table, k.now})
}
