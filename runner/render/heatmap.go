package render

import (
	"math"
	"strings"

	"github.com/zkatbench/zkatbench/runner"
)

const barWidth = 40

// heatmap prints the latencies in buckets that grow by a quarter of the decade
// each, empty ones left out, bars in proportion to the fullest.
func (p *page) heatmap(r *runner.Result) {
	if r.Done == 0 {
		return
	}
	p.section("Latency heatmap")
	rows := geometric(r)
	fullest := 0.0
	for _, row := range rows {
		fullest = max(fullest, row.share)
	}
	for _, row := range rows {
		if row.share > 0 {
			bar := p.heat(bar(row.share/fullest), row.share/fullest)
			p.printf("  %9s – %-9s %6.2f %%  %s\n", short(row.low), short(row.high), 100*row.share, bar)
		}
	}
}

type row struct{ low, high, share float64 }

// geometric cuts the range of the latencies at powers of ten to the quarter.
func geometric(r *runner.Result) (rows []row) {
	const perDecade = 16
	first := math.Floor(math.Log10(max(1, r.Moments.Min)) * perDecade)
	last := math.Ceil(math.Log10(r.Moments.Max+1) * perDecade)
	for i := first; i < max(last, first+1); i++ {
		low, high := math.Pow(10, i/perDecade), math.Pow(10, (i+1)/perDecade)
		rows = append(rows, row{low, high, float64(r.Latency.Between(low, high)) / float64(r.Done)})
	}
	return rows
}

// bar is share of barWidth, to one eighth of a character, never empty.
func bar(share float64) string {
	eighths := max(1, int(math.Round(share*barWidth*8)))
	s := strings.Repeat("█", eighths/8)
	if rest := eighths % 8; rest > 0 {
		s += string([]rune(" ▏▎▍▌▋▊▉")[rest])
	}
	return s
}

// heat colours a bar from green to red by how full it is.
func (p *page) heat(s string, share float64) string {
	if !p.o.Colour {
		return s
	}
	colour := "\x1b[32m"
	switch {
	case share > 0.66:
		colour = "\x1b[31m"
	case share > 0.33:
		colour = "\x1b[33m"
	}
	return colour + s + "\x1b[0m"
}

// sparkline prints the throughput over the window, a character a tick.
func (p *page) sparkline(r *runner.Result) {
	most := 0.0
	for _, t := range r.Ticks {
		most = max(most, t)
	}
	if most == 0 {
		return
	}
	p.section("Throughput over time")
	levels := []rune("▁▂▃▄▅▆▇█")
	var b strings.Builder
	for _, t := range r.Ticks {
		b.WriteRune(levels[min(len(levels)-1, int(t/most*float64(len(levels))))])
	}
	p.printf("  %s\n", b.String())
}
