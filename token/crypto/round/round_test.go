package round_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/grouptest"
	"github.com/zkatbench/zkatbench/token/crypto/round"
)

// recording is a group that records the sizes of its calls.
type recording struct {
	group.Group
	calls *[]string
}

func record(order uint64) recording { return recording{grouptest.Toy(order), new([]string)} }

func (r recording) add(name string, n int) { *r.calls = append(*r.calls, fmt.Sprint(name, " ", n)) }

func (r recording) FixedMSM(dst []group.Point, t group.Table, rows []group.Row) {
	r.add("fixed", len(rows))
	r.Group.FixedMSM(dst, t, rows)
}

func (r recording) MSMs(dst []group.Point, rows []group.Terms) {
	r.add("sums", len(rows))
	r.Group.MSMs(dst, rows)
}

func (r recording) InvVec(dst, a []group.Scalar) {
	r.add("inverses", len(a))
	r.Group.InvVec(dst, a)
}

func (r recording) multiple(k uint64) group.Point {
	return group.MulPoint(r.Group, r.Generator(), r.Uint64(k))
}

// doing is work that does f.
func doing(f func(items []int) []error) *round.Work[int] {
	return &round.Work[int]{Do: func(_ group.Group, _ executor.Executor, items []int) []error {
		return f(items)
	}}
}

// errRefused is the refusal of works that hold.
var errRefused = errors.New("refused")

// holding is work that refuses items.
func holding(refused func(item int) bool) *round.Work[int] {
	return &round.Work[int]{Refusal: errRefused, Holds: func(_ group.Group, items []int) bool {
		return !slices.ContainsFunc(items, refused)
	}}
}

// one is a request for a sum.
func (r recording) one() group.Terms { return group.Terms{Plus: []group.Point{r.Generator()}} }

// program asks for one thing after the other and checks each result.
func program(t testing.TB, g recording, table group.Table, k uint64) func(round.Round) error {
	return func(r round.Round) error {
		scalars := []group.Scalar{g.Uint64(k)}
		p := r.Fixed(table, group.Row{Scalars: scalars})[0]
		if !g.Equal(p, g.multiple(k)) {
			return fmt.Errorf("task %d: wrong sum over the table", k)
		}
		two := r.Sums(group.Terms{Points: []group.Point{p}, Scalars: scalars},
			group.Terms{Plus: []group.Point{p}})
		if !g.Equal(two[0], g.multiple(k*k)) || !g.Equal(two[1], p) {
			return fmt.Errorf("task %d: wrong sums", k)
		}
		if inverse := r.Inverses(g.Uint64(k)); g.Mul(inverse[0], g.Uint64(k)) != g.Uint64(1) {
			return fmt.Errorf("task %d: wrong inverse", k)
		}
		return nil
	}
}

// TestNestedTasks: tasks of tasks wait with all others, also where there are more
// than are active at a time.
func TestNestedTasks(t *testing.T) {
	g := record(10007)
	table := g.NewTable([]group.Point{g.Generator()}, 1)
	done := 0
	require.NoError(t, round.Run(g, func(r round.Round) error {
		return r.Each(7, func(r round.Round, i int) error {
			err := r.Each(i, func(r round.Round, j int) error {
				return r.Together(program(t, g, table, uint64(2+i)), program(t, g, table, uint64(20+j)))
			})
			done++
			return errors.Join(err, program(t, g, table, 50)(r))
		})
	}))
	require.Equal(t, 7, done)
}

// TestLaterWorkWaits: a task that needs fewer steps waits for the others, so that
// sums of one kind are computed in one call.
func TestLaterWorkWaits(t *testing.T) {
	g := record(199)
	table := g.NewTable([]group.Point{g.Generator()}, 1)
	sum := func(r round.Round) error {
		r.Sums(g.one())
		return nil
	}
	longer := func(r round.Round) error {
		r.Fixed(table, group.Row{Scalars: []group.Scalar{g.Uint64(2)}})
		return sum(r)
	}
	longest := func(r round.Round) error {
		r.Inverses(g.Uint64(2))
		return longer(r)
	}
	for _, tasks := range [][]func(round.Round) error{ // the longest one at each place
		{longest, longer, sum}, {longest, sum, longer}, {sum, longest, longer}, {longer, longest, sum},
		{sum, longer, longest}, {longer, sum, longest},
	} {
		*g.calls = nil
		require.NoError(t, round.Run(g, func(r round.Round) error { return r.Together(tasks...) }))
		require.Equal(t, []string{"inverses 1", "fixed 2", "sums 3"}, *g.calls)
	}
}

