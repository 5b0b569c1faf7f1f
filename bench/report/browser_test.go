package report_test

import (
	"bytes"
	"context"
	"fmt"
	"image/color"
	"image/png"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/history"
	"github.com/zkatbench/zkatbench/bench/report"
	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/internal/nightly"
)

// Environment variables: chromiumNeeded makes a missing browser a failure, as
// in continuous integration; screenshots is a directory for pictures of the
// page.
const (
	chromiumNeeded = "ZKAT_CHROMIUM_NEEDED"
	screenshots    = "ZKAT_SCREENSHOTS"
)

// browser is a headless Chromium with its complaints.
type browser struct {
	context.Context
	mu         sync.Mutex
	complaints []string
}

func newBrowser(t *testing.T) *browser {
	t.Helper()
	if testing.Short() {
		t.Skip("NOT RUN: -short starts no browser; .ci/report does")
	}
	path, err := exec.LookPath("chromium")
	if err != nil {
		if os.Getenv(chromiumNeeded) != "" {
			t.Fatalf("%s is set, but there is no chromium: %v", chromiumNeeded, err)
		}
		t.Skip("NOT RUN: the page was not opened in a browser, since there is no chromium in PATH (Debian's package chromium)")
	}
	options := []chromedp.ExecAllocatorOption{chromedp.ExecPath(path), chromedp.WindowSize(1280, 900), chromedp.WSURLReadTimeout(time.Minute)}
	if os.Getuid() == 0 {
		options = append(options, chromedp.NoSandbox)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 8*time.Minute)
	t.Cleanup(cancel)
	b := &browser{}
	b.Context, cancel = chromedp.NewContext(ctx, chromedp.WithAllocatorOptions(options...))
	t.Cleanup(cancel)
	require.NoError(t, chromedp.Listen(b, b.listen))
	_, err = chromedp.Call(b, network.Enable, network.EnableParams{})
	require.NoError(t, err)
	_, err = chromedp.Call(b, log.Enable, cdp.Empty{})
	require.NoError(t, err)
	return b
}

// listen records events that a page must not cause: log messages, exceptions,
// requests.
func (b *browser) listen(event any) {
	complaint := ""
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		complaint = fmt.Sprintf("console.%s: %v", e.Type, e.Args)
	case *runtime.EventExceptionThrown:
		complaint = e.ExceptionDetails.Text
	case *log.EventEntryAdded:
		complaint = e.Entry.Text
	case *network.EventRequestWillBeSent:
		if !strings.HasPrefix(e.Request.URL, "file:") && !strings.HasPrefix(e.Request.URL, "data:") {
			complaint = "fetches " + e.Request.URL
		}
	}
	if complaint != "" {
		b.mu.Lock()
		b.complaints = append(b.complaints, complaint)
		b.mu.Unlock()
	}
}

// evaluate runs a script on the page and returns its result.
func evaluate[T any](t *testing.T, b *browser, script string) T {
	t.Helper()
	v, err := chromedp.Run(b, chromedp.Evaluate[T](script))
	require.NoError(t, err)
	return v
}

// open writes the page of in to a file and opens it.
func (b *browser) open(t *testing.T, in report.Input) {
	t.Helper()
	var html bytes.Buffer
	require.NoError(t, report.Write(&html, in))
	path := filepath.Join(t.TempDir(), "report.html")
	require.NoError(t, os.WriteFile(path, html.Bytes(), 0o644))
	require.NoError(t, chromedp.Do(b, chromedp.Navigate("file://"+path)))
}

// media emulates a medium, such as print or dark mode.
func (b *browser) media(t *testing.T, m emulation.SetEmulatedMediaParams) {
	t.Helper()
	_, err := chromedp.Call(b, emulation.SetEmulatedMedia, m)
	require.NoError(t, err)
}

// charts are the figures of a page with all sections.
var charts = []string{
	"matrix-1", "lines-1-bits", "lines-1-inputs", "lines-1-outputs", "counts-1",
	"comparison-1", "samples-1", "percentiles", "histogram", "progress", "over-time", "scaling-1",
}

