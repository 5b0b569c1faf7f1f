package metric_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/metric"
	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
)

// plant is an operation with a simulated clock: each unit of work is one tick.
type plant struct {
	ticks time.Duration
	made  int
}

// now is the simulated clock.
func (p *plant) now() time.Duration { return p.ticks }

// instance costs first ticks on its first use, then later ticks.
func (p *plant) instance(first, later int) metric.Instance {
	p.made++
	input := []byte{byte(p.made)}
	uses := 0
	return metric.Instance{
		Work: func() ([]byte, error) {
			if uses++; uses == 1 {
				p.ticks += time.Duration(first)
			} else {
				p.ticks += time.Duration(later)
			}
			return nil, nil
		},
		Check:  func([]byte) error { return nil },
		Inputs: func() [][]byte { return [][]byte{input, {7}} },
	}
}

// costs is an operation without a fault.
func costs(first, later int) func(*plant) (metric.Instance, error) {
	return func(p *plant) (metric.Instance, error) { return p.instance(first, later), nil }
}

// fraction has one encoding and many representations.
type fraction struct{ numerator, denominator int }

// normalised is an operation that reduces its input in place.
func normalised(p *plant) (metric.Instance, error) {
	in, input := p.instance(5, 5), &fraction{2, 4}
	in.Inputs = func() [][]byte { return [][]byte{{byte(input.denominator / input.numerator)}} }
	in.Work = func() ([]byte, error) { *input = fraction{1, 2}; return nil, nil }
	in.Reads = input
	return in, nil
}

// read is an operation that only reads its input.
func read(p *plant) (metric.Instance, error) {
	in := p.instance(5, 5)
	in.Reads = &fraction{2, 4}
	return in, nil
}

func TestPurity(t *testing.T) {
	changed := errors.New("operation changes its inputs: ")
	for name, c := range map[string]struct {
		instance func(p *plant) (metric.Instance, error)
		want     []string
		err      error
	}{
		"pure":                 {costs(100, 100), nil, nil},
		"no time":              {costs(0, 0), nil, nil},
		"at the limit":         {costs(110, 100), nil, nil},
		"more expensive first": {costs(112, 100), []string{"first use costs more"}, nil},
		"everything is kept":   {costs(50, 0), []string{"first use costs more"}, nil},
		"cheaper first":        {costs(90, 100), nil, nil},
		"more expensive once, by chance": {func(p *plant) (metric.Instance, error) {
			first := 100
			if p.made < 8 {
				first = 200
			}
			return p.instance(first, 100), nil
		}, nil, nil},
		"no inputs": {func(p *plant) (metric.Instance, error) {
			in := p.instance(5, 5)
			in.Inputs = nil
			return in, nil
		}, nil, nil},
		"input rewritten":  {rewritten, nil, changed},
		"memory rewritten": {normalised, []string{"input rewritten"}, nil},
		"memory kept":      {read, nil, nil},
		"input lost":       {lost, nil, changed},
		"set-up fails": {func(*plant) (metric.Instance, error) {
			return metric.Instance{}, errPlanted
		}, nil, errPlanted},
	} {
		t.Run(name, func(t *testing.T) {
			p := &plant{}
			report, err := metric.Examine(func() (metric.Instance, error) { return c.instance(p) }, p.now)
			if c.err == changed {
				require.ErrorContains(t, err, changed.Error())
			} else {
				require.ErrorIs(t, err, c.err)
			}
			var kinds []string
			for _, f := range report.Findings {
				kind, _, found := strings.Cut(f, ": ")
				require.True(t, found)
				kinds = append(kinds, kind)
			}
			require.Equal(t, c.want, kinds)
		})
	}
}

func rewritten(p *plant) (metric.Instance, error) {
	in := p.instance(1, 1)
	inputs := in.Inputs()
	work := in.Work
	in.Work = func() ([]byte, error) { inputs[1][0]++; return work() }
	in.Inputs = func() [][]byte { return inputs }
	return in, nil
}

func lost(p *plant) (metric.Instance, error) {
	in := p.instance(1, 1)
	inputs := in.Inputs()
	work := in.Work
	in.Work = func() ([]byte, error) { inputs = inputs[:1]; return work() }
	in.Inputs = func() [][]byte { return inputs }
	return in, nil
}

var errPlanted = errors.New("planted")

