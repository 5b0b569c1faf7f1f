package result_test

import (
	"bytes"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/result"
)

// thrpt is a row of 15 samples with a mean and an interval of half-width err: 7
// samples above the mean, 7 below, so that their standard deviation is d.
func thrpt(benchmark, msglen string, mean, err float64) result.Row {
	d := err * math.Sqrt(15) / 4.1405 // t(14)
	values := []float64{mean}
	for range 7 {
		values = append(values, mean+d, mean-d)
	}
	r := result.Row{Benchmark: benchmark, Mode: result.Throughput, Samples: [][]float64{values}}
	if msglen != "" {
		r.Params = []result.Param{{Name: "msglen", Value: msglen}}
	}
	return r
}

// TestChangesOfThePublishedTables has the tables of the review that asked for 9
// limbs of 29 bits, where benchmarks changed their names.
func TestChangesOfThePublishedTables(t *testing.T) {
	before := []result.Row{
		thrpt("Signatures.sign", "64", 1.414, 0.022), thrpt("Signatures.sign", "512", 1.418, 0.004),
		thrpt("Signatures.verify", "64", 1.2, 0.1), thrpt("KeyGenerators.keyPairGen", "", 1.475, 0.043),
	}
	after := []result.Row{
		thrpt("ECSignature.sign", "64", 1.719, 0.010), thrpt("ECSignature.sign", "512", 1.421, 0.012),
		thrpt("ECKeyGen.keyPairGen", "", 1.881, 0.008), thrpt("ECKeyGenerator.other", "", 2, 0.1),
	}
	rs, err := result.ParseRenames("ECSignature.sign=Signatures.sign,ECKeyGen=KeyGenerators")
	require.NoError(t, err)
	for i, r := range after {
		after[i] = r.Renamed(rs.Old)
	}
	var b bytes.Buffer
	require.NoError(t, result.WriteChanges(&b, before, after))
	require.Equal(t, `Benchmark                 (msglen)   Mode         Before          After   Units         Change
Signatures.sign                 64  thrpt  1.414 ± 0.022  1.719 ± 0.010  ops/ms  +21.6 ± 2.0 %
Signatures.sign                512  thrpt  1.418 ± 0.004  1.421 ± 0.012  ops/ms   +0.2 ± 0.9 %  same
KeyGenerators.keyPairGen            thrpt  1.475 ± 0.043  1.881 ± 0.008  ops/ms  +27.5 ± 3.8 %
only before: Signatures.verify/msglen=64 1.200 ± 0.100
only after: ECKeyGenerator.other 2.000 ± 0.100
`, b.String())
	change, halfWidth := after[0].Over(before[0])
	require.InDelta(t, 1.2157, change, 1e-4)
	require.InDelta(t, 0.0202, halfWidth, 1e-3)
}

// TestChangeOfSingleSamples calls a change without an interval the same.
func TestChangeOfSingleSamples(t *testing.T) {
	row := func(v float64) result.Row {
		return result.Row{Benchmark: "A", Mode: result.Average, Samples: [][]float64{{v}}}
	}
	var b bytes.Buffer
	require.NoError(t, result.WriteChanges(&b, []result.Row{row(1)}, []result.Row{row(2)}))
	require.Contains(t, b.String(), "+100.0 %  same")
	b.Reset()
	require.NoError(t, result.WriteChanges(&b, nil, nil))
	require.Empty(t, b.String())
}