func TestPageInChromium(t *testing.T) {
	b := newBrowser(t)
	in, err := report.Read(append(loads(t), write(t, "base.txt", full(1)), write(t, "head.txt", full(1.04)))...)
	require.NoError(t, err)
	b.open(t, in)

	t.Run("every chart is there and can be seen", func(t *testing.T) {
		seen(t, b, charts...)
		require.Empty(t, evaluate[[]string](t, b, `[...document.querySelectorAll("svg[role=img]")].filter(s => !s.querySelector("path")).map(s => s.ariaLabel)`))
	})
	t.Run("every picture has its table and its data", func(t *testing.T) {
		require.Empty(t, evaluate[[]string](t, b, `[...document.querySelectorAll("figure")].filter(f => {
			const rows = f.querySelectorAll("tbody")[f.querySelectorAll("tbody").length - 1].rows.length;
			const csv = atob(f.querySelector("a[download]").href.replace("data:text/csv;base64,", ""));
			return rows == 0 || csv.trim().split("\n").length != rows + 1;
		}).map(f => f.id)`))
	})
	t.Run("switches show one unit", func(t *testing.T) { switches(t, b) })
	t.Run("tells its story in order", func(t *testing.T) { story(t, b) })
	t.Run("the filter hides other cases", func(t *testing.T) { filters(t, b) })
	t.Run("values appear under the pointer and by the keyboard", func(t *testing.T) { hints(t, b) })
	t.Run("charts over time zoom", func(t *testing.T) { zooms(t, b) })
	t.Run("fits windows of every size", func(t *testing.T) { fits(t, b) })
	t.Run("text can be read, light and dark", func(t *testing.T) { contrast(t, b) })
	t.Run("prints", func(t *testing.T) { prints(t, b) })
	require.Empty(t, b.complaints)
}

// TestOtherPagesInChromium opens pages with phases, numbers of workers, and a
// history.
func TestOtherPagesInChromium(t *testing.T) {
	b := newBrowser(t)
	in, err := report.Read(write(t, "r.txt", phases))
	require.NoError(t, err)
	for i := range 3 {
		in.Trends = append(in.Trends, trend(fmt.Sprintf("Sum/n=%d", i), 10*i))
	}
	b.open(t, in)
	seen(t, b, "matrix-2", "lines-1-n", "counts-1", "scaling-1", "history-1")
	require.Equal(t, 3, evaluate[int](t, b, `document.querySelectorAll("#history-1 svg").length`))
	contrast(t, b)
	require.Empty(t, b.complaints)
}

// trend is a case over 30 revisions, of which the last ones are slower by
// slower.
func trend(name string, slower int) history.Series {
	s := history.Series{Key: result.Key{Name: name}, Unit: "sec/op", Machine: "here", Better: -1}
	for i := range 30 {
		v := 1000 + float64(i*37%11)
		if i >= 25 {
			v += 10 * float64(slower)
		}
		s.Points = append(s.Points, history.Point{Revision: fmt.Sprintf("r%d", i), Values: []float64{1e-9 * (v - 5), 1e-9 * v, 1e-9 * (v + 9)}})
	}
	return s
}

// seen checks that figures are visible and have pictures of a reasonable size.
func seen(t *testing.T, b *browser, ids ...string) {
	t.Helper()
	for _, id := range ids {
		require.True(t, evaluate[bool](t, b, fmt.Sprintf(`[...(document.getElementById(%q)?.querySelectorAll(".variant:not([hidden]) :is(svg, .heat, .strips, canvas)") ?? [])]
			.some(e => e.getBoundingClientRect().width > 50 && e.getBoundingClientRect().height > 50)`, id)), id)
	}
}

func switches(t *testing.T, b *browser) {
	type shown struct {
		Unit, Section string
		Other, Empty  int // variants of other units that are seen, figures without one
	}
	all := evaluate[[]shown](t, b, `[...document.querySelectorAll("section")].flatMap(s => [...(s.querySelector("select")?.options ?? [])].map(o => {
		const select = s.querySelector("select");
		select.value = o.value;
		select.dispatchEvent(new Event("change"));
		const seen = [...s.querySelectorAll(".variant")].filter(v => v.offsetHeight > 0);
		return {Unit: o.value, Section: s.id, Other: seen.filter(v => v.dataset.unit != o.value).length,
			Empty: [...s.querySelectorAll("figure")].filter(f => !seen.some(v => f.contains(v) && v.textContent.trim())).length};
	}))`)
	require.Len(t, all, 2*7+3) // the changes and the matrix in seven units, the results in those that vary
	for _, s := range all {
		require.Zero(t, s.Other, s)
		require.Zero(t, s.Empty, s)
	}
	require.NoError(t, chromedp.Do(b, chromedp.Reload())) // select time again, for the pictures
}

