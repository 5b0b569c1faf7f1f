package gate

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/result"
)

// golden compares an output with a file in testdata/golden, or writes it with -update.
// Fractions in it have nine digits, since processors round the last ones differently.
func golden(t *testing.T, name, got string) {
	t.Helper()
	got = fraction.ReplaceAllStringFunc(got, func(digits string) string {
		x, err := strconv.ParseFloat(digits, 64)
		require.NoError(t, err)
		return strconv.FormatFloat(x, 'g', 9, 64)
	})
	name = filepath.Join("testdata", "golden", name)
	if *update {
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, []byte(got), 0o644))
	}
	want, err := os.ReadFile(name)
	require.NoError(t, err)
	require.Equal(t, string(want), got, name)
}

var fraction = regexp.MustCompile(`-?\d+\.\d{9,}(e[-+]?\d+)?`)

// values reads a list such as 100x12, twelve equal values, 100~1x12, twelve different
// values up to one per cent around 100, or 1,2,3. A dash is no value.
func values(t *testing.T, list string) (xs []float64) {
	t.Helper()
	number := func(s string) float64 {
		x, err := strconv.ParseFloat(s, 64)
		require.NoError(t, err, list)
		return x
	}
	if list == "-" {
		return nil
	}
	for _, part := range strings.Split(list, ",") {
		middle, times, _ := strings.Cut(part, "x")
		at, percent, varies := strings.Cut(middle, "~")
		n := 1
		if times != "" {
			n = int(number(times))
		}
		for i := range n {
			x := number(at)
			if varies {
				x *= 1 + number(percent)/100*(float64(2*(i*7%n))/float64(n-1)-1)
			}
			xs = append(xs, x)
		}
	}
	return xs
}

// sides reads both sides of cases: a line for each with its package, its name, its
// iterations, and each unit with the values of BASE and of HEAD.
func sides(t *testing.T, meta, cases string) (both [2]*result.Data) {
	t.Helper()
	for side := range both {
		var b strings.Builder
		b.WriteString(meta)
		for line := range strings.Lines(cases) {
			fields := strings.Fields(line)
			if len(fields) == 0 {
				continue
			}
			fmt.Fprintf(&b, "pkg: %s\n", fields[0])
			lists := map[string][]float64{}
			most := 0
			for i := 3; i < len(fields); i += 3 {
				xs := values(t, fields[i+1+side])
				lists[fields[i]], most = xs, max(most, len(xs))
			}
			for n := range most {
				fmt.Fprintf(&b, "Benchmark%s %s", fields[1], fields[2])
				for i := 3; i < len(fields); i += 3 {
					if xs := lists[fields[i]]; n < len(xs) {
						fmt.Fprintf(&b, " %v %s", xs[n], fields[i])
					}
				}
				b.WriteString("\n")
			}
		}
		both[side] = result.NewData()
		require.NoError(t, both[side].Read(strings.NewReader(b.String()), "cases"), b.String())
	}
	return both
}

// written is a report as text, and in every form if wholly is set.
func written(t *testing.T, r Report, wholly bool) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, r.WriteText(&b, true))
	if wholly {
		for _, write := range []func() error{func() error { return r.WriteText(&b, false) }, func() error { return r.WriteMarkdown(&b) }, func() error { return r.WriteJSON(&b) }} {
			b.WriteString("--\n")
			require.NoError(t, write())
		}
	}
	fmt.Fprintln(&b, "open:", r.open(), "exact:", r.exactRegression())
	return b.String()
}

const meta = `Unit size assume=exact better=lower
Unit rate assume=exact better=higher
Unit odd assume=exact
Unit quality better=higher
Unit cost better=lower
`

