package capacity

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/bench/chart"
	"github.com/zkatbench/zkatbench/internal/text"
	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/judge"
	"github.com/zkatbench/zkatbench/runner/result"
	"github.com/zkatbench/zkatbench/runner/schedule"
)

// Verification compares the prediction for a node with a run on this machine.
type Verification struct {
	Choice  string
	Workers int
	Rate    float64       // requests a second
	Wake    time.Duration // mean time of a request without work: the floor of all waiting times
	Window  time.Duration // of the run
	Figures []Compared
	Machine []string // findings about the machine; each prevents a verdict
}

// Compared is a predicted and a measured figure. The prediction holds if they
// differ by at most Allowed, relative to the measured figure. If Allowed is 0, any
// difference is allowed.
type Compared struct {
	Name                string
	Predicted, Measured float64
	Allowed             float64
}

func (c Compared) difference() float64 { return c.Predicted/c.Measured - 1 }

// disturbances are the kinds of findings that prevent a verdict. Pressure on processors
// is not among them: it counts the tasks of other programs, and the workers of this one.
var disturbances = []string{"noisy machine", "stolen time", "throttled"}

// Times of the run without work and of the real one, after their warm-ups.
const (
	wakeTime   = 3 * time.Second
	verifyTime = 20 * time.Second
)

// Verify puts the load that the plan allows for a node of the first role for which
// clients wait, scaled down to the processors of this machine but one, on the real
// operations: an open loop with Poisson arrivals. The other processor is left to the
// generator and the collector. The text of the plan shows the same choice.
func (s Subject) Verify(ctx context.Context, p *Plan) (*Verification, error) {
	plan := p.Choices[p.shown()]
	r, set := *plan.first(), p.Settings
	workers := min(r.Peak.Cores, max(1, runtime.GOMAXPROCS(0)-1))
	v := &Verification{Choice: plan.Name, Workers: workers, Window: verifyTime}
	v.Rate = set.Utilisation * r.scale.speedUp(workers) / meanWork(r.samples, set.Mix)
	set.Peak, set.Burst, set.Block = v.Rate, 1, 1
	set.gaps, r.Share = nil, 1
	predicted := r.queue(set, Size{Nodes: 1, Cores: workers}).settle(1)
	op, err := s.mixed(ctx, plan.Choice, r.Name, set.Mix)
	if err != nil {
		return nil, err
	}
	null, err := v.run(ctx, wakeTime, runner.Func(func(context.Context) error { return nil }))
	if err != nil {
		return nil, err
	}
	real, err := v.run(ctx, verifyTime, op)
	if err != nil {
		return nil, err
	}
	v.Wake = time.Duration(null.Moments.Mean)
	// A start that finds all workers busy does not wake a worker.
	own := real.Usage.CPUPerOp - null.Usage.CPUPerOp*(1-set.Utilisation)
	use := own * 1e-9 * real.Throughput() / float64(workers)
	v.Figures = []Compared{
		{Name: "utilisation, %", Predicted: 100 * set.Utilisation, Measured: 100 * use, Allowed: 0.10},
		{Name: "P50, ms", Predicted: 1e3 * (predicted.P50 + v.Wake.Seconds()),
			Measured: 1e-6 * judge.Quantile(real, 0.5).Value},
		{Name: "P99, ms", Predicted: 1e3 * (predicted.P99 + v.Wake.Seconds()),
			Measured: 1e-6 * judge.Quantile(real, 0.99).Value, Allowed: 0.25},
	}
	if real.Usage.CPUPerOp == 0 {
		v.Machine = append(v.Machine,
			"the processor time of the operations is unknown: the program also works when idle")
	}
	for _, f := range judge.Findings(real) {
		if slices.Contains(disturbances, f.Kind) {
			v.Machine = append(v.Machine, f.Observed)
		}
	}
	return v, nil
}

// run is a run with the rate and the workers of v that reaches its end.
func (v *Verification) run(ctx context.Context, d time.Duration, op runner.Operation) (*result.Result,
	error) {
	r, err := runner.Run(ctx, runner.Config{
		Workers: v.Workers, Duration: d,
		Plan: &schedule.Plan{Arrival: schedule.Poisson, Rate: v.Rate, Seed: seedOfPlans},
	}, op)
	switch {
	case err != nil:
		return nil, err
	case r.Interrupted:
		return nil, errors.Join(ctx.Err(), errors.New("the run ended early"))
	case r.Failed > 0:
		return nil, fmt.Errorf("%d of %d operations failed", r.Failed, r.Done+r.Failed)
	}
	return r, nil
}

// mixed is the operations of a role, by the shares of the mix.
func (s Subject) mixed(ctx context.Context, c Choice, role string, mix []Share) (op runner.Operation,
	err error) {
	jobs, err := s.jobs(c)
	if err != nil {
		return op, err
	}
	var shares []runner.Share
	for _, j := range jobs {
		weight := mix[slices.Index(s.Actions, j.Action)].Share
		if j.Role != role || j.Batch > 0 || weight == 0 {
			continue
		}
		if err := j.prepare(ctx); err != nil {
			return op, err
		}
		shares = append(shares, runner.Share{Name: j.Action, Weight: weight, Op: pool(j.in)})
	}
	return runner.Mix(shares...), nil
}

// pool calls one of the instances.
func pool(in []bench.Instance) runner.Operation {
	return runner.Pool(in, func(_ context.Context, one bench.Instance) error {
		out, err := one.Work()
		runtime.KeepAlive(out)
		return err
	})
}

// Verdict reports whether all predictions hold; decided is false on a machine
// that disturbed the run.
func (v *Verification) Verdict() (holds, decided bool) {
	holds = !slices.ContainsFunc(v.Figures, func(c Compared) bool {
		return c.Allowed > 0 && !(math.Abs(c.difference()) <= c.Allowed)
	})
	return holds, len(v.Machine) == 0
}

// Text writes the comparison in width columns; 0 is unlimited.
func (v *Verification) Text(w io.Writer, width int) error {
	t := chart.Group{Table: text.Table{Align: "lrrrr",
		Head: []string{"figure", "predicted", "measured", "difference", "allowed"}}}
	for _, c := range v.Figures {
		allowed := ""
		if c.Allowed > 0 {
			allowed = "± " + text.Percent(c.Allowed)
		}
		t.Table.Rows = append(t.Table.Rows,
			[]string{c.Name, text.Number(c.Predicted), text.Number(c.Measured), text.Change(c.difference()),
				allowed})
	}
	switch holds, decided := v.Verdict(); {
	case !decided:
		t.Notes = []string{"No verdict: the machine disturbed the run: " + strings.Join(v.Machine, "; ")}
	case holds:
		t.Notes = []string{"The prediction holds."}
	default:
		t.Notes = []string{"The prediction does not hold."}
	}
	return write(w, width,
		[]string{fmt.Sprintf("Verification: %s, %s, Poisson arrivals at %s a second for %v; a request "+
			"without work takes %s",
			v.Choice, text.Plural(v.Workers, "worker"), text.Number(v.Rate), v.Window,
			text.Duration(float64(v.Wake)))}, t)
}
