package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/bench/chart"
	page "github.com/zkatbench/zkatbench/bench/report"
	"github.com/zkatbench/zkatbench/runner/outfile"
	"github.com/zkatbench/zkatbench/scheme/threshold/study"
	"github.com/zkatbench/zkatbench/scheme/threshold/suite"
)

const (
	pictureHelp = `Draws the time to a signature over the latency (0 to 200 ms) and over the bandwidth (10 kbit/s to
10 Gbit/s) of a network, and marks where two schemes cross. Phases are measured by replay; a virtual clock
adds the network. With -jitter lines are medians of the draws, with bands from the 5 % to the 95 % quantile.`
	growthHelp = `Measures replays for growing numbers f of malicious parties, counts group operations, and fits
c · f^p with the 95 % interval of p.`
)

var (
	pictureOut   = fileFlag("o", "file of the charts as a self-contained HTML page; none if not given")
	thrASCII     = toggle("ascii", "draw with ASCII characters only")
	pictureMax   = withDefault(suite.MaxMalicious, "6")
	pictureDelay = withDefault(thrLatency, "0")
	growthMax    = withDefault(suite.MaxMalicious, "1,2,3,4,6,8,10,12,15,20,25,30")
	growthSample = withDefault(thrSamples, "6")
)

// withDefault is an axis with another default.
func withDefault[T any](a *bench.Axis[T], text string) *bench.Axis[T] {
	other := *a
	other.Default, other.Brief = text, ""
	return &other
}

func pictureCommand(s streams) *commandLine {
	axes := bench.Axes(suite.Case, pictureMax, suite.Codec, suite.Coordinator, thrSamples, thrSeed, thrClock, pictureDelay, thrBandwidth,
		thrPeers, thrJitter, thrDraws, pictureOut, thrASCII, noLock)
	return axisCommand("threshold picture", "draw the time to a signature over latency and bandwidth", pictureHelp, axes,
		func(ctx context.Context, sel *bench.Selection) error { return drawPictures(ctx, sel, s) })
}

func drawPictures(ctx context.Context, sel *bench.Selection, s streams) error {
	if len(pictureDelay.All(sel)) > 1 {
		return usageError("-latency: a picture over the bandwidth takes one value")
	}
	unlock, err := waitForMachine(ctx, sel, s.err)
	if err != nil {
		return err
	}
	defer unlock()
	o := study.Options{Party: "coordinator", Samples: thrSamples.All(sel)[0], Naive: thrPeers.All(sel)[0] == "recorded"}
	writeHeader(sel, s.out)
	var groups []page.Charts
	for _, malicious := range pictureMax.All(sel) {
		phases, err := measurePhases(ctx, sel, suite.Case.All(sel), malicious, o, s)
		if err != nil {
			return thresholdError("threshold picture", err)
		}
		groups = append(groups, page.Charts{
			Title: fmt.Sprintf("f = %d", malicious), Charts: phases.Pictures(malicious, net(sel, pictureDelay.All(sel)[0]), thrDraws.All(sel)[0]),
			Lead: "Steps of the real party take as long as in the median replay, of " + fmt.Sprint(o.Samples) + "; all replays are complete, byte-equal and verified. Axes of time are logarithmic.",
		})
	}
	return showCharts(sel, "Threshold signatures over a network", groups, s)
}

// showCharts writes charts to the terminal, and to the file of -o as HTML.
func showCharts(sel *bench.Selection, title string, groups []page.Charts, s streams) error {
	for _, g := range groups {
		for _, c := range g.Charts {
			if err := c.Text(s.out, terminalChart(sel, s.out)); err != nil {
				return err
			}
			fmt.Fprintln(s.out)
		}
	}
	out := pictureOut.All(sel)[0]
	if out == "" {
		return nil
	}
	var html bytes.Buffer
	err := page.WriteCharts(&html, title, groups)
	if err == nil {
		err = outfile.WriteBytes(out, html.Bytes())
	}
	if err != nil {
		return fmt.Errorf("zkatbench: threshold: %w", err)
	}
	_, err = fmt.Fprintf(s.out, "wrote %s\n", out)
	return err
}

// terminalChart are the options for w: its width and colour if it is a terminal.
func terminalChart(sel *bench.Selection, w io.Writer) chart.Options {
	o := chart.Options{ASCII: thrASCII.All(sel)[0]}
	if f, isFile := w.(*os.File); isFile && term.IsTerminal(int(f.Fd())) {
		o.Width = columns(f)
		o.Colour = os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	}
	return o
}

func growthCommand(s streams) *commandLine {
	axes := bench.Axes(suite.Case, growthMax, suite.Codec, suite.Coordinator, growthSample, thrSeed, thrClock, pictureOut, thrASCII, noLock)
	return axisCommand("threshold growth", "fit the cost of a party as a function of the malicious parties", growthHelp, axes,
		func(ctx context.Context, sel *bench.Selection) error { return measureGrowth(ctx, sel, s) })
}

func measureGrowth(ctx context.Context, sel *bench.Selection, s streams) error {
	names := suite.Case.All(sel)
	unlock, err := waitForMachine(ctx, sel, s.err)
	if err != nil {
		return err
	}
	defer unlock()
	writeHeader(sel, s.out)
	all := make([]*study.Growth, len(names))
	for i, name := range names {
		all[i] = &study.Growth{Case: name}
	}
	o := study.Options{Party: "coordinator", Samples: growthSample.All(sel)[0], Count: true}
	for _, malicious := range growthMax.All(sel) {
		phases, err := measurePhases(ctx, sel, names, malicious, o, s)
		if err != nil {
			return thresholdError("threshold growth", err)
		}
		for i, name := range names {
			all[i].Add(phases[name])
		}
	}
	fmt.Fprintf(s.out, "cost of the coordinator over f = %s, %d replays each, all complete, byte-equal and verified\n\n",
		strings.Trim(strings.ReplaceAll(fmt.Sprint(growthMax.All(sel)), " ", ", "), "[]"), o.Samples)
	if err := study.WriteGrowth(s.out, all); err != nil {
		return inside("threshold growth", err)
	}
	groups := []page.Charts{{Title: "Growth", Lead: "Both axes are logarithmic: a power law is a straight line.", Charts: []chart.Chart{study.GrowthPicture(all)}}}
	return showCharts(sel, "Cost of threshold signatures over the number of malicious parties", groups, s)
}
