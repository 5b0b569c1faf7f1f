package oneshot

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"runtime/pprof"
	"runtime/trace"

	"github.com/google/pprof/profile"

	"github.com/zkatbench/zkatbench/bench/flame"
	"github.com/zkatbench/zkatbench/bench/step"
)

// ProfileEndings are the endings of files that Profile.Write can make: a flame graph, folded
// stacks, a CPU profile, and an execution trace with steps as regions.
var ProfileEndings = []string{".svg", ".txt", ".pprof", TraceEnding}

// TraceEnding is the ending of an execution trace.
const TraceEnding = ".trace"

// Profile is where the work of a program spends processor time.
type Profile struct {
	Stacks     flame.Stacks // below the steps of the operation
	name       string
	raw, trace []byte
}

// ProfileOf profiles the work of a program, without its preparation. If traced is set it also
// records an execution trace.
func ProfileOf(ctx context.Context, p Program, traced bool) (*Profile, error) {
	var raw, events bytes.Buffer
	_, _, err := Observed(ctx, p, step.Labels, nil, func() error {
		if traced {
			if err := trace.Start(&events); err != nil {
				return err
			}
		}
		return pprof.StartCPUProfile(&raw)
	})
	pprof.StopCPUProfile()
	if traced {
		trace.Stop()
	}
	if err != nil {
		return nil, err
	}
	parsed, err := profile.Parse(bytes.NewReader(raw.Bytes()))
	if err != nil {
		return nil, fmt.Errorf("the CPU profile cannot be read: %w", err)
	}
	return &Profile{Stacks: flame.Fold(parsed, step.Label), name: p.Name(), raw: raw.Bytes(),
		trace: events.Bytes()}, nil
}

// Write writes the profile in the format of an ending of ProfileEndings.
func (p *Profile) Write(w io.Writer, ending string) (err error) {
	switch ending {
	case ".svg":
		return p.Stacks.SVG(w, p.name)
	case ".txt":
		return p.Stacks.Write(w)
	case TraceEnding:
		_, err = w.Write(p.trace)
	default:
		_, err = w.Write(p.raw)
	}
	return err
}
