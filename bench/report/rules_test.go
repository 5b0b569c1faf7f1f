package report_test

import (
	"fmt"
	"html"
	"math"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/history"
	"github.com/zkatbench/zkatbench/bench/report"
	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/result"
	"github.com/zkatbench/zkatbench/runner/schedule"
)

// TestRulesOfThePage names each rule of the pictures, tables and sentences of a page.
func TestRulesOfThePage(t *testing.T) {
	for _, rule := range []struct {
		name string
		test func(*testing.T)
	}{
		{"an outlier among results is an arrow beyond the axis", outlierOfStrips},
		{"the change of a case stands between the results of both sides", changeBetweenSides},
		{"an outlier among magnitudes makes the axis logarithmic", outlierOfGrowth},
		{"an outlier among counts is a shortened bar with its sum", outlierOfBars},
		{"an outlier of the history is a triangle beyond the axis", outlierOfHistory},
		{"results, cases and growth show the unit that is judged", oneUnit},
		{"a sentence appears once", sentencesOnce},
		{"an open loop has response and service time as two lines, and no scaling", openLoops},
		{"two runs are overlaid curves of percentiles with names of their own", overlaidRuns},
		{"small multiples share axes", sharedAxes},
		{"the stages of a plan are bands", stagesAreMarked},
		{"tables show their values and labels never touch, in windows of 400 and 1280 pixels",
			valuesAndLabelsInChromium},
	} {
		t.Run(rule.name, rule.test)
	}
}

// part returns the text of a page from the figure with an identifier to the next
// figure.
func part(t testing.TB, page, id string) string {
	t.Helper()
	_, rest, found := strings.Cut(page, `id="`+id+`"`)
	require.True(t, found, id)
	rest, _, _ = strings.Cut(rest, "</figure>")
	return rest
}

// skewed has ten results of nine cases with the given processor times, and wall time
// that scatters.
func skewed(ns func(n int) float64) string {
	var b strings.Builder
	for i := range 10 {
		for n := 1; n <= 9; n++ {
			cpu := ns(n) * (1 + 0.001*float64(i))
			fmt.Fprintf(&b, "BenchmarkA/n=%d 100 %.1f ns/op %.1f cpu-ns/op\n", n, cpu*(1.5+0.1*float64(i)),
				cpu)
		}
	}
	return b.String()
}

func steady(n int) float64 { return 1e6 + 1e4*float64(n) }

func compared(t testing.TB, head func(int) float64) string {
	return draw(t, read(t, write(t, "base.txt", skewed(steady)), write(t, "head.txt", skewed(head))))
}

func outlierOfStrips(t *testing.T) {
	page := compared(t, func(n int) float64 {
		if n == 7 {
			return 50 * steady(n)
		}
		return (1 + 0.002*float64(n)) * steady(n)
	})
	changes := part(t, page, "results-1")
	require.Contains(t, changes, "▶")
	// The other cases spread over the axis.
	places := map[string]bool{}
	dot := regexp.MustCompile(`<circle class="dot [^"]*" cx="([\d.]+)%"`)
	for _, m := range dot.FindAllStringSubmatch(changes[:strings.Index(changes, "</table>")], -1) {
		places[m[1]] = true
	}
	require.Len(t, places, 8)
	require.NotContains(t, part(t, compared(t, func(n int) float64 { return 1.1 * steady(n) }), "results-1"),
		"▶")
}

func changeBetweenSides(t *testing.T) {
	circle := regexp.MustCompile(`<circle class="([^"]*)" cx="[\d.]+%" cy="(\d+)%"`)
	heights := func(page string) map[string]string {
		all := map[string]string{}
		for _, m := range circle.FindAllStringSubmatch(part(t, page, "results-1"), -1) {
			all[m[1]] = m[2]
		}
		return all
	}
	worse := compared(t, func(n int) float64 { return 1.5 * steady(n) })
	require.Equal(t, map[string]string{"point faint": "25", "dot bad": "50", "point": "75"},
		heights(worse))
	require.Contains(t, part(t, worse, "results-1"), `class="interval bad"`)
	require.Equal(t, map[string]string{"point": "50"},
		heights(pageOf(t, skewed(steady))))
}

