package report_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/history"
	"github.com/zkatbench/zkatbench/bench/report"
	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/internal/nightly"
)

// charts are the figures of a page with all sections.
var charts = []string{
	"matrix-1", "lines-1", "lines-2", "lines-3", "counts-1",
	"results-1", "percentiles", "histogram", "progress", "over-time", "scaling-1",
}

func TestPageInChromium(t *testing.T) {
	b := newBrowser(t)
	in, err := report.Read(append(loads(t), write(t, "base.txt", full(1)),
		write(t, "head.txt", full(1.04)))...)
	require.NoError(t, err)
	b.open(t, in)

	t.Run("every chart is there and can be seen", func(t *testing.T) {
		seen(t, b, charts...)
		require.Empty(t, evaluate[[]string](t, b, `[...document.querySelectorAll("svg[role=img]")]
			.filter(s => !s.querySelector("path")).map(s => s.ariaLabel)`))
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
	t.Run("marks of an axis stand over the values", func(t *testing.T) { ticksStand(t, b) })
	t.Run("fits windows of every size", func(t *testing.T) { fits(t, b) })
	t.Run("text can be read, light and dark", func(t *testing.T) { b.contrast(t) })
	t.Run("prints", func(t *testing.T) { prints(t, b) })
	require.Empty(t, b.complained())
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
	seen(t, b, "matrix-2", "lines-1", "counts-1", "scaling-1", "history-1")
	require.Equal(t, 3, evaluate[int](t, b, `document.querySelectorAll("#history-1 svg").length`))
	b.contrast(t)
	require.Empty(t, b.complained())
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
		s.Points = append(s.Points,
			history.Point{Revision: fmt.Sprintf("r%d", i),
				Values: []float64{1e-9 * (v - 5), 1e-9 * v, 1e-9 * (v + 9)}})
	}
	return s
}

// seen checks that figures are visible and have pictures of a reasonable size.
func seen(t *testing.T, b *browser, ids ...string) {
	t.Helper()
	const drawn = `[...(document.getElementById(%q)?.querySelectorAll(
			":is(.variant:not([hidden]) :is(.heat, .strips), .chart svg)") ?? [])]
		.some(e => e.getBoundingClientRect().width > 50 && e.getBoundingClientRect().height > 50)`
	for _, id := range ids {
		require.True(t, evaluate[bool](t, b, fmt.Sprintf(drawn, id)), id)
	}
}

func switches(t *testing.T, b *browser) {
	type shown struct {
		Unit, Section string
		Other, Empty  int // variants of other units that are seen, figures without one
	}
	all := evaluate[[]shown](t, b, `[...document.querySelectorAll("section")].flatMap(s => [
		...(s.querySelector("select")?.options ?? [])
	].map(o => {
		const select = s.querySelector("select");
		select.value = o.value;
		select.dispatchEvent(new Event("change"));
		const seen = [...s.querySelectorAll(".variant")].filter(v => v.offsetHeight > 0);
		const empty = f => !seen.some(v => f.contains(v) && v.textContent.trim());
		return {Unit: o.value, Section: s.id, Other: seen.filter(v => v.dataset.unit != o.value).length,
			Empty: [...s.querySelectorAll("figure")].filter(empty).length};
	}))`)
	require.Len(t, all, 2*7) // the results and the matrix in seven units
	for _, s := range all {
		require.Zero(t, s.Other, s)
		require.Zero(t, s.Empty, s)
	}
	require.NoError(t, chromedp.Do(b, chromedp.Reload())) // select time again, for the pictures
}

// story checks that the headline is at the top and states a verdict, and that the
// environment is the last section.
func story(t *testing.T, b *browser) {
	require.True(t,
		evaluate[bool](t, b,
			`document.querySelector("#headline ol").getBoundingClientRect().top < innerHeight`),
		"measured, changed and trust are on the first screen")
	require.Equal(t, []string{"Measured", "Changed", "Trust", "Findings"},
		evaluate[[]string](t, b, `[...document.querySelectorAll("#headline dt")].map(e => e.textContent)`))
	require.Equal(t, "Worse", evaluate[string](t, b, `document.querySelector("#headline b").textContent`))
	require.LessOrEqual(t, evaluate[int](t, b, `document.querySelectorAll("#headline dd > ol > li").length`),
		3)
	require.Equal(t, "environment",
		evaluate[string](t, b, `[...document.querySelectorAll("main section")].at(-1).id`))
}

// enter is a script: a function that writes text into the filter.
const enter = `(text => {
	const f = document.getElementById("filter");
	f.value = text;
	f.dispatchEvent(new Event("input"));
	return document.getElementById("filtered").value;
})`

func filters(t *testing.T, b *browser) {
	rows := func() int {
		return evaluate[int](t, b,
			`[...document.querySelectorAll("#results-1 tbody tr[data-name]")]`+
				`.filter(e => e.offsetHeight > 0).length`)
	}
	require.Equal(t, 54, rows())
	require.NotEmpty(t, evaluate[string](t, b, enter+`("bits=64 inputs=3 fast_rng")`))
	require.Equal(t, 3, rows())
	require.NotEmpty(t, evaluate[string](t, b, enter+`("absent")`))
	require.Zero(t, rows())
	require.False(t, evaluate[bool](t, b, `document.getElementById("results-1").offsetHeight > 0`),
		"a figure without a row is hidden")
	require.Empty(t, evaluate[string](t, b, enter+`("")`))
	require.Equal(t, 54, rows())
}

// hints checks that the value of a point appears under the pointer, and that the
// arrow keys walk through the points of a chart.
func hints(t *testing.T, b *browser) {
	const shown = `(document.getElementById("hint").hidden ? "" : ` +
		`document.getElementById("hint").textContent)`
	const over = `(() => {
		const e = document.querySelector(%q);
		e.scrollIntoView({block: "center"});
		e.dispatchEvent(new PointerEvent("pointerover", {bubbles: true}));
		return %s;
	})()`
	for _, where := range []string{"#percentiles .spot", "#lines-1 .spot", "#scaling-1 .spot",
		"#results-1 .picture", "#matrix-1 td[data-hint]"} {
		text := evaluate[string](t, b, fmt.Sprintf(over, where, shown))
		require.Regexp(t, `\d`, text, where)
	}
	const press = `(key => {
		document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
		return ` + shown + `;
	})`
	evaluate[bool](t, b, `(document.querySelector("#scaling-1 .chart").focus(), true)`)
	require.Contains(t, evaluate[string](t, b, press+`("ArrowRight")`), "1 worker: ")
	require.Contains(t, evaluate[string](t, b, press+`("ArrowRight")`), "4 workers")
	require.Contains(t, evaluate[string](t, b, press+`("ArrowLeft")`), "1 worker: ")
	require.Empty(t, evaluate[string](t, b, press+`("Escape")`))
}

// fits checks that the page does not scroll sideways in windows from a phone's to a
// desktop's, that the charts can still be seen, and that screenshots of them have
// ink. Without the browser of continuous integration, the usual size tests the
// narrowest one.
func fits(t *testing.T, b *browser) {
	sizes := []struct{ wide, high int64 }{{400, 800}, {500, 800}, {820, 1180}, {1280, 900}, {1920, 1080}}
	n := nightly.Pick(1, 1, len(sizes))
	if os.Getenv(chromiumNeeded) != "" {
		n = len(sizes)
	}
	for _, size := range sizes[:n] {
		_, err := chromedp.Call(b, emulation.SetDeviceMetricsOverride,
			emulation.SetDeviceMetricsOverrideParams{Width: size.wide, Height: size.high,
				DeviceScaleFactor: 1})
		require.NoError(t, err)
		require.LessOrEqual(t,
			evaluate[int](t, b,
				`document.documentElement.scrollWidth - document.documentElement.clientWidth`), 0,
			"%d pixels wide", size.wide)
		seen(t, b, charts...)
		for _, id := range []string{"headline", "results-1", "matrix-1", "progress", "over-time", "runs-1"} {
			evaluate[bool](t, b, fmt.Sprintf(`(document.getElementById(%q).scrollIntoView(), true)`, id))
			b.inked(t, fmt.Sprintf("%s, %d pixels wide", id, size.wide))
		}
		b.picture(t, fmt.Sprint(size.wide))
	}
	_, err := chromedp.Call(b, emulation.ClearDeviceMetricsOverride, cdp.Empty{})
	require.NoError(t, err)
}

// misplaced is a script: it lists pictures that begin or end beside the axis above them,
// and labels of an axis that are cut.
const misplaced = `[...document.querySelectorAll(".strips")].filter(s => s.offsetHeight).flatMap(s => {
	const box = e => e.getBoundingClientRect();
	const axis = box(s.querySelector("svg.axis")), scroll = box(s.closest(".scroll"));
	const at = r => [r.left, r.right].map(Math.round).join(" to ");
	const cut = r => r.left < scroll.left - 0.5 || r.right > scroll.right + 0.5;
	return [...s.querySelectorAll("td.picture > svg.strip")].map(box).filter(r => r.width)
		.map(at).filter(p => p != at(axis)).map(p => p + " under an axis of " + at(axis)).slice(0, 1)
		.concat([...s.querySelectorAll("svg.axis text")].filter(x => cut(box(x)))
			.map(x => "cut: " + x.textContent));
})`

// ticksStand compares the axis at the head of a figure with the pictures in its rows:
// both begin and end at the same pixel, so a mark stands over its value, and no label
// of the axis is cut.
func ticksStand(t *testing.T, b *browser) {
	for _, width := range []int64{400, 800, 1280} {
		_, err := chromedp.Call(b, emulation.SetDeviceMetricsOverride,
			emulation.SetDeviceMetricsOverrideParams{Width: width, Height: 900, DeviceScaleFactor: 1})
		require.NoError(t, err)
		require.Empty(t, evaluate[[]string](t, b, misplaced), "%d pixels wide", width)
	}
	_, err := chromedp.Call(b, emulation.ClearDeviceMetricsOverride, cdp.Empty{})
	require.NoError(t, err)
}

// prints renders the page for paper, which is as narrow as a phone but has tables.
func prints(t *testing.T, b *browser) {
	b.media(t, emulation.SetEmulatedMediaParams{Media: "print"})
	_, err := chromedp.Call(b, emulation.SetDeviceMetricsOverride,
		emulation.SetDeviceMetricsOverrideParams{Width: 718, Height: 1000, DeviceScaleFactor: 1})
	require.NoError(t, err)
	require.True(t, evaluate[bool](t, b,
		`[...document.querySelectorAll(".scroll tr")]`+
			`.every(e => getComputedStyle(e).display == "table-row")`))
	require.True(t,
		evaluate[bool](t, b, `[...document.querySelectorAll("nav, .data")].every(e => e.offsetHeight == 0)`))
	b.picture(t, "print")
	_, err = chromedp.Call(b, emulation.ClearDeviceMetricsOverride, cdp.Empty{})
	require.NoError(t, err)
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
	_, err := chromedp.Call(b, performance.Enable,
		performance.EnableParams{TimeDomain: performance.EnableTimeDomainThreadTicks})
	require.NoError(t, err)
	in, err := report.Read(append(loads(t), write(t, "base.txt", full(1)),
		write(t, "head.txt", full(1.04)))...)
	require.NoError(t, err)
	b.open(t, in) // the previous page was empty and took almost no time
	require.Greater(t, evaluate[float64](t, b, `document.body.offsetHeight`), 5000.0)
	took := busy(t, b)
	t.Logf("%.2f s of processor time; loaded and painted after %.2f s; %.0f KB", took,
		evaluate[float64](t, b, `Math.max(performance.getEntriesByType("navigation")[0].loadEventEnd,
			...performance.getEntriesByType("paint").map(p => p.startTime))/1e3`),
		evaluate[float64](t, b, `document.documentElement.outerHTML.length/1e3`))
	require.Greater(t, took, 0.01)
	require.Less(t, took, 1.0)
}

// busy returns the seconds of processor time of the page's thread.
func busy(t *testing.T, b *browser) float64 {
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