// everyCase has at least one of each verdict and its reason, of each kind of unit, on both
// sides of each limit, with and without a clock.
const everyCase = `
e.com/a/p Slower/5 1000000 ns/op 100~1x12 105~1x12
e.com/a/p Slower/50 1000000 ns/op 100~1x12 150~1x12 B/op 5x12 5x12
e.com/a/p Slower/9 1000000 ns/op 100~1x12 109~1x12
e.com/a/p Slower/few 1000000 ns/op 100~1x2 150~1x2
e.com/a/p Slower/one 1000000 ns/op 1000x1 6000x1
e.com/a/p Faster/one 1000000 ns/op 130000x1 1000x1
e.com/a/p Faster/5 1000000 ns/op 100~1x12 95~1x12 B/op 100~1x12 99~1x12
e.com/a/p Faster/60 1000000 ns/op 100~1x12 40~1x12
e.com/a/p Wide 1000000 ns/op 100~40x12 104~40x12
e.com/a/p Many/50 1000000 ns/op 100~5x50 103~5x50
e.com/a/p Many/51 1000000 ns/op 100~5x51 103~5x51
e.com/a/p Many/51/50 1000000 ns/op 100~5x51 103~5x50
e.com/a/p Many/50/51 1000000 ns/op 100~5x50 103~5x51
e.com/a/p Many/50/10 1000000 ns/op 100~5x50 103~5x10
e.com/a/p Many/10/50 1000000 ns/op 100~5x10 103~5x50
e.com/a/p Wider 1000000 ns/op 100~60x11 110~60x13
e.com/a/p Floor 1000000 ns/op 100~1x6,110~1x6 106~1x12
e.com/a/p Floor/more 1000000 ns/op 100~0.5x6,106~0.5x6 107~0.5x12
e.com/a/p Scatter 1000000 ns/op 100~1x6,112~1x6 98~1x12
e.com/a/p Same/1 1000000 ns/op 100~1x12 100~1x12 allocs/op 7x12 7x12
e.com/a/p Same/2 1000000 ns/op 100~1x12 101~1x12
e.com/a/p Same/less 1000000 ns/op 100~1x12 98~1x12
e.com/a/p Empty 1000000000 ns/op 100~1x12 0.3~1x12
e.com/a/p Empty/few 1000000000 ns/op 100x2 0.3x2
e.com/a/p Empty/5ns 1000000000 ns/op 100~1x12 5x12
e.com/a/p Empty/20 1000000000 ns/op 20x12 1x12
e.com/a/p Empty/21 1000000000 ns/op 21x12 1x12
e.com/a/p Empty/10 1000000000 ns/op 10x12 0.1x12
e.com/a/p Short/base 26 ns/op 2000000x12 2000000x12
e.com/a/p Short/long 26 ns/op 20000000x12 20000000x12
e.com/a/p Short/cpu 26 ns/op 2000000x12 2000000x12 cpu-ns/op 2000000x12 2000000x12
e.com/a/p Short/0 26 ns/op 2000000x3 2000000x3 cost 1x3 1x3 quality 1x3 1x3
e.com/a/p Short/1 26 ns/op 2000000x3 2000000x3 cost 1x3 1x3 quality 1x3 1x3
e.com/a/p Short/2 26 ns/op 2000000x3 2000000x3 cost 1x3 1x3 quality 1x3 1x3
e.com/a/p Short/3 26 ns/op 2000000x3 2000000x3 cost 1x3 1x3 quality 1x3 1x3
e.com/a/p Short/4 26 ns/op 2000000x3 2000000x3 cost 1x3 1x3 quality 1x3 1x3
e.com/a/p Short/5 26 ns/op 2000000x3 2000000x3 cost 1x3 1x3 quality 1x3 1x3
e.com/a/p Short/6 26 ns/op 2000000x3 2000000x3 cost 1x3 1x3 quality 1x3 1x3
e.com/a/p Short/7 26 ns/op 2000000x3 2000000x3 cost 1x3 1x3 quality 1x3 1x3
e.com/a/p Short/8 26 ns/op 2000000x3 2000000x3 cost 1x3 1x3 quality 1x3 1x3
e.com/a/p Short/9 26 ns/op 2000000x3 2000000x3 cost 1x3 1x3 quality 1x3 1x3
e.com/a/p Counts/same 1 B/op 1000x12 1000x12 allocs/op 10x12 10x12
e.com/a/p Counts/limit 1 B/op 1000x12 1010x12 allocs/op 1000x12 990x12
e.com/a/p Counts/above 1 B/op 1000x12 1011x12 allocs/op 1000x12 989x12
e.com/a/p Counts/below 1 B/op 1000x12 1001x12 allocs/op 1000x12 999x12 instr/op 1000x12 1002x12
e.com/a/p Counts/instr 1 instr/op 1000x12 1003x12
e.com/a/p Counts/one 1 B/op 1000x1 1001x1
e.com/a/p Counts/fraction 1 B/op 1000.5x12 1001.5x12
e.com/a/p Counts/none 1 B/op 0x12 0x12 allocs/op 0x12 1x12
e.com/a/p Counts/vary 1 B/op 1000~0.3x12 1001~0.3x12 allocs/op 1000~1x12 1040~1x12
e.com/a/p Counts/vary/least 1 B/op 1000,1000,1000,1000,1020,1040,1060,1080,1100,1120 1000,1000,1000,1030,1035,1045,1065,1085,1105,1125
e.com/a/p Counts/vary/floor 1 B/op 1000x6,1100x6 1050~1x12
e.com/a/p Counts/quartile/low 1 B/op 1000~0.1x36 1000x10,2000~1x26
e.com/a/p Counts/quartile/high 1 B/op 500x10,2000~1x26 1000~0.1x36
e.com/a/p Counts/vary/less 1 B/op 1000~1x12 900~1x12
e.com/a/p Exact 1 size 700x3 700x3 rate 5x3 5x3 odd 3x3 3x3
e.com/a/p Exact/more 1 size 700x3 701x3 rate 5x3 6x3 odd 3x3 4x3
e.com/a/p Exact/less 1 size 700x3 699x3 rate 5x3 4x3 odd 3x3 2x3
e.com/a/p Exact/varies 1 size 700,701 701x2 rate 5x2 5,6,4 odd 1,2 1,2
e.com/a/p Exact/zero 1 size 0x2 1x2 rate 0x2 0x2 odd -5x2 -6x2
e.com/a/p Number 1 cost 1,NaN,2 1,2,3 quality 1,2,3 1,+Inf,3 size NaN 1
e.com/a/p Ways 1 quality 100~1x12 120~1x12 cost 100~1x12 120~1x12 any 100~1x12 120~1x12 any/op 100~1x12 120~1x12 any/s 100~1x12 120~1x12
e.com/a/p Ways/less 1 quality 100~1x12 80~1x12 cost 100~1x12 80~1x12 any 100~1x12 80~1x12 any/op 100~1x12 80~1x12 any/s 100~1x12 80~1x12
e.com/a/p Negative 1 cost -100~1x12 -80~1x12 any 0,0,1,2,3,4,5,6 2,2,3,4,5,6,7,8
e.com/a/p Clock/cpu 1000000 ns/op 100~1x12 120~1x12 cpu-ns/op 100~1x12 100~1x12
e.com/a/p Clock/both 1000000 ns/op 100~1x12 120~1x12 cpu-ns/op 100~1x12 120~1x12
e.com/a/p Clock/other 1000000 ns/op 120~1x12 100~1x12 cpu-ns/op 100~1x12 110~1x12
e.com/a/p Clock/threads 1000000 ns/op 100~1x12 100~1x12 cpu-ns/op 100~1x12 120~1x12 cpu-threads 2x12 2x12
e.com/a/p Clock/threads/some 1000000 ns/op 100~1x12 120~1x12 cpu-ns/op 100~1x12 100~1x12 cpu-threads 2x6 2x7
e.com/a/p Clock/threads/few 1000000 ns/op 100~1x12 120~1x12 cpu-ns/op 100~1x12 100~1x12 cpu-threads 2x6 2x6
e.com/a/p Clock/base 1000000 ns/op 100~1x12 120~1x12 cpu-ns/op 100~1x12 -
e.com/a/p Clock/head 1000000 ns/op 100~1x12 120~1x12 cpu-ns/op - 100~1x12
e.com/a/p Clock/gone 1000000 ns/op 100~1x12 - cpu-ns/op 100~1x12 100~1x12
e.com/a/p Clock/unknown 1000000 ns/op 100~40x12 104~40x12 cpu-ns/op 100~1x12 100~1x12
e.com/a/p Clock/speed 1000000 ns/op 100~1x12 120~1x12 MB/s 100~1x12 80~1x12
e.com/a/p Speed 1000000 MB/s 100~1x12 80~1x12
e.com/a/p Process/same 1000000 ns/op 100~40x12 104~40x12 process-cpu-ns/op 100~1x12 100~1x12
e.com/a/p Process/slower 1000000 ns/op 100~40x12 104~40x12 process-cpu-ns/op 100~1x12 110~1x12
e.com/a/p Process/faster 1000000 ns/op 100~40x12 104~40x12 process-cpu-ns/op 100~1x12 90~1x12
e.com/a/p Process/wall 1000000 ns/op 100~1x12 120~1x12 process-cpu-ns/op 100~1x12 100~1x12
e.com/a/p Process/neither 1000000 ns/op 100~40x12 104~40x12 process-cpu-ns/op 100~40x12 104~40x12
e.com/a/p Process/differs 1000000 ns/op 100~30x20 180~30x20 process-cpu-ns/op 100~1x20 100~1x20
e.com/a/p Process/base 1000000 ns/op 100~1x12 100~1x12 process-cpu-ns/op 100~1x12 -
e.com/a/p Process/alone 1000000 process-cpu-ns/op 100~1x12 110~1x12
e.com/a/p Units/gone 1 cost 1x3 - size 7x3 - B/op 8x3 - ns/op 5x3 -
e.com/a/p Units/gone/2 1 cost 1x3 - quality 1x3 1x3
e.com/a/p Units/new 1 cost - 1x3 quality 1x3 1x3
e.com/a/p Layout/changed 1000000 ns/op 100~1x4,101~1x4,100.5~1x4 126~1x4,127~1x4,126.5~1x4 layout 1x4,3x4,5x4 2x4,4x4,6x4
e.com/a/p Layout/some 1000000 ns/op 100~1x4,101~1x4,100.5~1x4 126~1x4,101~1x4,126.5~1x4 layout 1x4,3x4,5x4 2x4,4x4,6x4
e.com/a/p Layout/same 1000000 ns/op 100~1x4,100.1~1x4,100.2~1x4 100~1x4,100.1~1x4,100.2~1x4 layout 1x4,3x4,5x4 2x4,4x4,6x4
e.com/a/p Layout/zero 1 cost 0x4,1~1x4,2~1x4 1~1x4,2~1x4,3~1x4 layout 1x4,3x4,5x4 2x4,4x4,6x4
e.com/a/p Layout/one 1000000 ns/op 100~1x12 126~1x12 layout 1x12 2x12
e.com/a/p Layout/wide 1000000 ns/op 100~9x4,101~9x4,100.5~9x4 106~9x4,105~9x4,106.5~9x4 layout 1x4,3x4,5x4 2x4,4x4,6x4
q.com/r Other/name|odd,_\x01 1000000 ns/op 100~1x12 105~1x12 cost 1~1x12 2~1x12
`

