package compare

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/zkatbench/zkatbench/bench/gate"
	"github.com/zkatbench/zkatbench/bench/hosts"
	"github.com/zkatbench/zkatbench/bench/result"
)

// Away compares a shard on each host, joins the results of both sides, and judges them. The command
// compare runs on the hosts, with the flags of the order.
func Away(ctx context.Context, base, head Side, o Options, order hosts.Order) (r gate.Report, err error) {
	if err := Check(ctx, base, head, o); err != nil {
		return r, err
	}
	dir, err := os.MkdirTemp("", "zkatbench-")
	if err != nil {
		return r, err
	}
	defer os.RemoveAll(dir)
	c := comparison{Options: o, both: [2]Side{base, head}}
	first := map[hosts.Platform]int{} // test binaries of BASE, which come first
	checkouts := func() {}
	defer func() { checkouts() }()
	fleet, err := order.Open(ctx, func(p hosts.Platform, into string) ([]result.Binary, error) {
		sides, remove, err := c.sides(ctx, into, p.Env())
		before := checkouts
		checkouts = func() { remove(); before() }
		if err == nil {
			_, err = c.relink(ctx, sides[:])
		}
		first[p] = len(sides[0].binaries)
		return slices.Concat(sides[0].binaries, sides[1].binaries), err
	})
	if err != nil {
		return r, err
	}
	defer fleet.Close()
	names := [2][]string{make([]string, len(fleet.Hosts)), make([]string, len(fleet.Hosts))}
	failed := fleet.Shards(ctx, func(h *hosts.Host, shard result.Shard) error {
		tests, n := fleet.Tests[h.Platform], first[h.Platform]
		run := slices.Concat([]string{"compare", "-o=out", "-f", "-shard=" + shard.String()}, h.Pin(),
			order.Args,
			[]string{strings.Join(tests[:n], ","), strings.Join(tests[n:], ","), "--",
				"-bench=" + o.Flags.Bench}, o.Flags.Run)
		failed := fleet.Run(ctx, h, io.Discard, run...)
		for i, side := range SideFiles {
			name := filepath.Join(dir, fmt.Sprintf("%s-%d.txt", side, shard.Index))
			results, err := fleet.Read(ctx, h, "out/"+side+".txt")
			if err == nil {
				err = os.WriteFile(name, results, 0o600)
			}
			if err != nil {
				return errors.Join(failed, err)
			}
			names[i][shard.Index-1] = name
		}
		return nil
	})
	joined := [2]string{}
	for i, side := range SideFiles {
		joined[i] = filepath.Join(cmp.Or(o.Keep, dir), side+".txt")
		if err := result.MergeInto(joined[i], result.Accept{Mixed: true, Partial: true},
			names[i]); err != nil {
			return r, errors.Join(failed, err)
		}
	}
	o.Mix = "any" // each case was measured on one machine
	r, err = compareFiles(joined[0], joined[1], o)
	r.Base, r.Head = base.Name, head.Name
	return r, errors.Join(failed, err)
}
