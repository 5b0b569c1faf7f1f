package flame_test

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/pprof/profile"
	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/flame"
	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
)

// sample returns a sample of n with a stack from the root on.
func sample(n int64, labels map[string][]string, stack ...string) *profile.Sample {
	s := &profile.Sample{Value: []int64{n}, Label: labels}
	for i := len(stack) - 1; i >= 0; i-- {
		var lines []profile.Line
		inlined := strings.Split(stack[i], "<")
		for j := len(inlined) - 1; j >= 0; j-- {
			lines = append(lines, profile.Line{Function: &profile.Function{Name: inlined[j]}})
		}
		s.Location = append(s.Location, &profile.Location{Line: lines})
	}
	return s
}

func step(path string) map[string][]string { return map[string][]string{"step": {path}} }

func TestFold(t *testing.T) {
	p := &profile.Profile{Sample: []*profile.Sample{
		sample(3, step("op/commit"), "main.main", "a.F<a.inlined"),
		sample(4, step("op/commit"), "main.main", "a.F<a.inlined"),
		sample(1, nil, "runtime.gc"),
		sample(0, nil, "never"),
		sample(2, step("x;y"), ""),
	}}
	stacks := flame.Fold(p, "step")
	require.Equal(t, flame.Stacks{
		"step: op/commit;main.main;a.F;a.inlined": 7,
		"runtime.gc":        1,
		"step: x:y;unknown": 2,
	}, stacks)
	require.Equal(t, int64(10), stacks.Samples())
	var b strings.Builder
	require.NoError(t, stacks.Write(&b))
	require.Equal(t, "runtime.gc 1\nstep: op/commit;main.main;a.F;a.inlined 7\nstep: x:y;unknown 2\n",
		b.String())
}

func TestRead(t *testing.T) {
	s := flame.Stacks{"a b;c": 7, "a b;c;d e": 1, "c": 2}
	var b strings.Builder
	require.NoError(t, s.Write(&b))
	again, err := flame.Read(strings.NewReader(b.String()))
	require.NoError(t, err)
	require.Equal(t, s, again)
	require.Equal(t, map[string]int64{"c": 9, "d e": 1}, s.Leaves())
	for _, text := range []string{"a", "a b", "a -1", " 5", "a 1\nb"} {
		_, err := flame.Read(strings.NewReader(text))
		require.ErrorIs(t, err, flame.ErrFormat, text)
	}
}

func FuzzRead(f *testing.F) {
	f.Add("a;b 3\n")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := flame.Read(strings.NewReader(text))
		if err == nil {
			draw(t, s)
		}
	})
}

// draw returns the SVG of stacks after parsing it.
func draw(t *testing.T, s flame.Stacks) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, s.SVG(&b, "<title> & more"))
	d := xml.NewDecoder(strings.NewReader(b.String()))
	for {
		_, err := d.Token()
		if errors.Is(err, io.EOF) {
			return b.String()
		}
		require.NoError(t, err)
	}
}

func TestSVG(t *testing.T) {
	s := flame.Stacks{"step: op;main.main;github.com/x/y.(*T).F[...]": 900, "step: op;main.main": 99,
		"tiny.F": 1, "half;x": 1000}
	svg := draw(t, s)
	require.Equal(t, svg, draw(t, s), "equal stacks give equal bytes")
	require.Contains(t, svg, "<title>github.com/x/y.(*T).F[...]: 900 samples, 45.00 %</title>")
	require.Contains(t, svg, ">y.(*T).F[...]</text>")
	require.NotContains(t, svg, "tiny.F", "below 0.1 %")
	require.NotContains(t, svg, "<script")
	require.Contains(t, svg, ">&lt;title&gt; &amp; more</text>")
	require.Contains(t, svg, ">2 000 samples</text>")
	draw(t, nil)
}

func TestManyFramesStaySmall(t *testing.T) {
	s := flame.Stacks{}
	for i := range 20_000 {
		s[fmt.Sprintf("root;mid%d;leaf%d", i%50, i)] = int64(i%7 + 1)
	}
	require.Less(t, len(draw(t, s)), 1<<20)
}