// onOneSide are cases that BASE or HEAD lacks.
func onOneSide() string {
	var b strings.Builder
	for i := range 10 {
		fmt.Fprintf(&b, "q.com/r Gone/%d 1 cost 1x2 -\nq.com/r New/%d 1 cost - 1x2\n", i, i)
	}
	return b.String()
}

// TestReports: the whole output for all cases, by default and with rules.
func TestReports(t *testing.T) {
	both := sides(t, meta, everyCase+onOneSide())
	for name, text := range map[string]string{
		"plain": "", "wall": "", "strict": "", "limit": "",
		"rules": `# a comment
unit ns/op 10% either   # the clock
unit B/op exact
unit allocs/op noisy 20% higher
unit cost bounded 5% higher
unit quality lower
unit any 1000%
unit any/s exact either 0.5%
unit MB/s noisy 1%
unit size noisy

ignore .name:Other
ignore .unit:cpu-sec/op
ignore pkg:q.com/r
ignore .name:/Exact.*/ .unit:rate
`,
		"clock":   "ignore .name:/Clock.*/ .unit:cpu-sec/op\nignore .name:/[^C].*/\nignore .name:/Counts.*/\n",
		"ignored": "ignore .unit:sec/op\nignore .unit:B/op\nignore .name:/Counts.*/\nignore .name:/New.*/ OR .name:/Gone.*/\n",
	} {
		rules, err := ParseRules(strings.NewReader(text), "rules.txt")
		require.NoError(t, err)
		rules.Wall, rules.Strict = name == "wall", name == "strict"
		if name == "limit" {
			rules.Limit = 0.1
		}
		r := Files(rules, both[0], both[1])
		r.Base, r.Head = "base|1.txt", "head`2.txt"
		if name == "strict" {
			r.Interrupted = true
			for i := range 10 {
				r.Incomplete = append(r.Incomplete, fmt.Sprintf("file_%d.txt: it was cut", i))
				r.Unmeasured = append(r.Unmeasured, result.Key{Package: "q.com/r", Name: fmt.Sprint("Not/", i)})
			}
			r.Revisions = [2]string{"abc", "def"}
		}
		golden(t, name, written(t, r, name == "strict"))
	}
}

