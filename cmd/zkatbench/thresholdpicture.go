package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/zkatbench/zkatbench/bench/chart"
	page "github.com/zkatbench/zkatbench/bench/report"
	"github.com/zkatbench/zkatbench/runner/flags"
	"github.com/zkatbench/zkatbench/runner/outfile"
	"github.com/zkatbench/zkatbench/scheme/threshold/study"
	"github.com/zkatbench/zkatbench/text"
)

const (
	pictureHelp = `Draws the time to a signature over the latency (0 to 200 ms) and over the bandwidth (10 kbit/s to
10 Gbit/s) of a network, and marks where two schemes cross. Phases are measured by replay; a virtual clock
adds the network. With -jitter lines are medians of the draws, with bands from the 5 % to the 95 % quantile.`
	growthHelp = `Measures replays for growing numbers f of malicious parties, counts group operations, and fits
c · f^p with the 95 % interval of p.`
)

// chartFlags are the flags of charts.
type chartFlags struct {
	out   *string
	ascii *bool
}

func newChartFlags(set *flags.Set) chartFlags {
	return chartFlags{
		out:   flags.One(set, "o", "", "`file` of the charts as a self-contained HTML page; none if not given", flags.Text("a file")),
		ascii: flags.One(set, "ascii", "false", "draw with ASCII characters only", flags.Switch()),
	}
}

func pictureLine(s streams) *commandLine {
	l := newLine("threshold picture", "[flags]", "draw the time to a signature over latency and bandwidth")
	l.help = pictureHelp
	f := newStudyFlags(&l.flags, "6", "15")
	net, charts := newNetFlags(&l.flags, f.seed), newChartFlags(&l.flags)
	latency := flags.One(&l.flags, "latency", "0", "latency of the network in the picture over the bandwidth", latencies)
	l.exec = func(ctx context.Context, _ []string) error {
		unlock, err := waitForMachine(ctx, *f.free, s.err)
		if err != nil {
			return err
		}
		defer unlock()
		o := study.Options{Party: "coordinator", Samples: *f.samples, Naive: *net.peers == "recorded"}
		f.header(s.out)
		var groups []page.Charts
		for _, malicious := range *f.malicious {
			phases, err := f.measure(ctx, malicious, o, s)
			if err != nil {
				return thresholdError("threshold picture", err)
			}
			groups = append(groups, page.Charts{
				Title: fmt.Sprintf("f = %d", malicious), Charts: phases.Pictures(malicious, net.of(*latency), *net.draws),
				Lead: "Steps of the real party take as long as in the median replay, of " + fmt.Sprint(o.Samples) + "; all replays are complete, byte-equal and verified. Axes of time are logarithmic.",
			})
		}
		return charts.show("Threshold signatures over a network", groups, s)
	}
	return l
}

// show writes charts to the terminal, and to the file of -o as HTML.
func (f chartFlags) show(title string, groups []page.Charts, s streams) error {
	for _, g := range groups {
		for _, c := range g.Charts {
			if err := c.Text(s.out, f.terminal(s.out)); err != nil {
				return err
			}
			fmt.Fprintln(s.out)
		}
	}
	if *f.out == "" {
		return nil
	}
	var html bytes.Buffer
	err := page.WriteCharts(&html, title, groups)
	if err == nil {
		err = outfile.WriteBytes(*f.out, html.Bytes())
	}
	if err != nil {
		return fmt.Errorf("zkatbench: threshold: %w", err)
	}
	_, err = fmt.Fprintf(s.out, "wrote %s\n", *f.out)
	return err
}

// terminal are the options for w: its width and colour if it is a terminal.
func (f chartFlags) terminal(w io.Writer) chart.Options {
	return chart.Options{ASCII: *f.ascii, Width: text.Width(w), Colour: text.Colour(w)}
}

func growthLine(s streams) *commandLine {
	l := newLine("threshold growth", "[flags]", "fit the cost of a party as a function of the malicious parties")
	l.help = growthHelp
	f, charts := newStudyFlags(&l.flags, "1,2,3,4,6,8,10,12,15,20,25,30", "6"), newChartFlags(&l.flags)
	l.exec = func(ctx context.Context, _ []string) error {
		unlock, err := waitForMachine(ctx, *f.free, s.err)
		if err != nil {
			return err
		}
		defer unlock()
		f.header(s.out)
		all := make([]*study.Growth, len(*f.cases))
		for i, name := range *f.cases {
			all[i] = &study.Growth{Case: name}
		}
		o := study.Options{Party: "coordinator", Samples: *f.samples, Count: true}
		for _, malicious := range *f.malicious {
			phases, err := f.measure(ctx, malicious, o, s)
			if err != nil {
				return thresholdError("threshold growth", err)
			}
			for i, name := range *f.cases {
				all[i].Add(phases[name])
			}
		}
		fmt.Fprintf(s.out, "cost of the coordinator over f = %s, %d replays each, all complete, byte-equal and verified\n\n",
			strings.Trim(strings.ReplaceAll(fmt.Sprint(*f.malicious), " ", ", "), "[]"), o.Samples)
		if err := study.WriteGrowth(s.out, all); err != nil {
			return inside("threshold growth", err)
		}
		groups := []page.Charts{{Title: "Growth", Lead: "Both axes are logarithmic: a power law is a straight line.", Charts: []chart.Chart{study.GrowthPicture(all)}}}
		return charts.show("Cost of threshold signatures over the number of malicious parties", groups, s)
	}
	return l
}