// labels returns the labels of the pictures in a part of a page.
func labels(part string) (all []string) {
	for _, m := range regexp.MustCompile(`<text[^>]*>([^<]*)</text>`).FindAllStringSubmatch(part, -1) {
		all = append(all, html.UnescapeString(m[1]))
	}
	return all
}

func outlierOfGrowth(t *testing.T) {
	text := skewed(func(n int) float64 { return steady(n) * map[bool]float64{true: 200, false: 1}[n == 9] })
	page := pageOf(t, text)
	require.Subset(t, labels(part(t, page, "lines-1")), []string{"2 ms", "10 ms", "100 ms"}, "decades")
	linear := pageOf(t, skewed(steady))
	require.NotContains(t, labels(part(t, linear, "lines-1")), "10 ms")
}

func outlierOfBars(t *testing.T) {
	var b strings.Builder
	b.WriteString("Unit add/op assume=exact\n")
	for n := 1; n <= 9; n++ {
		fmt.Fprintf(&b, "BenchmarkA/n=%d 1 %d add/op\n", n, 10*n+map[bool]int{true: 90_000}[n == 4])
	}
	page := part(t, pageOf(t, b.String()), "counts-1")
	require.Subset(t, labels(page), []string{"80", "▶"}, "the axis fits the others")
	require.Contains(t, page, ">90040</td>")
}

func outlierOfHistory(t *testing.T) {
	s := trend("A", 0)
	usual := strings.Count(part(t, draw(t, report.Input{Trends: []history.Series{s}}), "history-1"), "<path")
	s.Points[12].Values = []float64{1}
	page := part(t, draw(t, report.Input{Trends: []history.Series{s}}), "history-1")
	require.Contains(t, labels(page), "+1 %", "the axis fits the others")
	require.Contains(t, page, "r12: 1 s", "the hint has the value")
	require.Equal(t, usual+1, strings.Count(page, "<path"), "a triangle")
}

func oneUnit(t *testing.T) {
	page := compared(t, func(n int) float64 { return 1.1 * steady(n) })
	for _, id := range []string{"results", "matrix"} {
		_, section, _ := strings.Cut(page, `<section id="`+id+`">`)
		_, options, _ := strings.Cut(section, "<select>")
		require.True(t, strings.HasPrefix(options, "<option>cpu-sec/op</option>"), id)
	}
	require.Contains(t, data(t, page, "lines-1"), "BenchmarkA/n=1,cpu-sec/op,")
	require.Contains(t, headline(t, page), "Worse: cpu-sec/op (9 of 9 cases, ")
}

var (
	unread    = regexp.MustCompile(`(?s)<(script|style|svg|p class="legend")[ >].*?</(script|style|svg|p)>`)
	paragraph = regexp.MustCompile(`(?s)<(p|li|td|figcaption)\b[^>]*>(.*?)</(p|li|td|figcaption)>`)
)

// sentences returns the sentences of five words or more that a page shows, without
// legends, environment and data.
func sentences(page string) (all []string) {
	page = unread.ReplaceAllString(page, "")
	page, _, _ = strings.Cut(page, `<section id="environment"`)
	for _, m := range paragraph.FindAllStringSubmatch(page, -1) {
		text := html.UnescapeString(tags.ReplaceAllString(strings.ReplaceAll(m[2], ": <em>", ". "), ""))
		for _, s := range regexp.MustCompile(`[.;] `).Split(text, -1) {
			s = strings.TrimRight(strings.TrimSpace(s), ".")
			if len(strings.Fields(s)) >= 5 && strings.ContainsAny(s, "abcdefghijklmnopqrstuvwxyz") {
				all = append(all, s)
			}
		}
	}
	return all
}

