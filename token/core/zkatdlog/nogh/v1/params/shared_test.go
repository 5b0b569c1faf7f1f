package params // engines and forget are private: shared tables change time and memory alone

import (
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/curves"
)

func engineOf(t *testing.T, backend string, bits, tableBytes int) *engine {
	t.Helper()
	g, err := curves.Find("BN254", backend)
	require.NoError(t, err)
	p, err := Setup(Config{Group: g, Bits: bits, TableBytes: tableBytes,
		Metadata: map[string][]byte{"test": []byte(t.Name())}})
	require.NoError(t, err)
	again, err := Decode(p.Encode(), Options{
		Group:      curves.ByID,
		TableBytes: tableBytes,
	})
	require.NoError(t, err)
	if backend == "native" {
		require.Same(t, p.engine, again.engine, "parameters that are loaded again share tables")
		require.Same(t, p.engine, p.On(g).engine)
	} else {
		require.NotSame(t, p.engine, again.engine, "tables belong to one backend")
	}
	return p.engine
}

func TestEqualParametersShareTables(t *testing.T) {
	e := engineOf(t, "native", 16, 1)
	others, err := Setup(Config{Group: e.group, Bits: 16, TableBytes: 1, Issuers: [][]byte{{1}},
		Metadata: map[string][]byte{"a": {1}}, Protocols: Protocols{V2: true}})
	require.NoError(t, err)
	require.Same(t, e, others.engine, "tables do not depend on issuers, entries and protocols")
	require.Same(t, e, engineOf(t, "native", 16, 1))
	for _, other := range []*engine{
		engineOf(t, "native", 32, 1), engineOf(t, "native", 16, 1<<20), engineOf(t, "mathlib", 16, 1),
	} {
		require.NotSame(t, e, other)
	}
}

// TestGroupsWithoutEqualityShareNoTables: such a group cannot be a key of shared tables.
func TestGroupsWithoutEqualityShareNoTables(t *testing.T) {
	g, err := curves.ByName("BN254")
	require.NoError(t, err)
	c := Config{Bits: 16, TableBytes: 1, Group: struct {
		group.Group
		_ []int
	}{Group: g}}
	p, err := Setup(c)
	require.NoError(t, err)
	again, err := Setup(c)
	require.NoError(t, err)
	require.NotSame(t, p.engine, again.engine)
}

func TestTheLastParametersFreeTheTables(t *testing.T) {
	g, err := curves.ByName("BN254")
	require.NoError(t, err)
	const own = 7 // bytes of tables, of no other test
	p, err := Setup(Config{Group: g, Bits: 16, TableBytes: own})
	require.NoError(t, err)
	inUse := func() bool {
		engines.Lock()
		defer engines.Unlock()
		for id := range engines.by {
			if id.tableBytes == own {
				return true
			}
		}
		return false
	}
	require.True(t, inUse())
	runtime.KeepAlive(p)
	require.Eventually(t, func() bool { runtime.GC(); return !inUse() }, 5*time.Minute, time.Millisecond)
}

// TestEnginesInUseAreKept: the clean-up of an engine does not forget one that replaced it.
func TestEnginesInUseAreKept(t *testing.T) {
	e := engineOf(t, "native", 16, 1)
	engines.Lock()
	var own identity
	for id, other := range engines.by {
		if other.Value() == e {
			own = id
		}
	}
	engines.Unlock()
	forget(own)
	require.Same(t, e, engineOf(t, "native", 16, 1))
}
