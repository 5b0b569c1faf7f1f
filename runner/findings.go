package runner

// Kind says what a Finding is about.
type Kind string

// The kinds of findings; a Finding's Value is in the unit named here.
const (
	FewOps      Kind = "few operations"       // operations
	ShortRun    Kind = "short run"            // seconds
	Unstable    Kind = "unstable latency"     // coefficient of variation
	LongTail    Kind = "long tail"            // P99 over P50
	Outlier     Kind = "outlier"              // Max over P99
	Overhead    Kind = "overhead"             // share of the workers' time
	HeavyGC     Kind = "garbage collection"   // share of processor time
	Allocations Kind = "allocations"          // allocations of one operation
	Failures    Kind = "failures"             // share of operations
	NothingDone Kind = "nothing done"         // failed operations
	LeftBehind  Kind = "operations abandoned" // operations
)

// Finding is one judgement of a Result, with the number that it rests on.
type Finding struct {
	Kind  Kind
	Value float64
}

// Ratings of the coefficient of variation.
const (
	Excellent  = 0.05
	Acceptable = 0.10
	Moderate   = 0.20
)

// thresholds above (FewOps, ShortRun: below) which a finding is made.
var thresholds = map[Kind]float64{
	FewOps: 1000, ShortRun: 5, Unstable: Moderate, LongTail: 3, Outlier: 10,
	Overhead: 0.10, HeavyGC: 0.05, Allocations: 1000, Failures: 0, LeftBehind: 0,
}

// Findings judges r; it is a pure function of it.
func (r *Result) Findings() (fs []Finding) {
	if r.Done == 0 {
		return []Finding{{NothingDone, float64(r.Failed)}}
	}
	above := func(k Kind, v float64) {
		if v > thresholds[k] {
			fs = append(fs, Finding{k, v})
		}
	}
	below := func(k Kind, v float64) {
		if v < thresholds[k] {
			fs = append(fs, Finding{k, v})
		}
	}
	above(Failures, float64(r.Failed)/float64(r.Failed+r.Done))
	above(LeftBehind, float64(r.Abandoned))
	below(FewOps, float64(r.Done))
	below(ShortRun, r.Elapsed.Seconds())
	above(Unstable, r.CV())
	p50, p99 := r.Latency.Quantile(0.5), r.Latency.Quantile(0.99)
	if r.Supports(0.99) && p50 > 0 {
		above(LongTail, p99/p50)
		above(Outlier, r.Moments.Max/p99)
	}
	above(Overhead, r.Overhead())
	above(HeavyGC, r.GC.CPUShare)
	above(Allocations, r.Memory.AllocsPerOp)
	return fs
}