// TestTasksUseTheirTables: tasks that wait together for sums over different tables
// each get the sums over their tables.
func TestTasksUseTheirTables(t *testing.T) {
	g := record(199)
	require.NoError(t, round.Run(g, func(r round.Round) error {
		return r.Each(3, func(r round.Round, i int) error {
			k := uint64(i + 2)
			table := g.NewTable([]group.Point{g.multiple(k)}, 1)
			if !g.Equal(r.Fixed(table, group.Row{Scalars: []group.Scalar{g.Uint64(5)}})[0], g.multiple(5*k)) {
				return fmt.Errorf("task %d: wrong sum", i)
			}
			return nil
		})
	}))
}

// TestResultsAreWiped: no result is left in memory after a run.
func TestResultsAreWiped(t *testing.T) {
	g := record(199)
	table := g.NewTable([]group.Point{g.Generator()}, 1)
	var points []group.Point
	var scalars []group.Scalar
	require.NoError(t, round.Run(g, func(r round.Round) error {
		points = r.Fixed(table, group.Row{Scalars: []group.Scalar{g.Uint64(3)}})
		require.NotEqual(t, make([]group.Point, 1), points)
		scalars = r.Inverses(g.Uint64(3))
		require.NotEqual(t, make([]group.Scalar, 1), scalars)
		return nil
	}))
	require.Equal(t, make([]group.Point, 1), points)
	require.Equal(t, make([]group.Scalar, 1), scalars)
}

// TestErrorOfTheFirstTask: Run returns the error of the first task in the order of
// refusals, in any order of failures; tasks after it are stopped, and tasks before it
// end.
func TestErrorOfTheFirstTask(t *testing.T) {
	g := record(199)
	for n := 1; n <= 12; n++ {
		for wrong := range n {
			for later := wrong; later < n; later++ {
				var ended, unwound []int
				err := round.Run(g, func(r round.Round) error {
					return r.Each(n, func(r round.Round, i int) error {
						defer func() { unwound = append(unwound, i) }()
						for step := range 4 {
							r.Sums(g.one())
							if i == later && step == 1 || i == wrong && step == 2 {
								return fmt.Errorf("task %d", i)
							}
						}
						ended = append(ended, i)
						return nil
					})
				})
				require.EqualError(t, err, fmt.Sprint("task ", wrong))
				slices.Sort(ended)
				require.Equal(t, wrong, len(slices.Compact(ended)), "tasks before the wrong one end: %v",
					ended)
				require.LessOrEqual(t, len(unwound), n)
			}
		}
	}
}

// TestSearchIsBounded: beyond the limit all items are refused after one call.
func TestSearchIsBounded(t *testing.T) {
	g, calls := record(199), 0
	work := round.Work[int]{Refusal: errRefused, Holds: func(_ group.Group, items []int) bool {
		calls++
		return !slices.Contains(items, 5)
	}}
	for limit, want := range map[int]int{0: 4, 1: 1, 7: 1, 8: 4} {
		calls = 0
		err := round.Run(g, func(r round.Round) error {
			return r.SearchAtMost(limit).Each(8, func(r round.Round, i int) error { return work.Wait(r, i) })
		})
		require.ErrorIs(t, err, errRefused)
		require.Equal(t, want == 1, errors.Is(err, round.ErrUnsearched))
		if want == 1 {
			require.EqualError(t, err, "refused, "+round.ErrUnsearched.Error())
		}
		require.Equal(t, want, calls, "limit %d", limit)
	}
}

// TestSearchesAreOfTheirTasks: tasks with other limits of a search do not share one.
func TestSearchesAreOfTheirTasks(t *testing.T) {
	g, batches := record(199), [][]int(nil)
	work := round.Work[int]{Refusal: errRefused, Holds: func(_ group.Group, items []int) bool {
		batches = append(batches, slices.Clone(items))
		return true
	}}
	limits := []func(round.Round) round.Round{
		func(r round.Round) round.Round { return r }, func(r round.Round) round.Round {
			return r.SearchAtMost(3)
		},
		func(r round.Round) round.Round { return r.SearchAtMost(4) }, round.Round.SearchEach,
	}
	require.NoError(t, round.Run(g, func(r round.Round) error {
		return r.Each(2*len(limits), func(r round.Round, i int) error {
			return work.Wait(limits[i%len(limits)](r), i)
		})
	}))
	require.ElementsMatch(t, [][]int{{0, 4}, {1, 5}, {2, 6}, {3, 7}}, batches)
}

