package params

import (
	"reflect"
	"runtime"
	"sync"
	"weak"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/pedersen"
)

// engine is what has tables: it follows from the generators, takes long to
// build and much memory.
type engine struct {
	pedersen *pedersen.Key
	systems  []rangeproof.System // the preferred one first
	group    group.Group
	v2       lazyV2
}

// identity is what an engine depends on.
type identity struct {
	digest     [32]byte // of the serialised parameters
	group      group.Group
	tableBytes int
}

// engines are those in use. Parameters that are loaded again, from the same
// bytes for the same group, share the tables; the last ones free them.
var engines = struct {
	sync.Mutex
	by map[identity]weak.Pointer[engine]
}{by: map[identity]weak.Pointer[engine]{}}

// share returns the engine in use for id, or e as the one that is from now on.
func share(id identity, e *engine) *engine {
	if !reflect.TypeOf(id.group).Comparable() {
		return e
	}
	engines.Lock()
	defer engines.Unlock()
	if used := engines.by[id].Value(); used != nil {
		return used
	}
	engines.by[id] = weak.Make(e)
	runtime.AddCleanup(e, forget, id)
	return e
}

// forget drops an engine that nobody uses, unless there is a new one.
func forget(id identity) {
	engines.Lock()
	defer engines.Unlock()
	if engines.by[id].Value() == nil {
		delete(engines.by, id)
	}
}
