package capacity

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"time"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/schedule"
)

// Verification compares the prediction for a node with a run on this machine.
type Verification struct {
	Choice  string
	Workers int
	Rate    float64 // requests a second
	Figures []Compared
	Machine []string // findings about the machine: with one, there is no verdict
	Result  *runner.Result
}

// Compared is a predicted and a measured figure. The prediction holds if they
// differ by at most Allowed, relative to the measured one; 0 is no limit.
type Compared struct {
	Name                string
	Predicted, Measured float64
	Allowed             float64
}

// holds reports whether the prediction is close enough.
func (c Compared) holds() bool {
	return c.Allowed == 0 || math.Abs(c.Predicted/c.Measured-1) <= c.Allowed
}

// The allowed differences of predictions.
const (
	allowedUse = 0.10
	allowedP99 = 0.25
)

// verifyTime is the time of the real run. The warm-up comes before it.
const verifyTime = 20 * time.Second

// machineFindings are the kinds of findings that prevent a verdict.
var machineFindings = []string{"noisy machine", "stolen time", "processor pressure", "throttled"}

// Verify puts the load that the plan allows for a node of the first role for
// which clients wait, scaled down to the processors of this machine, on the real
// operations: an open loop with Poisson arrivals. The choice is the one that the
// text of the plan shows.
func (s Subject) Verify(ctx context.Context, p *Plan, costs []Costs) (*Verification, error) {
	at := p.shown()
	c, plan := costs[at], p.Choices[at]
	r := slices.IndexFunc(s.Roles, func(r Role) bool { return r.Waits })
	if r < 0 {
		return nil, errors.New("clients wait for no role")
	}
	role, set := plan.Model.Roles[r], p.Settings
	// The goroutine of the runner and the collector need some time, too.
	workers := min(plan.Roles[r].Peak.Cores, runtime.GOMAXPROCS(0))
	v := &Verification{Choice: plan.Name, Workers: workers}
	v.Rate = set.Utilisation * plan.Model.Scale.speedUp(workers) / role.mean(set.Mix)
	predicted := plan.Model.queue(role, set, v.Rate, Size{Nodes: 1, Cores: workers}).settle(1)
	op, err := s.mixed(ctx, c.Choice, r, set.Mix)
	if err != nil {
		return nil, err
	}
	v.Result, err = runner.Run(ctx, runner.Config{
		Workers: workers, Duration: verifyTime, Plan: &schedule.Plan{Arrival: schedule.Poisson, Rate: v.Rate, Seed: seedOfPlans},
	}, op)
	if err != nil {
		return nil, err
	}
	if v.Result.Interrupted {
		return nil, errors.Join(ctx.Err(), errors.New("the run ended early"))
	}
	if v.Result.Failed > 0 {
		return nil, fmt.Errorf("%d of %d operations failed", v.Result.Failed, v.Result.Done+v.Result.Failed)
	}
	use := v.Result.Usage.CPUPerOp * 1e-9 * v.Result.Throughput() / float64(workers)
	v.Figures = []Compared{
		{"utilisation", set.Utilisation, use, allowedUse},
		{"P50, ms", 1e3 * predicted.P50, 1e-6 * v.Result.Quantile(0.5).Value, 0},
		{"P99, ms", 1e3 * predicted.P99, 1e-6 * v.Result.Quantile(0.99).Value, allowedP99},
	}
	if v.Result.Usage.CPUPerOp == 0 {
		v.Machine = append(v.Machine, "the processor time of the operations is unknown: the program also works when idle")
	}
	for _, f := range v.Result.Findings() {
		if slices.Contains(machineFindings, f.Kind) {
			v.Machine = append(v.Machine, f.Observed)
		}
	}
	return v, nil
}

// mixed is the operations of a role, by the shares of the mix.
func (s Subject) mixed(ctx context.Context, c Choice, role int, mix []Share) (op runner.Operation, err error) {
	jobs, err := s.jobs(c)
	if err != nil {
		return op, err
	}
	work := func(_ context.Context, in bench.Instance) error {
		out, err := in.Work()
		runtime.KeepAlive(out)
		return err
	}
	var shares []runner.Share
	for _, j := range jobs {
		if j.role != role || j.batch > 0 || mix[j.action].Share == 0 {
			continue
		}
		t, err := prepare(ctx, j)
		if err != nil {
			return op, err
		}
		shares = append(shares, runner.Share{Name: s.Actions[j.action], Weight: mix[j.action].Share, Op: runner.Pool(t.in, work)})
	}
	return runner.Mix(shares...), nil
}

// Verdict reports whether all predictions hold; decided is false on a machine
// that disturbed the run.
func (v *Verification) Verdict() (holds, decided bool) {
	holds = !slices.ContainsFunc(v.Figures, func(c Compared) bool { return !c.holds() })
	return holds, len(v.Machine) == 0
}

// Text writes the comparison.
func (v *Verification) Text(w io.Writer) error {
	t := newTextWriter(w)
	t.line("Verification: %s, %s, Poisson arrivals at %.4g a second for %v", v.Choice, count(v.Workers, "worker"), v.Rate, verifyTime)
	t.row("", "predicted", "measured", "difference", "allowed")
	for _, c := range v.Figures {
		allowed := ""
		if c.Allowed > 0 {
			allowed = "± " + percent(c.Allowed)
		}
		t.row(c.Name, fmt.Sprintf("%.3g", c.Predicted), fmt.Sprintf("%.3g", c.Measured), fmt.Sprintf("%+.0f %%", 100*(c.Predicted/c.Measured-1)), allowed)
	}
	t.end()
	switch holds, decided := v.Verdict(); {
	case !decided:
		t.line("  No verdict: the machine disturbed the run.")
		for _, f := range v.Machine {
			t.line("  %s", f)
		}
	case holds:
		t.line("  The prediction holds.")
	default:
		t.line("  The prediction does not hold.")
	}
	return t.flush()
}
