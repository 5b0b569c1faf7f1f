package result

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Shard is part Index of Of parts, counted from 1. The zero Shard is
// everything.
type Shard struct{ Index, Of int }

// errShard reports an invalid shard.
var errShard = errors.New("is not i/n with 1 ≤ i ≤ n, or auto")

// String returns i/n.
func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.Index, s.Of) }

// ParseShard reads i/n. If text is "auto" it reads the variables of the
// scheduler: a Slurm array (SLURM_ARRAY_TASK_ID, _MIN, _STEP, _COUNT), an
// indexed Kubernetes job (JOB_COMPLETION_INDEX; Kubernetes does not provide the
// total, so the manifest sets JOB_COMPLETIONS) or a GitHub matrix
// (strategy.job-index and job-total, which the workflow passes as
// STRATEGY_JOB_INDEX and STRATEGY_JOB_TOTAL).
func ParseShard(text string, getenv func(string) string) (Shard, error) {
	given := text
	switch {
	case text == "":
		return Shard{}, nil
	case text == "auto" && getenv("SLURM_ARRAY_TASK_ID") != "":
		text = nth(getenv("SLURM_ARRAY_TASK_ID"), getenv("SLURM_ARRAY_TASK_MIN"),
			cmp.Or(getenv("SLURM_ARRAY_TASK_STEP"), "1"), getenv("SLURM_ARRAY_TASK_COUNT"))
	case text == "auto" && getenv("JOB_COMPLETION_INDEX") != "":
		text = nth(getenv("JOB_COMPLETION_INDEX"), "0", "1", getenv("JOB_COMPLETIONS"))
	case text == "auto" && getenv("STRATEGY_JOB_INDEX") != "":
		text = nth(getenv("STRATEGY_JOB_INDEX"), "0", "1", getenv("STRATEGY_JOB_TOTAL"))
	case text == "auto":
		return Shard{},
			fmt.Errorf("%q: none of SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX and STRATEGY_JOB_INDEX is set",
				given)
	}
	index, count, _ := strings.Cut(text, "/")
	i, err1 := strconv.Atoi(index)
	n, err2 := strconv.Atoi(count)
	if err1 != nil || err2 != nil || i < 1 || i > n {
		return Shard{}, fmt.Errorf("%q %w", given, errShard)
	}
	return Shard{i, n}, nil
}

// nth returns i/n for an id that counts from least in steps of step.
func nth(id, least, step, count string) string {
	i, err1 := strconv.Atoi(id)
	l, err2 := strconv.Atoi(least)
	by, err3 := strconv.Atoi(step)
	if err1 != nil || err2 != nil || err3 != nil || by < 1 || (i-l)%by != 0 {
		return ""
	}
	return strconv.Itoa((i-l)/by+1) + "/" + count
}

// Select returns the cases of the shard, in the order of keys. The most
// expensive cases are assigned first, each to the shard with the least work
// (longest processing time first, Graham 1969). Cases of unknown cost count as
// the mean. All shards of a matrix agree if they have the same costs.
func (s Shard) Select(keys []Key, cost map[Key]float64) (mine []Key) {
	if s.Of == 0 {
		return keys
	}
	order := slices.Clone(keys)
	price := estimates(keys, cost)
	slices.SortFunc(order, func(a, b Key) int {
		return cmp.Or(cmp.Compare(price[b], price[a]), cmp.Compare(a.Package, b.Package),
			cmp.Compare(a.Name, b.Name))
	})
	load := make([]float64, s.Of)
	is := map[Key]bool{}
	for _, k := range order {
		least := slices.Index(load, slices.Min(load))
		load[least] += price[k]
		is[k] = least == s.Index-1
	}
	for _, k := range keys {
		if is[k] {
			mine = append(mine, k)
		}
	}
	return mine
}

func estimates(keys []Key, cost map[Key]float64) map[Key]float64 {
	mean, known := 0.0, 0
	for _, k := range keys {
		if c := cost[k]; c > 0 {
			mean, known = mean+c, known+1
		}
	}
	mean = mean / float64(max(1, known))
	if mean == 0 {
		mean = 1
	}
	p := map[Key]float64{}
	for _, k := range keys {
		p[k] = cost[k]
		if p[k] <= 0 {
			p[k] = mean
		}
	}
	return p
}