// story checks that the headline is at the top and states a verdict, and that the
// environment is the last section.
func story(t *testing.T, b *browser) {
	require.True(t, evaluate[bool](t, b, `document.querySelector("#headline ol").getBoundingClientRect().top < innerHeight`), "measured, changed and trust are on the first screen")
	require.Equal(t, []string{"Measured", "Changed", "Trust", "Findings"}, evaluate[[]string](t, b, `[...document.querySelectorAll("#headline dt")].map(e => e.textContent)`))
	require.Equal(t, "Worse", evaluate[string](t, b, `document.querySelector("#headline b").textContent`))
	require.LessOrEqual(t, evaluate[int](t, b, `document.querySelectorAll("#headline dd > ol > li").length`), 3)
	require.Equal(t, "environment", evaluate[string](t, b, `[...document.querySelectorAll("main section")].at(-1).id`))
}

// enter is a script: a function that writes text into the filter.
const enter = `(text => { const f = document.getElementById("filter"); f.value = text; f.dispatchEvent(new Event("input")); return document.getElementById("filtered").value; })`

func filters(t *testing.T, b *browser) {
	rows := func() int {
		return evaluate[int](t, b, `[...document.querySelectorAll("#samples-1 tbody tr[data-name]")].filter(e => e.offsetHeight > 0).length`)
	}
	require.Equal(t, 54, rows())
	require.NotEmpty(t, evaluate[string](t, b, enter+`("bits=64 inputs=3 fast_rng")`))
	require.Equal(t, 3, rows())
	require.NotEmpty(t, evaluate[string](t, b, enter+`("absent")`))
	require.Zero(t, rows())
	require.False(t, evaluate[bool](t, b, `document.getElementById("samples-1").offsetHeight > 0`), "a figure without a row is hidden")
	require.Empty(t, evaluate[string](t, b, enter+`("")`))
	require.Equal(t, 54, rows())
}

// hints checks that the value of a point appears under the pointer, and that the
// arrow keys walk through the points of a chart.
func hints(t *testing.T, b *browser) {
	const shown = `(document.getElementById("hint").hidden ? "" : document.getElementById("hint").textContent)`
	for _, where := range []string{"#percentiles .spot", "#lines-1-bits .spot", "#scaling-1 .spot", "#comparison-1 .picture", "#matrix-1 td[data-hint]"} {
		text := evaluate[string](t, b, fmt.Sprintf(`(() => { const e = document.querySelector(%q); e.scrollIntoView({block: "center"});
			e.dispatchEvent(new PointerEvent("pointerover", {bubbles: true})); return %s; })()`, where, shown))
		require.Regexp(t, `\d`, text, where)
	}
	const press = `(key => { document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true})); return ` + shown + `; })`
	evaluate[bool](t, b, `(document.querySelector("#scaling-1 .chart").focus(), true)`)
	require.Contains(t, evaluate[string](t, b, press+`("ArrowRight")`), "1 workers")
	require.Contains(t, evaluate[string](t, b, press+`("ArrowRight")`), "4 workers")
	require.Contains(t, evaluate[string](t, b, press+`("ArrowLeft")`), "1 workers")
	require.Empty(t, evaluate[string](t, b, press+`("Escape")`))
}