// TestManyKindsOfWork: of more than eight kinds of work, in two phases, each is done once in each phase
// for all tasks.
func TestManyKindsOfWork(t *testing.T) {
	const kinds, tasks = 11, 4
	phases := []string{"a", "b"}
	got, want := map[string][]int{}, map[string][]int{}
	works := make([]round.Work[int], kinds)
	for k := range works {
		works[k].Do = func(g group.Group, _ executor.Executor, items []int) []error {
			name := fmt.Sprint(k, g.(phased).name)
			got[name] = append(got[name], len(items))
			return nil
		}
		for _, phase := range phases {
			want[fmt.Sprint(k, "/", phase)] = []int{tasks}
		}
	}
	require.NoError(t, round.Run(phased{recording: record(199)}, func(r round.Round) error {
		return r.Each(kinds*tasks*len(phases), func(r round.Round, i int) error {
			return works[i%kinds].Wait(r.Phase(phases[i/kinds%len(phases)]), i)
		})
	}))
	require.Equal(t, want, got)
}

// TestLists: a task that waits for many items gets the result of each. Without
// SearchEach, its items after the first refused one are undecided.
func TestLists(t *testing.T) {
	const tasks, n = 3, 4
	g := record(199)
	for set := range 1 << (tasks * n) {
		refused := func(i int) bool { return set>>i&1 == 1 }
		work := holding(refused)
		for _, each := range []bool{false, true} {
			require.NoError(t, round.Run(g, func(r round.Round) error {
				if each {
					r = r.SearchEach()
				}
				return r.Each(tasks, func(r round.Round, k int) error {
					items := []int{k * n, k*n + 1, k*n + 2, k*n + 3}
					errs, undecided := work.WaitAll(r, items), false
					if errs == nil {
						errs = make([]error, n)
					}
					require.Len(t, errs, n)
					for i, err := range errs {
						switch {
						case undecided:
							require.ErrorIs(t, err, round.ErrUndecided)
						case refused(items[i]):
							require.ErrorIs(t, err, errRefused)
							undecided = !each
						default:
							require.NoError(t, err)
						}
					}
					return nil
				})
			}))
		}
	}
	require.Equal(t, []error{errRefused, nil, errRefused},
		round.Fill([]error{errRefused, nil, nil}, []error{nil, errRefused}))
}

// TestNothingIsAskedFor: an empty request is answered, alone and with others.
func TestNothingIsAskedFor(t *testing.T) {
	g := record(199)
	table := g.NewTable([]group.Point{g.Generator()}, 1)
	require.NoError(t, round.Run(g, func(r round.Round) error {
		require.Empty(t, r.Sums())
		return r.Together(program(t, g, table, 3), func(r round.Round) error {
			if len(r.Fixed(table))+len(r.Inverses()) > 0 {
				return errors.New("results without a request")
			}
			return program(t, g, table, 4)(r)
		})
	}))
}

// TestZeroRound is refused.
func TestZeroRound(t *testing.T) {
	work := doing(func([]int) []error { return nil })
	var r round.Round
	require.ErrorIs(t, work.Wait(r, 1), round.ErrNotRunning)
	require.ErrorIs(t, r.Each(2, func(round.Round, int) error { return nil }), round.ErrNotRunning)
}