func sentencesOnce(t *testing.T) {
	one := loads(t)[:1]
	noisy := read(t, one...)
	noisy.Loads[0].Result.Control = result.Control{N: 50, Median: 44000, Spread: 0.3}
	noisy.Trends = []history.Series{trend("A", 10), trend("B", 0)}
	disturbed := "noise: load is 3.2 on 2 processors\n"
	for name, in := range map[string]report.Input{
		"results": read(t, write(t, "r.txt", small(1))),
		"phases":  read(t, write(t, "r.txt", phases)),
		"change": read(t,
			append(one, write(t, "base.txt", small(1)), write(t, "head.txt", disturbed+small(1.3)))...),
		"loads": noisy,
	} {
		t.Run(name, func(t *testing.T) {
			seen := map[string]bool{}
			for _, s := range sentences(draw(t, in)) {
				require.False(t, seen[s], "%s: twice: %s", name, s)
				seen[s] = true
			}
			require.NotEmpty(t, seen)
		})
	}
}

// opened replaces the runs by open loops of a plan.
func opened(t testing.TB, plan schedule.Plan) report.Input {
	t.Helper()
	in := underLoad(t)
	for i := range in.Loads {
		r, err := runner.Replay(runner.Config{Workers: 1 + i, Duration: 10 * time.Second, Plan: &plan},
			func(int, time.Duration) time.Duration { return time.Duration(1+i) * time.Millisecond })
		require.NoError(t, err)
		in.Loads[i].Result = r
	}
	return in
}

func openLoops(t *testing.T) {
	closed := draw(t, underLoad(t))
	require.Contains(t, figures(closed), "scaling-1")
	require.NotContains(t, data(t, closed, "percentiles"), ", service")
	require.NotContains(t, part(t, closed, "over-time"), "stroke-dasharray", "a run without stages")
	page := draw(t, opened(t, schedule.Plan{Arrival: schedule.Constant, Rate: 100}))
	require.NotContains(t, figures(page), "scaling-1", "the throughput of an open loop is its plan")
	require.Contains(t, data(t, page, "percentiles"), ", service")
	require.Contains(t, page, "dashed, the service time")
	require.Contains(t, part(t, page, "percentiles"), "stroke-dasharray")
}

func overlaidRuns(t *testing.T) {
	in := read(t, loads(t)[0], loads(t)[0])
	picture := part(t, draw(t, in), "percentiles")
	require.Equal(t, 1, strings.Count(picture, "<svg"))
	require.Equal(t, 2, strings.Count(picture, "━"), "a legend of two")

	other := read(t, write(t, "before.json", contents(t, loads(t)[0])),
		write(t, "after.json", contents(t, loads(t)[0])))
	table := data(t, draw(t, other), "percentiles")
	require.Contains(t, table, "(before.json)")
	require.Contains(t, table, "(after.json)")
}

// axes returns the labels of each matching panel of a figure.
func axes(page, id string, like string) (all []string) {
	_, figure, _ := strings.Cut(page, `id="`+id+`"`)
	figure, _, _ = strings.Cut(figure, "</figure>")
	for _, panel := range strings.Split(figure, "<svg")[1:] {
		var of []string
		for _, label := range labels(panel) {
			if regexp.MustCompile(like).MatchString(label) {
				of = append(of, label)
			}
		}
		all = append(all, strings.Join(of, " "))
	}
	return all
}

func sharedAxes(t *testing.T) {
	in := underLoad(t)
	in.Trends = []history.Series{trend("A", 10), trend("B", 0)}
	page := draw(t, in)
	for _, c := range []struct {
		id, like string
		panels   int
	}{
		{"histogram", `^[\d.]+( ns| µs| ms| s)?$`, 4}, {"over-time", `^[\d.]+( ns| µs| ms| s)?$`, 4},
		{"history-1", `^r\d+$`, 2},
	} {
		of := axes(page, c.id, c.like)
		require.Len(t, of, c.panels, c.id)
		require.NotEmpty(t, of[0], c.id)
		for _, panel := range of {
			require.Equal(t, of[0], panel, c.id)
		}
	}
	of := axes(page, "history-1", `%$`)
	require.NotEmpty(t, of[0])
	require.Equal(t, of[0], of[1], "the same share of their levels")
	growth := axes(pageOf(t, full(1)), "lines-1", `^\d`)
	require.Len(t, growth, 9)
	require.Equal(t, growth[0], growth[8])
}

