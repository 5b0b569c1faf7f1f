package oneshot_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/bench/metric"
	"github.com/zkatbench/zkatbench/bench/oneshot"
	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
)

// xor is an operation that reads randomness: it masks its first input.
var xor = bench.Op{
	Name:  "Xor",
	Setup: func(c bench.Case, seed uint64) (bench.Instance, error) { return newXor(c, seed, bench.Tools{}) },
	On:    newXor,
	Read: func(_ bench.Case, _ uint64, tools bench.Tools, inputs [][]byte) (bench.Instance, error) {
		if len(inputs) != 2 {
			return bench.Instance{}, errors.New("two inputs")
		}
		return masking(inputs[0], tools.Random), nil
	},
}

func newXor(_ bench.Case, seed uint64, tools bench.Tools) (bench.Instance, error) {
	return masking([]byte{byte(seed), 2, 3}, tools.Random), nil
}

func masking(input []byte, random io.Reader) bench.Instance {
	if random == nil {
		random = oneshot.Random(0)
	}
	return bench.Instance{
		Work: func() ([]byte, error) {
			mask := make([]byte, len(input))
			if _, err := io.ReadFull(random, mask); err != nil {
				return nil, err
			}
			for i := range mask {
				mask[i] ^= input[i]
			}
			return mask, nil
		},
		Check: func(out []byte) error {
			if len(out) != len(input) {
				return fmt.Errorf("%d bytes", len(out))
			}
			return nil
		},
		Inputs: func() [][]byte { return [][]byte{input, {4, 5}} },
	}
}

func run(t *testing.T, p oneshot.Program) *oneshot.Result {
	t.Helper()
	r, err := p.Prepare(t.Context())
	require.NoError(t, err)
	res, err := r.Work(t.Context(), nil)
	require.NoError(t, err)
	return res
}

// TestTheSeedDecidesTheOutputs: the outputs of toy are its randomness.
func TestTheSeedDecidesTheOutputs(t *testing.T) {
	p := oneshot.Program{Op: toy, Records: 3, Seed: 7}
	first := run(t, p)
	require.Equal(t, first.Digest, run(t, p).Digest)
	require.Equal(t, 3, first.Records)
	p.Prepared = 6
	require.Equal(t, first.Digest, run(t, p).Digest)
	p.Seed++
	require.NotEqual(t, first.Digest, run(t, p).Digest)
	p.Seed, p.Records = 7, 4
	require.NotEqual(t, first.Digest, run(t, p).Digest)
}

func TestInputsTravelAsText(t *testing.T) {
	p := oneshot.Program{Op: xor, Records: 3, Seed: 250}
	r, err := p.Prepare(t.Context())
	require.NoError(t, err)
	var text bytes.Buffer
	require.NoError(t, r.Emit(&text))
	require.Equal(t, "# zkatbench inputs 1 op=Xor case= seed=250 n=3\nfa0203 0405\nfb0203 0405\n"+
		"fc0203 0405\n", text.String())
	read := p
	read.Inputs, err = p.ReadInputs(&text)
	require.NoError(t, err)
	require.Equal(t, run(t, p).Digest, run(t, read).Digest)
}

func TestBadInputsNameTheLine(t *testing.T) {
	p := oneshot.Program{Op: xor, Records: 2, Seed: 1}
	const head = "# zkatbench inputs 1 op=Xor case= seed=1 n=2\n"
	for text, want := range map[string]string{
		"":                         "0 records instead of 2",
		"# other\n":                "line 1",
		strings.ToUpper(head):      "line 1",
		head + "01\nxy\n":          "line 3",
		head + "0A\n01\n":          "line 2",
		head + "01  02\n01\n":      "", // an empty input between two blanks
		head + "01\n":              "1 records instead of 2",
		head + "01\n02\n03\n":      "3 records instead of 2",
		head + "01\n" + "0\n":      "line 3",
		head + "01\n" + "02\r\n\n": "3 records",
	} {
		t.Run(text, func(t *testing.T) {
			_, err := p.ReadInputs(strings.NewReader(text))
			if want == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorIs(t, err, oneshot.ErrInputs)
			require.ErrorContains(t, err, want)
		})
	}
	_, err := p.ReadInputs(io.MultiReader(strings.NewReader(head+"01\n02\n"),
		iotest.ErrReader(errors.New("planted"))))
	require.EqualError(t, err, "bad inputs: line 4: planted")
	p.Op.Read = nil
	_, err = p.ReadInputs(strings.NewReader(head))
	require.EqualError(t, err, "Xor has no inputs that can be written and read")
}

func TestFailuresEndTheProgram(t *testing.T) {
	wrong := xor
	wrong.Setup = func(bench.Case, uint64) (bench.Instance, error) {
		return bench.Instance{
			Work:  func() ([]byte, error) { return nil, nil },
			Check: func([]byte) error { return errors.New("planted") },
		}, nil
	}
	_, err := oneshot.Program{Op: wrong, Records: 1}.Prepare(t.Context())
	require.ErrorIs(t, err, metric.ErrFails)

	fails := xor
	fails.On = func(_ bench.Case, seed uint64, _ bench.Tools) (bench.Instance, error) {
		in := masking([]byte{1}, oneshot.Random(seed))
		if seed == 2 {
			in.Work = func() ([]byte, error) { return nil, errors.New("planted") }
		}
		return in, nil
	}
	r, err := oneshot.Program{Op: fails, Records: 5}.Prepare(t.Context())
	require.NoError(t, err)
	_, err = r.Work(t.Context(), nil)
	require.ErrorIs(t, err, metric.ErrFails)
	require.ErrorContains(t, err, "record 2")
}

func TestAnInterruptKeepsTheFinishedPart(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r, err := oneshot.Program{Op: xor, Records: 10}.Prepare(ctx)
	require.NoError(t, err)
	res, err := r.Work(ctx, func(record int, work func()) {
		work()
		if record == 3 {
			cancel()
		}
	})
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, 4, res.Records)
	_, err = oneshot.Program{Op: xor, Records: 1}.Prepare(ctx)
	require.ErrorIs(t, err, context.Canceled)
}

func TestTheReportHasAFixedForm(t *testing.T) {
	var b strings.Builder
	p := oneshot.Program{Op: xor, Records: 2, Seed: 7, Report: &b}
	res := run(t, p)
	const lines = `^Using random seed: 7 for 2 records
Preparation complete in [0-9.]+.?s
Xor for 2 records took %v
digest: %s
randomness: %s
$`
	require.Regexp(t, fmt.Sprintf(lines, res.Took, res.Digest, "seeded"), b.String())
	p.Op.On = nil
	b.Reset()
	res = run(t, p)
	require.Regexp(t, fmt.Sprintf(lines, res.Took, res.Digest, "system"), b.String())
}

func FuzzReadInputs(f *testing.F) {
	p := oneshot.Program{Op: xor, Records: 1, Seed: 1}
	f.Add("# zkatbench inputs 1 op=Xor case= seed=1 n=1\n00 01\n")
	f.Fuzz(func(t *testing.T, text string) {
		inputs, err := p.ReadInputs(strings.NewReader(text))
		if err == nil {
			require.Len(t, inputs, 1)
		}
	})
}