// TestNothingIsLeft: no goroutine is left after an error, a cancelled context or a
// panic of any task, or of the work, and a panic is one of Run.
func TestNothingIsLeft(t *testing.T) {
	g := record(199)
	table := g.NewTable([]group.Point{g.Generator()}, 1)
	work := doing(func([]int) []error { panic("work") })
	before := runtime.NumGoroutine()
	for n := 1; n < 12; n++ {
		for at := range n {
			for _, how := range []string{"error", "cancelled", "panic", "work", "panic in a sum"} {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				do := func() error {
					return round.Run(g, func(r round.Round) error {
						return r.Each(n, func(r round.Round, i int) error {
							return r.Each(2, func(r round.Round, j int) error {
								if i == at && j == 1 {
									switch how {
									case "error":
										return errors.New(how)
									case "cancelled":
										cancel()
										return ctx.Err()
									case "panic":
										panic(how)
									case "work":
										return work.Wait(r, i)
									}
									r.Fixed(table,
										group.Row{Index: []int32{7}, Scalars: make([]group.Scalar, 1)})
								}
								return program(t, g, table, uint64(i+2))(r)
							})
						})
					})
				}
				switch how {
				case "error":
					require.EqualError(t, do(), how)
				case "cancelled":
					require.ErrorIs(t, do(), context.Canceled)
				default:
					require.Panics(t, func() { _ = do() }, "%s of task %d of %d", how, at, n)
				}
			}
		}
	}
	for range 1000 { // goroutines that have done their work end soon
		if runtime.NumGoroutine() <= before {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	require.LessOrEqual(t, runtime.NumGoroutine(), before, "goroutines are left")
	require.NoError(t, round.Run(g, program(t, g, table, 3)), "memory of a run that panicked")
}

// TestPanicOfWorkReachesItsTasks: a task can recover from a panic of the work that
// it waits for.
func TestPanicOfWorkReachesItsTasks(t *testing.T) {
	work := doing(func([]int) []error { panic("work") })
	recovered := 0
	require.NoError(t, round.Run(grouptest.Toy(199), func(r round.Round) error {
		return r.Each(5, func(r round.Round, i int) error {
			defer func() {
				if recover() == "work" {
					recovered++
				}
			}()
			return work.Wait(r, i)
		})
	}))
	require.Equal(t, 5, recovered)
}

// shapes is a group that records the numbers of points of each sum.
type shapes struct {
	recording
	lengths *[]int
}

func (s shapes) MSMs(dst []group.Point, rows []group.Terms) {
	for _, row := range rows {
		*s.lengths = append(*s.lengths, len(row.Points))
	}
	s.Group.MSMs(dst, rows)
}

// TestSumsOfOneLengthAreNeighbours, and each task gets its own. Two runs of equal
// lengths stay where they are.
func TestSumsOfOneLengthAreNeighbours(t *testing.T) {
	for _, c := range []struct{ asked, computed []int }{
		{[]int{2, 1, 2, 1}, []int{1, 1, 2, 2}},
		{[]int{3, 1, 2}, []int{1, 2, 3}},
		{[]int{2, 2, 1, 1}, []int{2, 2, 1, 1}},
		{[]int{1, 2, 2}, []int{1, 2, 2}},
		{[]int{0, 5, 0, 5, 1}, []int{0, 0, 1, 5, 5}},
	} {
		s := shapes{record(199), new([]int)}
		require.NoError(t, round.Run(s, func(r round.Round) error {
			return r.Each(len(c.asked), func(r round.Round, i int) error {
				terms := group.Terms{Plus: []group.Point{s.multiple(uint64(100 + i))}}
				want := uint64(100 + i)
				for j := range c.asked[i] {
					terms.Points = append(terms.Points, s.multiple(uint64(j+1)))
					terms.Scalars = append(terms.Scalars, s.Uint64(uint64(i+1)))
					want += uint64((i + 1) * (j + 1))
				}
				if got := r.Sums(terms); len(got) != 1 || !s.Equal(got[0], s.multiple(want)) {
					return fmt.Errorf("task %d: wrong sum", i)
				}
				return nil
			})
		}))
		require.Equal(t, c.computed, *s.lengths)
	}
}

// phased is a group that counts, in a phase.
type phased struct {
	recording
	name string
}

func (p phased) Phase(name string) group.Group { return phased{p.recording, p.name + "/" + name} }
func (phased) CountWork(group.Work, int)       {}

func (phased) CountSignatures(int, func(int) group.Signature) {}

var _ group.Observer = phased{}

// TestPhases: a group that counts is asked for its view, and another one is not.
func TestPhases(t *testing.T) {
	require.NoError(t, round.Run(phased{recording: record(199)}, func(r round.Round) error {
		for range 2 {
			require.Equal(t, "/a/b", r.Phase("a", "b").Group.(phased).name)
		}
		require.Equal(t, "/b", r.Phase("b").Group.(phased).name)
		return r.Phase("outer").Each(3, func(r round.Round, _ int) error {
			require.Equal(t, "/outer/inner", r.Phase("inner").Group.(phased).name)
			return nil
		})
	}))
	g := record(199)
	require.NoError(t, round.Run(g, func(r round.Round) error {
		require.Equal(t, g, r.Phase("a").Group)
		return nil
	}))
}

// TestTasksAreBounded: no more than 64 tasks share sums, also after all waited for Work
// together.
func TestTasksAreBounded(t *testing.T) {
	g, sizes := record(199), []int(nil)
	work := doing(func(items []int) []error {
		sizes = append(sizes, len(items))
		return nil
	})
	require.NoError(t, round.Run(g, func(r round.Round) error {
		for range 2 {
			err := r.Each(150, func(r round.Round, _ int) error { r.Sums(g.one()); return nil })
			if err != nil {
				return err
			}
			require.Equal(t, []string{"sums 64", "sums 64", "sums 22"}, *g.calls)
			*g.calls = nil
			err = r.Each(150, func(r round.Round, i int) error { return work.Wait(r, i) })
			if err != nil {
				return err
			}
		}
		return nil
	}))
	require.Equal(t, []int{150, 150}, sizes)
}

// TestItemsKeepTheirOrder: Do gets the items in the order of the tasks, and is asked
// again for tasks without a result.
func TestItemsKeepTheirOrder(t *testing.T) {
	var asked [][]int
	work := doing(func(items []int) []error {
		asked = append(asked, slices.Clone(items))
		if len(items) < 3 {
			return nil
		}
		return []error{nil, errRefused} // no result for the rest
	})
	verdicts := make([]error, 5)
	require.NoError(t, round.Run(grouptest.Toy(199), func(r round.Round) error {
		return r.Each(5, func(r round.Round, i int) error {
			verdicts[i] = work.Wait(r, 10+i)
			return nil
		})
	}))
	require.Equal(t, [][]int{{10, 11, 12, 13, 14}, {12, 13, 14}, {14}}, asked)
	require.Equal(t, []error{nil, errRefused, nil, errRefused, nil}, verdicts)
}

// TestMemoryIsClearedAndKept: vectors do not overlap, and every vector of each kind is zero at first
// and again after Wipe.
func TestMemoryIsClearedAndKept(t *testing.T) {
	g := grouptest.Toy(199)
	use := func(m *round.Memory) (cleared func() bool) {
		ss, ps, rows, terms := m.Scalars(3), m.Points(3), m.Rows(3), m.Terms(3)
		more := m.Points(100) // in a larger piece
		bytes := append(m.Bytes(3), 1, 2, 3)
		cleared = func() bool {
			ok := true
			for i := range 3 {
				ok = ok && ss[i] == (group.Scalar{}) && ps[i] == (group.Point{})
				ok = ok && rows[i].Scalars == nil && terms[i].Plus == nil
			}
			return ok && more[99] == (group.Point{}) && !slices.Contains(bytes, 1)
		}
		for i := range 3 {
			ss[i], ps[i], rows[i].Scalars, terms[i].Plus = g.Uint64(5), g.Generator(), ss, ps
		}
		more[99] = g.Generator()
		return cleared
	}
	for range 5 {
		m := round.NewMemory()
		require.Empty(t, m.Bytes(7))
		require.Equal(t, 7, cap(m.Bytes(7)))
		cleared := use(m)
		require.False(t, cleared())
		var all [][]group.Scalar
		for n := range 40 {
			v := m.Scalars(n + 1)
			require.Equal(t, make([]group.Scalar, n+1), v)
			for i := range v {
				v[i] = g.Uint64(uint64(n))
			}
			all = append(all, v)
		}
		for n, v := range all {
			require.Equal(t, slices.Repeat([]group.Scalar{g.Uint64(uint64(n))}, n+1), v)
		}
		m.Wipe()
		require.True(t, cleared())
		for n, v := range all {
			require.Equal(t, make([]group.Scalar, n+1), v)
		}
	}
}

// TestPrintingShowsNothing: memory and rounds are printed by name.
func TestPrintingShowsNothing(t *testing.T) {
	m := round.NewMemory()
	m.Scalars(1)[0] = grouptest.Toy(199).Uint64(5)
	require.NoError(t, round.Run(grouptest.Toy(199), func(r round.Round) error {
		for _, verb := range []string{"%v", "%+v", "%#v", "%x", "%d", "%s"} {
			require.Equal(t, "memory of a prover", fmt.Sprintf(verb, *m))
			require.Equal(t, "round of a prover", fmt.Sprintf(verb, r))
		}
		return nil
	}))
}

// TestFailFast: the first failure in time stops the others, also tasks before it, and
// is returned. The first task goes on to its end.
func TestFailFast(t *testing.T) {
	g, early, late := record(199), errors.New("early"), errors.New("late")
	var asked []int
	work := doing(func(items []int) []error {
		asked = append(asked, items...)
		return slices.Repeat([]error{late}, len(items))
	})
	for n := 2; n <= 4; n++ {
		for failing := 1; failing < n; failing++ {
			var ended, returned []int
			asked = nil
			err := round.Run(g, func(r round.Round) error {
				return r.FailFast(n, func(r round.Round, i int) error {
					defer func() { ended = append(ended, i) }()
					if i == failing {
						return early
					}
					err := work.Wait(r, i)
					returned = append(returned, i)
					return err
				})
			})
			require.Equal(t, early, err)
			require.Equal(t, []int{0}, returned)
			require.Equal(t, []int{0}, asked, "no work is done for the stopped ones")
			require.Len(t, ended, failing+1, "later tasks never begin")
		}
		err := round.Run(g, func(r round.Round) error {
			return r.FailFast(n, func(r round.Round, i int) error {
				return fmt.Errorf("%d: %w", i, work.Wait(r, i))
			})
		})
		require.EqualError(t, err, "0: late", "the lowest of those at one time")
	}
}

// TestStoppedTasksThatRecover: of tasks that turn the panic that stops them
// into an error or another panic, no error is returned. The error belongs to the task that
// stopped them.
func TestStoppedTasksThatRecover(t *testing.T) {
	g, failed := record(199), errors.New("failed")
	for _, panics := range []bool{false, true} {
		for n := 3; n <= 6; n++ {
			for failing := 1; failing < n; failing++ {
				recovered := 0
				err := round.Run(g, func(r round.Round) error {
					return r.Each(n, func(r round.Round, i int) (err error) {
						defer func() {
							if v := recover(); v != nil {
								recovered++
								if err = fmt.Errorf("stopped %d: %v", i, v); panics {
									panic(err)
								}
							}
						}()
						r.Sums(g.one())
						if i == failing {
							return failed
						}
						r.Sums(g.one())
						return nil
					})
				})
				require.Equal(t, failed, err, "task %d of %d", failing, n)
				require.Equal(t, n-1-failing, recovered)
			}
		}
	}
}

// TestErrorsAndPanics: of a task that panics and one that fails, in any order of time, the
// one of the lower index counts.
func TestErrorsAndPanics(t *testing.T) {
	g, failed := record(199), errors.New("failed")
	for n := 2; n <= 6; n++ {
		for panics := range n {
			for fails := range n {
				for late := range 2 {
					do := func() error {
						return round.Run(g, func(r round.Round) error {
							return r.Each(n, func(r round.Round, i int) error {
								for step := range 3 {
									r.Sums(g.one())
									if i == panics && step == late {
										panic("task")
									}
									if i == fails && step == 1-late {
										return failed
									}
								}
								return nil
							})
						})
					}
					if fails < panics || fails == panics && late == 1 {
						require.Equal(t, failed, do(), "%d of %d panics, %d fails", panics, n, fails)
					} else {
						require.PanicsWithValue(t, "task", func() {
							_ = do()
						}, "%d of %d panics, %d fails", panics, n, fails)
					}
				}
			}
		}
	}
}

// TestOneTask needs no run, and Fill needs no errors.
func TestOneTask(t *testing.T) {
	early := errors.New("early")
	require.Equal(t, early, round.Round{}.Each(1, func(round.Round, int) error { return early }))
	require.Equal(t, []error{early, nil}, round.Fill(nil, []error{early, nil}))
	require.Nil(t, new(round.Work[int]).WaitAll(round.Round{}, nil))
	require.Equal(t, []error{early, nil}, round.Fill([]error{early, nil}, nil))
}

// TestWorkWithoutResult: a Do that returns no result is an error of its tasks.
func TestWorkWithoutResult(t *testing.T) {
	work := doing(func([]int) []error { return []error{} })
	errs := make([]error, 3)
	require.NoError(t, round.Run(record(199), func(r round.Round) error {
		return r.Each(len(errs), func(r round.Round, i int) error { errs[i] = work.Wait(r, i); return nil })
	}))
	for _, err := range errs {
		require.ErrorContains(t, err, "without a result")
	}
}

// TestExecutorOfWork: Do gets the executor of the run.
func TestExecutorOfWork(t *testing.T) {
	var got executor.Executor
	work := round.Work[int]{Do: func(_ group.Group, e executor.Executor, _ []int) []error {
		got = e
		return nil
	}}
	wait := func(r round.Round) error { return work.Wait(r, 1) }
	require.NoError(t, round.RunOn(executor.Pool{Workers: 2}, nil, wait))
	require.Equal(t, executor.Pool{Workers: 2}, got)
	require.NoError(t, round.Run(nil, wait))
	require.Equal(t, executor.Serial{}, got)
}