func stagesAreMarked(t *testing.T) {
	plan, err := schedule.Parse(100, "constant,constant:4s,rate:400,constant:2s,ramp:100/2s")
	require.NoError(t, err)
	page := draw(t, opened(t, plan))
	require.Equal(t, 4*3, strings.Count(part(t, page, "progress"), "stroke-dasharray"),
		"pictures of four runs with four stages each")
	require.Regexp(t, `(?m)^"lock, 1 worker",4,400,`, data(t, page, "progress"))
	require.Contains(t, part(t, page, "over-time"), "stroke-dasharray")
}

// valuesAndLabelsInChromium opens pages in emulated windows.
func valuesAndLabelsInChromium(t *testing.T) {
	b := newBrowser(t)
	compared := read(t, append(loads(t), write(t, "base.txt", full(1)), write(t, "head.txt", full(1.04)))...)
	staged := opened(t, schedule.Plan{Arrival: schedule.Ramp, Rate: 10, To: 900, Over: 5 * time.Second})
	staged.Trends = []history.Series{trend("A", 10), trend("B", 0)}
	skew := read(t, write(t, "base.txt", skewed(steady)),
		write(t, "head.txt", skewed(func(n int) float64 { return steady(n) * math.Pow(1.9, float64(n)) })))
	for name, in := range map[string]report.Input{"compared": compared, "staged": staged, "skewed": skew,
		"phases": read(t, write(t, "r.txt", phases))} {
		t.Run(name, func(t *testing.T) {
			b.open(t, in)
			for _, size := range []struct {
				wide, high int64
				mobile     bool
			}{{400, 800, true}, {1280, 900, false}} {
				_, err := chromedp.Call(b, emulation.SetDeviceMetricsOverride,
					emulation.SetDeviceMetricsOverrideParams{Width: size.wide, Height: size.high,
						DeviceScaleFactor: 1, Mobile: size.mobile})
				require.NoError(t, err)
				b.picture(t, fmt.Sprintf("%s-%d", name, size.wide))
				require.Empty(t, evaluate[[]string](t, b, touching), "%s, %d pixels wide: labels that touch",
					name, size.wide)
				if size.mobile { // the page names its cells at the next frame
					require.EventuallyWithT(t, func(c *assert.CollectT) {
						require.Empty(c, evaluate[[]string](t, b, hidden),
							"%s, %d pixels wide: values that cannot be seen", name, size.wide)
					}, 2*time.Minute, 10*time.Millisecond)
				}
			}
		})
	}
	require.Empty(t, b.complained())
}

// touching lists pairs of texts of a picture that overlap.
const touching = `[...document.querySelectorAll(".chart svg:not(.flame), svg.axis")].flatMap(s => {
	const texts = [...s.querySelectorAll("text")].map(e => [e, e.getBoundingClientRect()])
		.filter(([e, r]) => e.textContent.trim() && r.width);
	const overlap = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 &&
		a.top < b.bottom - 3 && b.top < a.bottom - 3;
	return texts.flatMap(([e, a], i) => texts.slice(i + 1).filter(([, b]) => overlap(a, b))
		.map(([f]) => (s.ariaLabel ?? "axis") + ": " + e.textContent + " | " + f.textContent));
})`

// hidden lists cells of opened tables that are outside of the window, cut their text
// off, or are in a column without a name.
const hidden = `(document.querySelectorAll("details").forEach(d => d.open = true),
[...document.querySelectorAll(".scroll :is(td, tbody th)")].filter(e => {
	if (!e.offsetHeight || !e.textContent.trim() || e.matches(".picture")) return false;
	const r = e.getBoundingClientRect();
	return r.left < 0 || r.right > innerWidth + 1 || e.scrollWidth > e.clientWidth + 1 ||
		!("head" in e.dataset);
}).map(e => (e.closest("figure")?.id ?? "") + ": " + e.textContent).slice(0, 20))`
