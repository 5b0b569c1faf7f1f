package network

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// Jitter is a random delay of each message. Equal seeds give equal delays. The
// zero value adds no delay.
type Jitter struct {
	Shape string // one of jitterNames
	// Scale is the mean of an exponential delay, the maximum of a uniform one, and
	// the standard deviation of a normal one. A normal delay is the absolute value.
	Scale time.Duration
	Seed  uint64
}

// jitters draw a delay in units of the scale.
var jitters = map[string]func(*rand.Rand) float64{
	"exponential": (*rand.Rand).ExpFloat64,
	"uniform":     (*rand.Rand).Float64,
	"normal":      func(r *rand.Rand) float64 { return math.Abs(r.NormFloat64()) },
}

// jitterNames are the shapes of the distribution of delays.
var jitterNames = []string{"exponential", "uniform", "normal"}

// JitterAllowed describes the texts that ParseJitter accepts.
const JitterAllowed = "none, or exponential, uniform or normal with a duration, such as exponential:10ms"

// ErrJitter reports a text that names no distribution of delays.
var ErrJitter = errors.New("is not " + JitterAllowed)

// ParseJitter reads a shape and a scale, "exponential:10ms", or "none".
func ParseJitter(text string) (Jitter, error) {
	if text == "none" {
		return Jitter{}, nil
	}
	shape, scale, _ := strings.Cut(text, ":")
	d, err := time.ParseDuration(scale)
	if err != nil || d <= 0 || !slices.Contains(jitterNames, shape) {
		return Jitter{}, fmt.Errorf("%q %w", text, ErrJitter)
	}
	return Jitter{Shape: shape, Scale: d}, nil
}

// String is the text that ParseJitter reads.
func (j Jitter) String() string {
	if j.Shape == "" {
		return "none"
	}
	return j.Shape + ":" + j.Scale.String()
}

// delays are the delays of one run.
type delays struct {
	random *rand.Rand
	draw   func(*rand.Rand) float64
	scale  time.Duration
}

// start returns the delays of a run, nil without jitter.
func (j Jitter) start() *delays {
	draw := jitters[j.Shape]
	if draw == nil {
		return nil
	}
	return &delays{rand.New(rand.NewPCG(j.Seed, 0)), draw, j.Scale}
}

func (d *delays) next() time.Duration { return time.Duration(d.draw(d.random) * float64(d.scale)) }

// Draws returns the times of several runs. The seeds of their delays follow from
// the seed of the network. Without jitter all times are equal.
func (m *Model) Draws(n Network, real uint32, steps Steps, draws int) []time.Duration {
	times := make([]time.Duration, draws)
	seeds := rand.New(rand.NewPCG(n.Jitter.Seed, 1))
	for i := range times {
		n.Jitter.Seed = seeds.Uint64()
		times[i] = m.Finish(n, real, steps)
	}
	return times
}