// failing fails from the given use on, or gives a wrong result.
func failing(use int, wrong bool) metric.Instance {
	in, uses := (&plant{}).instance(1, 1), 0
	fault := func(here bool) error {
		if here && uses >= use {
			return errPlanted
		}
		return nil
	}
	in.Work = func() ([]byte, error) { uses++; return nil, fault(!wrong) }
	in.Check = func([]byte) error { return fault(wrong) }
	return in
}

func sinceStart() func() time.Duration {
	start := time.Now()
	return func() time.Duration { return time.Since(start) }
}

// TestRealClock checks that an operation that sleeps on its first use is found.
func TestRealClock(t *testing.T) {
	report, err := metric.Examine(func() (metric.Instance, error) {
		var kept bool
		return metric.Instance{
			Work: func() ([]byte, error) {
				if !kept {
					time.Sleep(20 * time.Millisecond)
				}
				kept = true
				return nil, nil
			},
			Check:  func([]byte) error { return nil },
			Inputs: func() [][]byte { return nil },
		}, nil
	}, sinceStart())
	require.NoError(t, err)
	require.Len(t, report.Findings, 1)
	require.Contains(t, report.Findings[0], "first use costs more: ")
}

// TestExaminationByDefault: one new input for its encodings, one for its memory, and
// seven that are used six times each; first uses are not among the later ones.
func TestExaminationByDefault(t *testing.T) {
	p := &plant{}
	uses, checks := 0, 0
	counted := func() (metric.Instance, error) {
		in := p.instance(100, 100)
		work := in.Work
		in.Work = func() ([]byte, error) { uses++; return work() }
		in.Check = func([]byte) error { checks++; return nil }
		in.Reads = &fraction{1, 2}
		return in, nil
	}
	_, err := metric.Examine(counted, p.now)
	require.NoError(t, err)
	require.Equal(t, []int{1 + 1 + 7, 1 + 1 + 7*6, 1 + 7}, []int{p.made, uses, checks})
}

// TestFaultsOfLaterInputs: an input that cannot be made, or an operation that fails on it,
// ends the examination in each of its parts.
func TestFaultsOfLaterInputs(t *testing.T) {
	for part, bad := range map[string]int{"encodings": 1, "memory": 2, "cost": 3} {
		t.Run(part, func(t *testing.T) {
			p := &plant{}
			_, err := metric.Examine(func() (metric.Instance, error) {
				if in, err := read(p); p.made < bad {
					return in, err
				}
				return metric.Instance{}, errPlanted
			}, p.now)
			require.Equal(t, errPlanted, err, part)
			require.Equal(t, bad, p.made, part)
			p = &plant{}
			_, err = metric.Examine(func() (metric.Instance, error) {
				if in, err := read(p); p.made < bad {
					return in, err
				}
				in := failing(1, false)
				in.Reads = p
				return in, nil
			}, p.now)
			require.ErrorIs(t, err, errPlanted, part)
			require.ErrorIs(t, err, metric.ErrFails, part)
			require.EqualError(t, err,
				map[bool]string{true: "operation fails: use 1: planted",
					false: "operation fails: planted"}[part == "cost"])
		})
	}
	for want, c := range map[string]struct {
		use   int
		wrong bool
	}{
		"operation fails: planted":                        {1, false},
		"operation fails: use 3: planted":                 {3, false},
		"operation fails: wrong result: planted":          {1, true},
		"operation fails: wrong result of use 6: planted": {2, true},
	} {
		t.Run(want, func(t *testing.T) {
			_, err := metric.Examine(func() (metric.Instance, error) {
				return failing(c.use, c.wrong), nil
			}, sinceStart())
			require.EqualError(t, err, want)
		})
	}
}

// TestDecoding: the operation decodes its inputs in each use.
func TestDecoding(t *testing.T) {
	p := &plant{}
	decoded, decodings := p.instance(1, 1), 0
	decoded.Work = func() ([]byte, error) { return []byte("done"), nil }
	in := p.instance(1, 1)
	in.Reads = in
	in.Decode = func() (metric.Instance, error) { decodings++; return decoded, nil }
	decoding := in.Decoding()
	require.Nil(t, decoding.Reads)
	for use := range 3 {
		out, err := decoding.Work()
		require.NoError(t, err)
		require.Equal(t, "done", string(out))
		require.Equal(t, use+1, decodings)
		decoding, err = decoding.Fresh()
		require.NoError(t, err)
	}
	in.Decode = func() (metric.Instance, error) { return metric.Instance{}, errPlanted }
	_, err := in.Decoding().Work()
	require.Equal(t, errPlanted, err)
}
