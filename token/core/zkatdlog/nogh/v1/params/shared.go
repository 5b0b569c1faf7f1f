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

// engine holds the tables. They depend only on the generators, and take much
// time and memory to build.
type engine struct {
	pedersen *pedersen.Key
	systems  []rangeproof.System // the preferred one first
	group    group.Group
	// tableBytes is the budget of each table of v2, 0 for the default.
	tableBytes int
	v2         lazyV2
}

// identity is the key of shared engines.
type identity struct {
	digest     [32]byte // of the parameters with the generators and the length alone
	group      group.Group
	tableBytes int
}

// engines are the engines in use. Parameters with the same generators, for the same group,
// share their tables; the last ones free them.
var engines = struct {
	sync.Mutex
	by map[identity]weak.Pointer[engine]
}{by: map[identity]weak.Pointer[engine]{}}

// shared returns the engine in use for id, or a new one.
func shared(id identity, create func() (*engine, error)) (*engine, error) {
	if !reflect.TypeOf(id.group).Comparable() {
		return create()
	}
	engines.Lock()
	used := engines.by[id].Value()
	engines.Unlock()
	if used != nil {
		return used, nil
	}
	e, err := create()
	if err != nil {
		return nil, err
	}
	engines.Lock()
	defer engines.Unlock()
	if used := engines.by[id].Value(); used != nil { // made meanwhile
		return used, nil
	}
	engines.by[id] = weak.Make(e)
	runtime.AddCleanup(e, forget, id)
	return e, nil
}

// forget removes an unused engine, unless a new one has replaced it.
func forget(id identity) {
	engines.Lock()
	defer engines.Unlock()
	if engines.by[id].Value() == nil {
		delete(engines.by, id)
	}
}
