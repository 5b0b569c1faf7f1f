package validator_test

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
	"github.com/zkatbench/zkatbench/token/internal/networktest"
)

// TestMemoryOfBlocks: a block takes at most 40 kB a request, as much for 1 000 requests as
// for 100, and keeps no memory.
func TestMemoryOfBlocks(t *testing.T) {
	if nightly.Racing() {
		t.Skip("the race detector allocates")
	}
	const most = 40_000 // bytes a request
	n := networktest.New(t, fixture.Config{Bits: 64, TableBytes: 1 << 18,
		Protocols: params.Protocols{V2: true}})
	v := n.Validator(validator.Options{})
	block := make([]validator.Submission, 1000)
	for i := range block {
		if block[i].Anchor = fmt.Sprint("tx", i%100); i >= 100 {
			block[i] = block[i-100]
			continue
		}
		a, err := n.Request(block[i].Anchor, fixture.Shape{Kind: "transfers", Inputs: 2, Outputs: 2},
			uint64(i))
		require.NoError(t, err)
		block[i].Raw = a.Request.Encode()
	}
	var m runtime.MemStats
	held := func() int {
		for range 3 { // a pool keeps its memory for two collections
			runtime.GC()
		}
		runtime.ReadMemStats(&m)
		return int(m.HeapAlloc)
	}
	validate := func(block []validator.Submission) (verdicts []validator.Verdict, bytes int) {
		defer debug.SetGCPercent(debug.SetGCPercent(-1)) // pools keep their memory
		runtime.ReadMemStats(&m)
		before := m.TotalAlloc
		verdicts = v.ValidateBatch(block)
		runtime.ReadMemStats(&m)
		for _, verdict := range verdicts {
			require.NoError(t, verdict.Err)
		}
		return verdicts, int(m.TotalAlloc-before) / len(block)
	}
	validate(block)
	_, few := validate(block[:100])
	empty := held()
	verdicts, many := validate(block)
	results := (held() - empty) / len(block)
	runtime.KeepAlive(verdicts)
	t.Logf("bytes a request: %d in a block of 100, %d of 1 000, of which the results keep %d", few, many,
		results)
	require.Less(t, few, most)
	require.Less(t, many, most)
	require.Less(t, results, most)
	verdicts = nil
	for range nightly.Pick(2, 5, 100) {
		validate(block)
	}
	require.InDelta(t, empty, held(), 50_000, "after many blocks")
	runtime.KeepAlive(block)
	runtime.KeepAlive(v)
}