// zooms drags over half of a chart over time, and returns to all of it by the
// keyboard.
func zooms(t *testing.T, b *browser) {
	const extent = `charts[0].scales.x.max - charts[0].scales.x.min`
	whole := evaluate[float64](t, b, extent)
	require.Positive(t, whole)
	type point struct{ X, Y float64 }
	at := evaluate[[]point](t, b, `(() => { const e = document.querySelector(".timechart .u-over"); e.scrollIntoView({block: "center"});
		const r = e.getBoundingClientRect(); return [0.25, 0.75].map(x => ({X: r.left + r.width*x, Y: r.top + r.height/2})); })()`)
	mouse := func(kind input.DispatchMouseEventType, at point) {
		_, err := chromedp.Call(b, input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: kind, X: at.X, Y: at.Y, Button: input.MouseButtonLeft, Buttons: 1, ClickCount: 1})
		require.NoError(t, err)
	}
	mouse("mousePressed", at[0])
	mouse("mouseMoved", at[1])
	mouse("mouseReleased", at[1])
	require.InDelta(t, whole/2, evaluate[float64](t, b, extent), whole/8)
	require.NotEmpty(t, evaluate[string](t, b, `document.querySelector(".timechart .u-legend .u-value").textContent`))
	evaluate[bool](t, b, `(document.querySelector(".timechart").focus(), true)`)
	const press = `(key => { document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true})); return ` + extent + `; })`
	evaluate[float64](t, b, press+`("0")`)
	require.InDelta(t, whole, evaluate[float64](t, b, extent), 1e-9) // in the next frame
	evaluate[float64](t, b, press+`("+")`)
	require.Less(t, evaluate[float64](t, b, extent), whole)
}

// fits checks that the page does not scroll sideways in windows from a phone's to a
// desktop's, that the charts can still be seen, and that screenshots of them have
// ink. Without the browser of continuous integration, the usual size tests the
// narrowest one.
func fits(t *testing.T, b *browser) {
	sizes := []struct{ wide, high int64 }{{400, 800}, {820, 1180}, {1280, 900}, {1920, 1080}}
	n := nightly.Pick(1, 1, len(sizes))
	if os.Getenv(chromiumNeeded) != "" {
		n = len(sizes)
	}
	for _, size := range sizes[:n] {
		_, err := chromedp.Call(b, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: size.wide, Height: size.high, DeviceScaleFactor: 1})
		require.NoError(t, err)
		require.LessOrEqual(t, evaluate[int](t, b, `document.documentElement.scrollWidth - document.documentElement.clientWidth`), 0, "%d pixels wide", size.wide)
		seen(t, b, charts...)
		for _, id := range []string{"headline", "comparison-1", "samples-1", "matrix-1", "progress", "over-time", "run-1"} {
			evaluate[bool](t, b, fmt.Sprintf(`(document.getElementById(%q).scrollIntoView(), true)`, id))
			inked(t, b, fmt.Sprintf("%s, %d pixels wide", id, size.wide))
		}
		picture(t, b, fmt.Sprint(size.wide))
	}
	_, err := chromedp.Call(b, emulation.ClearDeviceMetricsOverride, cdp.Empty{})
	require.NoError(t, err)
}

// inked checks that the window shows more than the background: 2 % of its pixels at
// least, in 16 colours at least. The browser paints some time after it scrolled, so
// screenshots are taken until one has ink.
func inked(t *testing.T, b *browser, what string) {
	t.Helper()
	require.EventuallyWithT(t, func(c *assert.CollectT) {
		shot, err := chromedp.Run(b, chromedp.CaptureScreenshot())
		require.NoError(c, err)
		window, err := png.Decode(bytes.NewReader(shot))
		require.NoError(c, err)
		counts := map[color.Color]int{}
		size := window.Bounds().Size()
		for x := range size.X {
			for y := range size.Y {
				counts[window.At(x, y)]++
			}
		}
		background := slices.Max(slices.Collect(maps.Values(counts)))
		require.Greater(c, len(counts), 16, what)
		require.Less(c, float64(background), 0.98*float64(size.X*size.Y), what)
	}, 2*time.Minute, 100*time.Millisecond)
}

