package gate

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/google/pprof/profile"

	"github.com/zkatbench/zkatbench/bench/flame"
	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/internal/text"
)

// Growth is a function that takes more time in head.
type Growth struct {
	Function string  `json:"function"`
	Share    float64 `json:"share"` // the additional time, as a share of all time of base
}

// Profiles are the CPU profiles of both sides of a case with a regression of time, of
// as many iterations.
type Profiles struct {
	Key  result.Key
	side [2]flame.Stacks
}

const (
	profileTime  = 2 * time.Second // of a run; each side has two
	grownShown   = 3
	leastGrowth  = 3.0 // in standard deviations of the number of samples
	mostProfiles = 5   // cases
)

// isTime reports whether a unit is a time of an operation.
func isTime(unit string) bool { return unit == wallTime || unit == cpuTime || unit == processTime }

// profiled adds the profiles of cases with a new regression of time, in turns, as long
// as the budget lasts.
func (m *measuring) profiled(ctx context.Context, r Report, all []Profiles) ([]Profiles, error) {
	for _, c := range r.sorted() {
		known := slices.ContainsFunc(all, func(p Profiles) bool { return p.Key == c.Key })
		if c.Verdict != Regression || !isTime(c.Unit) || known || len(all) == mostProfiles || m.spent() {
			continue
		}
		left := min(profileTime, (m.Budget-time.Since(m.Started))/4)
		n := max(1, int(left.Seconds()/c.Head.Median))
		p := Profiles{Key: c.Key, side: [2]flame.Stacks{{}, {}}}
		contenders := [2]*result.Contender{m.Base, m.Head}
		for _, i := range result.Turns(m.rng) {
			stacks, err := stacksOf(ctx, contenders[i], m.Flags, c.Key, n)
			if err != nil {
				return all, err
			}
			for stack, samples := range stacks {
				p.side[i][stack] += samples
			}
		}
		all = append(all, p)
	}
	return all, nil
}

// stacksOf profiles a case once.
func stacksOf(ctx context.Context, side *result.Contender, f result.Flags, k result.Key,
	iterations int) (flame.Stacks, error) {
	dir, err := os.MkdirTemp("", "zkatbench-profile-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "cpu.pprof")
	if err := side.Profile(ctx, f, k, iterations, name); err != nil {
		return nil, err
	}
	content, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	p, err := profile.ParseData(content)
	if err != nil {
		return nil, fmt.Errorf("profile of %s: %w", k, err)
	}
	return flame.Fold(p, ""), nil
}

// grown returns the functions that take more time in head, the most certain one
// first. Time of the runtime counts for its caller.
func (p Profiles) grown() (all []Growth) {
	base, head := owners(p.side[0]), owners(p.side[1])
	certain := func(g Growth) float64 {
		b, h := float64(base[g.Function]), float64(head[g.Function])
		return (h - b) / math.Sqrt(h+b)
	}
	for _, name := range slices.Sorted(maps.Keys(head)) {
		g := Growth{name, float64(head[name]-base[name]) / float64(max(1, p.side[0].Samples()))}
		if certain(g) >= leastGrowth {
			all = append(all, g)
		}
	}
	slices.SortStableFunc(all, func(a, b Growth) int { return cmp.Compare(certain(b), certain(a)) })
	return all[:min(len(all), grownShown)]
}

// Difference returns the stacks that have more samples in head, with their number.
func (p Profiles) Difference() flame.Stacks {
	more := flame.Stacks{}
	for stack, samples := range p.side[1] {
		if d := samples - p.side[0][stack]; d > 0 {
			more[stack] = d
		}
	}
	return more
}

// owners returns the samples of each function, including the samples of the runtime
// functions that it called.
func owners(s flame.Stacks) map[string]int64 {
	all := map[string]int64{}
	for stack, samples := range s {
		frames := strings.Split(stack, ";")
		owner := frames[len(frames)-1]
		for _, f := range slices.Backward(frames) {
			if !strings.HasPrefix(f, "runtime.") && !strings.HasPrefix(f, "internal/runtime/") {
				owner = f
				break
			}
		}
		all[owner] += samples
	}
	return all
}

// grownText names the functions.
func grownText(all []Growth) string {
	var parts []string
	for _, g := range all {
		parts = append(parts, fmt.Sprintf("%s %s", g.Function, text.Change(g.Share)))
	}
	return "more time in " + strings.Join(parts, ", ")
}
