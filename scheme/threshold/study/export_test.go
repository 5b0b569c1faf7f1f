package study

import (
	"time"

	"github.com/zkatbench/zkatbench/runner/stats"
)

var (
	NewModel = newModel
	Timed    = timed
)

func (g Growth) Fit(name string, least int, value func(*Phase) float64) (stats.PowerLaw, error) {
	return g.fit(name, least, value)
}

func (m *model) Finish(n Network, real uint32, steps steps) time.Duration {
	return m.finish(n, real, steps)
}

func (p *Phase) Finish(n Network) time.Duration { return p.finish(n) }

// Names that only tests of this package use.
const Recorded = recordedPeers
const Same = samePeers
const Zero = zeroPeers
