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
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/report"
)

// Environment variables: chromiumNeeded makes a missing browser a failure, as in
// continuous integration; screenshots is a directory for pictures of the page.
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

// newBrowser starts a browser, which ends with the test. Without one it skips the test.
func newBrowser(t *testing.T) *browser {
	t.Helper()
	if testing.Short() {
		t.Skip("NOT RUN: -short starts no browser; .ci/run does")
	}
	path, err := exec.LookPath("chromium")
	if err != nil {
		if os.Getenv(chromiumNeeded) != "" {
			t.Fatalf("%s is set, but there is no chromium: %v", chromiumNeeded, err)
		}
		t.Skip("NOT RUN: the page was not opened in a browser, since there is no chromium in PATH " +
			"(Debian's package chromium)")
	}
	options := []chromedp.ExecAllocatorOption{chromedp.ExecPath(path), chromedp.WindowSize(1280, 900),
		chromedp.WSURLReadTimeout(time.Minute)}
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

// media emulates a medium, such as print or dark mode.
func (b *browser) media(t *testing.T, m emulation.SetEmulatedMediaParams) {
	t.Helper()
	_, err := chromedp.Call(b, emulation.SetEmulatedMedia, m)
	require.NoError(t, err)
}

// inked checks that the window shows more than the background: 2 % of its pixels at
// least, in 16 colours at least. The browser paints some time after it scrolled, so
// screenshots are taken until one has ink.
func (b *browser) inked(t *testing.T, what string) {
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
func (b *browser) contrast(t *testing.T) {
	const least = `(() => {
		const rgba = c => {
			const k = c.startsWith("color(") ? 255 : 1;
			const v = c.match(/[\d.]+(e-?\d+)?/g).map(Number);
			return [v[0]*k, v[1]*k, v[2]*k, v[3] ?? 1];
		};
		const over = (top, below) => top.slice(0, 3).map((v, i) => v*top[3] + below[i]*(1 - top[3]));
		const light = c => {
			const [r, g, b] = c.map(v => (v /= 255) <= 0.04045 ? v/12.92 : ((v + 0.055)/1.055)**2.4);
			return 0.2126*r + 0.7152*g + 0.0722*b;
		};
		const paper = rgba(getComputedStyle(document.body).backgroundColor).slice(0, 3);
		const texts = document.querySelectorAll("p, h1, h2, a, td, th, small, summary, svg text");
		return Math.min(...[...texts].map(e => {
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
		b.media(t,
			emulation.SetEmulatedMediaParams{
				Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
			})
		require.Greater(t, evaluate[float64](t, b, least), 4.5, scheme)
		backgrounds[evaluate[string](t, b, "getComputedStyle(document.body).backgroundColor")] = true
		b.picture(t, scheme)
	}
	require.Len(t, backgrounds, 2)
}

// picture saves a screenshot if the variable asks for it.
func (b *browser) picture(t *testing.T, name string) {
	dir := os.Getenv(screenshots)
	if dir == "" {
		return
	}
	shot, err := chromedp.Run(b, chromedp.FullScreenshot(100))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, name+".png"), shot, 0o644))
}

// open opens the page of in.
func (b *browser) open(t *testing.T, in report.Input) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "page.html")
	require.NoError(t, os.WriteFile(path, []byte(draw(t, in)), 0o644))
	require.NoError(t, chromedp.Do(b, chromedp.Navigate("file://"+path)))
}

// complained are the messages, exceptions and requests of all pages so far.
func (b *browser) complained() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.complaints)
}
