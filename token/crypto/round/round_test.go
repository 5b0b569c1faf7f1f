package round_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
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

// TestFirstFailureCounts: of tasks that end, fail or panic after any step, Run returns the error
// or has the panic of the first one in their order. Tasks before it end, and tasks after it are
// stopped: they may turn the panic that stops them into an error or another panic, which
// does not count.
func TestFirstFailureCounts(t *testing.T) {
	const steps = 4
	type fate struct {
		step             int // where it fails
		panics, recovers bool
	}
	g, rnd := record(199), rand.New(rand.NewPCG(1, 2))
	for range nightly.Pick(500, 3000, 100_000) {
		fates := make([]fate, 1+rnd.IntN(8))
		for i := range fates {
			fates[i] = fate{rnd.IntN(2 * steps), rnd.IntN(2) == 0, rnd.IntN(2) == 0}
		}
		fails := func(f fate) bool { return f.step < steps-1 }
		var ended []int
		do := func() error {
			return round.Run(g, func(r round.Round) error {
				return r.Each(len(fates), func(r round.Round, i int) (err error) {
					f, failed := fates[i], false
					defer func() {
						if f.recovers && !failed && recover() != nil {
							if err = errors.New("stopped"); f.panics {
								panic(err)
							}
						}
					}()
					for step := range steps {
						r.Sums(g.one())
						if failed = fails(f) && step == f.step; failed && f.panics {
							panic(i)
						} else if failed {
							return fmt.Errorf("task %d", i)
						}
					}
					ended = append(ended, i)
					return nil
				})
			})
		}
		first := slices.IndexFunc(fates, fails)
		switch {
		case first < 0:
			require.NoError(t, do())
			first = len(fates)
		case fates[first].panics:
			require.PanicsWithValue(t, first, func() { _ = do() }, "%v", fates)
		default:
			require.EqualError(t, do(), fmt.Sprint("task ", first), "%v", fates)
		}
		slices.Sort(ended)
		require.Equal(t, first, len(ended), "tasks that end: %v of %v", ended, fates)
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
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		s := shapes{record(199), new([]int)}
		lengths := make([]int, 1+rnd.IntN(6))
		for i := range lengths {
			lengths[i] = rnd.IntN(4)
		}
		require.NoError(t, round.Run(s, func(r round.Round) error {
			return r.Each(len(lengths), func(r round.Round, i int) error {
				terms := group.Terms{Plus: []group.Point{s.multiple(uint64(100 + i))},
					Points:  slices.Repeat([]group.Point{s.Generator()}, lengths[i]),
					Scalars: slices.Repeat([]group.Scalar{s.Uint64(5)}, lengths[i])}
				want := s.multiple(uint64(100 + i + 5*lengths[i]))
				if got := r.Sums(terms); len(got) != 1 || !s.Equal(got[0], want) {
					return fmt.Errorf("task %d: wrong sum", i)
				}
				return nil
			})
		}))
		if len(slices.Compact(slices.Clone(lengths))) > 2 {
			slices.Sort(lengths)
		}
		require.Equal(t, lengths, *s.lengths)
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
	for range 5 {
		m := round.NewMemory()
		require.Empty(t, m.Bytes(7))
		require.Equal(t, 7, cap(m.Bytes(7)))
		bytes := append(m.Bytes(3), 1, 2, 3)
		cleared := []func(){
			requireKept(t, m.Scalars, g.Uint64(5)), requireKept(t, m.Points, g.Generator()),
			requireKept(t, m.Rows, group.Row{First: 1}),
			requireKept(t, m.Terms, group.Terms{Plus: m.Points(1)}),
			func() { require.Equal(t, make([]byte, 3), bytes) },
		}
		m.Wipe()
		for _, require := range cleared {
			require()
		}
	}
}

// requireKept takes vectors of many lengths, also longer than one piece of memory, and fills each.
// Each is zero when it is taken. It returns a function that requires zeros in all of them.
func requireKept[T any](t *testing.T, take func(n int) []T, value T) (cleared func()) {
	var all [][]T
	for n := range 40 {
		v := take(3*n + 1)
		require.Equal(t, make([]T, 3*n+1), v)
		copy(v, slices.Repeat([]T{value}, len(v)))
		all = append(all, v)
	}
	return func() {
		for _, v := range all {
			require.Equal(t, make([]T, len(v)), v)
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