// TestLooks: the verdicts on a growing sample, with a floor, and with layouts that are to
// be confirmed.
func TestLooks(t *testing.T) {
	var b strings.Builder
	j := Judge{Fewest: 4, More: true, Floor: Floor{}}
	for _, n := range []int{2, 4, 6, 8, 12, 16, 24} {
		texts := fmt.Sprintf(`
p Slower 1000000 ns/op 100~1x%[1]d 105~1x%[1]d
p Much 1000000 ns/op 100~1x%[1]d 200~1x%[1]d B/op 5x%[1]d 5x%[1]d
p Same 1000000 ns/op 100~1x%[1]d 100~1x%[1]d
p Near 1000000 ns/op 100~1x%[1]d 103~1x%[1]d
p Floor 1000000 ns/op 100~1x%[1]d 105~1x%[1]d
p Equal 1000000 ns/op 100~1x%[1]d 102.9~1x%[1]d
p Empty 1000000000 ns/op 100~1x%[1]d 0.3~1x%[1]d
p Wide 1000000 ns/op 100~40x%[1]d 104~40x%[1]d
p Counts 1 B/op 1000~1x%[1]d 1040~1x%[1]d
p Layout 1000000 ns/op 100~1x%[2]d,101~1x%[2]d 126~1x%[2]d,127~1x%[2]d layout 1x%[2]d,3x%[2]d 2x%[2]d,4x%[2]d
p Layout/three 1000000 ns/op 100~1x%[2]d,101~1x%[2]d,100.5~1x%[2]d 126~1x%[2]d,127~1x%[2]d,126.5~1x%[2]d layout 1x%[2]d,3x%[2]d,5x%[2]d 2x%[2]d,4x%[2]d,6x%[2]d
p Unequal 1000000 ns/op 100~1x%[2]d,101~1x%[2]d 126~1x%[2]d,100~1x%[2]d layout 1x%[2]d,3x%[2]d 2x%[2]d,4x%[2]d
`, n, n/2+1)
		both := sides(t, "", texts)
		j.Floor[Cell{result.Key{Package: "p", Name: "Floor"}, "sec/op"}] = 0.06
		j.Floor[Cell{result.Key{Package: "p", Name: "Equal"}, "sec/op"}] = 0.03 // as much as the limit
		j.More = n < 12
		r := j.Look(both[0], both[1])
		fmt.Fprintf(&b, "== %d results, level %.6f\n%s", n, r.Alpha, written(t, r, n == 12))
	}
	golden(t, "looks", b.String())
}

// TestOneFunctionOfARegression: a list of one is in JSON, and an empty one is not.
func TestOneFunctionOfARegression(t *testing.T) {
	for n := range 3 {
		r := Report{Comparisons: []Comparison{{Key: X, Unit: wallTime, Grown: []Growth{{"p.f", 0.1}, {"p.g", 0.2}}[:n]}}}
		var b strings.Builder
		require.NoError(t, r.WriteJSON(&b))
		require.Equal(t, n > 0, strings.Contains(b.String(), "more_time_in"))
		require.Equal(t, n, strings.Count(b.String(), `"function": "p.`))
	}
}