// contrast checks the contrast ratio of text and its background as defined by
// the Web Content Accessibility Guidelines: at least 4.5.
func contrast(t *testing.T, b *browser) {
	const least = `(() => {
		const rgba = c => { const k = c.startsWith("color(") ? 255 : 1; const v = c.match(/[\d.]+(e-?\d+)?/g).map(Number); return [v[0]*k, v[1]*k, v[2]*k, v[3] ?? 1]; };
		const over = (top, below) => top.slice(0, 3).map((v, i) => v*top[3] + below[i]*(1 - top[3]));
		const light = c => { const [r, g, b] = c.map(v => (v /= 255) <= 0.04045 ? v/12.92 : ((v + 0.055)/1.055)**2.4); return 0.2126*r + 0.7152*g + 0.0722*b; };
		const paper = rgba(getComputedStyle(document.body).backgroundColor).slice(0, 3);
		return Math.min(...[...document.querySelectorAll("p, h1, h2, a, td, th, small, summary, svg text")].map(e => {
			const s = getComputedStyle(e), cell = e.closest("td, th");
			const behind = cell ? over(rgba(getComputedStyle(cell).backgroundColor), paper) : paper;
			const front = rgba(e instanceof SVGElement ? s.fill : s.color);
			front[3] *= Number(s.opacity);
			const [x, y] = [light(over(front, behind)), light(behind)].sort((p, q) => q - p);
			return (x + 0.05)/(y + 0.05);
		}));
	})()`
	backgrounds := map[string]bool{}
	for _, scheme := range []string{"light", "dark"} {
		b.media(t, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
		require.Greater(t, evaluate[float64](t, b, least), 4.5, scheme)
		backgrounds[evaluate[string](t, b, "getComputedStyle(document.body).backgroundColor")] = true
		picture(t, b, scheme)
	}
	require.Len(t, backgrounds, 2)
}

// picture saves a screenshot if the variable asks for it.
func picture(t *testing.T, b *browser, name string) {
	dir := os.Getenv(screenshots)
	if dir == "" {
		return
	}
	shot, err := chromedp.Run(b, chromedp.FullScreenshot(100))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, name+".png"), shot, 0o644))
}

// prints renders the page for paper.
func prints(t *testing.T, b *browser) {
	b.media(t, emulation.SetEmulatedMediaParams{Media: "print"})
	require.True(t, evaluate[bool](t, b, `[...document.querySelectorAll("nav, .data")].every(e => e.offsetHeight == 0)`))
	picture(t, b, "print")
	pdf, err := chromedp.Run(b, chromedp.PrintToPDF())
	require.NoError(t, err)
	b.media(t, emulation.SetEmulatedMediaParams{})
	require.True(t, bytes.HasPrefix(pdf, []byte("%PDF")))
	if dir := os.Getenv(screenshots); dir != "" {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "report.pdf"), pdf, 0o644))
	}
}

// TestPageOpensInASecond opens the whole matrix compared with another one, and
// runs under load. It measures the processor time of the page's thread until
// layout is complete, which does not depend on the load of the machine.
func TestPageOpensInASecond(t *testing.T) {
	b := newBrowser(t)
	_, err := chromedp.Call(b, performance.Enable, performance.EnableParams{TimeDomain: performance.EnableTimeDomainThreadTicks})
	require.NoError(t, err)
	in, err := report.Read(append(loads(t), write(t, "base.txt", full(1)), write(t, "head.txt", full(1.04)))...)
	require.NoError(t, err)
	b.open(t, in) // the previous page was empty and took almost no time
	require.Greater(t, evaluate[float64](t, b, `document.body.offsetHeight`), 5000.0)
	busy := b.busy(t)
	t.Logf("%.2f s of processor time; loaded and painted after %.2f s; %.0f KB", busy,
		evaluate[float64](t, b, `Math.max(performance.getEntriesByType("navigation")[0].loadEventEnd, ...performance.getEntriesByType("paint").map(p => p.startTime))/1e3`),
		evaluate[float64](t, b, `document.documentElement.outerHTML.length/1e3`))
	require.Greater(t, busy, 0.01)
	require.Less(t, busy, 1.0)
}

// busy returns the seconds of processor time of the page's thread.
func (b *browser) busy(t *testing.T) float64 {
	t.Helper()
	all, err := chromedp.Call(b, performance.GetMetrics, cdp.Empty{})
	require.NoError(t, err)
	for _, m := range all.Metrics {
		if m.Name == "TaskDuration" {
			return m.Value
		}
	}
	t.Fatalf("no TaskDuration in %v", all.Metrics)
	return 0
}
